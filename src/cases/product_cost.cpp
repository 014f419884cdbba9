#include "cases/product_cost.h"

#include <algorithm>
#include <cmath>

#include "cases/bench_clock.h"
#include "cases/random_particles.h"

namespace firn {
namespace {

constexpr double kDt = 2e-4, kDensity = 1000, kCourant = 0.1;

// With waves that cross a tenth of a cell in a step.
FixedCorotated::Parameters elastic() {
  const double speed = kCourant * kTestSpacing / kDt;
  FixedCorotated::Parameters p;
  p.youngs_modulus = kDensity * speed * speed;
  return p;
}

template <class T, int D>
class Box {
 public:
  explicit Box(const BenchOptions& options)
      : options_(options), solver_(settings_of(options), std::vector<Collider>()) {
    std::vector<std::vector<Vec3d>> world;
    const int count =
        static_cast<int>(std::lround(std::pow(double(options.particles), 1.0 / double(D))));
    const auto swirl = [](const Vec3d& x) { return Vec3d{{0.1 * x[1], -0.1 * x[0], 0}}; };
    add_box<T, D>(state_, world, elastic(), count, {{0, 0, 0}}, swirl, Mat<double, D>::zero());
    state_.spacing = kTestSpacing;
    state_.shift = kernel_shift(options.kernel);
    sort_from_world(state_, world);
    solver_.initialize(state_, {false});
  }

  double explicit_step() {
    return mean_of([&] { solver_.step(state_, kDt, Vec3d::zero()); });
  }
  double product() {
    StepContext<T, D> ctx = scheme_context<T, D>(options_.transfer, kDt, 0);
    ctx.spacing = kTestSpacing;
    Operators<T, D> operators(options_.kernel, options_.transfer);
    find_nodes(ctx, operators);
    const NodeSpace<T, D> space(mass_);
    NodeContactSet<T, D> contacts;
    ImplicitObjective<T, D> objective(space, ctx, state_, operators,
                                      options_.kernel != KernelKind::linear, velocity_, contacts,
                                      PreconditionerKind::none);
    objective.objective(velocity_);
    objective.linearize(velocity_, Curvature::exact);
    auto out = space.make();
    return mean_of([&] { objective.hessian(velocity_, out); });
  }

 private:
  static MpmSettings settings_of(const BenchOptions& options) {
    MpmSettings settings;
    settings.spacing = kTestSpacing;
    settings.kernel = options.kernel;
    settings.transfer = options.transfer;
    return settings;
  }
  // Seconds of one, the first left out.
  template <class F>
  double mean_of(const F& f) const {
    const auto times =
        static_cast<int>(std::clamp(options_.work / 2 / double(options_.particles), 5.0, 1000.0));
    f();
    const BenchClock clock(Device::cpu);
    for (int k = 0; k < times; ++k) f();
    return clock.seconds() / times;
  }
  void find_nodes(const StepContext<T, D>& ctx, Operators<T, D>& operators) {
    NodeField<T, D> field("momentum");
    operators.momentum_to_nodes(ctx, state_, field);
    mass_.resize(field.size());
    velocity_.resize(field.size());
    for (std::size_t i = 0; i < field.size(); ++i) {
      const T mass = field.data()[i][kMassLane];
      mass_[i] = mass > kLeastMass<T> ? mass : T(0);
      velocity_[i] = Node<T>(0);
      for (int a = 0; a < D && mass_[i] > T(0); ++a) velocity_[i].set(a, field.data()[i][a] / mass);
    }
  }

  const BenchOptions& options_;
  MpmState<T, D> state_;
  MpmSolver<T, D> solver_;
  Buffer<T> mass_;
  typename NodeSpace<T, D>::Vector velocity_;
};

template <class T, int D>
ProductCost cost_of(const BenchOptions& options) {
  Box<T, D> box(options);
  ProductCost cost;
  cost.explicit_step = box.explicit_step();
  cost.product = box.product();
  return cost;
}

template <class T>
ProductCost cost_of(const BenchOptions& options) {
  return options.dimension == 3 ? cost_of<T, 3>(options) : cost_of<T, 2>(options);
}

}  // namespace

ProductCost measure_product(const BenchOptions& options) {
  return options.precision == Precision::double_ ? cost_of<double>(options)
                                                 : cost_of<float>(options);
}

}  // namespace firn

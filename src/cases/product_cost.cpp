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
      : options_(options),
        solver_(scheme_settings(options.kernel, options.transfer), std::vector<Collider>()) {
    std::vector<std::vector<Vec3d>> world;
    const int count =
        static_cast<int>(std::lround(std::pow(double(options.particles), 1.0 / double(D))));
    const auto turning = [](const Vec3d& x) { return Vec3d{{0.1 * x[1], -0.1 * x[0], 0}}; };
    add_box<T, D>(state_, world, elastic(), count, {{0, 0, 0}}, turning, Mat<double, D>::zero());
    sort_boxes(state_, world, options.kernel);
    solver_.initialize(state_, {false});
  }

  double explicit_step() {
    return mean_of([&] { solver_.step(state_, kDt, Vec3d::zero()); });
  }
  double product() {
    const StepContext<T, D> ctx = scheme_context<T, D>(options_.transfer, kDt, 0);
    Operators<T, D> operators(options_.kernel, options_.transfer);
    find_nodes(operators, ctx, state_, mass_, velocity_);
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

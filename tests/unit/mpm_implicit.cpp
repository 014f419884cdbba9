// The objective of an implicit step: its gradient and Hessian against differences, for models,
// kernels and transfers; the transpose of the gradient; contact within the step; the same bytes for
// any number of threads.
#include <gtest/gtest.h>

#include "cases/random_particles.h"
#include "exec/parallel.h"
#include "mpm/implicit_objective.h"
#include "state_bytes.h"

namespace firn {
namespace {

constexpr double kDt = 2e-3;  // s: strains of some percent

template <int D>
using Nodes = typename NodeSpace<double, D>::Vector;

Collider floor_at(double height, ContactKind kind, double friction) {
  Collider floor;
  floor.shape.kind = ShapeKind::plane;
  floor.shape.center = {{0, height, 0}};
  floor.contact = kind;
  floor.friction = friction;
  return floor;
}

// Random particles of one model under random strain, their nodes, and the objective of a step.
template <int D>
struct Problem {
  MpmState<double, D> state;
  StepContext<double, D> ctx;
  Operators<double, D> operators;
  Buffer<double> mass;
  Nodes<D> free;
  NodeContactSet<double, D> contacts;
  std::mt19937 random{11};

  Problem(const ModelParameters& model, KernelKind kernel, TransferKind transfer,
          double strain = 0.1)
      : ctx(scheme_context<double, D>(transfer, kDt, 0.9)), operators(kernel, transfer) {
    std::vector<std::vector<Vec3d>> world;
    add_box<double, D>(state, world, model, D == 3 ? 5 : 9, {{-0.13, 0.02, 0.3}}, swirl,
                       Mat<double, D>::zero());
    sort_boxes(state, world, kernel);
    set_strains(strain);
    find_nodes(operators, ctx, state, mass, free);
  }

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  void set_strains(double strain) {
    for (auto& set : state.sets) {
      auto& p = set.particles;
      for (std::size_t i = 0; i < p.size(); ++i) {
        for (int k = 0; k < p[column::gradient].components(); ++k)
          p[column::gradient][k][i] = (k / D == k % D) + uniform(-strain, strain);
        for (int c = 0; c < p[column::dilation].components(); ++c) p[column::dilation][c][i] = 0;
      }
      set_scalars(set, strain);
    }
  }
  void set_scalars(MaterialSet<double, D>& set, double strain) {
    auto& p = set.particles;
    for (int c = 0; c < p[column::scalar].components(); ++c)
      for (std::size_t i = 0; i < p.size(); ++i) {
        double& x = p[column::scalar][c][i];
        if (std::holds_alternative<Snow::Parameters>(set.parameters))
          x = uniform(0.97, 1.03);
        else if (std::holds_alternative<Fluid::Parameters>(set.parameters))
          x = c == 0 ? uniform(0.7, 0.75) : 0;
        else if (std::holds_alternative<VonMises::Parameters>(set.parameters))
          x = uniform(0, 0.1 * strain);
        else
          x = 0;
      }
  }
  NodeSpace<double, D> space() const { return NodeSpace<double, D>(mass); }
  Nodes<D> random_nodes() {
    Nodes<D> v = space().make();
    for (std::size_t i = 0; i < v.size(); ++i)
      for (int a = 0; a < D && mass[i] > 0; ++a) v[i].set(a, uniform(-1, 1));
    return v;
  }
};

template <class F>
auto fourth_order_slope(const F& f, double step) {
  return ((f(step) - f(-step)) * 8.0 - (f(2 * step) - f(-2 * step))) / (12 * step);
}

std::vector<ModelParameters> models_with_energy() {
  Viscoelastic::Parameters paste;
  paste.viscosity = 20;
  paste.relaxation_time = 0.01;
  Fluid::Parameters honey;
  honey.viscosity = 10;
  return {FixedCorotated::Parameters(), NeoHookean::Parameters(),
          Snow::unyielding(),  // differences across yielding would be none of its derivatives
          VonMises::Parameters(),       Fluid::Parameters(),      honey, paste};
}

template <int D, class F>
void for_each_problem(const std::vector<ModelParameters>& models, F&& f) {
  for (std::size_t m = 0; m < models.size(); ++m)
    for (const KernelKind kernel : {KernelKind::linear, KernelKind::quadratic, KernelKind::cubic})
      for (const TransferKind transfer :
           {TransferKind::mls, TransferKind::apic, TransferKind::flip, TransferKind::pic}) {
        SCOPED_TRACE("model " + std::to_string(models[m].index()) + " (" + std::to_string(m) +
                     "), kernel " + std::to_string(int(kernel)) + ", transfer " +
                     std::to_string(int(transfer)));
        Problem<D> problem(models[m], kernel, transfer);
        const NodeSpace<double, D> space = problem.space();
        ImplicitObjective<double, D> objective(space, problem.ctx, problem.state, problem.operators,
                                               kernel != KernelKind::linear, problem.free,
                                               problem.contacts, PreconditionerKind::blocks);
        f(problem, space, objective);
      }
}

template <int D>
Nodes<D> moved(const NodeSpace<double, D>& space, const Nodes<D>& v, double s, const Nodes<D>& d) {
  Nodes<D> x = space.make();
  space.copy(v, x);
  space.combine(s, d, 1, x);
  return x;
}

template <int D>
double norm(const NodeSpace<double, D>& space, const Nodes<D>& v) {
  return std::sqrt(space.dot(v, v));
}

// Forces alone: what inertia adds is exact and would hide them.
template <int D>
double force_scale(const NodeSpace<double, D>& space, const Problem<D>& problem, const Nodes<D>& v,
                   const Nodes<D>& g) {
  Nodes<D> force = moved<D>(space, g, -1, v);
  space.combine(1, problem.free, 1, force);
  return norm<D>(space, force);
}

template <int D>
void expect_gradient_of_the_objective() {
  for_each_problem<D>(models_with_energy(), [](auto& problem, const auto& space, auto& objective) {
    const Nodes<D> v = problem.random_nodes();
    Nodes<D> g = space.make();
    for (int n = 0; n < 3; ++n) {
      const Nodes<D> d = problem.random_nodes();
      const double slope = fourth_order_slope(
          [&](double s) { return objective.objective(moved<D>(space, v, s, d)); }, 2e-3);
      objective.objective(v);
      objective.gradient(v, g);
      const double scale = force_scale<D>(space, problem, v, g) * norm<D>(space, d);
      ASSERT_GT(scale, 0);
      EXPECT_LT(std::abs(slope - space.dot(g, d)) / scale, 1e-8);
    }
  });
}

template <int D>
Nodes<D> difference_of_gradients(const NodeSpace<double, D>& space,
                                 ImplicitObjective<double, D>& objective, const Nodes<D>& v,
                                 const Nodes<D>& d, double step) {
  Nodes<D> sum = space.make(), g = space.make();
  const auto add = [&](double s, double weight) {
    const Nodes<D> x = moved<D>(space, v, s, d);
    objective.objective(x);
    objective.gradient(x, g);
    space.combine(weight / (12 * step), g, 1, sum);
  };
  add(step, 8);
  add(-step, -8);
  add(2 * step, -1);
  add(-2 * step, 1);
  return sum;
}

template <int D>
double hessian_error(Problem<D>& problem, const NodeSpace<double, D>& space,
                     ImplicitObjective<double, D>& objective, const Nodes<D>& v, double step) {
  const Nodes<D> d = problem.random_nodes();
  Nodes<D> product = space.make();
  objective.linearize(v, Curvature::exact);
  objective.hessian(d, product);
  Nodes<D> off = difference_of_gradients<D>(space, objective, v, d, step);
  const Nodes<D> forces = moved<D>(space, product, -1, d);
  space.combine(-1, product, 1, off);
  return norm<D>(space, off) / norm<D>(space, forces);
}

template <int D>
void expect_hessian_of_the_gradient() {
  for_each_problem<D>(models_with_energy(), [](auto& problem, const auto& space, auto& objective) {
    const Nodes<D> v = problem.random_nodes();
    EXPECT_LT(hessian_error<D>(problem, space, objective, v, 2e-3), 1e-7);
    const Nodes<D> a = problem.random_nodes(), b = problem.random_nodes();
    Nodes<D> of_a = space.make(), of_b = space.make();
    objective.hessian(a, of_a);
    objective.hessian(b, of_b);
    EXPECT_LT(std::abs(space.dot(a, of_b) - space.dot(b, of_a)),
              1e-12 * norm<D>(space, a) * norm<D>(space, of_b));
  });
}

TEST(MpmImplicit, GradientIsThatOfTheObjective2D) {
  expect_gradient_of_the_objective<2>();
}
TEST(MpmImplicit, GradientIsThatOfTheObjective3D) {
  expect_gradient_of_the_objective<3>();
}
TEST(MpmImplicit, HessianIsThatOfTheGradientAndSelfAdjoint2D) {
  expect_hessian_of_the_gradient<2>();
}
TEST(MpmImplicit, HessianIsThatOfTheGradientAndSelfAdjoint3D) {
  expect_hessian_of_the_gradient<3>();
}

// Sand with the yield strain held that a motion gave it. Differences must not straddle a kink.
template <int D>
void expect_derivatives_of_sand() {
  for_each_problem<D>({Sand::Parameters()}, [](auto& problem, const auto& space, auto& objective) {
    ASSERT_TRUE(objective.holds());
    const Nodes<D> v = problem.random_nodes(), d = problem.random_nodes();
    const Nodes<D> other = problem.random_nodes();
    objective.start_renewing();
    objective.renew(other, objective.objective(other));
    objective.stop_renewing();
    const double slope = fourth_order_slope(
        [&](double s) { return objective.objective(moved<D>(space, v, s, d)); }, 1e-4);
    Nodes<D> g = space.make();
    objective.objective(v);
    objective.gradient(v, g);
    const double scale = force_scale<D>(space, problem, v, g) * norm<D>(space, d);
    ASSERT_GT(scale, 0);
    EXPECT_LT(std::abs(slope - space.dot(g, d)) / scale, 1e-8);
    EXPECT_LT(hessian_error<D>(problem, space, objective, v, 1e-5), 1e-7);
  });
}
TEST(MpmImplicit, DerivativesOfSandOfGivenYieldStrain2D) {
  expect_derivatives_of_sand<2>();
}
TEST(MpmImplicit, DerivativesOfSandOfGivenYieldStrain3D) {
  expect_derivatives_of_sand<3>();
}

template <int D>
void expect_transpose() {
  for_each_problem<D>({NeoHookean::Parameters()}, [](auto& problem, const auto& space, auto&) {
    const Nodes<D> v = problem.random_nodes();
    Nodes<D> pushed = space.make();
    std::vector<double> at_particles(problem.state.blocks.occupied(), 0.0);
    problem.operators.map_gradients(
        problem.ctx, problem.state, false, v.data(),
        [&](int, int block, std::uint32_t begin, std::uint32_t end, double* const* rate) {
          std::mt19937 random(begin);
          std::uniform_real_distribution<double> value(-1, 1);
          for (int k = 0; k < D * D; ++k)
            for (std::uint32_t i = 0; i < end - begin; ++i) {
              const double matrix = value(random);
              at_particles[block] += rate[k][i] * matrix;
              rate[k][i] = matrix;
            }
        },
        pushed.data());
    double of_particles = 0, of_nodes = 0, size = 0;
    for (const double part : at_particles) of_particles += part;
    for (std::size_t i = 0; i < v.size(); ++i)
      for (int a = 0; a < D; ++a) {
        of_nodes += v[i][a] * pushed[i][a];
        size += std::abs(v[i][a] * pushed[i][a]);
      }
    EXPECT_GT(size, 0);
    EXPECT_LT(std::abs(of_particles - of_nodes), 1e-12 * size);
  });
}
TEST(MpmImplicit, PushIsTheTransposeOfTheGradient2D) {
  expect_transpose<2>();
}
TEST(MpmImplicit, PushIsTheTransposeOfTheGradient3D) {
  expect_transpose<3>();
}

// Particles near a floor.
template <int D>
struct NearFloor : Problem<D> {
  ColliderSet obstacles;
  ContactMap<D> map;
  static constexpr double kHeight = 0.1;

  explicit NearFloor(const Collider& floor)
      : Problem<D>(NeoHookean::Parameters(), KernelKind::quadratic, TransferKind::mls),
        obstacles(std::vector<Collider>{floor}) {
    obstacles.set_step(0, kDt);
    map.build(this->state.blocks, obstacles, kTestSpacing, kernel_shift(KernelKind::quadratic), 1);
    this->contacts.build(this->ctx, this->state.blocks, obstacles.all(), map, this->mass,
                         this->free, false);
  }
  Vec3d place(std::size_t node) const {
    constexpr int kNodes = BlockShape<D>::kNodes;
    return node_position<D>(this->state.blocks.coord(static_cast<int>(node / kNodes)),
                            static_cast<int>(node % kNodes), kTestSpacing);
  }
  // f(node) for those that have mass and lie in the floor.
  template <class F>
  int for_each_inside(const F& f) const {
    int count = 0;
    for (std::size_t i = 0; i < this->mass.size(); ++i)
      if (this->mass[i] > 0 && place(i)[1] < kHeight - 1e-9) {
        ++count;
        f(i);
      }
    return count;
  }
};

template <int D>
double largest_difference(const Nodes<D>& a, const Nodes<D>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < D; ++c) worst = std::max(worst, std::abs(a[i][c] - b[i][c]));
  return worst;
}

template <int D>
void expect_projections(const Collider& floor) {
  NearFloor<D> f(floor);
  ASSERT_FALSE(f.contacts.empty());
  const NodeSpace<double, D> space = f.space();
  const Nodes<D> v = f.random_nodes(), g = f.random_nodes();
  Nodes<D> once = moved<D>(space, v, 0, v), twice = space.make();
  f.contacts.project(once, nullptr);
  EXPECT_GT(largest_difference<D>(once, v), 0.1);
  space.copy(once, twice);
  f.contacts.project(twice, nullptr);
  EXPECT_LT(largest_difference<D>(once, twice), 1e-14);
  f.contacts.register_active(once, g);
  Nodes<D> d = f.random_nodes(), filtered = moved<D>(space, d, 0, d);
  f.contacts.filter(filtered);
  EXPECT_GT(largest_difference<D>(filtered, d), 0.1);
  space.copy(filtered, twice);
  f.contacts.filter(twice);
  EXPECT_LT(largest_difference<D>(filtered, twice), 1e-14);
  const Nodes<D> e = f.random_nodes();
  Nodes<D> filtered_e = moved<D>(space, e, 0, e);
  f.contacts.filter(filtered_e);
  EXPECT_NEAR(space.dot(filtered, e), space.dot(d, filtered_e), 1e-13);
}

TEST(MpmImplicit, ProjectionAndFilterChangeNothingTwice) {
  Mat<double, 3> tilted = Mat<double, 3>::identity();
  tilted(0, 0) = tilted(1, 1) = 0.8;
  tilted(0, 1) = 0.6;
  tilted(1, 0) = -0.6;
  for (const ContactKind kind :
       {ContactKind::separate, ContactKind::slip, ContactKind::sticky, ContactKind::pin}) {
    SCOPED_TRACE("contact " + std::to_string(int(kind)));
    Collider floor = floor_at(NearFloor<2>::kHeight, kind, 0.3);
    floor.shape.rotation = tilted;
    expect_projections<2>(floor);
    expect_projections<3>(floor);
  }
}

template <int D>
void expect_held(ContactKind kind) {
  Collider floor = floor_at(NearFloor<D>::kHeight, kind, 0);
  floor.surface_velocity = {{0.7, 0, 0}};
  NearFloor<D> f(floor);
  Nodes<D> v = f.random_nodes(), d = f.random_nodes();
  f.contacts.project(v, nullptr);
  f.contacts.register_active(v, d);
  f.contacts.filter(d);
  EXPECT_GT(f.for_each_inside([&](std::size_t i) {
    EXPECT_EQ(v[i][0], 0.7);
    EXPECT_EQ(v[i][1], 0);
    for (int a = 0; a < D; ++a) EXPECT_EQ(d[i][a], 0);
  }),
            3);
}

TEST(MpmImplicit, HeldNodesKeepTheVelocityOfTheBody) {
  for (const ContactKind kind : {ContactKind::sticky, ContactKind::pin}) {
    expect_held<2>(kind);
    expect_held<3>(kind);
  }
}

// Nodes at rest on a floor, pressed by `press` and pulled along it by `pull`, m/s.
template <int D>
Vec3d left_of_pull(double press, double pull, Nodes<D>& d) {
  NearFloor<D> f(floor_at(NearFloor<D>::kHeight, ContactKind::separate, 0.3));
  const NodeSpace<double, D> space = f.space();
  Nodes<D> v = space.make(), g = space.make();
  for (std::size_t i = 0; i < g.size(); ++i)
    if (f.mass[i] > 0) {
      g[i].set(0, -pull);
      g[i].set(1, press);
    }
  f.contacts.update_friction(v, g);
  f.contacts.add_friction_gradient(v, g);
  f.contacts.register_active(v, g);
  d = f.random_nodes();
  f.contacts.filter(d);
  Vec3d left{{0, 0, 0}};
  Nodes<D> inside = space.make();
  const int count = f.for_each_inside([&](std::size_t i) {
    for (int a = 0; a < D; ++a) left[a] += g[i][a];
    inside[i] = d[i];
  });
  EXPECT_GT(count, 3);
  d = std::move(inside);
  return left * (1.0 / count);
}

template <int D>
void expect_friction() {
  Nodes<D> d;
  const Vec3d held = left_of_pull<D>(1, 0.29, d);
  EXPECT_EQ(held[0], 0);
  double most = 0;
  for (std::size_t i = 0; i < d.size(); ++i)
    for (int a = 0; a < D; ++a) most = std::max(most, std::abs(d[i][a]));
  EXPECT_EQ(most, 0);
  const Vec3d slides = left_of_pull<D>(1, 0.31, d);
  EXPECT_NEAR(slides[0], -0.01, 1e-12);
  most = 0;
  for (std::size_t i = 0; i < d.size(); ++i) most = std::max(most, std::abs(d[i][0]));
  EXPECT_GT(most, 0.1);
}

TEST(MpmImplicit, FrictionHoldsWhatRestsUpToItsLimit) {
  expect_friction<2>();
  expect_friction<3>();
}

// Nodes that slide on a rough floor: the gradient is that of the objective, friction included, of
// the objective itself and of its quadratic form.
template <int D>
void expect_gradient_with_friction(bool quadratic) {
  NearFloor<D> f(floor_at(NearFloor<D>::kHeight, ContactKind::separate, 0.3));
  const NodeSpace<double, D> space = f.space();
  Nodes<D> g = space.make();
  for (std::size_t i = 0; i < g.size(); ++i)
    if (f.mass[i] > 0) g[i].set(1, 30);
  f.contacts.update_friction(space.make(), g);
  ImplicitObjective<double, D> objective(space, f.ctx, f.state, f.operators, true, f.free,
                                         f.contacts, PreconditionerKind::blocks);
  if (quadratic) objective.make_quadratic(1);
  const Nodes<D> v = f.random_nodes(), d = f.random_nodes();
  const double before = objective.objective(d);
  f.contacts.register_active(v, g);
  ASSERT_GT(f.contacts.friction_energy(v), 0);
  EXPECT_EQ(objective.objective(d), before);  // whichever way nodes slid last
  const double slope = fourth_order_slope(
      [&](double s) { return objective.objective(moved<D>(space, v, s, d)); }, 1e-4);
  objective.objective(v);
  objective.gradient(v, g);
  EXPECT_NEAR(slope, space.dot(g, d), 1e-8 * norm<D>(space, g) * norm<D>(space, d));
}

TEST(MpmImplicit, GradientHasFrictionOnce) {
  for (const bool quadratic : {false, true}) {
    SCOPED_TRACE(quadratic);
    expect_gradient_with_friction<2>(quadratic);
    expect_gradient_with_friction<3>(quadratic);
  }
}

// A block on a rough floor beside a fluid.
template <class T, int D>
Bytes bytes_after(IntegratorKind kind, int threads) {
  set_thread_count(threads);
  MpmSettings settings;
  settings.spacing = kTestSpacing;
  settings.implicit.kind = kind;
  MpmSolver<T, D> solver(settings, std::vector<Collider>{floor_at(0, ContactKind::separate, 0.3)});
  MpmState<T, D> state;
  std::vector<std::vector<Vec3d>> world;
  const int count = D == 3 ? 8 : 30;
  NeoHookean::Parameters solid;
  solid.youngs_modulus = 2e4;
  const auto flies = [](const Vec3d& x) { return Vec3d{{3 + 0.2 * x[1], -0.3, 0.2 * x[0]}}; };
  add_box<T, D>(state, world, solid, count, {{0, 0.02, 0}}, flies, Mat<double, D>::zero());
  add_box<T, D>(state, world, Snow::Parameters(), count, {{0.1, 0.03 + count * 0.025, 0.05}}, flies,
                Mat<double, D>::zero());
  EXPECT_TRUE(sort_boxes(state, world, settings.kernel));
  solver.initialize(state, {false, false});
  int newton_steps = 0;
  for (int step = 0; step < 12; ++step) {
    const StepReport report = solver.step(state, 5e-3, {{0, -9.81, 0}}, nullptr, true);
    EXPECT_LT(report.bad_set, 0);
    newton_steps += report.solve.newton_iterations;
  }
  EXPECT_GT(newton_steps, 0);
  return bytes_of(state);
}

template <class T, int D>
void expect_same_bytes() {
  const int before = thread_count();
  for (const IntegratorKind kind :
       {IntegratorKind::optimization, IntegratorKind::semi_implicit, IntegratorKind::newton}) {
    const auto one = bytes_after<T, D>(kind, 1);
    for (const int threads : {2, 4})
      EXPECT_TRUE(one == (bytes_after<T, D>(kind, threads)))
          << "integrator " << int(kind) << ", " << threads << " threads";
  }
  set_thread_count(before);
}

TEST(MpmImplicit, SameBytesForAnyNumberOfThreads) {
  expect_same_bytes<float, 2>();
  expect_same_bytes<double, 2>();
  expect_same_bytes<float, 3>();
}

}  // namespace
}  // namespace firn

// What every transfer must keep: mass, momentum, angular momentum where the scheme promises it,
// affine velocity fields, and bodies in uniform motion.
#include <gtest/gtest.h>

#include "cases/random_particles.h"

namespace firn {
namespace {

struct Scheme {
  KernelKind kernel;
  TransferKind transfer;
};

constexpr Scheme kSchemes[] = {
    {KernelKind::linear, TransferKind::mls},     {KernelKind::linear, TransferKind::apic},
    {KernelKind::linear, TransferKind::flip},    {KernelKind::linear, TransferKind::pic},
    {KernelKind::quadratic, TransferKind::mls},  {KernelKind::quadratic, TransferKind::apic},
    {KernelKind::quadratic, TransferKind::flip}, {KernelKind::quadratic, TransferKind::pic},
    {KernelKind::cubic, TransferKind::mls},      {KernelKind::cubic, TransferKind::apic},
    {KernelKind::cubic, TransferKind::flip},     {KernelKind::cubic, TransferKind::pic}};

bool is_affine(TransferKind transfer) {
  return transfer == TransferKind::mls || transfer == TransferKind::apic;
}

// h^2 / D of the kernel; the linear kernel has no constant one.
double inverse_d(KernelKind kernel) {
  return kernel == KernelKind::quadratic ? 4 : 3;
}

// From the stored affine matrix to B = sum w v d^T: MLS stores B D^-1, the classic forms B h^-2.
double to_moment(const Scheme& s) {
  const bool stores_gradient = s.transfer == TransferKind::mls && s.kernel != KernelKind::linear;
  return kTestSpacing * kTestSpacing / (stores_gradient ? inverse_d(s.kernel) : 1);
}

template <class T, int D>
Mat<double, D> some_matrix() {
  Mat<double, D> a;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) a(i, j) = 0.3 * i - 0.5 * j + (i == j ? 0.7 : 0.2);
  return a;
}

template <class Types>
class MpmTransfer : public ::testing::Test {
 public:
  using T = typename Types::first_type;
  static constexpr int D = Types::second_type::value;
  static constexpr double kTolerance = sizeof(T) == 4 ? 2e-5 : 1e-12;

  // A swirling, stretching velocity field that no kernel represents, and random affine parts.
  static Vec3d swirl(const Vec3d& x) {
    return {{std::sin(7 * x[1]) + 0.3, std::cos(5 * x[0]) - x[2], D == 3 ? std::sin(9 * x[0]) : 0}};
  }

  struct Run {
    MpmState<T, D> state;
    MpmSolver<T, D> solver;
    explicit Run(const Scheme& s) : solver(scheme_settings(s.kernel, s.transfer), ColliderSet()) {}

    void start(const Scheme& s, const std::function<Vec3d(const Vec3d&)>& velocity,
               const Mat<double, D>& affine) {
      std::vector<std::vector<Vec3d>> world;
      // So soft that round-off does not grow into waves.
      NeoHookean::Parameters soft;
      soft.youngs_modulus = 1;
      add_box<T, D>(state, world, soft, D == 3 ? 11 : 33, {{-0.13, 0.02, 0.3}}, velocity, affine);
      ASSERT_TRUE(sort_boxes(state, world, s.kernel));
      solver.initialize(state, {false});
    }
  };

  struct Totals {
    double mass = 0, momentum[3] = {}, angular[3] = {};
  };
  static Totals totals(MpmState<T, D>& state, const Scheme& s) {
    Totals t;
    for_each_particle(state, [&](ParticleSet<T, D>& set, int b, std::uint32_t p) {
      const Vec3d x = world_position(state, set, b, p);
      Vec3d v{{0, 0, 0}};
      const double m = set.mass[0][p];
      Mat<double, 3> moment = Mat<double, 3>::zero();
      for (int i = 0; i < D; ++i) {
        v[i] = set.velocity[i][p];
        for (int j = 0; j < D; ++j) moment(i, j) = set[column::affine][i * D + j][p] * to_moment(s);
      }
      t.mass += m;
      for (int a = 0; a < 3; ++a) {
        const int i = (a + 1) % 3, j = (a + 2) % 3;
        t.momentum[a] += m * v[a];
        t.angular[a] += m * (x[i] * v[j] - x[j] * v[i] + moment(j, i) - moment(i, j));
      }
    });
    return t;
  }
};

using Cases = ::testing::Types<std::pair<float, std::integral_constant<int, 2>>,
                               std::pair<float, std::integral_constant<int, 3>>,
                               std::pair<double, std::integral_constant<int, 2>>,
                               std::pair<double, std::integral_constant<int, 3>>>;
TYPED_TEST_SUITE(MpmTransfer, Cases);

std::string label(const Scheme& s) {
  return "kernel " + std::to_string(int(s.kernel)) + " transfer " + std::to_string(int(s.transfer));
}

TYPED_TEST(MpmTransfer, KeepsMassAndMomenta) {
  using Fixture = MpmTransfer<TypeParam>;
  constexpr int D = Fixture::D;
  for (const Scheme& s : kSchemes) {
    SCOPED_TRACE(label(s));
    typename Fixture::Run run(s);
    run.start(s, Fixture::swirl, some_matrix<double, D>() * 0.1);
    const auto before = Fixture::totals(run.state, s);
    run.solver.step(run.state, 1e-4, {{0, 0, 0}});
    const auto after = Fixture::totals(run.state, s);
    double on_grid = 0;
    for (std::size_t i = 0; i < run.state.nodes[0].velocity.size(); ++i)
      on_grid += run.state.nodes[0].velocity.data()[i][kMassLane];
    EXPECT_NEAR(on_grid / before.mass, 1, Fixture::kTolerance);
    const double size = before.mass;  // speeds and lengths are of order one
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(after.momentum[a], before.momentum[a], size * Fixture::kTolerance) << a;
    }
    for (int a = 0; a < 3 && is_affine(s.transfer); ++a)
      EXPECT_NEAR(after.angular[a], before.angular[a], size * Fixture::kTolerance) << a;
  }
}

TYPED_TEST(MpmTransfer, ReproducesAffineFields) {
  using Fixture = MpmTransfer<TypeParam>;
  constexpr int D = Fixture::D;
  const auto gradient = some_matrix<double, D>();
  const auto field = [&](const Vec3d& x) {
    Vec3d v{{0.4, -0.2, 0}};
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) v[i] += gradient(i, j) * x[j];
    return v;
  };
  for (const Scheme& s : kSchemes) {
    if (!is_affine(s.transfer) || s.kernel == KernelKind::linear) continue;
    SCOPED_TRACE(label(s));
    const double stored = s.transfer == TransferKind::mls ? 1 : 1 / inverse_d(s.kernel);
    typename Fixture::Run run(s);
    run.start(s, field, gradient * stored);
    std::vector<Vec3d> expected;
    for_each_particle(run.state, [&](auto& set, int b, std::uint32_t p) {
      expected.push_back(field(world_position(run.state, set, b, p)));
    });
    run.solver.step(run.state, 1e-5, {{0, 0, 0}});
    double worst = 0;
    std::size_t at = 0;
    for_each_particle(run.state, [&](auto& set, int, std::uint32_t p) {
      for (int i = 0; i < D; ++i) {
        worst = std::max(worst, std::abs(double(set.velocity[i][p]) - expected[at][i]));
        for (int j = 0; j < D; ++j)  // a velocity over a cell
          worst = std::max(
              worst, kTestSpacing * std::abs(double(set[column::affine][i * D + j][p]) / stored -
                                             gradient(i, j)));
      }
      ++at;
    });
    EXPECT_LT(worst, Fixture::kTolerance);
  }
}

TYPED_TEST(MpmTransfer, TranslationDoesNotStrain) {
  using Fixture = MpmTransfer<TypeParam>;
  constexpr int D = Fixture::D;
  const Vec3d speed{{1.5, -0.7, D == 3 ? 0.4 : 0}};
  for (const Scheme& s : kSchemes) {
    SCOPED_TRACE(label(s));
    typename Fixture::Run run(s);
    run.start(
        s, [&](const Vec3d&) { return speed; }, Mat<double, D>::zero());
    bool sorted = false;
    for (int step = 0; step < 40; ++step) {  // over two cells, so that particles change blocks
      run.solver.step(run.state, 2e-3, {{0, 0, 0}});
      sorted = sorted || run.state.drift == 0;
    }
    EXPECT_TRUE(sorted);
    double strain = 0, change = 0;
    for_each_particle(run.state, [&](auto& set, int, std::uint32_t p) {
      for (int i = 0; i < D; ++i) {
        change = std::max(change, std::abs(double(set.velocity[i][p]) - speed[i]));
        for (int j = 0; j < D; ++j)
          strain =
              std::max(strain, std::abs(double(set[column::gradient][i * D + j][p]) - (i == j)));
      }
    });
    EXPECT_LT(change, 10 * Fixture::kTolerance);
    EXPECT_LT(strain, 20 * Fixture::kTolerance);
  }
}

}  // namespace
}  // namespace firn

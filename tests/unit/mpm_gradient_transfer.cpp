// The transfers in SIMD vectors of particles do what the classic form, one particle at a time,
// does.
#include "mpm/transfer_gradient.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mpm/transfer_classic.h"

namespace firn {
namespace {

template <class Scheme>
class GradientTransfer : public ::testing::Test {};

template <class Scalar, int Dimension, class B>
struct SchemeOf {
  using T = Scalar;
  using Kernel = B;
  static constexpr int D = Dimension;
};
using Schemes =
    ::testing::Types<SchemeOf<double, 2, QuadraticKernel>, SchemeOf<double, 2, CubicKernel>,
                     SchemeOf<double, 3, QuadraticKernel>, SchemeOf<double, 3, CubicKernel>,
                     SchemeOf<float, 2, QuadraticKernel>, SchemeOf<float, 3, CubicKernel>>;
TYPED_TEST_SUITE(GradientTransfer, Schemes);

// Three more than a whole number of SIMD vectors, all over the arena, with everything at random.
template <class T, int D>
ParticleSet<T, D> random_particles(int stresses) {
  std::mt19937 engine(11);
  const auto fill = [&](Columns<T>& columns, double low, double high) {
    std::uniform_real_distribution<double> value(low, high);
    for (int c = 0; c < columns.components(); ++c)
      for (std::size_t p = 0; p < 47; ++p) columns[c][p] = T(value(engine));
  };
  ParticleSet<T, D> set(SetLayout()
                            .declare(column::affine, D * D)
                            .declare(column::gradient, D * D)
                            .declare(column::stress, stresses)
                            .declare(column::stiffness, 1));
  set.resize(47);
  const double margin = BlockShape<D>::kMargin;
  fill(set.position, -margin, BlockShape<D>::kEdge + margin - 1e-3);
  fill(set.velocity, -2, 3);
  fill(set[column::affine], -5, 5);
  fill(set[column::stress], -1e4, 1e4);
  fill(set.mass, 0.5, 2);
  fill(set.volume, 1e-3, 2e-3);
  return set;
}

template <class T, int D>
StepContext<T, D> context(TransferKind transfer) {
  StepContext<T, D> ctx{};
  ctx.dt = T(1e-3);
  ctx.h = T(0.05);
  ctx.inverse_h = T(20);
  ctx.affine = transfer == TransferKind::apic;
  ctx.split = transfer == TransferKind::flip;
  ctx.flip_ratio = ctx.split ? T(0.9) : T(0);
  return ctx;
}

template <class T>
double difference(const std::vector<Node<T>>& a, const std::vector<Node<T>>& b) {
  double worst = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int k = 0; k < 4; ++k) {
      worst = std::max(worst, std::abs(double(a[i][k]) - double(b[i][k])));
      largest = std::max(largest, std::abs(double(a[i][k])));
    }
  EXPECT_GT(largest, 0);
  return worst / largest;
}
template <class T>
double difference(const Columns<T>& a, const Columns<T>& b, std::size_t n) {
  double worst = 0, largest = 0;
  for (int c = 0; c < a.components(); ++c)
    for (std::size_t p = 0; p < n; ++p) {
      worst = std::max(worst, std::abs(double(a[c][p]) - double(b[c][p])));
      largest = std::max(largest, std::abs(double(a[c][p])));
    }
  EXPECT_GT(largest, 0);
  return worst / largest;
}

constexpr TransferKind kTransfers[] = {TransferKind::apic, TransferKind::flip, TransferKind::pic};

template <class T>
constexpr double kTolerance = sizeof(T) == 4 ? 5e-6 : 1e-13;

TYPED_TEST(GradientTransfer, GivesWhatTheClassicFormGives) {
  using T = typename TypeParam::T;
  using Kernel = typename TypeParam::Kernel;
  constexpr int D = TypeParam::D;
  for (const TransferKind transfer : kTransfers)
    for (const int stresses : {1, SymMat<T, D>::kSize}) {
      const auto set = random_particles<T, D>(stresses);
      const StepContext<T, D> ctx = context<T, D>(transfer);
      std::vector<Node<T>> arena[2], push[2];
      for (int k = 0; k < 2; ++k) {
        arena[k].assign(Arena<D, Kernel>::kSize, Node<T>(0));
        push[k] = arena[k];
      }
      scatter_classic<T, D, Kernel>(ctx, set, 0, 47, arena[0].data(), push[0].data());
      scatter_gradient<T, D, Kernel>(ctx, set, 0, 47, arena[1].data(),
                                     ctx.split ? push[1].data() : nullptr);
      EXPECT_LT(difference(arena[0], arena[1]), kTolerance<T>) << int(transfer);
      if (ctx.split) {
        EXPECT_LT(difference(push[0], push[1]), kTolerance<T>);
      }
    }
}

TYPED_TEST(GradientTransfer, TakesWhatTheClassicFormTakes) {
  using T = typename TypeParam::T;
  using Kernel = typename TypeParam::Kernel;
  constexpr int D = TypeParam::D;
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<Node<T>> arena(Arena<D, Kernel>::kSize, Node<T>(1)), change = arena;
  for (auto* nodes : {&arena, &change})
    for (Node<T>& node : *nodes)
      for (int a = 0; a < D; ++a) node.set(a, T(value(engine)));
  for (const TransferKind transfer : kTransfers) {
    const StepContext<T, D> ctx = context<T, D>(transfer);
    ParticleSet<T, D> set[2] = {random_particles<T, D>(1), random_particles<T, D>(1)};
    Columns<T> gradient[2] = {Columns<T>(D * D), Columns<T>(D * D)};
    T* to[2][D * D];
    for (int k = 0; k < 2; ++k) {
      gradient[k].resize(47);
      for (int c = 0; c < D * D; ++c) to[k][c] = gradient[k][c];
    }
    const T expected =
        ClassicGather<T, D, Kernel>(ctx, set[0]).run(0, 47, arena.data(), change.data(), to[0]);
    const T found = GradientGather<T, D, Kernel>(ctx, set[1])
                        .run(0, 47, arena.data(), ctx.split ? change.data() : nullptr, to[1]);
    EXPECT_NEAR(double(found), double(expected), kTolerance<T>);
    EXPECT_LT(difference(gradient[0], gradient[1], 47), kTolerance<T>);
    EXPECT_LT(difference(set[0].velocity, set[1].velocity, 47), kTolerance<T>);
    EXPECT_LT(difference(set[0].position, set[1].position, 47), kTolerance<T>);
    EXPECT_LT(difference(set[0][column::affine], set[1][column::affine], 47), kTolerance<T>);
  }
}

}  // namespace
}  // namespace firn

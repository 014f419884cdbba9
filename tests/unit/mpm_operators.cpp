// The operators one by one do what the fused stages of an explicit step do, for every kernel and
// transfer.
#include "mpm/operators.h"

#include <gtest/gtest.h>

#include "cases/random_particles.h"
#include "mpm/stages.h"

namespace firn {
namespace {

template <class Types>
class MpmOperators : public ::testing::Test {};
template <class Scalar, int Dimension>
struct Case {
  using T = Scalar;
  static constexpr int D = Dimension;
};
using Cases = ::testing::Types<Case<double, 2>, Case<double, 3>, Case<float, 3>>;
TYPED_TEST_SUITE(MpmOperators, Cases);

template <class T>
constexpr double kTolerance = sizeof(T) == 4 ? 1e-5 : 1e-12;
// (F - 1) / dt has the digits that adding dt times the gradient to 1 leaves.
template <class T>
constexpr double kGradientTolerance = sizeof(T) == 4 ? 1e-3 : 1e-11;

template <class T, int D>
struct Fixture {
  KernelKind kernel;
  TransferKind transfer;
  MpmState<T, D> state;
  StepContext<T, D> ctx;
  Stages<T, D> fused;

  Fixture(KernelKind k, TransferKind t)
      : kernel(k),
        transfer(t),
        state(two_boxes<T, D>(k)),
        ctx(scheme_context<T, D>(t, 1e-3, 0.9)),
        fused(stages<T, D>(k, t)) {
    EXPECT_GT(state.blocks.occupied(), 1);
    const std::size_t arenas = std::size_t(state.blocks.occupied()) * fused.arena_size;
    state.nodes[0].arenas.resize(arenas);
    state.nodes[0].force_arenas.resize(arenas);
    state.nodes[0].velocity.resize(state.blocks);
    state.nodes[0].change.resize(state.blocks);
  }
};

template <class F>
void for_each_scheme(F&& f) {
  for (const KernelKind kernel : {KernelKind::linear, KernelKind::quadratic, KernelKind::cubic})
    for (const TransferKind transfer :
         {TransferKind::mls, TransferKind::apic, TransferKind::flip, TransferKind::pic}) {
      SCOPED_TRACE("kernel " + std::to_string(int(kernel)) + ", transfer " +
                   std::to_string(int(transfer)));
      f(kernel, transfer);
    }
}

TYPED_TEST(MpmOperators, MomentumAndStressAddUpToTheFusedScatter) {
  using T = typename TypeParam::T;
  constexpr int D = TypeParam::D, kNodes = BlockShape<D>::kNodes;
  for_each_scheme([](KernelKind kernel, TransferKind transfer) {
    Fixture<T, D> f(kernel, transfer);
    for (int b = 0; b < f.state.blocks.occupied(); ++b) f.fused.scatter(f.ctx, f.state, 0, b);
    Operators<T, D> operators(kernel, transfer);
    NodeField<T, D> momentum("momentum"), impulse("impulse");
    operators.momentum_to_nodes(f.ctx, f.state, momentum);
    operators.stress_to_nodes(f.ctx, f.state, impulse);
    double worst = 0, largest = 0, largest_impulse = 0;
    for (int slot = 0; slot < f.state.blocks.size(); ++slot) {
      Node<T> pushes[kNodes];
      f.fused.merge(f.state, 0, f.ctx.split, slot, pushes);
      const Node<T>* merged = f.state.nodes[0].velocity.data() + slot * kNodes;
      for (int i = 0; i < kNodes; ++i)
        for (int c = 0; c < 4; ++c) {
          const bool moves = c < D;
          const double p = momentum.of_block(slot)[i][c],
                       j = moves ? impulse.of_block(slot)[i][c] : T(0);
          const double expected = merged[i][c] + (f.ctx.split && moves ? pushes[i][c] : T(0));
          worst = std::max(worst, std::abs(p + j - expected));
          largest = std::max(largest, std::abs(expected));
          largest_impulse = std::max(largest_impulse, std::abs(j));
        }
    }
    EXPECT_GT(largest_impulse, 1e-3 * largest);
    EXPECT_LT(worst, kTolerance<T> * largest);
  });
}

TYPED_TEST(MpmOperators, GradientAndAdvanceAddUpToTheFusedGather) {
  using T = typename TypeParam::T;
  constexpr int D = TypeParam::D, kNodes = BlockShape<D>::kNodes;
  for_each_scheme([](KernelKind kernel, TransferKind transfer) {
    Fixture<T, D> f(kernel, transfer), other(kernel, transfer);
    NodeField<T, D> velocity("velocity"), change("change");
    velocity.fit(f.state.blocks);
    change.fit(f.state.blocks);
    std::mt19937 random(9);
    std::uniform_real_distribution<double> value(-1, 1);
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      velocity.data()[i].set(kMassLane, T(1));
      for (int a = 0; a < D; ++a) {
        velocity.data()[i].set(a, T(value(random)));
        change.data()[i].set(a, T(value(random)));
      }
      f.state.nodes[0].velocity.data()[i] = velocity.data()[i];
      f.state.nodes[0].change.data()[i] = change.data()[i];
    }
    ASSERT_EQ(velocity.size(), std::size_t(f.state.blocks.size()) * kNodes);
    StepReport report;
    for (int b = 0; b < f.state.blocks.occupied(); ++b)
      f.fused.gather(f.ctx, f.state, 0, b, report);
    const Operators<T, D> operators(kernel, transfer);
    std::vector<Columns<T>> rate;
    operators.gradient_to_particles(f.ctx, other.state, velocity, rate);
    operators.advance(f.ctx, other.state, velocity, &change);
    double worst = 0, worst_gradient = 0;
    for (std::size_t s = 0; s < f.state.sets.size(); ++s) {
      const auto &a = f.state.sets[s].particles, &b = other.state.sets[s].particles;
      for (std::size_t p = 0; p < a.size(); ++p) {
        for (int i = 0; i < D; ++i) {
          worst = std::max(worst, std::abs(double(a.velocity[i][p]) - double(b.velocity[i][p])));
          worst = std::max(worst, std::abs(double(a.position[i][p]) - double(b.position[i][p])));
        }
        for (int k = 0; k < D * D; ++k)
          worst = std::max(worst, kTestSpacing * std::abs(double(a[column::affine][k][p] -
                                                                 b[column::affine][k][p])));
        for (int k = 0; k < D * D && a[column::gradient].components() > 0; ++k) {
          const double found = (double(a[column::gradient][k][p]) - (k / D == k % D)) / 1e-3;
          worst_gradient =
              std::max(worst_gradient, kTestSpacing * std::abs(found - double(rate[s][k][p])));
        }
      }
    }
    EXPECT_LT(worst, kTolerance<T>);
    EXPECT_LT(worst_gradient, kGradientTolerance<T>);
  });
}

// Particles anywhere they may drift to before they are sorted again.
template <class T, int D>
void drift(MpmState<T, D>& state) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> value(-0.99, 0.99);
  for (auto& set : state.sets)
    for (int a = 0; a < D; ++a)
      for (std::size_t p = 0; p < set.particles.size(); ++p)
        set.particles.position[a][p] += T(value(random));
}
// Entry k of the matrix of a particle.
double matrix_entry(int set, std::uint32_t p, int k) {
  return std::sin(3.0 * p + k + 7.0 * set);
}

TYPED_TEST(MpmOperators, GradientsAndTheirTransposeAreSumsOverNodes) {
  using T = typename TypeParam::T;
  constexpr int D = TypeParam::D;
  using Block = BlockOperators<T, D>;
  for_each_scheme([](KernelKind kernel, TransferKind transfer) {
    Fixture<T, D> f(kernel, transfer);
    drift<T, D>(f.state);
    Operators<T, D> operators(kernel, transfer);
    NodeField<T, D> velocity("velocity"), pushed("pushed"), expected("expected"), unused("unused");
    for (auto* field : {&velocity, &pushed, &expected, &unused}) field->fit(f.state.blocks);
    std::mt19937 random(9);
    std::uniform_real_distribution<double> value(-1, 1);
    for (std::size_t i = 0; i < velocity.size(); ++i)
      for (int a = 0; a < D; ++a) velocity.data()[i].set(a, T(value(random)));
    const auto for_nodes_of = [&](int s, std::uint32_t p, const auto& visit) {
      int node[Block::kMostNodes];
      Vec<T, D> gradient[Block::kMostNodes];
      const int n = operators.of_block().nodes_of(f.ctx, f.state.sets[s], p, node, gradient);
      for (int k = 0; k < n; ++k) visit(node[k], gradient[k]);
    };
    double worst = 0, largest = 0;
    operators.map_gradients(
        f.ctx, f.state, false, velocity.data(),
        [&](int s, int block, std::uint32_t begin, std::uint32_t end, T* const* rate) {
          std::vector<Node<T>> arena(operators.of_block().arena_size);
          operators.of_block().load(f.state.blocks, velocity.data(), block, arena.data());
          for (std::uint32_t p = begin; p < end; ++p) {
            Mat<double, D> sum = Mat<double, D>::zero();
            for_nodes_of(s, p, [&](int node, const Vec<T, D>& g) {
              for (int k = 0; k < D * D; ++k)
                sum(k / D, k % D) += double(arena[node][k / D]) * double(g[k % D]);
            });
            for (int k = 0; k < D * D; ++k) {
              worst = std::max(worst, std::abs(sum(k / D, k % D) - double(rate[k][p - begin])));
              largest = std::max(largest, std::abs(sum(k / D, k % D)));
              rate[k][p - begin] = T(matrix_entry(s, p, k));
            }
          }
        },
        pushed.data());
    EXPECT_GT(largest, 1);
    EXPECT_LT(worst, kTolerance<T> * largest);
    operators.sum_two_over_blocks(
        f.state.blocks,
        [&](int block, Node<T>* arena, Node<T>*) {
          for (int s = 0; s < static_cast<int>(f.state.sets.size()); ++s)
            for (std::uint32_t p = f.state.sets[s].begin[block];
                 p < f.state.sets[s].begin[block + 1]; ++p)
              for_nodes_of(s, p, [&](int node, const Vec<T, D>& g) {
                for (int k = 0; k < D * D; ++k)
                  arena[node].set(k / D, arena[node][k / D] + T(matrix_entry(s, p, k)) * g[k % D]);
              });
        },
        expected.data(), unused.data());
    worst = largest = 0;
    for (std::size_t i = 0; i < pushed.size(); ++i)
      for (int a = 0; a < D; ++a) {
        worst = std::max(worst, std::abs(double(pushed.data()[i][a] - expected.data()[i][a])));
        largest = std::max(largest, std::abs(double(expected.data()[i][a])));
      }
    EXPECT_GT(largest, 1);
    EXPECT_LT(worst, kTolerance<T> * largest);
  });
}

}  // namespace
}  // namespace firn

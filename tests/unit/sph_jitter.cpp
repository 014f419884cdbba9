// What is damped of neighbours that move against each other, and what is not.
#include "sph/jitter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "particles/sort.h"
#include "sph/smoothing.h"

namespace firn {
namespace {

constexpr double kCell = 0.2, kSpacing = 0.5;  // m; cells

template <int D>
class Lattice {
 public:
  // n particles along each axis, moved by up to `disorder` spacings; 0 friction: all jitter counts.
  Lattice(int n, double disorder) {
    SetLayout layout;
    layout.declare(column::stress, SymMat<double, D>::kSize).declare(kShiftPressure, 1);
    Particles<double, D>& all = state.all;
    all.sets.push_back({0, 0, {}, ParticleSet<double, D>(layout), {}, {}});
    all.spacing = kCell;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> away(-disorder, disorder);
    std::vector<std::vector<Vec3d>> world(1);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < (D == 3 ? n : 1); ++k) {
          Vec3d x{{i + away(random), j + away(random), D == 3 ? k + away(random) : 0}};
          world[0].push_back(x * (kSpacing * kCell));
        }
    auto& set = all.sets[0].particles;
    const double volume = std::pow(kSpacing * kCell, D);
    set.resize(world[0].size());
    for (std::size_t p = 0; p < set.size(); ++p) {
      set.volume[0][p] = volume;
      set.mass[0][p] = volume * 1500;
      set.id[0][p] = p;
      for (int a = 0; a < D; ++a) set.velocity[a][p] = 0;
      for (int k = 0; k < SymMat<double, D>::kSize; ++k) set[column::stress][k][p] = 0;
      set[kShiftPressure][0][p] = 0;
    }
    EXPECT_TRUE(sort_from_world(all, world));
    Sand::Parameters water_like;
    water_like.friction_angle = 0;
    state.laws.push_back(YieldLaw<double>::of<D>(water_like));
    EXPECT_TRUE(state.lists.order(all, state.flat));
    state.resize();
    state.flat.load(all);
    state.lists.list(all.blocks, state.flat);
    ctx.dt = 0.01;
    ctx.inverse_h = 1 / kCell;
    ctx.spacing = kCell;
    ctx.norm = lattice_sum<D>(SmoothingKind::spiky, kSpacing);
    ctx.moment = lattice_moment<D>(SmoothingKind::spiky, kSpacing);
    ctx.calm = ctx.norm / lattice_jitter<D>(kSpacing);
    state.walls.find(ctx, all, state.flat, ColliderSet(), WallMaps(),
                     wall_share<D>(SmoothingKind::spiky));
  }

  // What is left of velocities v(x) without stress, by particle.
  template <class V>
  void damp(V&& v) {
    const SphView<double, D> view = state.view();
    for (std::size_t i = 0; i < view.count; ++i) {
      place.push_back(
          world_position(state.all, state.all.sets[0].particles, block_of(i), state.flat.row[i]) /
          (kSpacing * kCell));
      const Vec3d start = v(place[i]);
      before.push_back(start);
      for (int a = 0; a < D; ++a) view.free[i][a] = start[a];
    }
    damp_jitter(ctx, SmoothingKind::spiky, state);
    for (std::size_t i = 0; i < view.count; ++i) {
      after.push_back({{0, 0, 0}});
      for (int a = 0; a < D; ++a) after[i][a] = view.free[i][a];
    }
  }
  int block_of(std::size_t i) const {
    int b = 0;
    while (state.flat.begin[b + 1] <= i) ++b;
    return b;
  }

  SphState<double, D> state;
  SphContext<double> ctx{};
  std::vector<Vec3d> place, before, after;  // spacings; m/s
};

template <int D>
bool is_inside(const Vec3d& x, int n, double margin) {
  for (int a = 0; a < D; ++a)
    if (x[a] < margin || x[a] > n - 1 - margin) return false;
  return true;
}

template <int D>
void expect_to_and_fro_ends() {
  Lattice<D> lattice(9, 0);
  lattice.damp([](const Vec3d& x) {
    const double sign = std::lround(x[0]) % 2 == 0 ? 1 : -1;
    return Vec3d{{sign, 0.5 * sign, 0}};
  });
  int seen = 0;
  for (std::size_t i = 0; i < lattice.place.size(); ++i) {
    if (!is_inside<D>(lattice.place[i], 9, 2.5)) continue;
    ++seen;
    for (int a = 0; a < D; ++a) EXPECT_NEAR(lattice.after[i][a], 0, 1e-9);
  }
  EXPECT_GT(seen, 3);
}
TEST(SphJitter, NeighboursThatMoveToAndFroComeToRest) {
  expect_to_and_fro_ends<2>();
  expect_to_and_fro_ends<3>();
}

template <int D>
void expect_smooth_flow_stays() {
  Lattice<D> linear(8, 0.2), quadratic(9, 0);
  linear.damp([](const Vec3d& x) {
    return Vec3d{{2 + 0.3 * x[1] - 0.1 * x[0], -0.3 * x[0] + 0.2 * x[2], 0.1 * x[2]}};
  });
  // At the rim too: gradients are fits, and turning bodies keep turning. Fits lean a little to 0.
  for (std::size_t i = 0; i < linear.place.size(); ++i)
    for (int a = 0; a < D; ++a) EXPECT_NEAR(linear.after[i][a], linear.before[i][a], 6e-3);
  quadratic.damp([](const Vec3d& x) { return Vec3d{{0.05 * x[1] * x[1], 0.02 * x[0] * x[1], 0}}; });
  for (std::size_t i = 0; i < quadratic.place.size(); ++i)
    if (is_inside<D>(quadratic.place[i], 9, 3.5)) {
      for (int a = 0; a < D; ++a) EXPECT_NEAR(quadratic.after[i][a], quadratic.before[i][a], 3e-3);
    }
}
TEST(SphJitter, WhatIsLinearOrQuadraticInSpaceStays) {
  expect_smooth_flow_stays<2>();
  expect_smooth_flow_stays<3>();
}

template <int D>
void expect_momentum_and_less_energy() {
  Lattice<D> lattice(8, 0.3);
  std::mt19937 random(5);
  std::normal_distribution<double> speed;
  lattice.damp([&](const Vec3d&) { return Vec3d{{speed(random), speed(random), speed(random)}}; });
  Vec3d change{{0, 0, 0}};
  double energy = 0, energy_before = 0;
  for (std::size_t i = 0; i < lattice.place.size(); ++i)
    for (int a = 0; a < D; ++a) {
      change[a] += lattice.after[i][a] - lattice.before[i][a];
      energy += square(lattice.after[i][a]);
      energy_before += square(lattice.before[i][a]);
    }
  for (int a = 0; a < D; ++a) EXPECT_NEAR(change[a], 0, 1e-11);
  EXPECT_LT(energy, 0.8 * energy_before);
}
TEST(SphJitter, MomentumStaysAndEnergyFalls) {
  expect_momentum_and_less_energy<2>();
  expect_momentum_and_less_energy<3>();
}

TEST(SphJitter, SandThatFlowsIsLeftAlone) {
  Lattice<2> lattice(9, 0);
  Sand::Parameters sand;
  sand.friction_angle = 30;
  lattice.state.laws[0] = YieldLaw<double>::of<2>(sand);
  // A shear of 5/s below to and fro.
  lattice.damp([](const Vec3d& x) {
    const double sign = std::lround(x[0]) % 2 == 0 ? 1 : -1;
    return Vec3d{{0.5 * x[1], 0.1 * sign, 0}};
  });
  for (std::size_t i = 0; i < lattice.place.size(); ++i)
    for (int a = 0; a < 2; ++a) EXPECT_NEAR(lattice.after[i][a], lattice.before[i][a], 1e-4);
}

}  // namespace
}  // namespace firn

// A box of randomly placed particles, sorted into blocks and ready to step.
#pragma once

#include <cmath>
#include <functional>
#include <random>

#include "mpm/kernels.h"
#include "mpm/material_loop.h"
#include "mpm/solver.h"
#include "particles/sort.h"

namespace firn {

constexpr double kTestSpacing = 0.05;

// `count` particles a side at 2^D per cell from `corner` on; velocity(x) and affine(x) in world
// coordinates, the latter as stored by the transfer. Masses differ from particle to particle.
template <class T, int D>
void add_box(MpmState<T, D>& state, std::vector<std::vector<Vec3d>>& world,
             const ModelParameters& parameters, int count, const Vec3d& corner,
             const std::function<Vec3d(const Vec3d&)>& velocity, const Mat<double, D>& affine) {
  std::mt19937 random(1234 + static_cast<unsigned>(state.sets.size()));
  std::uniform_real_distribution<double> unit(0, 1);
  const double s = kTestSpacing / 2;
  MaterialSet<T, D> set;
  set.parameters = parameters;
  set.particles = ParticleSet<T, D>(set_layout<D>(parameters));
  auto& p = set.particles;
  const std::size_t n = static_cast<std::size_t>(power(count, D));
  p.resize(n);
  world.emplace_back();
  for (std::size_t i = 0; i < n; ++i) {
    Vec3d x{{0, 0, 0}};
    std::size_t rest = i;
    for (int a = 0; a < D; ++a, rest /= count) x[a] = corner[a] + (rest % count + unit(random)) * s;
    world.back().push_back(x);
    const Vec3d v = velocity(x);
    for (int a = 0; a < D; ++a) p.velocity[a][i] = T(v[a]);
    for (int k = 0; k < D * D; ++k) {
      p[column::affine][k][i] = T(affine(k / D, k % D));
      if (p[column::gradient].components() > 0) p[column::gradient][k][i] = T(k / D == k % D);
    }
    for (int c = 0; c < p[column::scalar].components(); ++c) p[column::scalar][c][i] = T(1);
    for (int c = 0; c < p[column::source].components(); ++c) p[column::source][c][i] = T(0);
    p.volume[0][i] = T(std::pow(s, D));
    p.mass[0][i] = T(1000 * std::pow(s, D) * (0.5 + unit(random)));
    p[column::stiffness][0][i] = T(1);
    p.id[0][i] = i;
    p.color[0][i] = 0;
  }
  state.sets.push_back(std::move(set));
}

// Sorts boxes that were added into blocks.
template <class T, int D>
bool sort_boxes(MpmState<T, D>& state, const std::vector<std::vector<Vec3d>>& world,
                KernelKind kernel) {
  state.spacing = kTestSpacing;
  state.shift = kernel_shift(kernel);
  return sort_from_world(state, world);
}

// A velocity field that no kernel represents.
inline Vec3d swirl(const Vec3d& x) {
  return {{std::sin(7 * x[1]), std::cos(5 * x[0]) - x[2], std::sin(9 * x[0])}};
}

// f(set, block, particle) for all particles.
template <class T, int D, class F>
void for_each_particle(MpmState<T, D>& state, F&& f) {
  for (auto& set : state.sets)
    for (int b = 0; b < state.blocks.occupied(); ++b)
      for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) f(set.particles, b, p);
}

// A solid and a fluid that overlap, with stresses at random, sorted.
template <class T, int D>
MpmState<T, D> two_boxes(KernelKind kernel) {
  MpmState<T, D> state;
  std::vector<std::vector<Vec3d>> world;
  Mat<double, D> affine;
  for (int i = 0; i < D * D; ++i) affine(i / D, i % D) = 0.3 * i - 1;
  add_box<T, D>(state, world, NeoHookean::Parameters(), 7, {{-0.13, 0.02, 0.3}}, swirl, affine);
  add_box<T, D>(state, world, Fluid::Parameters(), 6, {{-0.1, 0.1, 0.3}}, swirl, affine);
  sort_boxes(state, world, kernel);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> value(-1e4, 1e4);
  for (auto& set : state.sets)
    for (int c = 0; c < set.particles[column::stress].components(); ++c)
      for (std::size_t p = 0; p < set.particles.size(); ++p)
        set.particles[column::stress][c][p] = T(value(random));
  return state;
}

inline MpmSettings scheme_settings(KernelKind kernel, TransferKind transfer) {
  MpmSettings settings;
  settings.spacing = kTestSpacing;
  settings.kernel = kernel;
  settings.transfer = transfer;
  return settings;
}

// What a transfer needs of a step of dt.
template <class T, int D>
StepContext<T, D> scheme_context(TransferKind transfer, double dt, double flip_ratio) {
  StepContext<T, D> ctx{};
  ctx.dt = T(dt);
  ctx.h = T(kTestSpacing);
  ctx.spacing = kTestSpacing;
  ctx.inverse_h = T(1 / kTestSpacing);
  ctx.affine = transfer == TransferKind::mls || transfer == TransferKind::apic;
  ctx.split = transfer == TransferKind::flip;
  ctx.flip_ratio = ctx.split ? T(flip_ratio) : T(0);
  return ctx;
}

// Masses of the nodes, and the velocities that the particles give them.
template <class T, int D>
void find_nodes(Operators<T, D>& operators, const StepContext<T, D>& ctx, MpmState<T, D>& state,
                Buffer<T>& mass, typename NodeSpace<T, D>::Vector& velocity) {
  NodeField<T, D> field("momentum");
  operators.momentum_to_nodes(ctx, state, field);
  mass.resize(field.size());
  velocity.resize(field.size());
  for (std::size_t i = 0; i < field.size(); ++i) {
    const T m = field.data()[i][kMassLane];
    mass[i] = m > kLeastMass<T> ? m : T(0);
    velocity[i] = Node<T>(0);
    for (int a = 0; a < D && mass[i] > T(0); ++a) velocity[i].set(a, field.data()[i][a] / m);
  }
}

}  // namespace firn

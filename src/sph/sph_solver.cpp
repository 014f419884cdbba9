#include "sph/sph_solver.h"

#include <algorithm>
#include <cmath>

#include "particles/sort.h"
#include "sph/air.h"
#include "sph/density.h"
#include "sph/jitter.h"
#include "sph/move_particle.h"
#include "sph/shift.h"
#include "sph/smoothing.h"
#include "sph/stress_solve.h"

namespace firn {

template <class T, int D>
std::size_t SphState<T, D>::bytes() const {
  std::size_t total = all.blocks.bytes() + flat.bytes() + lists.bytes() + walls.bytes();
  for (const auto& set : all.sets) total += set.particles.bytes();
  for (const Buffer<T>* column :
       {&compression, &diagonal, &shear_diagonal, &limit, &pressure, &leading_pressure})
    total += column->bytes();
  return total + free.bytes() + shift.bytes();
}

template <class T, int D>
void SphState<T, D>::resize() {
  const std::size_t padded = whole_packs<T>(flat.count);
  for (Buffer<T>* column :
       {&compression, &diagonal, &shear_diagonal, &limit, &pressure, &leading_pressure}) {
    column->resize(padded);
    for (std::size_t i = flat.count; i < padded; ++i) (*column)[i] = T(0);
  }
  for (Buffer<Four<T>>* column : {&free, &shift}) {
    column->resize(padded);
    for (std::size_t i = flat.count; i < padded; ++i) (*column)[i] = {};
  }
}

template <class T, int D>
SphSolver<T, D>::SphSolver(const SphSettings& settings,
                           std::shared_ptr<const ColliderSet> obstacles,
                           std::shared_ptr<Timers> timers)
    : settings_(settings),
      obstacles_(std::move(obstacles)),
      timers_(std::move(timers)),
      share_(wall_share<D>(settings.kernel)),
      wall_maps_(WallMaps::of<D>(*obstacles_, settings.kernel, settings.spacing)) {
  int most = -1;
  for (const Collider& c : obstacles_->all()) most = std::max(most, c.owner);
  impulses_.resize(most + 1);
}

template <class T, int D>
void SphSolver<T, D>::set_rest_volume(double volume) {
  const double spacing = std::pow(volume, 1.0 / D);
  norm_ = lattice_sum<D>(settings_.kernel, spacing);
  moment_ = lattice_moment<D>(settings_.kernel, spacing);
  wall_gap_ = wall_gap<D>(share_, settings_.kernel, spacing);
  calm_ = norm_ / lattice_jitter<D>(spacing);
  stiffness_ = lattice_stiffness<D>(settings_.kernel, spacing);
}

template <class T, int D>
SphContext<T> SphSolver<T, D>::make_context(double dt) const {
  // Waves along a direction feel pressure and deviator, at most D times what pressure alone does;
  // particles lie less evenly than a lattice.
  constexpr double kUneven = 1.1;
  return {T(dt),
          T(1 / settings_.spacing),
          settings_.spacing,
          norm_,
          moment_,
          steepest_slope<D>(settings_.kernel) / moment_,
          wall_gap_,
          T(calm_),
          T(1 / (kUneven * D * stiffness_)),
          settings_.tolerance,
          settings_.max_iterations};
}

template <class T, int D>
bool SphSolver<T, D>::order_by_cells(SphState<T, D>& state) {
  if (!state.lists.order(state.all, state.flat)) return false;
  state.walls.blocks_changed();
  state.resize();
  return true;
}

template <class T, int D>
bool SphSolver<T, D>::find_neighbors(SphState<T, D>& state) {
  if (!(travelled_ <= kListSkin / 2)) {
    if (state.all.drift > 0) sort_after_drift(state.all);
    state.all.drift = travelled_ = 0;
    for (auto& set : state.all.sets)
      for (int a = 0; a < D; ++a)
        set.particles[kListedPlace].column(a) = set.particles.position.column(a);
    if (!order_by_cells(state)) return false;
  }
  state.flat.load(state.all);
  state.lists.list(state.all.blocks, state.flat);
  return true;
}

template <class T, int D>
bool SphSolver<T, D>::restore_neighbors(SphState<T, D>& state, double travelled) {
  const auto swap_places = [&] {
    for (auto& set : state.all.sets)
      for (int a = 0; a < D; ++a)
        set.particles[kListedPlace].column(a).swap(set.particles.position.column(a));
  };
  swap_places();
  const bool ordered = order_by_cells(state);
  swap_places();
  travelled_ = travelled;
  return ordered;
}

template <class T, int D>
bool SphSolver<T, D>::predict(SphState<T, D>& state, const SphStepInput& in, Vec3d& place) const {
  struct Bad {
    bool any = false;
    Vec3d place{{0, 0, 0}};
    void add(const Bad& o) {
      if (!any) *this = o;
    }
  };
  const int blocks = state.all.blocks.occupied();
  std::vector<Bad> bad(blocks);
  const auto gravity_at = [&](const Vec3d& x) {
    Vec3d g;
    for (int a = 0; a < 3; ++a) g[a] = in.gravity[a].at(x, in.time);
    return g;
  };
  const Vec3d even = in.gravity_in_space ? Vec3d::zero() : gravity_at(Vec3d::zero());
  parallel_for("predict", blocks, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b)
      for (std::uint32_t i = state.flat.begin[b]; i < state.flat.begin[b + 1]; ++i) {
        Vec3d g = even;
        if (in.gravity_in_space) {
          const auto& set = state.all.sets[state.flat.set[i]].particles;
          const Vec3d x = world_position(state.all, set, static_cast<int>(b), state.flat.row[i]);
          g = gravity_at(x);
          if (!std::isfinite(dot(g, g))) bad[b].add({true, x});
        }
        state.free[i] = {};
        for (int a = 0; a < D; ++a) state.free[i][a] = state.flat.velocity[i][a] + T(in.dt * g[a]);
      }
  });
  Bad first{!std::isfinite(dot(even, even)), Vec3d::zero()};
  for (const Bad& b : bad) first.add(b);
  place = first.place;
  return !first.any;
}

template <class T, int D>
void SphSolver<T, D>::collect_loads(SphState<T, D>& state) {
  std::fill(impulses_.begin(), impulses_.end(), ContactImpulse{});
  const auto& flat = state.flat;
  const SphView<T, D> view = state.view();
  for (int b = 0; b < state.all.blocks.occupied(); ++b)
    for (std::uint32_t i = flat.begin[b]; i < flat.begin[b + 1]; ++i) {
      const WallRange walls = view.walls[i];
      if (walls.count == 0) continue;
      const auto& set = state.all.sets[flat.set[i]].particles;
      const Vec3d x = world_position(state.all, set, b, flat.row[i]);
      for (std::uint32_t k = walls.first; k < walls.first + walls.count; ++k) {
        const Collider& c = obstacles_->all()[view.contacts[k].collider];
        Vec3d impulse{{0, 0, 0}};
        for (int a = 0; a < D; ++a)
          impulse[a] = double(set.mass[0][flat.row[i]]) * double(view.given[k][a]);
        impulses_[c.owner].add({impulse, cross(x - reference_point(c), impulse)});
      }
    }
}

template <class T, int D>
void SphSolver<T, D>::move(const SphContext<T>& ctx, SphState<T, D>& state, StepReport& report) {
  const auto& flat = state.flat;
  const SphView<T, D> view = state.view();
  const int blocks = state.all.blocks.occupied();
  std::vector<StepReport> found(blocks);
  parallel_for("move", blocks, 8, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      StepReport& of = found[b];
      const std::vector<int>& near = state.walls.near(static_cast<int>(b));
      Vec3d origin{{0, 0, 0}};
      for (int a = 0; a < D; ++a)
        origin[a] = double(state.all.blocks.coord(int(b))[a]) * BlockShape<D>::kEdge;
      for (std::uint32_t i = flat.begin[b]; i < flat.begin[b + 1]; ++i) {
        const MovedParticle moved = move_particle(ctx, view, i, origin, obstacles_->all().data(),
                                                  near.data(), static_cast<int>(near.size()));
        of.max_push = std::max(of.max_push, std::sqrt(moved.push2) / ctx.spacing);
        of.max_speed = std::max(of.max_speed, std::sqrt(moved.speed2));
        of.max_motion =
            std::max(of.max_motion, std::sqrt(moved.moved2) * ctx.spacing / double(ctx.dt));
        if (!moved.is_finite() && of.bad_set < 0) {
          of.bad_set = flat.set[i];
          of.bad_particle = flat.row[i];
        }
      }
    }
  });
  const StepReport total = combined(found);
  report.max_speed = report.max_signal = total.max_speed;
  report.max_motion = total.max_motion;
  report.max_push = total.max_push;
  report.drift = total.max_motion * double(ctx.dt) / ctx.spacing;
  report.bad_set = total.bad_set;
  report.bad_particle = total.bad_particle;
}

template <class T, int D>
StepReport SphSolver<T, D>::step(SphState<T, D>& state, const SphStepInput& in) {
  const SphContext<T> ctx = make_context(in.dt);
  StepReport report;
  timers_->measure("neighbours", [&] { find_neighbors(state); });
  timers_->measure("walls", [&] {
    state.walls.find(ctx, state.all, state.flat, *obstacles_, wall_maps_, share_);
    report.bad_field = state.walls.is_wrong(report.bad_place);
  });
  if (report.bad_field) return report;
  const DensityReport density =
      timers_->measure("density", [&] { return measure_density(ctx, settings_.kernel, state); });
  if (!predict(state, in, report.bad_place)) {
    report.bad_field = true;
    return report;
  }
  if (settings_.air.present) {
    const AirReport air = timers_->measure(
        "air", [&] { return blow_air(ctx, settings_.kernel, settings_.air, in.time, state); });
    wind_ = air.strongest;
    report.bad_field = air.wrong;
    report.bad_place = air.place;
    if (air.wrong) return report;
  }
  timers_->measure("jitter", [&] { damp_jitter(ctx, settings_.kernel, state); });
  const StressReport solved =
      timers_->measure("stress", [&] { return solve_stress(ctx, state, in.cancelled); });
  report.grains = {solved.iterations,     0, density.mean, density.most, solved.strain_rate,
                   solved.reached ? 0 : 1};
  report.plastic = solved.yielding;
  report.solve.cancelled = solved.cancelled;
  if (solved.cancelled) return report;
  collect_loads(state);
  report.grains.shift_iterations =
      timers_->measure("shift", [&] { return find_shift(ctx, state); });
  timers_->measure("move", [&] {
    move(ctx, state, report);
    state.flat.store(state.all);
  });
  travelled_ += report.drift;
  state.all.drift += report.drift;
  return report;
}

template struct SphState<float, 2>;
template struct SphState<float, 3>;
template struct SphState<double, 2>;
template struct SphState<double, 3>;
template class SphSolver<float, 2>;
template class SphSolver<float, 3>;
template class SphSolver<double, 2>;
template class SphSolver<double, 3>;

}  // namespace firn

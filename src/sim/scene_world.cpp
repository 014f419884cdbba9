#include "sim/scene_world.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <new>

#include "scene/collider_place.h"
#include "scene/particle_sets.h"
#include "scene/scene_transitions.h"
#include "sim/frame_meshes.h"
#include "sim/initial_state.h"
#include "sim/probes.h"
#include "sim/snapshot.h"
#include "sim/statistics.h"

namespace firn {
namespace {

// How often a run that needs nobody looks whether it is to stop.
constexpr std::int64_t kStepsBetweenStops = 1000;

}  // namespace

template <class T, int D>
SceneWorld<T, D>::SceneWorld(const SceneSettings& scene, const SolverMaker& maker)
    : scene_(scene),
      maker_(maker),
      plan_(maker.plan(scene)),
      gravity_(scene.gravity),
      gravity_in_space_(gravity_.varies_in_space()),
      obstacles_(scene),
      sources_(scene),
      frame_impulses_(scene.colliders.size()) {}

template <class T, int D>
Surroundings SceneWorld<T, D>::surroundings() const {
  Surroundings around;
  around.obstacles = obstacles_.shared();
  std::copy(gravity_.component, gravity_.component + 3, around.gravity);
  around.gravity_in_space = gravity_in_space_;
  around.sinks = sources_.sink_shapes();
  around.emits = sources_.emits();
  around.transitions = scene_transitions(scene_);
  around.timers = timers_;
  return around;
}

template <class T, int D>
Errors SceneWorld<T, D>::start(std::vector<ObjectParticles> objects, Device device) {
  if (scene_.grains) grains_ = std::make_unique<FineGrains<T, D>>(scene_, device);
  auto initial = build_initial_state<T, D>(scene_, plan_, std::move(objects));
  if (!initial) return initial.errors();
  auto made = maker_.make(scene_, surroundings(), std::move(initial->particles), device);
  if (!made) return made.errors();
  solver_ = std::move(*made);
  const Result<StepReport> report = solver_->start(initial->estimate_volume);
  if (!report) return report.errors();
  last_ = *report;
  if (Errors errors = look_at_parameters(last_.varied); !errors.empty()) return errors;
  if (last_.bad_set >= 0) return {start_line(last_)};
  sources_.set_least_densities(least_densities(solver_->particles()));
  sources_.set_next_id(solver_->count());
  return grains_ ? grains_->start(solver_->particles(), 0) : Errors{};
}

template <class T, int D>
Errors SceneWorld<T, D>::lead_grains(const StretchResult& result) {
  const double way =
      solver_->runs_alone()
          ? result.way
          : grains_->way() + last_dt_ * std::max(last_.max_motion, grains_->fastest());
  return timers_->measure("grains", [&] {
    return grains_->follow(*solver_, time(), way, sources_.open_sinks(time()), result.frame_done);
  });
}

template <class T, int D>
Result<FrameOutcome> SceneWorld<T, D>::advance_frame(const std::atomic<bool>& stop,
                                                     const std::atomic<bool>* drop) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  if (frame_steps_ == 0 || time_in_frame_ == 0) {
    frame_steps_ = 0;
    frame_wall_ = 0;
    frame_solves_ = {};
    frame_grains_ = {};
    std::fill(frame_impulses_.begin(), frame_impulses_.end(), ContactImpulse{});
    before_frame_ = *timers_;
  }
  const auto dropped = [drop] { return drop && drop->load(std::memory_order_relaxed); };
  cancelled_ = dropped;
  for (;;) {
    bool frame_done = false;
    const bool stops = stop.load(std::memory_order_relaxed);
    Errors errors = run(stops ? 1 : kStepsBetweenStops, frame_done);
    if (!errors.empty()) return errors;
    if (frame_done) break;
    if (stop.load(std::memory_order_relaxed) || dropped()) {
      frame_wall_ += seconds();
      return FrameOutcome::interrupted;
    }
  }
  frame_wall_ += seconds();
  return FrameOutcome::done;
}

template <class T, int D>
Result<double> SceneWorld<T, D>::advance_step() {
  cancelled_ = nullptr;
  bool frame_done = false;
  Errors errors = run(1, frame_done);
  if (!errors.empty()) return errors;
  return last_dt_;
}

template <class T, int D>
bool SceneWorld<T, D>::weighs_effort(const StepRule& rule) const {
  return !scene_.integrator.is_explicit() && !rule.keeps_length;
}

template <class T, int D>
double SceneWorld<T, D>::most_cells(const StepRule& rule) const {
  return rule.keeps_length ? INFINITY : scene_.integrator.most_cells();
}

template <class T, int D>
Errors SceneWorld<T, D>::run(std::int64_t max_steps, bool& frame_done) {
  if (const std::string line = standstill_line(); !line.empty()) return {line};
  Stretch stretch;
  stretch.rule = step_rule();
  if (weighs_effort(stretch.rule)) stretch.rule.max_dt = effort_.limit(stretch.rule.max_dt);
  stretch.least_density = sources_.least_densities();
  stretch.frame_start = frame_ / scene_.fps;
  stretch.frame_length = 1 / scene_.fps;
  stretch.time_in_frame = time_in_frame_;
  stretch.steps_before = total_steps_;
  stretch.max_steps = max_steps;
  stretch.max_signal = last_.max_signal;
  stretch.max_cells = most_cells(stretch.rule);
  stretch.force = force_;
  stretch.force_cells = kMostCellsByForce;
  stretch.watch_sources = sources_.any();
  stretch.waits = sources_.waits();
  if (grains_) {
    stretch.most_way = grains_->most_way();
    stretch.way = grains_->way();
    stretch.follower_speed = grains_->fastest();
  }
  const Result<StretchResult> result = run_halved(stretch);
  if (!result) return result.errors();
  if (result->refused) return {};  // asked to stop within the step
  const StepReport before = last_;
  take(*result);
  if (Errors errors = look_at_parameters(last_.varied); !errors.empty()) return errors;
  if (last_.bad_field) return {field_line(result->bad_time, last_.bad_place)};
  if (last_.bad_set >= 0 || !(last_.drift <= stretch.max_cells))
    return {divergence_line(last_, result->bad_id, before)};
  frame_done = result->frame_done;
  if (result->sources_due && sources_.any()) {
    Errors errors = look_at_sources(result->sorted || frame_done);
    if (errors.empty()) errors = look_at_parameters(last_.varied);
    if (!errors.empty()) return errors;
  }
  if (grains_)
    if (Errors errors = lead_grains(*result); !errors.empty()) return errors;
  if (frame_done) {
    ++frame_;
    time_in_frame_ = 0;
  }
  return {};
}

template <class T, int D>
Result<StretchResult> SceneWorld<T, D>::run_halved(Stretch& stretch) {
  const bool single = !solver_->runs_alone() || obstacles_.any_moves() || body_force_;
  if (!pushes_particles()) stretch.cancelled = cancelled_;
  const SolveTotals solves_before = frame_solves_;
  SolveReport tried;
  for (int halvings = 0;; ++halvings) {
    stretch.tried_before = halvings > 0;
    stretch.must_accept = halvings == kMostHalvings;
    if (single)
      if (Errors errors = prepare_step(stretch); !errors.empty()) return errors;
    Result<StretchResult> result = solver_->run(stretch);
    if (!result) return result;
    if (result->report.solve.cancelled) {
      frame_solves_ = solves_before;
      return result;
    }
    tried.add(result->report.solve);
    if (!result->refused) {
      if (weighs_effort(stretch.rule))
        effort_.took(step_rule().max_dt, result->last_dt, tried, halvings > 0);
      return result;
    }
    ++frame_solves_.halved_steps;
    frame_solves_.add(result->report.solve);
    stretch.given_dt /= 2;
  }
}

template <class T, int D>
void SceneWorld<T, D>::note_missed(const SolveReport& solve) {
  ++frame_solves_.missed_steps;
  if (noted_missed_) return;
  noted_missed_ = true;
  char line[200];
  std::snprintf(
      line, sizeof line,
      "the step at t = %.6g s missed its tolerance after %d halvings and was taken all the "
      "same (residual %.3g m/s); raise /integrator/max_newton or /integrator/tolerance",
      time(), kMostHalvings, solve.residual);
  notes_.push_back({line});
}

template <class T, int D>
Errors SceneWorld<T, D>::prepare_step(Stretch& stretch) {
  stretch.max_steps = 1;
  const double kicked_dt = stretch.tried_before ? 2 * stretch.given_dt : 0;
  if (!stretch.tried_before) stretch.given_dt = stretch.rule.next_dt(last_.max_signal, remaining());
  const Bounds box = obstacles_.any_moves() ? particle_bounds() : Bounds{};
  const double cells = stretch.rule.keeps_length ? INFINITY : kMaxBodyCells;
  const Obstacles::Placed placed = obstacles_.place(box, time(), stretch.given_dt, cells);
  if (!(placed.dt > 0)) return {jump_line(placed.jumper)};
  stretch.given_dt = placed.dt;
  stretch.obstacle_advance = placed.advance;
  if (!body_force_) return {};
  std::vector<Vec3d> kicks;
  for (const Vec3d& x : initial_positions_)
    kicks.push_back(body_force_(x, time()) * (stretch.given_dt - kicked_dt));
  return solver_->kick(kicks);
}

// Around the blocks that hold particles, and what these may reach in a step. A point where there
// are none.
template <class T, int D>
Bounds SceneWorld<T, D>::particle_bounds() const {
  constexpr int kEdge = BlockShape<D>::kEdge;
  const auto [first, last] = solver_->occupied_corners();
  const double h = scene_.grid.spacing, cells = scene_.integrator.most_cells();
  Bounds box{Vec3d::fill(0), Vec3d::fill(0)};
  for (int a = 0; a < D && first[a] <= last[a]; ++a) {
    box.low[a] = (double(first[a]) * kEdge - 1 - cells) * h;
    box.high[a] = (double(last[a]) * kEdge - 1 + cells) * h + (kEdge + 3) * h;
  }
  return box;
}

template <class T, int D>
void SceneWorld<T, D>::take(const StretchResult& result) {
  last_ = result.report;
  if (result.steps == 0) return;
  sources_.lower_densities(result.changed_density);
  last_dt_ = result.last_dt;
  dt_min_ = frame_steps_ == 0 ? result.dt_min : std::min(dt_min_, result.dt_min);
  dt_max_ = frame_steps_ == 0 ? result.dt_max : std::max(dt_max_, result.dt_max);
  total_steps_ += result.steps;
  frame_steps_ += result.steps;
  time_in_frame_ = result.time_in_frame;
  for (std::size_t i = 0; i < result.impulses.size(); ++i)
    frame_impulses_[i].add(result.impulses[i]);
  const SolveReport& solve = result.report.solve;
  frame_grains_.add(result.report.grains);
  frame_solves_.add(solve);
  frame_solves_.residual = std::max(frame_solves_.residual, solve.residual);
  if (solve.missed) note_missed(solve);
}

template <class T, int D>
Errors SceneWorld<T, D>::look_at_sources(bool sorted) {
  try {
    return timers_->measure("sources", [&] {
      return sources_.update(scene_, plan_, *solver_, time(), sorted, last_, grains_.get());
    });
  } catch (const std::bad_alloc&) {
    char moment[64];
    std::snprintf(moment, sizeof moment, " particles at t = %.6g s", time());
    return {"out of memory with " + std::to_string(solver_->count()) + moment +
            "; close an emitter earlier, add a sink, or raise /grid/spacing"};
  }
}

template <class T, int D>
FrameStats SceneWorld<T, D>::statistics() const {
  FrameStats stats;
  stats.frame = frame_;
  stats.time = time();
  stats.steps = frame_steps_;
  stats.dt_min = dt_min_;
  stats.dt_max = dt_max_;
  stats.has_gravity_potential = !gravity_in_space_ && !gravity_.varies_in_time();
  const Particles<T, D>& all = solver_->particles();
  measure(all, stats.has_gravity_potential ? gravity_.at(Vec3d::zero(), 0) : Vec3d::zero(), stats);
  if (const auto elastic = solver_->elastic_energy()) stats.elastic = *elastic;
  for (std::size_t i = 0; i < frame_impulses_.size(); ++i)
    stats.colliders.push_back({scene_.colliders[i].name, frame_impulses_[i].linear * -scene_.fps,
                               frame_impulses_[i].angular * -scene_.fps});
  if (const auto names = species_names(scene_); names.size() > 1)
    stats.species = measure_species(all, names);
  if (!scene_.integrator.is_explicit()) stats.solves = frame_solves_;
  if (scene_.solver == SolverKind::sph) stats.grains = frame_grains_;
  if (sources_.any()) stats.flow = sources_.totals();
  const std::vector<std::uint64_t> changed = solver_->transition_counts();
  for (std::size_t i = 0; i < changed.size(); ++i)
    stats.transitions.push_back({scene_.transitions[i].name, changed[i]});
  stats.probes = read_probes(scene_, all);
  if (grains_) stats.fine_grains = grains_->size();
  stats.plastic_fraction = plastic_fraction();
  stats.wall = frame_wall_;
  stats.phases = timers_->since(before_frame_);
  return stats;
}

template <class T, int D>
double SceneWorld<T, D>::plastic_fraction() const {
  const std::size_t particles = solver_->count();
  return particles > 0 ? double(last_.plastic) / double(particles) : 0;
}

template <class T, int D>
WorldSize SceneWorld<T, D>::size() const {
  const auto& blocks = solver_->particles().blocks;
  WorldSize size;
  size.particles = solver_->count();
  size.blocks = blocks.occupied();
  size.grid_nodes = std::size_t(blocks.size()) * BlockShape<D>::kNodes;
  size.bytes = solver_->bytes();
  if (grains_) {
    size.fine_grains = grains_->size();
    size.bytes += grains_->bytes();
  }
  size.first_dt = step_rule().next_dt(last_.max_signal, remaining());
  return size;
}

template <class T, int D>
Frame SceneWorld<T, D>::snapshot(const std::vector<std::string>& fields) const {
  const Particles<T, D>& all = solver_->particles();
  Frame frame = make_snapshot(all, fields);
  std::vector<SolverMesh> meshes = solver_->meshes();
  if (!meshes.empty()) frame.meshes = frame_meshes(std::move(meshes), sorted_ids(all));
  frame.bodies = collider_poses(scene_, time());
  return frame;
}

template <class T, int D>
Frame SceneWorld<T, D>::grains(const std::vector<std::string>& fields) const {
  return grains_ ? Frame(grains_->table(fields)) : Frame();
}

template <class T, int D>
void SceneWorld<T, D>::set_body_force(BodyForce force) {
  body_force_ = std::move(force);
  const Particles<T, D>& all = solver_->particles();
  initial_positions_.resize(all.count());
  for (const auto& set : all.sets)
    for (int b = 0; b < all.blocks.occupied(); ++b)
      for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p)
        initial_positions_[set.particles.id[0][p]] = world_position(all, set.particles, b, p);
}

template class SceneWorld<float, 2>;
template class SceneWorld<float, 3>;
template class SceneWorld<double, 2>;
template class SceneWorld<double, 3>;

}  // namespace firn

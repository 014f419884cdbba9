#include "sim/mpm_world.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <new>

#include "exec/parallel.h"
#include "mpm/sort.h"
#include "sim/build_state.h"
#include "sim/probes.h"
#include "sim/snapshot.h"
#include "sim/statistics.h"

namespace firn {
namespace {

// No particle may cross more than this in a step; the margin of the blocks allows it.
constexpr double kMaxCellsPerStep = 1.0;
// A hand shall not make them that fast.
constexpr double kMostCellsByHand = 0.3;
// Nor may a moving body near particles.
constexpr double kMaxBodyCells = 0.5;

std::string format(const char* pattern, double a, double b = 0, double c = 0) {
  char line[256];
  std::snprintf(line, sizeof line, pattern, a, b, c);
  return line;
}

// The linear kernel still pushes where its weight vanishes: nodes of little mass are thrown about,
// and what a wave bears with smooth kernels makes a body burst. A quarter of the step does not.
constexpr double kLinearShare = 0.25;
// The damping of sound takes a part of what explicit steps bear (docs/physics_fluids.md).
constexpr double kMostCellsOfFluids = 0.55;

}  // namespace

template <class T, int D>
MpmWorld<T, D>::MpmWorld(const SceneSettings& scene, MpmState<T, D> state)
    : scene_(scene),
      gravity_(scene.gravity),
      gravity_in_space_(gravity_.varies_in_space()),
      solver_(mpm_settings(scene), runtime_colliders(scene)),
      state_(std::move(state)),
      flow_(scene),
      frame_impulses_(scene.colliders.size()) {
  std::copy(gravity_.component, gravity_.component + 3, gravity_field_.component);
}

template <class T, int D>
Errors MpmWorld<T, D>::initialize(const std::vector<bool>& estimate_volume) {
  last_ = solver_.initialize(state_, estimate_volume);
  std::size_t count = 0;
  for (const auto& set : state_.sets) count += set.particles.size();
  flow_.set_next_id(count);
  if (last_.bad_set >= 0) return {divergence_line(last_)};
  return {};
}

template <class T, int D>
double MpmWorld<T, D>::stable_dt() const {
  const IntegratorSettings& in = scene_.integrator;
  if (in.fixed_dt > 0) return in.fixed_dt;
  double cells = scene_.kernel == KernelKind::linear ? kLinearShare * in.cfl : in.cfl;
  for (const auto& set : state_.sets)
    if (std::holds_alternative<Fluid::Parameters>(set.parameters))
      cells = std::min(cells, kMostCellsOfFluids);
  double dt = std::min(in.max_dt, cells * scene_.grid.spacing / std::max(last_.max_signal, 1e-30));
  // Explicit viscosity: diffusion must not cross a cell in a step.
  for (const auto& set : state_.sets) dt = std::min(dt, viscous_dt(set));
  return dt;
}

template <class T, int D>
double MpmWorld<T, D>::viscous_dt(const MaterialSet<T, D>& set) const {
  const double h = scene_.grid.spacing;
  return visit_model(static_cast<int>(set.parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    const double eta = viscosity_of<Model>(std::get<typename Model::Parameters>(set.parameters));
    if (!(eta > 0) || set.particles.size() == 0) return INFINITY * 1.0;
    const double density = double(set.particles.mass[0][0]) / double(set.particles.volume[0][0]);
    return scene_.integrator.cfl * density * h * h / (2 * D * eta);
  });
}

// The last steps of a frame share what remains, so that no step is tiny.
template <class T, int D>
double MpmWorld<T, D>::next_dt(double remaining) const {
  const double dt = stable_dt();
  const double steps = std::ceil(remaining / dt - 1e-9);
  if (steps <= 1) return remaining;
  return steps <= 3 ? remaining / steps : dt;
}

// The dt to take, with moving bodies in their places for it.
template <class T, int D>
Result<double> MpmWorld<T, D>::begin_step(double remaining) {
  const double wanted = next_dt(remaining);
  int jumper = -1;
  const double dt = solver_.place_bodies(state_, time(), wanted, kMaxBodyCells, jumper);
  if (dt > 0) return dt;
  return Result<double>::failure(
      format("at t = %.6g s the collider ", time()) + "\"" + scene_.colliders[jumper].name +
      "\" jumps: it moves too far in any time step; give it a motion of finite speed");
}

template <class T, int D>
Vec3d MpmWorld<T, D>::gravity_for_step(double dt) {
  gravity_field_.time = time() + dt / 2;
  return gravity_in_space_ ? Vec3d::zero() : gravity_.at(Vec3d::zero(), gravity_field_.time);
}

template <class T, int D>
Errors MpmWorld<T, D>::take_step(double dt, bool ends_frame) {
  if (body_force_) apply_body_force(dt);
  if (hand_.kind != HandKind::none) apply_hand(dt);
  last_dt_ = dt;
  const Vec3d gravity = gravity_for_step(dt);
  const auto not_finite = [&](const std::string& place) {
    return Errors{format("/gravity is not finite at t = %.6g s", gravity_field_.time) + place};
  };
  if (!is_finite(gravity)) return not_finite("");
  last_ = solver_.step(state_, dt, gravity, gravity_in_space_ ? &gravity_field_ : nullptr);
  if (last_.bad_gravity) return not_finite(" and " + place_text(last_.gravity_place));
  ++total_steps_;
  ++frame_steps_;
  dt_min_ = frame_steps_ == 1 ? dt : std::min(dt_min_, dt);
  dt_max_ = std::max(frame_steps_ == 1 ? 0.0 : dt_max_, dt);
  time_in_frame_ += dt;
  for (std::size_t i = 0; i < solver_.impulses().size(); ++i)
    frame_impulses_[i].add(solver_.impulses()[i]);
  if (last_.bad_set >= 0 || !(last_.drift <= kMaxCellsPerStep)) return {divergence_line(last_)};
  if (!flow_.any()) return {};
  const bool sorted = state_.drift == 0 && last_.drift > 0;
  try {
    return solver_.timers().measure("flow", [&] {
      return flow_.update(scene_, solver_, state_, time(), sorted || ends_frame, last_);
    });
  } catch (const std::bad_alloc&) {
    std::size_t count = 0;
    for (const auto& set : state_.sets) count += set.particles.size();
    return {"out of memory with " + std::to_string(count) +
            format(" particles at t = %.6g s", time()) +
            "; close an emitter earlier, add a sink, or raise /grid/spacing"};
  }
}

template <class T, int D>
std::string MpmWorld<T, D>::divergence_line(const StepReport& report) const {
  std::string line = "the simulation became unstable at step " + std::to_string(total_steps_) +
                     format(" (t = %.6g s, dt = %.3g s)", time(), last_dt_);
  if (report.bad_set >= 0) {
    const auto& set = state_.sets[report.bad_set];
    line += ": particle " + std::to_string(set.particles.id[0][report.bad_particle]) +
            " of material \"" + scene_.materials[report.bad_set].name + "\" has no finite state";
  } else {
    line += format(": a particle crossed %.3g cells in one step", report.drift);
  }
  if (scene_.integrator.fixed_dt > 0)
    return line + "; /integrator/fixed_dt is too large: remove it or lower it";
  return line + "; lower /integrator/cfl or /integrator/max_dt, or soften the material";
}

template <class T, int D>
Result<FrameOutcome> MpmWorld<T, D>::advance_frame(const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  if (frame_steps_ == 0 || time_in_frame_ == 0) {
    frame_steps_ = 0;
    frame_wall_ = 0;
    std::fill(frame_impulses_.begin(), frame_impulses_.end(), ContactImpulse{});
    before_frame_ = solver_.timers();
  }
  const double length = 1 / scene_.fps;
  for (;;) {
    const double remaining = length - time_in_frame_;
    const Result<double> dt = begin_step(remaining);
    if (!dt) return dt.errors();
    Errors errors = take_step(*dt, *dt >= remaining);
    if (!errors.empty()) return errors;
    if (*dt >= remaining) break;
    if (stop.load(std::memory_order_relaxed)) {
      frame_wall_ += seconds();
      return FrameOutcome::interrupted;
    }
  }
  ++frame_;
  time_in_frame_ = 0;
  frame_wall_ += seconds();
  return FrameOutcome::done;
}

template <class T, int D>
Result<double> MpmWorld<T, D>::advance_step() {
  const double length = 1 / scene_.fps;
  const double remaining = length - time_in_frame_;
  const Result<double> dt = begin_step(remaining);
  if (!dt) return dt.errors();
  Errors errors = take_step(*dt, *dt >= remaining);
  if (!errors.empty()) return errors;
  if (*dt >= remaining) {
    ++frame_;
    time_in_frame_ = 0;
  }
  return dt;
}

template <class T, int D>
FrameStats MpmWorld<T, D>::statistics() const {
  FrameStats stats;
  stats.frame = frame_;
  stats.time = time();
  stats.steps = frame_steps_;
  stats.dt_min = dt_min_;
  stats.dt_max = dt_max_;
  stats.has_gravity_potential = !gravity_in_space_ && !gravity_.varies_in_time();
  measure(state_, scene_.grid.spacing, kernel_shift(scene_.kernel),
          stats.has_gravity_potential ? gravity_.at(Vec3d::zero(), 0) : Vec3d::zero(),
          affine_d(scene_), stats);
  for (std::size_t i = 0; i < frame_impulses_.size(); ++i)
    stats.colliders.push_back({scene_.colliders[i].name, frame_impulses_[i].linear * -scene_.fps,
                               frame_impulses_[i].angular * -scene_.fps});
  if (flow_.any()) stats.flow = flow_.totals();
  stats.probes = read_probes(scene_, state_);
  stats.plastic_fraction = plastic_fraction();
  stats.wall = frame_wall_;
  stats.phases = solver_.timers().since(before_frame_);
  return stats;
}

template <class T, int D>
double MpmWorld<T, D>::plastic_fraction() const {
  std::size_t particles = 0;
  for (const auto& set : state_.sets) particles += set.particles.size();
  return particles > 0 ? double(last_.plastic) / double(particles) : 0;
}

template <class T, int D>
WorldSize MpmWorld<T, D>::size() const {
  WorldSize size;
  for (const auto& set : state_.sets) size.particles += set.particles.size();
  size.blocks = state_.blocks.occupied();
  size.grid_nodes = std::size_t(state_.blocks.size()) * BlockShape<D>::kNodes;
  size.bytes = solver_.bytes(state_);
  size.first_dt = next_dt(1 / scene_.fps - time_in_frame_);
  return size;
}

template <class T, int D>
PointTable MpmWorld<T, D>::snapshot(const std::vector<std::string>& fields) const {
  return make_snapshot(state_, scene_.grid.spacing, kernel_shift(scene_.kernel), fields);
}

template <class T, int D>
void MpmWorld<T, D>::set_body_force(BodyForce force) {
  body_force_ = std::move(force);
  std::size_t count = 0;
  for (const auto& set : state_.sets) count += set.particles.size();
  initial_positions_.resize(count);
  for (const auto& set : state_.sets)
    for (int b = 0; b < state_.blocks.occupied(); ++b)
      for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p)
        initial_positions_[set.particles.id[0][p]] = world_position(
            state_, set.particles, b, p, scene_.grid.spacing, kernel_shift(scene_.kernel));
}

template <class T, int D>
void MpmWorld<T, D>::apply_body_force(double dt) {
  const double t = time();
  for (auto& set : state_.sets)
    for (std::size_t p = 0; p < set.particles.size(); ++p) {
      const Vec3d a = body_force_(initial_positions_[set.particles.id[0][p]], t);
      for (int k = 0; k < D; ++k) set.particles.velocity[k][p] += T(dt * a[k]);
    }
}

template <class T, int D>
void MpmWorld<T, D>::apply_hand(double dt) {
  const double h = scene_.grid.spacing;
  for (auto& set : state_.sets)
    parallel_for("hand", state_.blocks.occupied(), 16, [&](std::int64_t begin, std::int64_t end) {
      for (int b = static_cast<int>(begin); b < static_cast<int>(end); ++b)
        for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) {
          Vec3d v = Vec3d::zero();
          for (int k = 0; k < D; ++k) v[k] = double(set.particles.velocity[k][p]);
          const Vec3d x =
              world_position(state_, set.particles, b, p, h, kernel_shift(scene_.kernel));
          const Vec3d moved = hand_.moved(x, v, dt, kMostCellsByHand * h / dt);
          for (int k = 0; k < D; ++k) set.particles.velocity[k][p] = T(moved[k]);
        }
    });
}

template class MpmWorld<float, 2>;
template class MpmWorld<float, 3>;
template class MpmWorld<double, 2>;
template class MpmWorld<double, 3>;

}  // namespace firn

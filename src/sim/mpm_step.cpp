// One step: how long it is, what acts on the particles before it, and what is said when it fails.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <new>

#include "exec/parallel.h"
#include "mpm/sort.h"
#include "mpm/step_bound.h"
#include "sim/mpm_world.h"

namespace firn {
namespace {

std::string format(const char* pattern, double a, double b = 0, double c = 0) {
  char line[256];
  std::snprintf(line, sizeof line, pattern, a, b, c);
  return line;
}

}  // namespace

// No material is stepped further than it bears, whatever cfl is.
template <class T, int D>
StepRule MpmWorld<T, D>::step_rule() const {
  const IntegratorSettings& in = scene_.integrator;
  double cells = in.cfl;
  for (const auto& set : state_.sets)
    cells = std::min(cells, step_bound(scene_.kernel, scene_.transfer, D, set.parameters).cells);
  StepRule rule{in.fixed_dt, in.max_dt, cells * scene_.grid.spacing, 0};
  for (std::size_t s = 0; s < state_.sets.size(); ++s)
    rule.viscous = std::max(rule.viscous, viscous_rate(s, cells));
  return rule;
}

// Explicit viscosity at the largest J of the fluid. A smaller cfl shortens these steps as well.
template <class T, int D>
double MpmWorld<T, D>::viscous_rate(std::size_t s, double cells) const {
  const ModelParameters& parameters = state_.sets[s].parameters;
  const double h = scene_.grid.spacing;
  return visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    [[maybe_unused]] const auto& model = std::get<typename Model::Parameters>(parameters);
    if constexpr (requires { Model::largest_viscosity(model); }) {
      const StepBound bound = step_bound(scene_.kernel, scene_.transfer, D, parameters);
      const double borne = bound.viscosity * cells / bound.cells;
      return Model::largest_viscosity(model) / (borne * flow_.least_density(s) * h * h);
    } else {
      return 0.0;
    }
  });
}

template <class T, int D>
double MpmWorld<T, D>::next_dt(double remaining) const {
  return step_rule().next_dt(last_.max_signal, remaining);
}

// The dt to take, with moving bodies in their places for it.
template <class T, int D>
Result<double> MpmWorld<T, D>::begin_step(double remaining) {
  if (const std::string line = standstill_line(); !line.empty())
    return Result<double>::failure(line);
  const double wanted = next_dt(remaining);
  int jumper = -1;
  const double dt = solver_.place_bodies(state_, time(), wanted, kMaxBodyCells, jumper);
  if (dt > 0) return dt;
  return Result<double>::failure(jump_line(jumper));
}

template <class T, int D>
std::string MpmWorld<T, D>::collider_name(int collider) const {
  return "/colliders/" + std::to_string(collider) + " \"" + scene_.colliders[collider].name + "\"";
}

template <class T, int D>
std::string MpmWorld<T, D>::jump_line(int collider) const {
  const std::string moment = format("at t = %.6g s ", time()) + collider_name(collider);
  if (solver_.misplaced_body() == collider)
    return moment + " has no place: its motion is not finite, or its scale is not above 0";
  return moment + " jumps: it moves too far in any time step; give it a motion of finite speed";
}

// What the scene prescribes in space and time is evaluated again, to say which of it is wrong.
template <class T, int D>
std::string MpmWorld<T, D>::field_line(double time, const Vec3d& place) const {
  const std::string where = " and " + place_text(place);
  if (!is_finite(gravity_.at(gravity_in_space_ ? place : Vec3d::zero(), time)))
    return format("/gravity is not finite at t = %.6g s", time) + (gravity_in_space_ ? where : "");
  for (const Collider& collider : solver_.colliders()) {
    Collider c = collider;
    c.time = time;
    const double distance = distance_to(c, place).distance;
    if (!surface_is_wrong(c, place, distance, 1.001 * scene_.grid.spacing)) continue;
    const bool friction = c.friction_field.has_program && !(c.friction_field.at(place, time) >= 0);
    const double value = (friction ? c.friction_field : c.stickiness).at(place, time);
    return std::string("at t = ") + format("%.6g s", time) + where + " " +
           (friction ? "the friction" : "the stickiness") + " of " + collider_name(c.owner) +
           format(" is %.4g", value) + "; it must not be negative, and a number";
  }
  return format("a field of the scene is not finite at t = %.6g s", time) + where;
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
  if (!is_finite(gravity)) return {field_line(gravity_field_.time, Vec3d::zero())};
  const StepReport before = last_;
  last_ = solver_.step(state_, dt, gravity, gravity_in_space_ ? &gravity_field_ : nullptr);
  if (last_.bad_field) return {field_line(gravity_field_.time, last_.bad_place)};
  ++total_steps_;
  ++frame_steps_;
  dt_min_ = frame_steps_ == 1 ? dt : std::min(dt_min_, dt);
  dt_max_ = std::max(frame_steps_ == 1 ? 0.0 : dt_max_, dt);
  time_in_frame_ += dt;
  for (std::size_t i = 0; i < solver_.impulses().size(); ++i)
    frame_impulses_[i].add(solver_.impulses()[i]);
  if (last_.bad_set >= 0 || !(last_.drift <= kMaxCellsPerStep))
    return {divergence_line(last_, bad_id(last_), before)};
  if (!flow_.any()) return {};
  const bool sorted = state_.drift == 0 && last_.drift > 0;
  try {
    return solver_.timers().measure("flow", [&] {
      return flow_.update(scene_, solver_, state_, time(), sorted || ends_frame, last_);
    });
  } catch (const std::bad_alloc&) {
    return {"out of memory with " + std::to_string(particle_count()) +
            format(" particles at t = %.6g s", time()) +
            "; close an emitter earlier, add a sink, or raise /grid/spacing"};
  }
}

template <class T, int D>
std::uint64_t MpmWorld<T, D>::bad_id(const StepReport& report) const {
  if (report.bad_set < 0) return 0;
  return state_.sets[report.bad_set].particles.id[0][report.bad_particle];
}

// Steps so short that a frame never ends; "" where they are not.
template <class T, int D>
std::string MpmWorld<T, D>::standstill_line() const {
  const StepRule rule = step_rule();
  const double dt = rule.stable_dt(last_.max_signal);
  if (dt * scene_.fps >= kShortestStep) return "";
  const std::string line = format(
      "at t = %.6g s the time step is %.3g s, less than a ten-millionth of a frame: ", time(), dt);
  constexpr double kCommonStep = 1e-3;  // s; where it is too short the frames are too long
  if (kCommonStep * scene_.fps < kShortestStep) return line + "raise /fps";
  if (rule.fixed_dt > 0) return line + "raise /integrator/fixed_dt";
  if (scene_.integrator.max_dt * scene_.fps < kShortestStep)
    return line + "raise /integrator/max_dt";
  if (rule.max_dt * scene_.fps < kShortestStep)
    return line + "explicit viscosity needs that; lower the viscosity, or raise /grid/spacing";
  if (!(scene_.integrator.cfl > 1e-3)) return line + "raise /integrator/cfl";
  if (last_.max_speed > 0.5 * last_.max_signal || !std::isfinite(last_.max_speed))
    return line + format("particles move at %.3g m/s", last_.max_speed) + "; lower the velocities";
  return line + format("waves travel at %.3g m/s", last_.max_signal) +
         "; soften the material, or raise its density";
}

// What most likely made a step fail that the rule of dt takes for stable.
template <class T, int D>
std::string MpmWorld<T, D>::likely_cause(const StepReport& before) const {
  const double gravity =
      std::sqrt(dot(gravity_.at(Vec3d::zero(), time()), gravity_.at(Vec3d::zero(), time())));
  if (gravity * last_dt_ * last_dt_ > 0.05 * scene_.grid.spacing)
    return format("gravity of %.3g m/s2 moves things %.3g cells in such a step", gravity,
                  gravity * last_dt_ * last_dt_ / scene_.grid.spacing) +
           "; lower /gravity or /integrator/max_dt";
  const double speed = std::max(before.max_speed, last_.max_speed);
  const double waves = before.max_signal - before.max_speed;
  constexpr double kTooFast = 30;  // times the speed of waves
  if (!(speed <= kTooFast * waves) && speed > 0)
    return format("particles move at %.3g m/s, and waves in the material at %.3g m/s", speed,
                  std::max(waves, 0.0)) +
           "; lower the velocities, or stiffen the material";
  return "lower /integrator/cfl or /integrator/max_dt, or soften the material";
}

// Of a particle that has no finite state before anything moved.
template <class T, int D>
std::string MpmWorld<T, D>::start_line(const StepReport& report) const {
  const auto& particles = state_.sets[report.bad_set].particles;
  double speed2 = 0;
  for (int a = 0; a < D; ++a) speed2 += square(double(particles.velocity[a][report.bad_particle]));
  const std::string line = "particle " + std::to_string(bad_id(report)) + " of material \"" +
                           scene_.materials[report.bad_set].name +
                           "\" has no finite state at the start: ";
  constexpr double kTooFast = 1e9;  // m/s
  if (!(speed2 <= kTooFast * kTooFast))
    return line + format("it moves at %.3g m/s", std::sqrt(speed2)) + "; lower the velocity";
  return line + "a parameter of the material, its density or a field is too large or too small" +
         (sizeof(T) == 4 ? "; --precision double bears more" : "");
}

template <class T, int D>
std::string MpmWorld<T, D>::divergence_line(const StepReport& report, std::uint64_t bad_id,
                                            const StepReport& before) const {
  std::string line = "the simulation became unstable at step " + std::to_string(total_steps_) +
                     format(" (t = %.6g s, dt = %.3g s)", time(), last_dt_);
  if (report.bad_set >= 0) {
    line += ": particle " + std::to_string(bad_id) + " of material \"" +
            scene_.materials[report.bad_set].name + "\" has no finite state";
  } else {
    line += format(": a particle crossed %.3g cells in one step", report.drift);
  }
  if (scene_.integrator.fixed_dt > 0)
    return line + "; /integrator/fixed_dt is too large: remove it or lower it";
  return line + "; " + likely_cause(before);
}

template <class T, int D>
void MpmWorld<T, D>::set_body_force(BodyForce force) {
  body_force_ = std::move(force);
  state();  // brings the particles here
  initial_positions_.resize(particle_count());
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

#define FIRN_INSTANTIATE(T, D)                                                           \
  template StepRule MpmWorld<T, D>::step_rule() const;                                   \
  template double MpmWorld<T, D>::next_dt(double) const;                                 \
  template Result<double> MpmWorld<T, D>::begin_step(double);                            \
  template Errors MpmWorld<T, D>::take_step(double, bool);                               \
  template std::uint64_t MpmWorld<T, D>::bad_id(const StepReport&) const;                \
  template std::string MpmWorld<T, D>::jump_line(int) const;                             \
  template std::string MpmWorld<T, D>::field_line(double, const Vec3d&) const;           \
  template std::string MpmWorld<T, D>::standstill_line() const;                          \
  template std::string MpmWorld<T, D>::start_line(const StepReport&) const;              \
  template std::string MpmWorld<T, D>::divergence_line(const StepReport&, std::uint64_t, \
                                                       const StepReport&) const;         \
  template void MpmWorld<T, D>::set_body_force(BodyForce);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn

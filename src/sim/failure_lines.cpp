// What is said when a step fails, and what it likely comes from.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "scene/line_text.h"
#include "sim/scene_world.h"

namespace firn {
namespace {

std::string format(const char* pattern, double a, double b = 0, double c = 0) {
  char line[256];
  std::snprintf(line, sizeof line, pattern, a, b, c);
  return line;
}

}  // namespace

template <class T, int D>
std::string SceneWorld<T, D>::collider_name(int collider) const {
  return "/colliders/" + std::to_string(collider) + " \"" + scene_.colliders[collider].name + "\"";
}

template <class T, int D>
std::string SceneWorld<T, D>::jump_line(int collider) const {
  const std::string moment = format("at t = %.6g s ", time()) + collider_name(collider);
  if (obstacles_.misplaced() == collider)
    return moment + " has no place: its motion is not finite, or its scale is not above 0";
  return moment + " jumps: it moves too far in any time step; give it a motion of finite speed";
}

// What the scene prescribes in space and time is evaluated again, to say which of it is wrong.
template <class T, int D>
std::string SceneWorld<T, D>::field_line(double time, const Vec3d& place) const {
  const std::string where = " and " + place_text(place);
  if (!is_finite(gravity_.at(gravity_in_space_ ? place : Vec3d::zero(), time)))
    return format("/gravity is not finite at t = %.6g s", time) + (gravity_in_space_ ? where : "");
  if (scene_.air) {
    const VaryingField wind(scene_.air->velocity);
    const bool in_space = wind.varies_in_space();
    if (!is_finite(wind.at(in_space ? place : Vec3d::zero(), time)))
      return format("/air/velocity is not finite at t = %.6g s", time) + (in_space ? where : "");
  }
  for (const Collider& collider : obstacles_.all()) {
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

// Steps so short that a frame never ends; "" where they are not.
template <class T, int D>
std::string SceneWorld<T, D>::standstill_line() const {
  const StepRule rule = step_rule();
  const double dt = rule.stable_dt(last_.max_signal);
  if (dt * scene_.fps >= kShortestStep) return "";
  const std::string line = format(
      "at t = %.6g s the time step is %.3g s, less than a ten-millionth of a frame: ", time(), dt);
  constexpr double kCommonStep = 1e-3;  // s; where it is too short the frames are too long
  if (kCommonStep * scene_.fps < kShortestStep) return line + "raise /fps";
  if (rule.fixed_dt > 0) return line + "raise /integrator/fixed_dt";
  if (scene_.integrator.max_dt(scene_.fps) * scene_.fps < kShortestStep)
    return line + "raise /integrator/max_dt";
  if (rule.max_dt * scene_.fps < kShortestStep)
    return line + "explicit viscosity needs that; lower the viscosity, or raise /grid/spacing";
  if (!(scene_.integrator.cfl() > 1e-3)) return line + "raise /integrator/cfl";
  if (last_.max_speed > 0.5 * last_.max_signal || !std::isfinite(last_.max_speed))
    return line + format("particles move at %.3g m/s", last_.max_speed) + "; lower the velocities";
  if (scene_.solver == SolverKind::sph)
    return line + format("gravity and wind ask for %.3g m/s2", rule.acceleration) +
           "; lower /gravity or /air/velocity";
  return line + format("waves travel at %.3g m/s", last_.max_signal) +
         "; soften the material, or raise its density";
}

// What most likely made a step fail that the rule of dt takes for stable.
template <class T, int D>
std::string SceneWorld<T, D>::likely_cause(const StepReport& before) const {
  const double gravity =
      std::sqrt(dot(gravity_.at(Vec3d::zero(), time()), gravity_.at(Vec3d::zero(), time())));
  if (gravity * last_dt_ * last_dt_ > 0.05 * scene_.grid.spacing)
    return format("gravity of %.3g m/s2 moves things %.3g cells in such a step", gravity,
                  gravity * last_dt_ * last_dt_ / scene_.grid.spacing) +
           "; lower /gravity or /integrator/max_dt";
  const double speed = std::max(before.max_speed, last_.max_speed);
  const double waves = before.max_signal - before.max_speed;
  constexpr double kTooFast = 30;  // times the speed of waves
  if (scene_.solver == SolverKind::sph)
    return format("particles move at %.3g m/s", speed) +
           "; lower the velocities, /integrator/cfl or /integrator/max_dt";
  if (!(speed <= kTooFast * waves) && speed > 0)
    return format("particles move at %.3g m/s, and waves in the material at %.3g m/s", speed,
                  std::max(waves, 0.0)) +
           "; lower the velocities, or stiffen the material";
  return "lower /integrator/cfl or /integrator/max_dt, or soften the material";
}

template <class T, int D>
const std::string& SceneWorld<T, D>::material_name(int set) const {
  return scene_.materials[solver_->particles().sets[set].material].name;
}

// Of a particle that has no finite state before anything moved.
template <class T, int D>
std::string SceneWorld<T, D>::start_line(const StepReport& report) const {
  const auto& particles = solver_->particles().sets[report.bad_set].particles;
  double speed2 = 0;
  for (int a = 0; a < D; ++a) speed2 += square(double(particles.velocity[a][report.bad_particle]));
  const std::string line = "particle " + std::to_string(particles.id[0][report.bad_particle]) +
                           " of material \"" + material_name(report.bad_set) +
                           "\" has no finite state at the start: ";
  constexpr double kTooFast = 1e9;  // m/s
  if (!(speed2 <= kTooFast * kTooFast))
    return line + format("it moves at %.3g m/s", std::sqrt(speed2)) + "; lower the velocity";
  return line + "a parameter of the material, its density or a field is too large or too small" +
         (sizeof(T) == 4 ? "; --precision double bears more" : "");
}

template <class T, int D>
Errors SceneWorld<T, D>::look_at_parameters(const VariedFinding& finding) {
  if (!finding.found() || (finding.finite && noted_parameter_)) return {};
  const auto& set = solver_->particles().sets[finding.set];
  const VariedParameter& parameter = set.varied[finding.parameter];
  const std::string line = "/materials/" + pointer_piece(material_name(finding.set)) + "/" +
                           parameter.name +
                           format(": at t = %.6g s it is %.6g", time(), finding.value) +
                           " for particle " + std::to_string(finding.id);
  if (!finding.finite) return {line + "; it must be a finite number"};
  noted_parameter_ = true;
  notes_.push_back({line + format("; values outside %.6g to %.6g are kept to that range",
                                  parameter.low, parameter.high)});
  return {};
}

template <class T, int D>
std::string SceneWorld<T, D>::divergence_line(const StepReport& report, std::uint64_t bad_id,
                                              const StepReport& before) const {
  std::string line = "the simulation became unstable at step " + std::to_string(total_steps_) +
                     format(" (t = %.6g s, dt = %.3g s)", time(), last_dt_);
  if (report.bad_set >= 0) {
    line += ": particle " + std::to_string(bad_id) + " of material \"" +
            material_name(report.bad_set) + "\" has no finite state";
  } else {
    line += format(": a particle crossed %.3g cells in one step", report.drift);
  }
  if (scene_.integrator.fixed_dt > 0)
    return line + "; /integrator/fixed_dt is too large: remove it or lower it";
  return line + "; " + likely_cause(before);
}

#define FIRN_INSTANTIATE(T, D)                                                             \
  template std::string SceneWorld<T, D>::jump_line(int) const;                             \
  template std::string SceneWorld<T, D>::field_line(double, const Vec3d&) const;           \
  template std::string SceneWorld<T, D>::standstill_line() const;                          \
  template std::string SceneWorld<T, D>::start_line(const StepReport&) const;              \
  template Errors SceneWorld<T, D>::look_at_parameters(const VariedFinding&);              \
  template std::string SceneWorld<T, D>::divergence_line(const StepReport&, std::uint64_t, \
                                                         const StepReport&) const;
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn

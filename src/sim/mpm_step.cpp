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
  const double wanted = next_dt(remaining);
  int jumper = -1;
  const double dt = solver_.place_bodies(state_, time(), wanted, kMaxBodyCells, jumper);
  if (dt > 0) return dt;
  return Result<double>::failure(jump_line(jumper));
}

template <class T, int D>
std::string MpmWorld<T, D>::jump_line(int collider) const {
  return format("at t = %.6g s the collider ", time()) + "\"" + scene_.colliders[collider].name +
         "\" jumps: it moves too far in any time step; give it a motion of finite speed";
}

template <class T, int D>
std::string MpmWorld<T, D>::gravity_line(double time, const std::string& place) const {
  return format("/gravity is not finite at t = %.6g s", time) + place;
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
  if (!is_finite(gravity)) return {gravity_line(gravity_field_.time, "")};
  last_ = solver_.step(state_, dt, gravity, gravity_in_space_ ? &gravity_field_ : nullptr);
  if (last_.bad_gravity)
    return {gravity_line(gravity_field_.time, " and " + place_text(last_.gravity_place))};
  ++total_steps_;
  ++frame_steps_;
  dt_min_ = frame_steps_ == 1 ? dt : std::min(dt_min_, dt);
  dt_max_ = std::max(frame_steps_ == 1 ? 0.0 : dt_max_, dt);
  time_in_frame_ += dt;
  for (std::size_t i = 0; i < solver_.impulses().size(); ++i)
    frame_impulses_[i].add(solver_.impulses()[i]);
  if (last_.bad_set >= 0 || !(last_.drift <= kMaxCellsPerStep))
    return {divergence_line(last_, bad_id(last_))};
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

template <class T, int D>
std::string MpmWorld<T, D>::divergence_line(const StepReport& report, std::uint64_t bad_id) const {
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
  return line + "; lower /integrator/cfl or /integrator/max_dt, or soften the material";
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

#define FIRN_INSTANTIATE(T, D)                                                                  \
  template StepRule MpmWorld<T, D>::step_rule() const;                                          \
  template double MpmWorld<T, D>::next_dt(double) const;                                        \
  template Result<double> MpmWorld<T, D>::begin_step(double);                                   \
  template Errors MpmWorld<T, D>::take_step(double, bool);                                      \
  template std::uint64_t MpmWorld<T, D>::bad_id(const StepReport&) const;                       \
  template std::string MpmWorld<T, D>::jump_line(int) const;                                    \
  template std::string MpmWorld<T, D>::gravity_line(double, const std::string&) const;          \
  template std::string MpmWorld<T, D>::divergence_line(const StepReport&, std::uint64_t) const; \
  template void MpmWorld<T, D>::set_body_force(BodyForce);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn

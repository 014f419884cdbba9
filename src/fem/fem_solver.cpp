#include "fem/fem_solver.h"

#include <algorithm>
#include <cmath>

#include "fem/contact_setup.h"
#include "fem/rest_guess.h"
#include "solvers/minimize.h"
#include "solvers/plain_newton.h"

namespace firn {

template <int D>
FemSolver<D>::FemSolver(const FemSettings& settings, FemModel<D> model,
                        std::shared_ptr<const ColliderSet> obstacles,
                        std::shared_ptr<Timers> timers)
    : settings_(settings),
      model_(std::move(model)),
      obstacles_(std::move(obstacles)),
      timers_(std::move(timers)),
      space_(model_.mass, D),
      objective_(space_, model_),
      landing_(model_) {
  const std::vector<bool> constraint = acts_as_constraint(settings_, *obstacles_);
  objective_.constraints.start(obstacles_, constraint, model_.nodes(), model_.edge);
  objective_.penalty.start(obstacles_, constraint, penalty_stiffness(model_), model_.edge);
  if (settings_.friction == FrictionMethod::inside) objective_.friction.start(obstacles_);
  if (settings_.self_collision) objective_.self = make_self_contact(settings_, model_);
  int owners = 0;
  for (const Collider& c : obstacles_->all()) owners = std::max(owners, c.owner + 1);
  impulses_.resize(static_cast<std::size_t>(owners));
  x_before_ = v_before_ = acceleration_ = space_.make();
}

template <int D>
void FemSolver<D>::start(Vector x, Vector v) {
  x_ = std::move(x);
  v_ = std::move(v);
  x_before_ = x_;
  v_before_ = v_;
  objective_.constraints.hold_what_is_inside(x_.data());
  measure_energy();
}

template <int D>
void FemSolver<D>::measure_energy() {
  Vector unused = space_.make();
  elastic_ = 0;
  for (const auto& body : model_.bodies) elastic_ += body.elastic->energy(x_.data(), unused.data());
}

template <int D>
Vec<double, D> FemSolver<D>::gravity_at(const FemStepInput& in, std::uint32_t node) const {
  const Vec3d place = in_space<D>(x_.data() + std::size_t(node) * D);
  Vec<double, D> g;
  for (int a = 0; a < D; ++a) g[a] = in.gravity[a].at(place, in.time + in.dt);
  return g;
}

// What the scheme makes of the nodes' past, without gravity (`inertial`) and with it, and where a
// step would lead without any other force (`free`).
template <int D>
void FemSolver<D>::predict(const StepCoefficients& step, const FemStepInput& in, Vector& inertial,
                           Vector& predicted, Vector& base, Vector& free) const {
  for (std::uint32_t i = 0; i < model_.nodes(); ++i) {
    const Vec<double, D> g = gravity_at(in, i);
    for (int a = 0; a < D; ++a) {
      const std::size_t k = std::size_t(i) * D + std::size_t(a);
      const NodeHistory past{x_[k], v_[k], x_before_[k], v_before_[k], acceleration_[k]};
      base[k] = base_of(step, past);
      inertial[k] = predicted_by(step, past);
      predicted[k] = inertial[k] + step.reach2 * g[a];
      free[k] = x_[k] + step.dt * (v_[k] + step.dt * g[a]);
    }
  }
}

// How far a step leads: what moves freely, or gravity what rests; at least a thousandth of an edge.
template <int D>
double FemSolver<D>::reach_of(const Vector& free) const {
  constexpr double kLeast = 1e-3;  // edges
  Vector way = space_.make();
  for (std::size_t k = 0; k < way.size(); ++k) way[k] = free[k] - x_[k];
  return std::max(std::sqrt(space_.dot(way, way) / model_.total_mass), kLeast * model_.edge);
}

template <int D>
SolveReport FemSolver<D>::minimize_once(double tolerance, const FemStepInput& in, Vector& x,
                                        const Vector& free) {
  SolveReport report;
  if (settings_.minimizer == MinimizerKind::plain_newton) {
    PlainNewtonSettings settings;
    settings.tolerance = tolerance * objective_.unit();
    settings.most_steps = settings_.max_newton;
    settings.loosest_linear = 0.5;
    settings.linear_tolerance = 1e-6;
    settings.cancelled = in.cancelled;
    // OPT's comparison starts from where forward Euler leads.
    space_.copy(free, x);
    const PlainNewtonReport found = plain_newton(space_, objective_, x, settings);
    report.newton_iterations = found.newton_steps;
    report.krylov_iterations = found.krylov_iterations;
    report.residual = found.residual_after;
    report.missed = !found.converged();
    report.cancelled = found.stop == NewtonStop::cancelled;
    return report;
  }
  // Where contact within a body jumps, steps become as short as rounding; holding its pairs helps.
  constexpr double kTiny = 1e-5;
  const bool may_jump = objective_.self && !objective_.self->holds_pairs();
  const int most_tiny = may_jump ? 1 : 3;
  constexpr int kMostDefinite = 8, kSecants = 3;
  int tiny = 0;
  MinimizeSettings settings;
  settings.tolerance = tolerance;
  settings.most_steps = settings_.max_newton;
  settings.most_definite_steps = kMostDefinite;
  // Gradients of contact that comes and goes are no guide.
  settings.most_secants = objective_.self ? 0 : kSecants;
  settings.watch = [&](const NewtonStep& taken) { tiny = taken.alpha < kTiny ? tiny + 1 : 0; };
  settings.cancelled = [&] { return tiny >= most_tiny || (in.cancelled && in.cancelled()); };
  const MinimizeReport found = minimize(space_, objective_, x, settings, &free);
  report.newton_iterations = found.newton_steps;
  report.krylov_iterations = found.krylov_iterations;
  report.search_steps = found.search_steps;
  report.residual = found.gradient;
  report.missed = !found.converged();
  stuck_ = tiny >= most_tiny;
  report.cancelled = found.stop == MinimizeStop::cancelled && !stuck_;
  return report;
}

template <int D>
std::vector<ObstacleForce<D>> FemSolver<D>::obstacle_forces(const Vector& x, const Vector& g) {
  std::vector<ObstacleForce<D>> forces = objective_.constraints.forces(
      x.data(), g.data(), model_.mass.data(), objective_.step().reach2);
  const std::vector<ObstacleForce<D>> pushed = objective_.penalty.forces();
  forces.insert(forces.end(), pushed.begin(), pushed.end());
  return forces;
}

// Gives friction the forces of a solution, and stiffens penalties that let too much in; true where
// that changed enough for another solve.
template <int D>
bool FemSolver<D>::settle_contact(const Vector& x, const Vector& g) {
  constexpr double kChanged = 0.03, kDeepest = 0.01, kStiffest = 1e4;
  bool again = false;
  if (settings_.friction == FrictionMethod::inside) {
    if (objective_.friction.rubs())
      again = objective_.friction.update(obstacle_forces(x, g)) > kChanged;
    if (objective_.renew_self_friction(settings_.self_friction, still_) > kChanged) again = true;
  }
  if (objective_.penalty.deepest() > kDeepest * model_.edge &&
      objective_.penalty.factor() < kStiffest) {
    objective_.penalty.stiffen(4);
    again = true;
  }
  return again;
}

template <int D>
void FemSolver<D>::take_if_lower(Vector& guess, Vector& x) {
  objective_.project(guess);
  const double then = objective_.objective(guess);
  if (std::isfinite(then) && !(objective_.objective(x) <= then)) x = std::move(guess);
}

// Where x is tangled, or is run into, there are states that are far lower. x may become one.
template <int D>
void FemSolver<D>::guess_start(Vector& x, const Vector& free) {
  Vector guess = x, landed;
  const bool lands = landing_.find(space_, objective_, x, free, landed);
  objective_.project(x);
  if (lands) take_if_lower(landed, x);
  if (guess_rest_of_tangled(model_, objective_.predicted(), guess)) take_if_lower(guess, x);
}

template <int D>
SolveReport FemSolver<D>::solve(const FemStepInput& in, Vector& x, const Vector& free) {
  constexpr int kMostPasses = 5;
  constexpr double kLoose = 10;
  SolveReport total;
  if (settings_.minimizer == MinimizerKind::robust) guess_start(x, free);
  Vector g = space_.make();
  Vector from = free;
  // As long as forces that rub are those of the step before, there is no point in accuracy.
  double loose = settings_.friction == FrictionMethod::inside ? kLoose : 1;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    total.add(minimize_once(loose * settings_.tolerance, in, x, pass == 0 ? free : from));
    if (total.cancelled) break;
    if (stuck_ && objective_.self && !objective_.self->holds_pairs()) {
      objective_.objective(x);
      objective_.self->hold_pairs();
      from = x;
      continue;
    }
    if (total.missed) break;
    objective_.objective(x);
    objective_.gradient(x, g);
    if (!settle_contact(x, g) && loose == 1) break;
    from = x;
    loose = 1;
  }
  return total;
}

template <int D>
StepReport FemSolver<D>::step(const FemStepInput& in) {
  StepReport report;
  const StepCoefficients step = StepCoefficients::of(settings_.scheme, in.dt, last_dt_);
  Vector inertial = space_.make(), predicted = space_.make(), base = space_.make(),
         free = space_.make();
  predict(step, in, inertial, predicted, base, free);
  Vector x = x_;
  // What sticks gives way by a small share of that: curvature that is no stiffer than needed.
  constexpr double kStill = 0.03;
  const double reach = reach_of(free);
  still_ = kStill * reach;
  timers_->measure("setup", [&] {
    objective_.begin_step(step, x_, std::move(predicted), base, reach);
    objective_.constraints.begin_step(x_.data());
    if (objective_.self) objective_.self->let_pairs_go();
    if (settings_.friction == FrictionMethod::inside) {
      objective_.friction.begin_step(x_.data(), in.dt, in.time + in.dt, still_);
      objective_.begin_self_friction(settings_.self_friction, still_);
    }
  });
  // What a step that is given up leaves alone: a run may be interrupted in one.
  const ObstacleFriction<D> rubbing = objective_.friction;
  const double stiffened = objective_.penalty.factor();
  report.solve = timers_->measure("minimize", [&] { return solve(in, x, free); });
  bool finite = true;
  for (std::size_t k = 0; k < x.size(); ++k) finite = finite && std::isfinite(x[k]);
  if (report.solve.cancelled || ((report.solve.missed || !finite) && !in.must_accept)) {
    report.solve.refused = true;
    objective_.friction = rubbing;
    objective_.penalty.set_factor(stiffened);
    return report;
  }
  timers_->measure("update", [&] { update(step, x, base, inertial); });
  for (std::size_t i = 0; i < model_.nodes(); ++i) {
    double speed2 = 0;
    for (int a = 0; a < D; ++a) speed2 += v_[i * D + a] * v_[i * D + a];
    if (!std::isfinite(speed2)) report.bad_particle = i, report.bad_set = 0;
    report.max_speed = std::max(report.max_speed, std::sqrt(speed2));
  }
  report.max_signal = report.max_motion = report.solve.speed = report.max_speed;
  return report;
}

template <int D>
void FemSolver<D>::update(const StepCoefficients& step, const Vector& x, const Vector& base,
                          const Vector& inertial) {
  Vector g = space_.make();
  objective_.objective(x);
  objective_.gradient(x, g);
  elastic_ = objective_.elastic_energy();
  const std::vector<ObstacleForce<D>> forces = obstacle_forces(x, g);
  count_impulses(step.dt, x, g, forces);
  x_before_ = x_;
  v_before_ = v_;
  for (std::size_t k = 0; k < x.size(); ++k) {
    acceleration_[k] = (x[k] - inertial[k]) / step.reach2;
    v_[k] = (x[k] - base[k]) / step.time;
  }
  x_ = x;
  last_dt_ = step.dt;
  if (settings_.friction == FrictionMethod::afterwards) {
    rub_afterwards(step.dt, forces);
  } else {
    objective_.friction.end_step(x_.data());
    objective_.end_self_friction();
  }
  objective_.constraints.end_step(x_.data());
  for (const auto& body : model_.bodies) body.elastic->end_step(x_.data());
}

// OPT 2.4.1: velocities lose what friction can take of their sliding; places stay.
template <int D>
void FemSolver<D>::rub_afterwards(double dt, const std::vector<ObstacleForce<D>>& forces) {
  for (const ObstacleForce<D>& f : forces) {
    const Collider& body = obstacles_->all()[f.collider];
    const Vec3d place = in_space<D>(x_.data() + std::size_t(f.node) * D);
    const Vec3d start = body.moves ? body.now.to_world(body.next.to_body(place)) : place;
    Vec<double, D> slide, own;
    for (int a = 0; a < D; ++a) {
      own[a] = (place[a] - start[a]) / dt;
      slide[a] = v_[std::size_t(f.node) * D + std::size_t(a)] - own[a];
    }
    slide -= f.normal * dot(f.normal, slide);
    const double speed = std::sqrt(dot(slide, slide));
    if (!(speed > 0)) continue;
    const double lost = std::min(1.0, body.friction * dt * f.force / (model_.mass[f.node] * speed));
    for (int a = 0; a < D; ++a) v_[std::size_t(f.node) * D + std::size_t(a)] -= lost * slide[a];
  }
  if (objective_.self && settings_.self_friction > 0)
    apply_pair_friction(objective_.self->pairs(), settings_.self_friction, dt, model_.mass.data(),
                        v_.data());
}

template <int D>
void FemSolver<D>::add_impulse(int collider, std::uint32_t node, const Vec<double, D>& impulse,
                               const Vector& x) {
  const Collider& body = obstacles_->all()[collider];
  ContactImpulse given;
  for (int a = 0; a < D; ++a) given.linear[a] = impulse[a];
  const Vec3d arm = in_space<D>(x.data() + std::size_t(node) * D) - reference_point(body);
  given.angular = cross(arm, given.linear);
  impulses_[static_cast<std::size_t>(body.owner)].add(given);
}

template <int D>
void FemSolver<D>::count_impulses(double dt, const Vector& x, const Vector& g,
                                  const std::vector<ObstacleForce<D>>& forces) {
  std::fill(impulses_.begin(), impulses_.end(), ContactImpulse{});
  for (const ObstacleForce<D>& f : forces)
    add_impulse(f.collider, f.node, f.normal * (f.force * dt), x);
  if (settings_.friction == FrictionMethod::inside)
    objective_.friction.for_forces(x.data(), [&](std::uint32_t node, int collider, const auto& f) {
      add_impulse(collider, node, f * dt, x);
    });
  objective_.constraints.for_held(g.data(), model_.mass.data(), objective_.step().reach2,
                                  [&](std::uint32_t node, int collider, const auto& f) {
                                    add_impulse(collider, node, f * dt, x);
                                  });
}

template class FemSolver<2>;
template class FemSolver<3>;

}  // namespace firn

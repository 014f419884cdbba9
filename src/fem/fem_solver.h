// Meshed solids by backward Euler and its relatives as a minimisation (OPT 2): steps of a frame,
// from whatever state.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "collision/contact_impulse.h"
#include "exec/timers.h"
#include "expr/varying.h"
#include "fem/fem_objective.h"
#include "fem/fem_settings.h"
#include "fem/landing_guess.h"
#include "solver/state_image.h"
#include "solver/step_report.h"

namespace firn {

struct FemStepInput {
  double dt = 0, time = 0;                // s; time at the start of the step
  const VaryingValue* gravity = nullptr;  // three
  std::function<bool()> cancelled;
  bool must_accept = false;  // the step is the shortest that is tried
};

template <int D>
class FemSolver {
 public:
  using Vector = Buffer<double>;

  FemSolver(const FemSettings& settings, FemModel<D> model,
            std::shared_ptr<const ColliderSet> obstacles, std::shared_ptr<Timers> timers);

  // Nodes start at x with v; obstacles are in their places.
  void start(Vector x, Vector v);
  StepReport step(const FemStepInput& in);

  const FemModel<D>& model() const { return model_; }
  const FemSettings& settings() const { return settings_; }
  const Vector& places() const { return x_; }
  const Vector& velocities() const { return v_; }
  Vector& velocities() { return v_; }
  const std::vector<ContactImpulse>& impulses() const { return impulses_; }
  double elastic_energy() const { return elastic_; }
  double last_dt() const { return last_dt_; }  // 0: no step was taken

  void save(StateImage& image) const;
  // False where the image is damaged.
  bool load(const StateImage& image);
  std::size_t bytes() const;

 private:
  Vec<double, D> gravity_at(const FemStepInput& in, std::uint32_t node) const;
  void predict(const StepCoefficients& step, const FemStepInput& in, Vector& inertial,
               Vector& predicted, Vector& base, Vector& free) const;
  void measure_energy();
  double reach_of(const Vector& free) const;
  void guess_start(Vector& x, const Vector& free);
  void take_if_lower(Vector& guess, Vector& x);
  SolveReport solve(const FemStepInput& in, Vector& x, const Vector& free);
  SolveReport minimize_once(double tolerance, const FemStepInput& in, Vector& x,
                            const Vector& free);
  bool settle_contact(const Vector& x, const Vector& g);
  std::vector<ObstacleForce<D>> obstacle_forces(const Vector& x, const Vector& g);
  void update(const StepCoefficients& step, const Vector& x, const Vector& base,
              const Vector& inertial);
  void rub_afterwards(double dt, const std::vector<ObstacleForce<D>>& forces);
  void count_impulses(double dt, const Vector& x, const Vector& g,
                      const std::vector<ObstacleForce<D>>& forces);
  void add_impulse(int collider, std::uint32_t node, const Vec<double, D>& impulse,
                   const Vector& x);

  FemSettings settings_;
  FemModel<D> model_;
  std::shared_ptr<const ColliderSet> obstacles_;
  std::shared_ptr<Timers> timers_;
  ArraySpace<double> space_;
  FemObjective<D> objective_;
  LandingGuess<D> landing_;
  bool stuck_ = false;  // the last solve ended where no step leads lower
  double still_ = 0;    // m that friction may give way in a step
  Vector x_, v_, x_before_, v_before_, acceleration_;
  double last_dt_ = 0, elastic_ = 0;
  std::vector<ContactImpulse> impulses_;
};

}  // namespace firn

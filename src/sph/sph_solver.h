// A step of granular SPH.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "collision/collider_set.h"
#include "collision/contact_impulse.h"
#include "exec/timers.h"
#include "expr/varying.h"
#include "solver/step_report.h"
#include "sph/sph_state.h"

namespace firn {

struct SphStepInput {
  double dt = 0;
  double time = 0;  // of the middle of the step, for gravity
  const VaryingValue* gravity = nullptr;
  bool gravity_in_space = false;
  std::function<bool()> cancelled;
};

// Where a particle was when it was put into a cell, in its block, cells.
inline const ColumnName kListedPlace("listed_place");

template <class T, int D>
class SphSolver {
 public:
  SphSolver(const SphSettings& settings, std::shared_ptr<const ColliderSet> obstacles,
            std::shared_ptr<Timers> timers);

  // The particles are others than before, or lie elsewhere.
  void forget_neighbors() { travelled_ = HUGE_VAL; }
  // How far particles may have come since their neighbours were looked for, cells; and lists as
  // they were then, so that a resumed run sums up in the same order. False: they cannot be.
  double travelled() const { return travelled_; }
  void set_travelled(double cells) { travelled_ = cells; }
  bool restore_neighbors(SphState<T, D>& state, double travelled);
  // Of the rest lattice that particles of this mean volume would have, cells^D.
  void set_rest_volume(double volume);

  StepReport step(SphState<T, D>& state, const SphStepInput& in);
  // By owner of colliders, of the last step.
  const std::vector<ContactImpulse>& impulses() const { return impulses_; }
  const SphSettings& settings() const { return settings_; }
  const WallShare& share() const { return share_; }
  const WallMaps& wall_maps() const { return wall_maps_; }
  SphContext<T> make_context(double dt) const;
  // The strongest that a particle met in the last step, m/s.
  double wind() const { return wind_; }
  void set_wind(double speed) { wind_ = speed; }
  std::size_t bytes(const SphState<T, D>& state) const {
    return state.bytes() + wall_maps_.bytes();
  }

 private:
  bool find_neighbors(SphState<T, D>& state);
  bool order_by_cells(SphState<T, D>& state);
  // False where gravity is not finite; `place` says where.
  bool predict(SphState<T, D>& state, const SphStepInput& in, Vec3d& place) const;
  void collect_loads(SphState<T, D>& state);
  void move(const SphContext<T>& ctx, SphState<T, D>& state, StepReport& report);

  SphSettings settings_;
  std::shared_ptr<const ColliderSet> obstacles_;
  std::shared_ptr<Timers> timers_;
  WallShare share_;
  WallMaps wall_maps_;
  double norm_ = 1, moment_ = 1, wall_gap_ = 0, stiffness_ = 1, calm_ = 0;
  double travelled_ = HUGE_VAL;  // since lists were made, cells
  double wind_ = 0;
  std::vector<ContactImpulse> impulses_;
};

}  // namespace firn

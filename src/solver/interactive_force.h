// A force that an interactive program moves about: it pulls particles along, or pushes them away as
// a ball. Host and device.
#pragma once

#include <cmath>

#include "base/math.h"
#include "base/vec.h"

namespace firn {

enum class ForceKind { none, pull, push };

struct InteractiveForce {
  ForceKind kind = ForceKind::none;
  Vec3d center{{0, 0, 0}};    // m
  Vec3d velocity{{0, 0, 0}};  // m/s
  double radius = 0.1;        // m
  double rate = 40;           // 1/s; how fast particles follow

  // The velocity of a particle after a step of dt. Relaxation towards a wanted velocity, exact in
  // time, so that no rate makes a run unstable; no particle becomes faster than `limit`, m/s,
  // unless it was.
  FIRN_HD Vec3d moved(const Vec3d& x, const Vec3d& v, double dt, double limit) const {
    const Vec3d arm = center - x;
    const double distance = length(arm);
    if (kind == ForceKind::none || !(distance < radius)) return v;
    Vec3d changed = v;
    const double share = 1 - std::exp(-rate * dt);
    if (kind == ForceKind::pull) {
      const double falloff = 1 - distance * distance / (radius * radius);
      changed = v + (velocity + arm * (0.25 * rate) - v) * (share * falloff);
    } else {
      const Vec3d out = distance > 1e-9 * radius ? arm * (-1 / distance) : Vec3d{{0, 1, 0}};
      const double leaving = dot(v - velocity, out);
      const double wanted = 0.25 * rate * (radius - distance);
      if (leaving < wanted) changed = v + out * (share * (wanted - leaving));
    }
    const double speed = length(changed);
    const double most = max_of(limit, length(v));
    return speed > most ? changed * (most / speed) : changed;
  }

 private:
  FIRN_HD static double length(const Vec3d& a) { return sqrt_of(dot(a, a)); }
};

}  // namespace firn

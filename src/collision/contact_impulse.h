// What an obstacle and the matter that it meets give to each other.
#pragma once

#include "base/vec.h"

namespace firn {

struct ContactImpulse {
  Vec3d linear{{0, 0, 0}};   // N s
  Vec3d angular{{0, 0, 0}};  // N m s, about the obstacle's reference point

  void add(const ContactImpulse& other) {
    linear += other.linear;
    angular += other.angular;
  }
};

}  // namespace firn

// Which obstacles a kernel deals with: any, or half-spaces at rest alone, for which it needs far
// fewer registers. Blocks near obstacles are listed apart: those near half-spaces at rest alone
// from the end of the list on, all others from its beginning.
#pragma once

#include "collision/sweep.h"
#include "mpm_cuda/device_tools.h"

namespace firn {

struct AnyObstacle {
  __device__ static int count(const BlocksNear& blocks) { return blocks.any; }
  __device__ static int block(const NearLists& near, int i, int) { return near.blocks[i]; }

  __device__ static DistanceAndNormal distance(const Collider& c, const Vec3d& x) {
    return distance_to(c, x);
  }
  template <class T, int D>
  __device__ static Contact<T, D> contact(const Collider& c, const Vec3d& x, double spacing) {
    return contact_at<T, D>(c, x, node_distance(c, x, spacing));
  }
};

struct FixedPlane {
  __device__ static int count(const BlocksNear& blocks) { return blocks.planes; }
  __device__ static int block(const NearLists& near, int i, int capacity) {
    return near.blocks[capacity - 1 - i];
  }

  __device__ static DistanceAndNormal distance(const Collider& c, const Vec3d& x) {
    return plane_distance(c, x);
  }
  template <class T, int D>
  __device__ static Contact<T, D> contact(const Collider& c, const Vec3d& x, double spacing) {
    return plane_contact<T, D>(c, x, spacing);
  }
};

// The i-th of all blocks near obstacles.
__device__ inline int near_block(const NearLists& near, int i, int capacity) {
  const int any = near.listed->any;
  return i < any ? AnyObstacle::block(near, i, capacity)
                 : FixedPlane::block(near, i - any, capacity);
}
__device__ inline void list_block(const NearLists& near, int block, bool planes, int capacity) {
  if (planes)
    near.blocks[capacity - 1 - atomicAdd(&near.listed->planes, 1)] = block;
  else
    near.blocks[atomicAdd(&near.listed->any, 1)] = block;
}

}  // namespace firn

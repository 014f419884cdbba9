// Obstacles in device memory, with the sampled fields and compound parts that they point to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "collision/collider_set.h"
#include "collision/plane_mirror.h"
#include "cuda/memory.h"

namespace firn {

// What a step changes of a moving or deforming body.
struct MovedBody {
  std::int32_t collider;
  Pose now, next;
  double step, share_now, share_next;
  PlainShape shape, target;
};

static __global__ void move_bodies_kernel(Collider* colliders, const MovedBody* moved, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const MovedBody& body = moved[i];
  Collider& c = colliders[body.collider];
  c.now = body.now;
  c.next = body.next;
  c.step = body.step;
  if (!c.deforms) return;
  c.share_now = body.share_now;
  c.share_next = body.share_next;
  static_cast<PlainShape&>(c.shape) = body.shape;
  static_cast<PlainShape&>(c.target) = body.target;
}

// Sampled fields in device memory. What they point to is copied once; the host must keep it alive.
class FieldStore {
 public:
  explicit FieldStore(cudaStream_t stream) : stream_(stream) {}

  DistanceFieldView placed(const DistanceFieldView& field) {
    DistanceFieldView& known = known_[field.corners];
    if (known.corners) return known;
    std::size_t corners = 1, blocks = 1, samples = 1;
    std::int32_t owners = 0;
    for (int a = 0; a < field.dimension; ++a) {
      corners *= std::size_t(field.blocks[a]) + 1;
      blocks *= std::size_t(field.blocks[a]);
      samples *= kFieldBlock + 1;
    }
    for (std::size_t b = 0; b < blocks; ++b) owners = std::max(owners, field.slots[b] + 1);
    known = field;
    known.slots = copied(field.slots, blocks);
    known.samples = copied(field.samples, samples * std::size_t(owners));
    known.corners = copied(field.corners, corners);
    return known;
  }
  template <class E>
  const E* copied(const E* values, std::size_t n) {
    DeviceArray<std::byte> array(n * sizeof(E));
    array.upload(reinterpret_cast<const std::byte*>(values), n * sizeof(E), stream_);
    kept_.push_back(std::move(array));
    return reinterpret_cast<const E*>(kept_.back().data());
  }
  std::size_t bytes() const {
    std::size_t total = 0;
    for (const auto& array : kept_) total += array.bytes();
    return total;
  }

 private:
  cudaStream_t stream_;
  std::map<const void*, DistanceFieldView> known_;
  std::vector<DeviceArray<std::byte>> kept_;
};

// Shapes whose pointers lead into device memory. What they point to is copied once; the host must
// keep it alive.
class ShapeStore {
 public:
  explicit ShapeStore(cudaStream_t stream) : fields_(stream) {}

  PlainShape placed(PlainShape shape) {
    if (shape.kind == ShapeKind::compound) {
      const PlainShape*& parts = known_parts_[shape.parts];
      if (!parts) {
        std::vector<PlainShape> copies;
        for (int i = 0; i < shape.part_count; ++i) copies.push_back(placed(shape.parts[i]));
        parts = fields_.copied(copies.data(), copies.size());
      }
      shape.parts = parts;
    } else if (shape.kind == ShapeKind::field || shape.kind == ShapeKind::extruded ||
               shape.kind == ShapeKind::revolved) {
      shape.field = fields_.placed(shape.field);
    }
    return shape;
  }
  std::size_t bytes() const { return fields_.bytes(); }

 private:
  FieldStore fields_;
  std::map<const void*, const PlainShape*> known_parts_;
};

inline bool are_fixed_planes(const ColliderSet& obstacles) {
  return std::all_of(obstacles.all().begin(), obstacles.all().end(), is_fixed_plane);
}
// Shapes may be made of shapes: the compiler cannot know how deep the calls go. All solvers of a
// process share what the deepest of them needs, on an H200 a gigabyte for each 4 KiB of a thread.
inline void ask_for_stack(int levels_of_shapes) {
  constexpr std::size_t kOfSimpleShapes = 2560, kOfLevel = 512;  // bytes of a thread
  static std::mutex mutex;
  static std::size_t largest = 0;
  const std::lock_guard lock(mutex);
  const std::size_t needed =
      kOfSimpleShapes + kOfLevel * std::size_t(std::max(levels_of_shapes, 0));
  if (needed <= largest) return;
  must(cudaDeviceSetLimit(cudaLimitStackSize, needed), "asking for stack");
  largest = needed;
}
// What stands in the way of particles, and what takes them.
inline int levels(const ColliderSet& obstacles, const std::vector<Shape>& sinks = {}) {
  int most = 0;
  for (const Collider& c : obstacles.all())
    most = std::max({most, levels(c.shape), c.deforms ? levels(c.target) : 0});
  for (const Shape& sink : sinks) most = std::max(most, levels(sink));
  return most;
}

class ColliderStore {
 public:
  explicit ColliderStore(cudaStream_t stream) : stream_(stream), shapes_(stream) {}

  void upload(const std::vector<Collider>& colliders) {
    std::vector<Collider> copies = colliders;
    std::vector<std::int32_t> timed;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      Collider& c = copies[i];
      place(c.shape);
      if (c.deforms) place(c.target);
      if (c.varies || c.moves || c.deforms) timed.push_back(static_cast<std::int32_t>(i));
    }
    // The device reads plain members only; what else is in a Shape keeps host memory alive.
    colliders_.allocate(copies.size());
    colliders_.upload(copies.data(), copies.size(), stream_);
    timed_.assign(timed, stream_);
    staged_.allocate(copies.size());
    moved_.allocate(copies.size());
  }
  // Brings moving bodies to where they are on the host, before the next step. The one before must
  // be over.
  void move(const std::vector<Collider>& colliders) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < colliders.size(); ++i) {
      const Collider& c = colliders[i];
      if (!c.moves && !c.deforms) continue;
      MovedBody& body = staged_[count++];
      body = {static_cast<std::int32_t>(i),
              c.now,
              c.next,
              c.step,
              c.share_now,
              c.share_next,
              c.shape,
              c.target};
      if (!c.deforms) continue;
      body.shape = shapes_.placed(c.shape);
      body.target = shapes_.placed(c.target);
    }
    if (count == 0) return;
    staged_.send(moved_, stream_);
    move_bodies_kernel<<<static_cast<int>(count + 31) / 32, 32, 0, stream_>>>(
        colliders_.data(), moved_.data(), static_cast<int>(count));
    must(cudaGetLastError(), "moving bodies");
  }

  // The half-spaces among them as mirrors.
  const PlaneMirror* place_mirrors(const std::vector<Collider>& colliders, double spacing,
                                   int dimension, KernelKind kernel) {
    std::vector<PlaneMirror> mirrors;
    for (const Collider& c : colliders)
      mirrors.push_back(make_plane_mirror(c, spacing, dimension, kernel));
    plane_mirrors_.assign(mirrors, stream_);
    return plane_mirrors_.data();
  }

  Collider* data() const { return colliders_.data(); }
  const std::int32_t* timed() const { return timed_.data(); }
  int timed_count() const { return static_cast<int>(timed_.size()); }
  std::size_t bytes() const { return colliders_.bytes() + shapes_.bytes(); }

 private:
  void place(Shape& shape) { static_cast<PlainShape&>(shape) = shapes_.placed(shape); }

  cudaStream_t stream_;
  DeviceArray<Collider> colliders_;
  DeviceArray<PlaneMirror> plane_mirrors_;
  DeviceArray<std::int32_t> timed_;
  PinnedArray<MovedBody> staged_;
  DeviceArray<MovedBody> moved_;
  ShapeStore shapes_;
};

}  // namespace firn

// What kernels see: plain structs of device pointers, and the few numbers that steps pass on.
#pragma once

#include "collision/collider.h"
#include "expr/varying.h"
#include "particles/blocks.h"
#include "solver_cuda/block_order.h"
#include "solver_cuda/stretch_control.h"
#include "sph/air_settings.h"
#include "sph/sph_view.h"
#include "sph/wall_share.h"

namespace firn {

// What a particle keeps wherever it lies: its row among those of its set on the host, and the set.
struct ParticleTag {
  unsigned long long id;
  std::uint32_t row;
  std::uint32_t set;
};

// What there was too little room for: the host is asked for more.
enum RoomBits : std::int32_t { kListsFull = 2 * kBlocksFull, kContactsFull = 4 * kBlocksFull };

struct SphControl : StretchControl, BlockCounts {
  double travelled;            // cells since neighbours were looked for
  std::uint32_t list_used;     // of the lists, in rows of a warp
  std::uint32_t contact_used;  // of the contacts with walls
  std::uint32_t live;          // particles that the newest sort kept
  // Of the steps of a stretch.
  std::int64_t iterations, shift_iterations, missed;
  double mean_density, max_density, strain_rate;
  unsigned long long wind2;  // the strongest at a particle in the newest step, squared, as bits
};

template <class T, int D>
struct DeviceSphView : SphView<T, D>, BlockOrderView<D> {
  SphControl* control = nullptr;
  SphContext<T> context{};  // its dt is the control's

  ParticleTag* tags = nullptr;
  std::uint8_t* removed = nullptr;  // flags of those that are to go; null: nobody ever goes
  ParticleTag* spare_tags = nullptr;
  std::uint16_t* sets = nullptr;      // those of the tags
  const int* species = nullptr;       // by set
  std::uint32_t* block_of = nullptr;  // of each particle
  std::uint32_t* home = nullptr;      // while they are sorted: block and cell
  std::uint32_t* order = nullptr;
  Four<T>* listed = nullptr;  // place when neighbours were looked for

  // Lists of neighbours: those of 32 particles side by side, in rows.
  std::uint32_t list_capacity = 0;  // rows
  std::uint32_t* list = nullptr;
  std::uint32_t* list_row = nullptr;  // the first of each 32 particles
  std::uint16_t* list_count = nullptr;

  // Obstacles, and those near each block.
  Collider* colliders = nullptr;
  int collider_count = 0;
  const std::int32_t* timed = nullptr;
  int timed_count = 0;
  bool bodies_move = false;
  std::int32_t* near_count = nullptr;
  std::int32_t* near_list = nullptr;
  const WallShare* share = nullptr;
  const WallMap* wall_maps = nullptr;  // by collider
  std::uint32_t contact_capacity = 0;
  WallRange* ranges = nullptr;  // those of SphView, to be written
  WallContact<T, D>* found = nullptr;
  T* shares = nullptr;
  unsigned long long* impulses = nullptr;  // six of each owner, kExactDigits for each

  const VaryingValue* gravity = nullptr;  // three
  bool gravity_in_space = false;
  const AirSettings* air = nullptr;  // null: there is none
  const EmitterWait* waits = nullptr;
  double* partial = nullptr;  // sums of thread blocks

  __device__ SphContext<T> now() const {
    SphContext<T> ctx = context;
    ctx.dt = T(control->dt);
    return ctx;
  }
  // Whether a step goes on, or was given up for want of room or a field that is wrong.
  __device__ bool goes_on() const { return control->full == 0 && control->found.bad_node == ~0ull; }
};

constexpr int kSphThreads = 128;
constexpr std::uint32_t kNowhere = UINT32_MAX;  // the home of what is to go

// Of the places that a block stores, cells.
template <class T, int D>
__device__ Vec3d block_origin(const DeviceSphView<T, D>& view, std::uint32_t block) {
  Vec3d origin{{0, 0, 0}};
  for (int a = 0; a < D; ++a) origin[a] = double(view.coord[block][a]) * BlockShape<D>::kEdge;
  return origin;
}
// Of a particle, m.
template <class T, int D>
__device__ Vec3d world_position(const DeviceSphView<T, D>& view, std::size_t i) {
  Vec3d x = block_origin(view, view.block_of[i]);
  for (int a = 0; a < D; ++a)
    x[a] =
        wrapped_cells<D>(view.periods[a], x[a] + double(view.place[i][a])) * view.context.spacing;
  return x;
}

}  // namespace firn

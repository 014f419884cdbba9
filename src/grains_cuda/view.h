// What kernels see: plain structs of device pointers, and the few numbers that parts of a step pass
// on.
#pragma once

#include "collision/collider.h"
#include "expr/varying.h"
#include "grains/coarse_flow.h"
#include "grains/grain_columns.h"
#include "solver/particle_rows.h"
#include "solver_cuda/block_order.h"
#include "solver_cuda/stretch_control.h"

namespace firn {

constexpr std::uint32_t kNowhere = UINT32_MAX;  // the home of what has none

struct GrainControl {
  BlockCounts grain_counts, node_counts;
  std::uint32_t grains, arrivals;  // that there are; and behind them, not sorted yet
  std::uint32_t from_count, to_count, fresh;
  std::uint32_t sunk;  // grains that are to go
  double start, dt;    // s, of all parts
  std::int32_t part, parts;
  std::int32_t settles;  // places alone change, and nothing moves
  float least_strain;
  double time, part_dt;          // s, where the part begins
  double gravity[3];             // where it is the same everywhere
  double advance;                // m, of moving obstacles in this part
  double drift;                  // cells since grains were sorted
  unsigned long long longest2;   // cells^2 that a particle goes in all parts, as bits of a double
  unsigned long long node_way2;  // and in this one
  unsigned long long fastest2;   // m/s, squared, of a grain, and in the step before
  unsigned long long fastest_before2;
  std::int32_t sort_due;
  std::int64_t updates, moved;

  __device__ double share_begin() const { return double(part) / parts; }
};

// A node with what a warp tests first beside the rest.
struct alignas(16) NodeSpot {
  float place[3];
  float inverse_support2;
};
template <int D>
struct alignas(16) DeviceNode {
  FlowNode<D> flow;
};

template <int D>
struct GrainView {
  GrainControl* control = nullptr;
  float* place[D] = {};
  float* velocity[D] = {};
  std::uint32_t* id = nullptr;
  std::uint32_t* paint = nullptr;
  std::uint32_t* order = nullptr;  // while they are sorted
  std::uint32_t* home = nullptr;   // the same; and room for a column
  BlockOrderView<D> blocks;        // of grains; cells are parts of cells
  GrainCells<D> cells;

  // Particles at both moments.
  ParticleRows<D> from, to;
  unsigned long long* id_key = nullptr;  // table from ids of `from` to rows
  std::int32_t* id_row = nullptr;
  unsigned id_mask = 0;
  std::int32_t* row_before = nullptr;  // by row of `to`; -1: it came in between
  std::uint8_t* stayed = nullptr;      // by row of `from`
  std::uint32_t* fresh = nullptr;      // rows of `to`

  // The flow.
  BlockOrderView<D> node_blocks;
  std::uint32_t* node_home = nullptr;  // by way
  std::uint32_t* node_order = nullptr;
  Vec<float, D>* way_place = nullptr;
  NodeSpot* spots = nullptr;
  DeviceNode<D>* nodes = nullptr;
  float* due = nullptr;
  float* shortage = nullptr;
  std::int32_t* grains_of_nodes = nullptr;  // grain blocks around each node block
  std::int32_t* nodes_of_grains = nullptr;  // and the other way round
  const float* weights = nullptr;           // CoarseFlow::weights()
  float full = 0, count_factor = 0, support = 0;

  Collider* colliders = nullptr;
  int collider_count = 0;
  const std::int32_t* timed = nullptr;
  int timed_count = 0;
  std::int32_t* near_count = nullptr;  // obstacles near each grain block
  std::int32_t* near_list = nullptr;
  std::uint8_t* near_part = nullptr;  // whether any is near a part of a cell
  int species = 0;

  const VaryingValue* gravity = nullptr;  // three
  bool gravity_in_space = false;
  bool prints = false;
  bool traffic = false;          // whether particles may come and go
  double cell = 0, spacing = 0;  // m; the widest between particles
  double terminal_speed = 0;

  __device__ bool goes_on() const {
    return control->node_counts.full == 0 && control->grain_counts.full == 0;
  }
  __device__ std::uint32_t ways() const {
    return control->to_count + (traffic ? control->from_count : 0);
  }
  // m/s, about what grains may have.
  __device__ double known_speed() const {
    const unsigned long long before = control->fastest_before2, now = control->fastest2;
    return sqrt(from_bits(before > now ? before : now));
  }
  __device__ std::uint32_t node_count() const {
    return node_blocks.cell_begin[node_blocks.counts->blocks * node_blocks.cells];
  }
};

constexpr int kGrainThreads = 256;

// f(i) for all numbers below n, of all threads of a launch.
template <class F>
__device__ void for_numbers(std::uint32_t n, F&& f) {
  for (std::size_t i = thread_number(); i < n; i += std::size_t(gridDim.x) * blockDim.x)
    f(static_cast<std::uint32_t>(i));
}

// Of a place in a block, m.
template <int D>
__device__ Vec3d world_of(const GrainView<D>& view, const BlockCoord<D>& block,
                          const Vec<float, D>& place) {
  Vec3d x{{0, 0, 0}};
  for (int a = 0; a < D; ++a)
    x[a] = (double(block[a]) * BlockShape<D>::kEdge + double(place[a])) * view.cell;
  return x;
}
template <int D>
__device__ Vec<float, D> place_of(const GrainView<D>& view, std::uint32_t i) {
  Vec<float, D> r;
  for (int a = 0; a < D; ++a) r[a] = view.place[a][i];
  return r;
}

}  // namespace firn

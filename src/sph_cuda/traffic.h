// Particles that come from emitters and go into sinks, and kicks, on the device.
#pragma once

#include "solver_cuda/traffic_tools.h"
#include "sph_cuda/transfer.h"

namespace firn {

// Adds kicks[D id + axis], m/s, to the velocities of the particles with an id below `count`.
template <class T, int D>
__global__ void kick_kernel(const __grid_constant__ DeviceSphView<T, D> view, const T* kicks,
                            unsigned long long count) {
  const std::uint32_t i = thread_number();
  if (i >= view.count || view.tags[i].id >= count) return;
  for (int a = 0; a < D; ++a) view.velocity[i][a] += kicks[D * view.tags[i].id + a];
}

// f(particle) for those of a block, by the threads of a thread block.
template <class T, int D, class F>
__device__ void for_particles_of_block(const DeviceSphView<T, D>& view, int block, F&& f) {
  const std::uint32_t end = view.cell_begin[(block + 1) * view.cells];
  for (std::uint32_t i = view.cell_begin[block * view.cells] + threadIdx.x; i < end;
       i += blockDim.x)
    f(i);
}

// Flags the particles inside a sink. Blocks that it does not touch are passed over.
template <class T, int D>
__global__ void sink_kernel(const __grid_constant__ DeviceSphView<T, D> view,
                            const PlainShape* sink, RemovedTotals* totals) {
  for (int block = blockIdx.x; block < view.control->blocks; block += gridDim.x) {
    if (!may_sink<D>(*sink, block_origin(view, block), view.context.spacing,
                     view.control->travelled))
      continue;
    for_particles_of_block(view, block, [&](std::uint32_t i) {
      if (view.removed[i] || !is_sunk(*sink, world_position(view, i))) return;
      view.removed[i] = 1;
      double mass = double(view.place[i][3]) * double(view.velocity[i][3]);
      for (int a = 0; a < D; ++a) mass *= view.context.spacing;
      totals->add(mass);
    });
  }
}

// Volume of the particles around each point, m^D. One point a thread block.
template <class T, int D>
__global__ void taken_volume_kernel(const __grid_constant__ DeviceSphView<T, D> view,
                                    const Vec3d* points, const BlockCoord<D>* homes, double radius,
                                    double* taken) {
  const double spacing = view.context.spacing;
  const auto find = [&](const BlockCoord<D>& coord) {
    return find_key(view.table_key, view.table_slot, view.table_mask, device_key<D>(coord));
  };
  if (find(homes[blockIdx.x]) < 0) return;
  double sum = 0;
  for_blocks_around<D>(view.periods, homes[blockIdx.x], find, [&](int block) {
    for_particles_of_block(view, block, [&](std::uint32_t i) {
      if (is_around<D>(view.periods, spacing, world_position(view, i), points[blockIdx.x], radius))
        sum += double(view.place[i][3]);
    });
  });
  sum = sum_of_traffic_threads(sum);
  for (int a = 0; a < D; ++a) sum *= spacing;
  if (threadIdx.x == 0) taken[blockIdx.x] = sum;
}

// New particles; their blocks come behind `known` others, and their rows on the host behind `rows`
// others of each set.
template <class T, int D>
PackedParticles<T, D> pack_new(const DeviceExchange<T, D>& exchange, const NewBlocks<D>& blocks,
                               double spacing, int known, std::vector<std::uint32_t>& rows) {
  std::size_t count = 0, i = 0;
  for (const auto& of_set : blocks.of_block) count += of_set.size();
  PackedParticles<T, D> packed(count);
  const double cells = 1 / std::pow(spacing, D);
  for (std::size_t s = 0; s < blocks.of_block.size(); ++s) {
    const ParticleSet<T, D>& from = (*exchange.fresh)[s].particles;
    for (std::uint32_t p = 0; p < from.size(); ++p, ++i) {
      packed.pack(i, from, p, from.position, cells);
      packed.tags[i] = {from.id[0][p], rows[s]++, static_cast<std::uint32_t>(s)};
      packed.block_of[i] = static_cast<std::uint32_t>(known + blocks.of_block[s][p]);
    }
  }
  return packed;
}

}  // namespace firn

// Starting the kernels of implicit_maps.h and implicit_blocks.h: compiled apart.
#pragma once

#include "mpm_cuda/transfer_launch.h"

namespace firn {

template <class T>
struct ParticleColumns;

// Of steps whose sums have a fixed order (the view has arenas).
template <class T, int D>
struct ImplicitTransfer {
  // Asks for the shared memory that the kernels need.
  static void prepare(const MpmSettings& settings);
  // Momentum and mass of all particles, into the arenas.
  static void momentum(const View<T, D>& view, const MpmSettings& settings, cudaStream_t stream);
  // The impulses of their stress in a step, after that; gives the arenas that they are in.
  static const DeviceNode<T>* stress(const View<T, D>& view, const MpmSettings& settings,
                                     cudaStream_t stream);
  // The gradients of a field at the particles of a set. relative: to their own velocities where
  // that keeps digits.
  static void gradient(const View<T, D>& view, const SetView<T>& set, const DeviceNode<T>* field,
                       bool relative, const ParticleColumns<T>& rates, const MpmSettings& settings,
                       cudaStream_t stream);
  // Matrices of the particles of a set to the arenas; `first` of all sets.
  static void push(const View<T, D>& view, const SetView<T>& set,
                   const ParticleColumns<T>& matrices, bool first, const MpmSettings& settings,
                   cudaStream_t stream);
  // What tangents make of the gradients of a field, to the arenas; nothing where *stop is set.
  static void apply(const View<T, D>& view, const SetView<T>& set, const DeviceNode<T>* field,
                    const ParticleColumns<T>& tangents, bool first, const std::int32_t* stop,
                    const MpmSettings& settings, cudaStream_t stream);
  // The blocks of nodes, to the arenas and to others like them.
  static void blocks(const View<T, D>& view, const SetView<T>& set,
                     const ParticleColumns<T>& tangents, bool first, DeviceNode<T>* beside,
                     const MpmSettings& settings, cudaStream_t stream);
};

}  // namespace firn

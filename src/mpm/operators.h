// The steps between particles and grid one by one, for integrators that need them apart: mass and
// momentum to nodes, stress to nodes, velocity gradients to particles, and moving the particles.
// Explicit steps take them fused (mpm/stages.h); together they do the same, which
// tests/unit/mpm_operators.cpp checks for every kernel and transfer.
#pragma once

#include <vector>

#include "mpm/state.h"

namespace firn {

// What one block does; picked once for a kernel and a transfer.
template <class T, int D>
struct BlockOperators {
  using Context = StepContext<T, D>;
  using Set = MaterialSet<T, D>;

  // Into the arena of a block.
  void (*momentum)(const Context&, const Set&, int block, Node<T>* arena);
  void (*stress)(const Context&, const Set&, int block, Node<T>* arena);
  // From it; `rate`: columns of the whole set. `change` may be null.
  void (*gradient)(const Context&, const Set&, int block, const Node<T>* arena, T* const* rate);
  void (*advance)(const Context&, Set&, int block, const Node<T>* arena, const Node<T>* change);
  // Between arenas and fields.
  void (*write)(const Node<T>* arena, Node<T>* shares);
  void (*merge)(const BlockTopology<D>&, const Node<T>* shares, int slot, Node<T>* out);
  void (*load)(const BlockTopology<D>&, const Node<T>* field, int slot, Node<T>* arena);
  std::size_t arena_size;
};

template <class T, int D>
BlockOperators<T, D> block_operators(KernelKind kernel, TransferKind transfer);

template <class T, int D>
class Operators {
 public:
  using Context = StepContext<T, D>;

  Operators(KernelKind kernel, TransferKind transfer)
      : of_block_(block_operators<T, D>(kernel, transfer)) {}

  // Momentum, kg m/s, and mass of all particles; what the field held is gone.
  void momentum_to_nodes(const Context& ctx, const Particles<T, D>& all,
                         NodeField<T, D>& momentum) {
    scatter(ctx, all, of_block_.momentum, momentum);
  }
  // Impulses of their stress in a step of ctx.dt, N s.
  void stress_to_nodes(const Context& ctx, const Particles<T, D>& all, NodeField<T, D>& impulse) {
    scatter(ctx, all, of_block_.stress, impulse);
  }
  // The gradient of a field of velocities at the particles, 1/s: row-major columns, one set of them
  // a material set.
  void gradient_to_particles(const Context& ctx, const Particles<T, D>& all,
                             const NodeField<T, D>& velocity, std::vector<Columns<T>>& rate) const;
  // Moves particles and gives them their new velocities and affine matrices. `change`: of the
  // velocities of the nodes in the step, for FLIP.
  void advance(const Context& ctx, Particles<T, D>& all, const NodeField<T, D>& velocity,
               const NodeField<T, D>* change = nullptr) const;

 private:
  void scatter(const Context& ctx, const Particles<T, D>& all,
               void (*give)(const Context&, const MaterialSet<T, D>&, int, Node<T>*),
               NodeField<T, D>& to);

  BlockOperators<T, D> of_block_;
  Buffer<Node<T>> shares_;
};

}  // namespace firn

// The steps between particles and grid one by one, for integrators that need them apart: mass and
// momentum to nodes, stress to nodes, velocity gradients to particles, and moving the particles.
// Explicit steps take them fused (mpm/stages.h); together they do the same, which
// tests/unit/mpm_operators.cpp checks for every kernel and transfer.
#pragma once

#include <algorithm>
#include <vector>

#include "exec/parallel.h"
#include "mpm/column_stream.h"
#include "mpm/state.h"

namespace firn {

// map(set, block, begin, end, columns) turns the gradients of particles [begin, end), row-major
// columns from the first of them on, into the matrices that they give.
template <class T>
struct GroupMap {
  const void* map;
  void (*call)(const void* map, int set, int block, std::uint32_t begin, std::uint32_t end,
               T* const* rate);
  const ColumnStream<T>* ahead;  // what map reads of each set, to be prefetched; null: nothing

  void operator()(int set, int block, std::uint32_t begin, std::uint32_t end,
                  T* const* rate) const {
    call(map, set, block, begin, end, rate);
  }
};

// What one block does; picked once for a kernel and a transfer.
template <class T, int D>
struct BlockOperators {
  using Context = StepContext<T, D>;
  using Set = MaterialSet<T, D>;

  // Into the arena of a block.
  void (*momentum)(const Context&, const Set&, int block, Node<T>* arena);
  void (*stress)(const Context&, const Set&, int block, Node<T>* arena);
  // Adds what the particles make of the gradients of a field by the transpose of `gradient`: to
  // each node what their matrices make of the derivatives of its weights.
  void (*map)(const Context&, const Particles<T, D>&, int block, bool relative,
              const Node<T>* field, const GroupMap<T>& map, Node<T>* arena);
  // From it; `rate`: columns from the first of the particles [begin, end) on. `change` may be null.
  // relative: to the particles' own velocities, so that a field near these loses no digits; with
  // the linear kernel this trusts light nodes less (classic_particle.h) and is no transpose.
  void (*gradient)(const Context&, const Set&, std::uint32_t begin, std::uint32_t end,
                   bool relative, const Node<T>* arena, T* const* rate);
  void (*advance)(const Context&, Set&, int block, const Node<T>* arena, const Node<T>* change);
  // The nodes of a particle in the arena, and the derivatives that `gradient` gives the velocity of
  // each of them; gives how many there are, at most kMostNodes.
  int (*nodes_of)(const Context&, const Set&, std::uint32_t p, int* in_arena, Vec<T, D>* gradient);
  static constexpr int kMostNodes = power(4, D);
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

  const BlockOperators<T, D>& of_block() const { return of_block_; }
  // Lays what blocks give in `room`, which is anyone's between two calls.
  void use(Buffer<Node<T>>& room) { shares_ = &room; }

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

  // What the particles make of the gradients of a field (GroupMap), given back to nodes by the
  // transpose of `gradient`. `ahead`: by set, see there.
  template <class Map>
  void map_gradients(const Context& ctx, const Particles<T, D>& all, bool relative,
                     const Node<T>* field, const Map& map, Node<T>* to,
                     const ColumnStream<T>* ahead = nullptr) {
    const GroupMap<T> group{
        &map,
        [](const void* of, int s, int block, std::uint32_t begin, std::uint32_t end,
           T* const* rate) { (*static_cast<const Map*>(of))(s, block, begin, end, rate); },
        ahead};
    sum_over_blocks(
        all.blocks,
        [&](int block, Node<T>* arena, Node<T>* seen) {
          of_block_.load(all.blocks, field, block, seen);
          of_block_.map(ctx, all, block, relative, seen, group, arena);
        },
        to);
  }
  // map(set, block, begin, end, columns) sees the gradients of a field.
  template <class Map>
  void read_gradients(const Context& ctx, const Particles<T, D>& all, bool relative,
                      const Node<T>* field, const Map& map) const {
    parallel_for("gradient", all.blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Node<T>> arena(of_block_.arena_size);
      for (int block = static_cast<int>(begin); block < end; ++block)
        for_groups(ctx, all, relative, field, block, arena.data(),
                   [&](int s, std::uint32_t first, std::uint32_t last, T* const* rate) {
                     map(s, block, first, last, rate);
                   });
    });
  }
  // give(block, arena, other): adds what the particles of a block give to two arenas.
  template <class Give>
  void sum_two_over_blocks(const BlockTopology<D>& blocks, const Give& give, Node<T>* to,
                           Node<T>* other) {
    const std::size_t size = of_block_.arena_size;
    Buffer<Node<T>> shares(std::size_t(blocks.occupied()) * size);
    sum_over_blocks(
        blocks,
        [&](int block, Node<T>* arena, Node<T>* second) {
          std::fill(second, second + size, Node<T>(0));
          give(block, arena, second);
          of_block_.write(second, shares.data() + std::size_t(block) * size);
        },
        to);
    merge(blocks, shares, other);
  }

 private:
  void scatter(const Context& ctx, const Particles<T, D>& all,
               void (*give)(const Context&, const MaterialSet<T, D>&, int, Node<T>*),
               NodeField<T, D>& to) {
    to.resize(all.blocks);
    sum_over_blocks(
        all.blocks,
        [&](int block, Node<T>* arena, Node<T>*) {
          for (const auto& set : all.sets) give(ctx, set, block, arena);
        },
        to.data());
  }
  // give(block, arena, other): adds what the particles of a block give to its arena; `other` is one
  // more, for whatever it needs.
  template <class Give>
  void sum_over_blocks(const BlockTopology<D>& blocks, const Give& give, Node<T>* to) {
    const std::size_t size = of_block_.arena_size;
    Buffer<Node<T>>& shares = shares_ ? *shares_ : own_shares_;
    shares.resize(std::size_t(blocks.occupied()) * size);
    parallel_for("to nodes", blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Node<T>> arena(size), other(size);
      for (std::int64_t b = begin; b < end; ++b) {
        std::fill(arena.begin(), arena.end(), Node<T>(0));
        give(static_cast<int>(b), arena.data(), other.data());
        of_block_.write(arena.data(), shares.data() + std::size_t(b) * size);
      }
    });
    merge(blocks, shares, to);
  }
  void merge(const BlockTopology<D>& blocks, const Buffer<Node<T>>& shares, Node<T>* to) const {
    parallel_for("merge", blocks.size(), 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t slot = begin; slot < end; ++slot)
        of_block_.merge(blocks, shares.data(), static_cast<int>(slot),
                        to + std::size_t(slot) * BlockShape<D>::kNodes);
    });
  }
  // f(set, begin, end, columns): the gradients of a field at the particles of a block, in groups.
  static constexpr std::uint32_t kGroup = 128;
  template <class F>
  void for_groups(const Context& ctx, const Particles<T, D>& all, bool relative,
                  const Node<T>* field, int block, Node<T>* arena, const F& f) const {
    of_block_.load(all.blocks, field, block, arena);
    for (std::size_t s = 0; s < all.sets.size(); ++s) {
      const auto& set = all.sets[s];
      const std::uint32_t end = set.begin[block + 1];
      for (std::uint32_t p = set.begin[block]; p < end; p += kGroup) {
        const std::uint32_t last = std::min(end, p + kGroup);
        T columns[D * D][kGroup];
        T* rate[D * D];
        for (int k = 0; k < D * D; ++k) rate[k] = columns[k];
        of_block_.gradient(ctx, set, p, last, relative, arena, rate);
        f(static_cast<int>(s), p, last, rate);
      }
    }
  }

  BlockOperators<T, D> of_block_;
  Buffer<Node<T>>* shares_ = nullptr;  // null: its own
  Buffer<Node<T>> own_shares_;
};

}  // namespace firn

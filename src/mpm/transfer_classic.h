// Transfers with kernel gradients: what the linear kernel uses for all of them, and what
// transfer_gradient.h, the fast form of APIC, FLIP and PIC, is compared with. Written for clarity,
// one particle at a time.
#pragma once

#include "mpm/classic_particle.h"
#include "mpm/kernels.h"

namespace firn {

template <class T, int D>
FIRN_HOST_INLINE Vec<T, D> vector_of(const Columns<T>& columns, std::uint32_t p) {
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = columns[a][p];
  return v;
}

template <class T, int D>
Mat<T, D> stress_of(const ParticleSet<T, D>& set, std::uint32_t p) {
  const Columns<T>& stress = set[column::stress];
  if (stress.components() == 1) return Mat<T, D>::identity() * stress[0][p];
  SymMat<T, D> tau;
  for (int i = 0; i < SymMat<T, D>::kSize; ++i) tau.e[i] = stress[i][p];
  return tau.full();
}

template <class T, int D, class Kernel>
void scatter_classic(const StepContext<T, D>& ctx, const ParticleSet<T, D>& set,
                     std::uint32_t begin, std::uint32_t end, Node<T>* arena, Node<T>* force_arena) {
  const Columns<T>& kept = set[column::affine];
  const T* const volume = stressed_volume(set)[0];
  for (std::uint32_t p = begin; p < end; ++p) {
    const Stencil1<T, D, Kernel> stencil(vector_of<T, D>(set.position, p));
    Mat<T, D> affine;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) affine(i, j) = kept[i * D + j][p];
    const ClassicParticle<T, D> particle(ctx, set.mass[0][p], volume[p],
                                         vector_of<T, D>(set.velocity, p), affine,
                                         stress_of(set, p));
    stencil.for_each_node([&](int offset, T w, const Vec<T, D>& g, const Vec<T, D>& d) {
      const Vec<T, D> push = particle.push(g);
      Vec<T, D> momentum = particle.template momentum<Kernel>(ctx.affine, w, g, d);
      Node<T>& node = arena[stencil.index + offset];
      // A push is small. Added to a node by itself it would lose its last digits where the node has
      // much momentum and keep them elsewhere: the pushes of a particle would no longer cancel.
      if (!ctx.split) momentum += push;
      for (int i = 0; i < D; ++i) {
        node.set(i, node[i] + momentum[i]);
        if (ctx.split)
          force_arena[stencil.index + offset].set(i,
                                                  force_arena[stencil.index + offset][i] + push[i]);
      }
      node.set(kMassLane, node[kMassLane] + w * particle.mass);
    });
  }
}

// What particle p takes from its nodes. change_arena: of the velocities in the step; may be null
// unless they are split.
template <class T, int D, class Kernel>
ClassicSums<T, D> classic_sums(const StepContext<T, D>& ctx, const ParticleSet<T, D>& set,
                               std::uint32_t p, const Node<T>* arena, const Node<T>* change_arena) {
  const auto velocity_at = [](const Node<T>& node) {
    Vec<T, D> v;
    for (int i = 0; i < D; ++i) v[i] = node[i];
    return v;
  };
  const Stencil1<T, D, Kernel> stencil(vector_of<T, D>(set.position, p));
  ClassicSums<T, D> sums(vector_of<T, D>(set.velocity, p));
  const T mass = set.mass[0][p];
  stencil.for_each_node([&](int offset, T w, const Vec<T, D>& g, const Vec<T, D>& d) {
    const Node<T>& node = arena[stencil.index + offset];
    sums.add(w, g, d, velocity_at(node), trust_in_node<Kernel>(node[kMassLane], mass));
    if (ctx.split && change_arena)
      sums.add_change(w, velocity_at(change_arena[stencil.index + offset]));
  });
  return sums;
}

// Also writes the velocity gradient, row-major columns at gradient[...] + (p - begin). Returns the
// largest component of the velocities that particles move at.
template <class T, int D, class Kernel>
class ClassicGather {
 public:
  ClassicGather(const StepContext<T, D>& ctx, ParticleSet<T, D>& set) : ctx_(ctx), set_(set) {}

  T run(std::uint32_t begin, std::uint32_t end, const Node<T>* arena, const Node<T>* change,
        T* const* gradient) const {
    T fastest = T(0);
    Columns<T>& affine = set_[column::affine];
    for (std::uint32_t p = begin; p < end; ++p) {
      const auto sums = classic_sums<T, D, Kernel>(ctx_, set_, p, arena, change);
      for (int i = 0; i < D; ++i) {
        const T moved = sums.advance(ctx_, i, set_.velocity[i][p], set_.position[i][p]);
        fastest = max_of(fastest, moved);
        for (int j = 0; j < D; ++j)
          sums.matrices(ctx_, i, j, gradient[i * D + j][p - begin], affine[i * D + j][p]);
      }
    }
    return fastest;
  }

 private:
  const StepContext<T, D>& ctx_;
  ParticleSet<T, D>& set_;
};

}  // namespace firn

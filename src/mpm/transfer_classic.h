// Transfers with kernel gradients: PIC, FLIP, APIC, and the linear kernel. Written for clarity, one
// particle at a time; the fast path is transfer_mls.h.
#pragma once

#include "mpm/arena.h"
#include "mpm/kernels.h"
#include "mpm/state.h"

namespace firn {

template <class T, int D, class Kernel>
struct Stencil1 {
  int index = 0;
  T weight[D][Kernel::kNodes], gradient[D][Kernel::kNodes];  // gradients per cell
  Vec<T, D> xi;

  Stencil1(const Columns<T>& position, std::uint32_t p) {
    using A = Arena<D, Kernel>;
    for (int a = 0; a < D; ++a) {
      const T shifted = position[a][p] + T(A::kMargin);
      // In a run that blows up positions may be anything, NaN included; the arena is not left.
      const T last = T(A::kCells - 1), held = shifted > T(0) ? shifted : T(0);
      const int cell = static_cast<int>(held < last ? held : last);
      const T f = shifted - T(cell);
      index = index * A::kWidth + cell;
      xi[a] = f + T(Kernel::kShift);
      Kernel::weights(f, weight[a]);
      Kernel::gradients(f, gradient[a]);
    }
  }

  // f(offset of the node in the arena, w, gradient of w per cell, distance node - particle in
  // cells)
  template <class F>
  void for_each_node(F&& f) const {
    constexpr int K = Kernel::kNodes, W = Arena<D, Kernel>::kWidth;
    for (int flat = 0; flat < power(K, D); ++flat) {
      Vec<int, D> k;
      int rest = flat;
      for (int a = D - 1; a >= 0; --a) {
        k[a] = rest % K;
        rest /= K;
      }
      int offset = 0;
      T w = T(1);
      Vec<T, D> g, d;
      for (int a = 0; a < D; ++a) {
        offset = offset * W + k[a];
        w *= weight[a][k[a]];
        d[a] = T(k[a]) - xi[a];
        g[a] = gradient[a][k[a]];
        for (int b = 0; b < D; ++b)
          if (b != a) g[a] *= weight[b][k[b]];
      }
      f(offset, w, g, d);
    }
  }

  // w D^-1 d in units of 1/h. For B-splines of degree two and three D is constant; for the linear
  // kernel it is singular on nodes, but w D^-1 d is the kernel's gradient there (correction 28).
  FIRN_INLINE static Vec<T, D> affine_weight(T w, const Vec<T, D>& g, const Vec<T, D>& d) {
    if constexpr (Kernel::kInverseD == 0.0)
      return g;
    else
      return d * (w * T(Kernel::kInverseD));
  }
};

template <class T, int D>
Mat<T, D> stress_of(const ParticleSet<T, D>& set, std::uint32_t p) {
  if (set.stress.components() == 1) return Mat<T, D>::identity() * set.stress[0][p];
  SymMat<T, D> tau;
  for (int i = 0; i < SymMat<T, D>::kSize; ++i) tau.e[i] = set.stress[i][p];
  return tau.full();
}

// The stored affine matrix of these transfers is B h^-2 (B as in MULTI 69), so that it means the
// same for every kernel.
template <class T, int D, class Kernel>
void scatter_classic(const StepContext<T, D>& ctx, const ParticleSet<T, D>& set,
                     std::uint32_t begin, std::uint32_t end, Node<T>* arena, Node<T>* force_arena) {
  for (std::uint32_t p = begin; p < end; ++p) {
    const Stencil1<T, D, Kernel> stencil(set.position, p);
    const T mass = set.mass[0][p];
    Mat<T, D> affine, impulse = stress_of(set, p);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) affine(i, j) = mass * ctx.h * set.affine[i * D + j][p];
    impulse = impulse * (-ctx.dt * set.volume[0][p] * ctx.inverse_h);
    stencil.for_each_node([&](int offset, T w, const Vec<T, D>& g, const Vec<T, D>& d) {
      const Vec<T, D> push = impulse * g;
      Vec<T, D> momentum;
      for (int i = 0; i < D; ++i) momentum[i] = w * mass * set.velocity[i][p];
      if (ctx.affine) momentum += affine * stencil.affine_weight(w, g, d);
      Node<T>& node = arena[stencil.index + offset];
      Node<T>& force = ctx.split ? force_arena[stencil.index + offset] : node;
      for (int i = 0; i < D; ++i) {
        node.set(i, node[i] + momentum[i]);
        force.set(i, force[i] + push[i]);
      }
      node.set(kMassLane, node[kMassLane] + w * mass);
    });
  }
}

// Also writes the velocity gradient, row-major columns at gradient[...] + (p - begin). Returns the
// largest component of the velocities that particles move at.
template <class T, int D, class Kernel>
T gather_classic(const StepContext<T, D>& ctx, ParticleSet<T, D>& set, std::uint32_t begin,
                 std::uint32_t end, const Node<T>* arena, const Node<T>* change_arena,
                 T* const* gradient) {
  T fastest = T(0);
  for (std::uint32_t p = begin; p < end; ++p) {
    const Stencil1<T, D, Kernel> stencil(set.position, p);
    Vec<T, D> pic = Vec<T, D>::zero(), change = pic;
    Mat<T, D> affine = Mat<T, D>::zero(), rate = affine;
    stencil.for_each_node([&](int offset, T w, const Vec<T, D>& g, const Vec<T, D>& d) {
      const Node<T>& node = arena[stencil.index + offset];
      for (int i = 0; i < D; ++i) {
        pic[i] += w * node[i];
        if (ctx.split) change[i] += w * change_arena[stencil.index + offset][i];
        for (int j = 0; j < D; ++j) {
          affine(i, j) += w * node[i] * d[j];
          rate(i, j) += node[i] * g[j];
        }
      }
    });
    for (int i = 0; i < D; ++i) {
      const T flip = set.velocity[i][p] + change[i];
      set.velocity[i][p] = ctx.flip_ratio * flip + (T(1) - ctx.flip_ratio) * pic[i];
      set.position[i][p] += ctx.dt * ctx.inverse_h * pic[i];
      fastest = max_of(fastest, abs_of(pic[i]));
      for (int j = 0; j < D; ++j) {
        const T l = rate(i, j) * ctx.inverse_h;
        gradient[i * D + j][p - begin] = l;
        set.affine[i * D + j][p] = ctx.affine ? affine(i, j) * ctx.inverse_h : l;
      }
    }
  }
  return fastest;
}

}  // namespace firn

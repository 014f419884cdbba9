// What the transfers with kernel gradients (PIC, FLIP, APIC, and the linear kernel) do with one
// particle; host and device.
#pragma once

#include <cmath>

#include "base/mat.h"
#include "mpm/arena.h"
#include "mpm/state.h"

namespace firn {

// Where a particle sits among the nodes of an arena.
template <class T, int D, class Kernel>
struct Stencil1 {
  Vec<int, D> cell;                                          // from the arena's first cell
  int index = 0;                                             // of the first node in the arena
  T weight[D][Kernel::kNodes], gradient[D][Kernel::kNodes];  // gradients per cell
  Vec<T, D> xi;

  FIRN_INLINE explicit Stencil1(const Vec<T, D>& position) {
    using A = Arena<D, Kernel>;
    for (int a = 0; a < D; ++a) {
      // In a run that blows up positions may be anything, NaN included; the arena is not left. The
      // rest f has the bits that packs of particles and other kernels of a device find: beside a
      // border of cells the weight of a node is its square, and its mass must fit to its gradient.
      const T low = T(-A::kMargin), high = T(A::kCells - 1 - A::kMargin);
      const T base = max_of(min_of(T(std::floor(position[a])), high), low);
      const T f = position[a] - base;
      cell[a] = static_cast<int>(base) + A::kMargin;
      index = index * A::kWidth + cell[a];
      xi[a] = f + T(Kernel::kShift);
      Kernel::weights(f, weight[a]);
      Kernel::gradients(xi[a] - T(Kernel::kShift), gradient[a]);
    }
  }

  // Weight of the node k, its gradient per cell, and the distance node - particle in cells.
  FIRN_INLINE void at_node(const Vec<int, D>& k, T& w, Vec<T, D>& g, Vec<T, D>& d) const {
    w = T(1);
    for (int a = 0; a < D; ++a) {
      w *= weight[a][k[a]];
      d[a] = T(k[a]) - xi[a];
      g[a] = gradient[a][k[a]];
      for (int b = 0; b < D; ++b)
        if (b != a) g[a] *= weight[b][k[b]];
    }
  }
  // f(offset of the node in the arena, w, gradient of w per cell, distance node - particle in
  // cells)
  template <class F>
  FIRN_INLINE void for_each_node(F&& f) const {
    constexpr int K = Kernel::kNodes, W = Arena<D, Kernel>::kWidth;
    FIRN_UNROLL
    for (int flat = 0; flat < power(K, D); ++flat) {
      Vec<int, D> k;
      int rest = flat;
      for (int a = D - 1; a >= 0; --a) {
        k[a] = rest % K;
        rest /= K;
      }
      int offset = 0;
      for (int a = 0; a < D; ++a) offset = offset * W + k[a];
      T w;
      Vec<T, D> g, d;
      at_node(k, w, g, d);
      f(offset, w, g, d);
    }
  }
};

// w D^-1 d in units of 1/h. For B-splines of degree two and three D is constant; for the linear
// kernel it is singular on nodes, but w D^-1 d is the kernel's gradient there
// (docs/physics.md, correction 28).
template <class Kernel, class T, int D>
FIRN_INLINE Vec<T, D> affine_weight(T w, const Vec<T, D>& g, const Vec<T, D>& d) {
  if constexpr (Kernel::kInverseD == 0.0)
    return g;
  else
    return d * (w * T(Kernel::kInverseD));
}

// What a particle gives to its nodes. The stored affine matrix of these transfers is B h^-2 (B as
// in MULTI 69), so that it means the same for every kernel.
template <class T, int D>
struct ClassicParticle {
  T mass;              // kg
  Vec<T, D> velocity;  // m/s
  Mat<T, D> affine;    // m B h^-1
  Mat<T, D> impulse;   // -dt V tau h^-1

  FIRN_INLINE ClassicParticle(const StepContext<T, D>& ctx, T m, T volume, const Vec<T, D>& v,
                              const Mat<T, D>& stored, const Mat<T, D>& tau)
      : mass(m), velocity(v) {
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) affine(i, j) = mass * ctx.h * stored(i, j);
    impulse = tau * (-ctx.dt * volume * ctx.inverse_h);
  }
  template <class Kernel>
  FIRN_INLINE Vec<T, D> momentum(bool with_affine, T w, const Vec<T, D>& g,
                                 const Vec<T, D>& d) const {
    Vec<T, D> sum;
    for (int i = 0; i < D; ++i) sum[i] = w * mass * velocity[i];
    if (with_affine) sum += affine * affine_weight<Kernel>(w, g, d);
    return sum;
  }
  FIRN_INLINE Vec<T, D> push(const Vec<T, D>& g) const { return impulse * g; }
};

// How much of a node's velocity counts in the gradient. The gradient of the linear kernel does not
// vanish with its weight: a node that a particle hardly touches gets the whole of its force, and
// one of almost no mass is thrown about and would strain the particle back without bound
// (docs/physics.md, time step). Inside of a body, where nodes carry other particles as well, all
// count in full.
template <class Kernel, class T>
FIRN_INLINE T trust_in_node(T node_mass, T particle_mass) {
  if constexpr (Kernel::kLeastNodeMass > 0.0) {
    const T full = T(Kernel::kLeastNodeMass) * particle_mass;
    return node_mass < full ? node_mass / full : T(1);
  } else {
    return T(1);
  }
}

// What a particle takes from its nodes. Velocities are summed as differences from the particle's
// own: sums of rounded weights miss one by a little, and mostly on the same side, so that what
// flies evenly would grow faster or slower from step to step.
template <class T, int D>
struct ClassicSums {
  Vec<T, D> own;  // velocity of the particle before the step
  Vec<T, D> pic = Vec<T, D>::zero(), change = pic, trusted = pic;
  Mat<T, D> affine = Mat<T, D>::zero(), rate = affine;

  FIRN_INLINE explicit ClassicSums(const Vec<T, D>& velocity) : own(velocity) {}

  // v: velocity of the node; trust: see above.
  FIRN_INLINE void add(T w, const Vec<T, D>& g, const Vec<T, D>& d, const Vec<T, D>& v, T trust) {
    for (int j = 0; j < D; ++j) trusted[j] += trust * g[j];
    for (int i = 0; i < D; ++i) {
      const T relative = v[i] - own[i];
      pic[i] += w * relative;
      for (int j = 0; j < D; ++j) {
        affine(i, j) += w * relative * d[j];
        rate(i, j) += trust * relative * g[j];
      }
    }
  }
  FIRN_INLINE void add_change(T w, const Vec<T, D>& v) {
    for (int i = 0; i < D; ++i) change[i] += w * v[i];
  }
  // Brings the particle forward along axis i. Returns how fast it moves there.
  FIRN_INLINE T advance(const StepContext<T, D>& ctx, int i, T& velocity, T& position) const {
    const T moved = own[i] + pic[i];
    velocity = own[i] + ctx.flip_ratio * change[i] + (T(1) - ctx.flip_ratio) * pic[i];
    position += ctx.dt * ctx.inverse_h * moved;
    return abs_of(moved);
  }
  // The velocity gradient, 1/s, and the affine matrix that is stored. What is not trusted counts as
  // the particle's own velocity after the step.
  FIRN_INLINE void matrices(const StepContext<T, D>& ctx, int i, int j, T& gradient,
                            T& stored) const {
    gradient = (rate(i, j) - pic[i] * trusted[j]) * ctx.inverse_h;
    stored = ctx.affine ? affine(i, j) * ctx.inverse_h : gradient;
  }
};

}  // namespace firn

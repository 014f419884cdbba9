// What MLS does with one particle, whatever the scalar: a SIMD vector of lanes on the CPU, a float
// or double on CUDA. How sums over nodes are taken is each side's own (transfer_mls.h;
// mpm_cuda/scatter.h and gather_transfer.h): four lanes a node there, a warp a cell here.
#pragma once

#include "base/mat.h"

namespace firn {

// Momentum m v + slope (k - xi) at the node k = 0, for a particle at xi.
template <class S, int D>
FIRN_INLINE Vec<S, D> momentum_at_first_node(Vec<S, D> momentum, const Mat<S, D>& slope,
                                             const Vec<S, D>& xi) {
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) momentum[i] -= slope(i, j) * xi[j];
  return momentum;
}

// The impulse of a stress changes from node to node by -scale tau, scale = dt V D^-1.
template <class S, int D>
FIRN_INLINE void subtract_stress(const SymMat<S, D>& scaled_tau, Mat<S, D>& slope) {
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) slope(i, j) -= scaled_tau(i, j);
}
template <class S, int D>
FIRN_INLINE void subtract_pressure(S scaled, Mat<S, D>& slope) {
  for (int i = 0; i < D; ++i) slope(i, i) -= scaled;
}

// An entry of the velocity gradient from sum w v_i (k_j - 1) and sum w v_i; from_center is xi - 1,
// and to_gradient D^-1 / h.
template <class S>
FIRN_INLINE S gradient_entry(S to_gradient, S moment, S from_center, S value) {
  return to_gradient * (moment - from_center * value);
}

}  // namespace firn

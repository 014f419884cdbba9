// The matrix of the coarsest grid and its inverse, by one thread block in shared memory: motions of
// a whole body are resisted by its mass alone, which smoothing would take for ever to find.
#pragma once

#include "mpm_cuda/coarse_build.h"

namespace firn {

constexpr int kMostSolved = 28;  // nodes; a body on a corner of blocks has 27

template <int D>
constexpr std::size_t inverse_bytes(int nodes) {
  return std::size_t(nodes) * D * (std::size_t(nodes) * D + 3) * sizeof(double);
}

// Rows of unknowns that are left out stay zero.
template <class T, int D>
__device__ void fill_matrix(const CoarseLevel<T, D>& level, int unknowns, double* matrix) {
  for_tail(unknowns * unknowns, [&](int i) { matrix[i] = 0; });
  for_tail(level.nodes * level.kNeighbors, [&](int number) {
    const int n = number / level.kNeighbors, code = number % level.kNeighbors;
    const int at = level.neighbor(n, code);
    if (at < 0 || level.is_left_out(n) || level.is_left_out(at)) return;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        matrix[(n * D + i) * unknowns + at * D + j] = double(level.entry(n, code, i, j));
  });
}

// In place, by Gauss and Jordan; unknowns without stiffness are taken out. `lines`: room for the
// row and the column of a pivot, and for the diagonal at the start.
__device__ inline void invert_matrix(int n, double* matrix, double* lines) {
  double *row = lines, *column = lines + n, *whole = lines + 2 * n;
  for_tail(n, [&](int i) { whole[i] = matrix[i * n + i]; });
  for (int k = 0; k < n; ++k) {
    const double pivot = matrix[k * n + k];
    const bool counts = pivot > 1e-14 * whole[k] && whole[k] > 0;
    const double inverse = counts ? 1 / pivot : 0;
    for_tail(n, [&](int i) {
      row[i] = i == k ? inverse : matrix[k * n + i] * inverse;
      column[i] = matrix[i * n + k];
    });
    for (int i = threadIdx.x / 32; i < n; i += kTailThreads / 32)
      for (int j = threadIdx.x % 32; j < n; j += 32) {
        const double before = i == k || j == k ? 0 : matrix[i * n + j];
        matrix[i * n + j] = i == k ? row[j] : before - column[i] * row[j];
      }
    __syncthreads();
  }
}

// Springs of the last levels, `finer` being those of the grid before them, and the inverse.
template <class T, int D, class Finer>
__global__ void __launch_bounds__(kTailThreads)
    tail_springs_kernel(const __grid_constant__ CoarseTail<T, D> tail,
                        const __grid_constant__ Finer finer, double* inverse) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto* matrix = reinterpret_cast<double*>(memory);
  for_tail_groups(tail.levels[0].nodes, SetSprings<T, D, Finer>{tail.levels[0], finer});
  for (int l = 1; l < tail.count; ++l)
    for_tail_groups(tail.levels[l].nodes,
                    SetSprings<T, D, CoarserSprings<T, D>>{tail.levels[l], {tail.levels[l - 1]}});
  const int n = tail.unknowns;
  if (n == 0) return;
  fill_matrix(tail.levels[tail.count - 1], n, matrix);
  invert_matrix(n, matrix, matrix + n * n);
  for_tail(n * n, [&](int at) { inverse[at] = 0.5 * (matrix[at] + matrix[at % n * n + at / n]); });
}

}  // namespace firn

// The part of a block below zero, cell by cell. Cells that the surface crosses are cut into
// simplices, in which the interpolation is linear and the volume exact: second order in all.
#include <algorithm>
#include <utility>

#include "geometry/field_builder.h"

namespace firn {
namespace {

constexpr int kNodes = kFieldBlock + 1;

// How far from a corner at value a < 0 the zero lies on the way to a corner at b >= 0.
double reach(double a, double b) {
  return a / (a - b);
}

// Fraction of a triangle below zero; values in rising order.
double triangle_fraction(const double* v) {
  if (v[2] < 0) return 1;
  if (v[1] < 0) return 1 - reach(-v[2], -v[0]) * reach(-v[2], -v[1]);
  if (v[0] < 0) return reach(v[0], v[1]) * reach(v[0], v[2]);
  return 0;
}

double tetrahedron_fraction(const double* v) {
  if (v[3] < 0) return 1;
  if (v[2] < 0) return 1 - reach(-v[3], -v[0]) * reach(-v[3], -v[1]) * reach(-v[3], -v[2]);
  if (v[1] < 0) {
    const double ac = reach(v[0], v[2]), ad = reach(v[0], v[3]);
    const double bc = reach(v[1], v[2]), bd = reach(v[1], v[3]);
    return ac * ad * (1 - bd) + ac * bd * (1 - bc) + bc * bd;
  }
  if (v[0] < 0) return reach(v[0], v[1]) * reach(v[0], v[2]) * reach(v[0], v[3]);
  return 0;
}

void sort_few(double* v, int count) {
  for (int i = 1; i < count; ++i)
    for (int k = i; k > 0 && v[k] < v[k - 1]; --k) std::swap(v[k], v[k - 1]);
}

// Kuhn's simplices: walk from the lowest corner to the highest, one axis after the other.
double cell_fraction(const double* corner, int dimension) {
  int axes[3] = {0, 1, 2};
  double sum = 0;
  int count = 0;
  do {
    double v[4] = {corner[0], 0, 0, 0};
    int at = 0;
    for (int i = 0; i < dimension; ++i) v[i + 1] = corner[at |= 1 << axes[i]];
    sort_few(v, dimension + 1);
    sum += dimension == 3 ? tetrahedron_fraction(v) : triangle_fraction(v);
    ++count;
  } while (std::next_permutation(axes, axes + dimension));
  return sum / count;
}

void include(Measure& m, const double* p) {
  for (int i = 0; i < 3; ++i) {
    m.low[i] = m.any ? std::min(m.low[i], p[i]) : p[i];
    m.high[i] = m.any ? std::max(m.high[i], p[i]) : p[i];
  }
  m.any = true;
}

// Grows the box by a sample below zero and by the zeros on the edges that leave it.
void include_sample(Measure& m, const float* samples, const int* at, int dimension) {
  const int stride[3] = {1, kNodes, kNodes * kNodes};
  const int index = at[0] + at[1] * stride[1] + at[2] * stride[2];
  const double value = samples[index];
  if (!(value < 0)) return;
  double p[3] = {double(at[0]), double(at[1]), double(at[2])};
  include(m, p);
  for (int i = 0; i < dimension; ++i)
    for (const int step : {-1, 1}) {
      if (at[i] + step < 0 || at[i] + step > kFieldBlock) continue;
      const double next = samples[index + step * stride[i]];
      if (next < 0) continue;
      const double here = p[i];
      p[i] += step * reach(value, next);
      include(m, p);
      p[i] = here;
    }
}

}  // namespace

Measure measure_block(const float* samples, int dimension) {
  Measure m;
  const int layers = dimension == 3 ? kFieldBlock : 1, nodes = dimension == 3 ? kNodes : 1;
  for (int z = 0; z < nodes; ++z)
    for (int y = 0; y < kNodes; ++y)
      for (int x = 0; x < kNodes; ++x) {
        const int at[3] = {x, y, z};
        include_sample(m, samples, at, dimension);
      }
  if (!m.any) return m;
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < kFieldBlock; ++y)
      for (int x = 0; x < kFieldBlock; ++x) {
        double corner[8];
        int below = 0;
        const int count = 1 << dimension;
        for (int c = 0; c < count; ++c) {
          const int dx = c & 1, dy = c >> 1 & 1, dz = c >> 2;
          corner[c] = samples[x + dx + kNodes * (y + dy + kNodes * (z + dz))];
          below += corner[c] < 0;
        }
        if (below > 0) m.cells += below == count ? 1 : cell_fraction(corner, dimension);
      }
  return m;
}

}  // namespace firn

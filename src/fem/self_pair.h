// A vertex inside a body and the point of that body's boundary nearest to it, with the penalty of
// OPT 2.4.3 between them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "base/vec.h"

namespace firn {

template <int D>
struct SelfPair {
  std::uint32_t vertex;
  std::uint32_t face;  // the boundary face that the nearest point lies on
  std::uint32_t body;  // that face's
  int corners;         // of the primitive: 1 a vertex, 2 an edge, 3 a triangle
  // Ascending numbers; beyond `corners` the first one again, of weight zero.
  std::array<std::uint32_t, D> corner;
  Vec<double, D> weight;  // of the nearest point, positive, with sum 1
  Vec<double, D> normal;  // from the vertex to the nearest point: the way out
  double depth;           // m
  double force;           // along `normal` on the vertex, -weight times it on the corners; N

  // How much a point that moves with slot s counts in "the vertex relative to the boundary".
  double share(int slot) const { return slot == 0 ? 1 : -weight[slot - 1]; }
  std::uint32_t place(int slot) const { return slot == 0 ? vertex : corner[slot - 1]; }
};

// stiffness * d sqrt(d + softening) of a squared distance d, with its derivatives by d. Cubic in
// the depth: it and its force start smoothly where a vertex enters, and `softening`, some 1e-15
// squared edges, keeps the second derivative finite there.
struct SelfPenalty {
  double energy, slope, curvature;
};
inline SelfPenalty self_penalty(double stiffness, double softening, double d) {
  const double soft = d + softening, root = std::sqrt(soft);
  return {stiffness * d * root, stiffness * (root + d / (2 * root)),
          stiffness * (3 * d + 4 * softening) / (4 * soft * root)};
}

}  // namespace firn

// The point of a boundary face that is nearest to a vertex, and how their squared distance depends
// on all the corners.
#pragma once

#include "base/vec.h"

namespace firn {

template <int D>
struct NearestOnFace {
  double distance2;
  // Of the corners; exactly zero where the nearest primitive, which may be an edge or a vertex of
  // the face, does not have them.
  Vec<double, D> weight;
};

// Of the origin: `corner` holds the face's corners relative to the vertex, so that rounding goes by
// their distances. Faces without area, or of a single point, are fine.
template <int D>
NearestOnFace<D> nearest_on_face(const Vec<double, D> (&corner)[D]);

// What the Hessian of the squared distance d = min over t of |x_0 - y(t)|^2 is made of, where
// y(t) = x_last + sum_j t_j edge_j runs over the line or plane of the primitive.
template <int D>
struct DistanceShape {
  int corners;                 // of the primitive
  Vec<double, D> apart;        // x_0 - y at its smallest
  double share[D + 1];         // of x_0 and the corners in it: 1 and the weights' negatives
  Vec<double, D> edge[D - 1];  // x_j - x_last
};

// slope * d'' + curvature * d' d'^T over x_0 and the corners, (D + 1) D squared numbers, row after
// row. It is exact. `definite` leaves out that the nearest point's weights turn with the primitive:
// what remains is the exact matrix of a primitive that moves without turning, and never negative.
template <int D>
void distance_hessian(const DistanceShape<D>& shape, double slope, double curvature, bool definite,
                      double* hessian);

}  // namespace firn

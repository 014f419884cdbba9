// How much of a kernel lies in a wall: its integral over the half space behind a plane, by the
// distance to the plane (GRAIN 5.11 with the kernel's own integral, physics.md 38).
#pragma once

#include "base/math.h"
#include "base/schemes.h"

namespace firn {

struct WallShare {
  static constexpr int kPieces = 256;  // between -1 and 1

  double share[kPieces + 1];
  double slope[kPieces + 1];  // of it by the distance, 1/cells

  // `distance` in cells, negative inside.
  FIRN_HD double at(double distance) const {
    int piece;
    const double t = locate(distance, piece);
    if (piece < 0) return distance < 0 ? 1 : 0;
    const double width = 2.0 / kPieces, u = 1 - t;
    return u * u * (1 + 2 * t) * share[piece] + t * t * (3 - 2 * t) * share[piece + 1] +
           width * t * u * (u * slope[piece] - t * slope[piece + 1]);
  }
  // The distance at which it is so much.
  double distance_of(double wanted) const;
  FIRN_HD double slope_at(double distance) const {
    int piece;
    const double t = locate(distance, piece);
    return piece < 0 ? 0 : (1 - t) * slope[piece] + t * slope[piece + 1];
  }

 private:
  // The piece, -1 beyond the ends, and the place in it from 0 to 1.
  FIRN_HD static double locate(double distance, int& piece) {
    const double place = (distance + 1) * (kPieces / 2.0);
    piece = place >= 0 && place < kPieces ? static_cast<int>(place) : -1;
    return place - piece;
  }
};

template <int D>
WallShare wall_share(SmoothingKind kind);

// Sums over few particles are not the kernel's integral: a lattice of a spacing, in cells, that
// lies half of it off a wall lacks less than the integral over the wall is. So much farther away
// the wall holds what the lattice lacks, cells.
template <int D>
double wall_gap(const WallShare& share, SmoothingKind kind, double spacing);

}  // namespace firn

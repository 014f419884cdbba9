#include "sph/wall_share.h"

#include <cmath>

#include "sph/smoothing.h"

namespace firn {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Integral of W over a plane (2D: a line) at a distance, by the midpoint rule along it.
template <int D, class Kernel>
double over_plane(Kernel kernel, double distance) {
  constexpr int kPoints = 2000;
  const double radius = std::sqrt(std::max(0.0, 1 - distance * distance));
  const double width = radius / kPoints;
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double along = (i + 0.5) * width;
    sum += kernel.value(std::sqrt(distance * distance + along * along)) *
           (D == 3 ? 2 * kPi * along : 2);
  }
  return sum * width;
}

}  // namespace

template <int D>
WallShare wall_share(SmoothingKind kind) {
  return with_smoothing<D>(kind, [](auto kernel) {
    WallShare made;
    constexpr int kMiddle = WallShare::kPieces / 2;
    constexpr double kWidth = 2.0 / WallShare::kPieces;
    const auto slope = [&](double distance) { return -over_plane<D>(kernel, distance); };
    made.share[kMiddle] = 0.5;
    made.slope[kMiddle] = slope(0);
    for (int i = 1; i <= kMiddle; ++i) {
      const double here = i * kWidth, middle = here - kWidth / 2;
      const double now = slope(here);
      made.slope[kMiddle + i] = made.slope[kMiddle - i] = now;
      const double fall = kWidth / 6 * (made.slope[kMiddle + i - 1] + 4 * slope(middle) + now);
      made.share[kMiddle + i] = made.share[kMiddle + i - 1] + fall;
      made.share[kMiddle - i] = 1 - made.share[kMiddle + i];
    }
    return made;
  });
}

double WallShare::distance_of(double wanted) const {
  double low = -1, high = 1;
  while (high - low > 1e-10) {
    const double middle = (low + high) / 2;
    (at(middle) > wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

template <int D>
double wall_gap(const WallShare& share, SmoothingKind kind, double spacing) {
  return share.distance_of(lattice_share_behind<D>(kind, spacing)) - spacing / 2;
}

template double wall_gap<2>(const WallShare&, SmoothingKind, double);
template double wall_gap<3>(const WallShare&, SmoothingKind, double);
template WallShare wall_share<2>(SmoothingKind);
template WallShare wall_share<3>(SmoothingKind);

}  // namespace firn

// Smooth noise for expressions: the same values on every machine and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "base/random.h"

namespace firn {

namespace detail {

// Dot product of the lattice point's own unit vector with the offset (x, y, z) from it.
template <class T>
FIRN_INLINE T lattice_slope(std::int64_t i, std::int64_t j, std::int64_t k, T x, T y, T z) {
  const std::uint64_t bits = random_bits(
      static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(k));
  // Sixteen bits a component, centred so that none of them is zero.
  const T gx = (T(bits & 0xffff) - T(32767.5)), gy = (T(bits >> 16 & 0xffff) - T(32767.5)),
          gz = (T(bits >> 32 & 0xffff) - T(32767.5));
  return (gx * x + gy * y + gz * z) / std::sqrt(gx * gx + gy * gy + gz * gz);
}

}  // namespace detail

// Gradient noise with features of size 1: zero on integer points, twice differentiable, in [-1, 1].
// Unit slopes reach at most sqrt(3)/2 (a cell's centre), hence the scale. Beyond 2^52 (2^23 for
// float) every number is an integer, so that the noise is 0 there.
template <class T>
FIRN_HD_CALL T gradient_noise(T x, T y, T z) {
  const T p[3] = {x, y, z};
  std::int64_t cell[3];
  T f[3], fade[3];
  for (int a = 0; a < 3; ++a) {
    if (!(std::fabs(p[a]) < T(9e15))) return p[a] - p[a];  // 0, or not a number as the input is
    const T low = std::floor(p[a]);
    cell[a] = static_cast<std::int64_t>(low);
    f[a] = p[a] - low;
    fade[a] = f[a] * f[a] * f[a] * (f[a] * (f[a] * T(6) - T(15)) + T(10));
  }
  T value = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
    const T weight =
        (dx ? fade[0] : 1 - fade[0]) * (dy ? fade[1] : 1 - fade[1]) * (dz ? fade[2] : 1 - fade[2]);
    value += weight * detail::lattice_slope(cell[0] + dx, cell[1] + dy, cell[2] + dz, f[0] - T(dx),
                                            f[1] - T(dy), f[2] - T(dz));
  }
  return value * T(1.1547005383792515);  // 2 / sqrt(3)
}

}  // namespace firn

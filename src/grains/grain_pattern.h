// Where the grains of a particle start, relative to it, in spacings.
#pragma once

#include "base/random.h"
#include "base/vec.h"

namespace firn {

// Number k of points that fill the cube of edge 1 around the origin evenly, however many there are:
// multiples of powers of the root of x^(D+1) = x + 1, modulo 1. `turn` shifts all of them.
template <int D>
FIRN_INLINE Vec<float, D> even_point(std::uint32_t k, std::uint64_t turn) {
  constexpr double kRoot = D == 3 ? 1.22074408460575947536 : 1.32471795724474602596;
  Vec<float, D> r;
  double power = 1;
  for (int a = 0; a < D; ++a) {
    power /= kRoot;
    const double shift = unit_double(random_bits(turn, 1, static_cast<std::uint64_t>(a)));
    const double x = 0.5 + shift + power * (double(k) + 1);
    r[a] = static_cast<float>(x - static_cast<double>(static_cast<std::int64_t>(x)) - 0.5);
  }
  return r;
}

// GRAIN 5.12: equal numbers in the cube of a particle and in 2 D more, each a radius off along an
// axis. Places are random. Remainders go to the first ones.
template <int D>
FIRN_INLINE Vec<float, D> printed_point(std::uint32_t k, std::uint64_t turn) {
  Vec<float, D> r;
  for (int a = 0; a < D; ++a)
    r[a] = unit_float(random_bits(turn, k, static_cast<std::uint64_t>(a))) - 0.5f;
  const int cube = static_cast<int>(k % (2 * D + 1));
  if (cube > 0) r[(cube - 1) / 2] += cube % 2 == 1 ? 0.5f : -0.5f;
  return r;
}

}  // namespace firn

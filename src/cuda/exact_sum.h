// Sums of doubles that are the same in whatever order the terms come: numbers with fixed point of
// 32-bit digits, exact, each digit in 64 bits so that 2^31 terms fit before a carry.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/macros.h"

namespace firn {

// Units of 2^-1074, the smallest double; the last digits take carries.
constexpr int kExactDigits = 68;

// A number as three digits from number `first` on.
struct ExactParts {
  int first;
  unsigned long long part[3];
  bool negative;
};
// What is not finite counts as zero; a run that has it is over.
FIRN_HD inline ExactParts exact_parts(double value) {
  long long bits;
  memcpy(&bits, &value, sizeof bits);
  const int exponent = static_cast<int>(bits >> 52) & 0x7ff;
  unsigned long long mantissa = static_cast<unsigned long long>(bits) & ((1ull << 52) - 1);
  if (exponent > 0) mantissa |= 1ull << 52;
  if (exponent == 0x7ff) mantissa = 0;
  const int place = exponent > 0 && exponent < 0x7ff ? exponent - 1 : 0, shift = place % 32;
  return {place / 32,
          {mantissa << shift & 0xffffffffull, mantissa >> (32 - shift) & 0xffffffffull,
           shift == 0 ? 0 : mantissa >> (64 - shift)},
          bits < 0};
}

#ifdef __CUDACC__
__device__ inline void add_exact(unsigned long long* digits, double value) {
  const ExactParts parts = exact_parts(value);
  for (int k = 0; k < 3; ++k)
    if (parts.part[k] != 0)
      atomicAdd(digits + parts.first + k, parts.negative ? 0ull - parts.part[k] : parts.part[k]);
}
#endif

// kExactDigits of them, to the nearest double or next to it.
inline double exact_value(const unsigned long long* digits) {
  std::vector<std::int64_t> of(digits, digits + kExactDigits);
  const auto carry = [&] {
    for (int d = 0; d + 1 < kExactDigits; ++d) {
      of[d + 1] += of[d] >> 32;
      of[d] &= 0xffffffff;
    }
  };
  carry();
  const double sign = of.back() < 0 ? -1 : 1;
  if (sign < 0) {
    for (std::int64_t& digit : of) digit = -digit;
    carry();
  }
  double value = 0;
  for (int d = kExactDigits - 1; d >= 0; --d) value += std::ldexp(double(of[d]), 32 * d - 1074);
  return sign * value;
}

}  // namespace firn

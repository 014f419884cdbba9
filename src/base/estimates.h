// Quotients and inverse roots for which few digits are enough, or from which few operations make
// all of them: where sixteen lanes have instructions for that, they take a fifth of the time of
// exact ones. Elsewhere, and for double, they are exact.
#pragma once

#include "base/math.h"

namespace firn {

// 1/x to a relative error of 1e-4; x is finite, and no smaller than the smallest normal number.
template <class S>
FIRN_INLINE S rough_inverse(S x) {
  return S(1) / x;
}
// 1/sqrt(x) to a relative error of 1e-4; x as above, and positive.
template <class S>
FIRN_INLINE S rough_rsqrt(S x) {
  return rsqrt_of(x);
}
// 1/sqrt(x) but for rounding.
template <class S>
FIRN_INLINE S quick_rsqrt(S x) {
  return rsqrt_of(x);
}

#if defined(__AVX512F__) && !defined(__CUDACC__)
FIRN_HOST_INLINE Simd<float, 16> rough_inverse(Simd<float, 16> x) {
  return {__builtin_ia32_rcp14ps512_mask(x.v, x.v, 0xffff)};
}
FIRN_HOST_INLINE Simd<float, 16> rough_rsqrt(Simd<float, 16> x) {
  return {__builtin_ia32_rsqrt14ps512_mask(x.v, x.v, 0xffff)};
}
FIRN_HOST_INLINE Simd<float, 16> quick_rsqrt(Simd<float, 16> x) {
  const Simd<float, 16> y = rough_rsqrt(x), missing = Simd<float, 16>(1) - x * y * y;
  return y + Simd<float, 16>(0.5f) * y * missing;
}
FIRN_HOST_INLINE Simd<float, 32> rough_inverse(Simd<float, 32> x) {
  return {rough_inverse(x.lo), rough_inverse(x.hi)};
}
FIRN_HOST_INLINE Simd<float, 32> rough_rsqrt(Simd<float, 32> x) {
  return {rough_rsqrt(x.lo), rough_rsqrt(x.hi)};
}
FIRN_HOST_INLINE Simd<float, 32> quick_rsqrt(Simd<float, 32> x) {
  return {quick_rsqrt(x.lo), quick_rsqrt(x.hi)};
}
#endif

// Which of these a computation takes: those above,
struct UsualEstimates {
  template <class S>
  FIRN_INLINE static S inverse(S x) {
    return rough_inverse(x);
  }
  template <class S>
  FIRN_INLINE static S rsqrt(S x) {
    return rough_rsqrt(x);
  }
  template <class S>
  FIRN_INLINE static S fine_rsqrt(S x) {
    return quick_rsqrt(x);
  }
};
// or, for packs of doubles too, which then differ in their last digit from what others compute:
// dividing and taking roots is most of a decomposition.
struct QuickEstimates : UsualEstimates {
#if defined(__AVX512F__) && !defined(__CUDACC__)
  using Eight = Simd<double, 8>;
  using Sixteen = Simd<double, 16>;
  using UsualEstimates::fine_rsqrt;
  using UsualEstimates::inverse;
  using UsualEstimates::rsqrt;
  FIRN_HOST_INLINE static Eight inverse(Eight x) {
    const Eight y{__builtin_ia32_rcp14pd512_mask(x.v, x.v, 0xff)};
    return y + y * (Eight(1) - x * y);
  }
  FIRN_HOST_INLINE static Eight rsqrt(Eight x) {
    const Eight y{__builtin_ia32_rsqrt14pd512_mask(x.v, x.v, 0xff)};
    return y + Eight(0.5) * y * (Eight(1) - x * y * y);
  }
  FIRN_HOST_INLINE static Eight fine_rsqrt(Eight x) {
    const Eight y = rsqrt(x);
    return y + Eight(0.5) * y * (Eight(1) - x * y * y);
  }
  FIRN_HOST_INLINE static Sixteen inverse(Sixteen x) {
    return {inverse(x.lo), inverse(x.hi)};
  }
  FIRN_HOST_INLINE static Sixteen rsqrt(Sixteen x) {
    return {rsqrt(x.lo), rsqrt(x.hi)};
  }
  FIRN_HOST_INLINE static Sixteen fine_rsqrt(Sixteen x) {
    return {fine_rsqrt(x.lo), fine_rsqrt(x.hi)};
  }
#endif
};

}  // namespace firn

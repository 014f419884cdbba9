// How tangents of particles (implicit_particle.h) are kept in columns. Those by which solves find
// their way need not be exact: in float the derivatives by the stretches share columns, two each.
// The rest says what rigid motions are, and stays whole.
#pragma once

#include "base/half_pair.h"
#include "mpm/implicit_particle.h"
#include "particles/particle_set.h"

namespace firn {

template <class Model, class S, int D>
class TangentColumns {
  using Tangent = TangentOf<Model, S, D>;
  using T = ScalarOf<S>;

 public:
  // Viscosity comes last; models without any keep no column of zeros.
  static constexpr int kWhole = is_viscous<Model> ? Tangent::kCount : Tangent::kCount - 1;
  static constexpr int kRough = kWhole - Tangent::kByStretch / 2 * (sizeof(T) == 4 ? 1 : 0);

  // Into as many columns as there are.
  static FIRN_HOST_INLINE void store(Tangent& t, Columns<T>& to, std::uint32_t p, int n) {
    if (to.components() == kWhole)
      for_each(t, [&](int c, S& x) { x.store(to[c] + p, n); });
    else
      store_rough(t, to, p, n);
  }
  // column(c): the numbers of column c.
  template <class Column>
  static FIRN_HOST_INLINE Tangent load(bool whole, const Column& column) {
    Tangent t;
    t.viscous = S(0);
    if (whole)
      for_each(t, [&](int c, S& x) { x = column(c); });
    else
      load_rough(t, column);
    return t;
  }

 private:
  static constexpr int kFirst = Tangent::kFirstByStretch, kEnd = kFirst + Tangent::kByStretch;

  template <class F>
  static FIRN_HOST_INLINE void for_each(Tangent& t, const F& f) {
    int c = 0;
    t.for_each([&](S& x) {
      if (c < kWhole) f(c, x);
      ++c;
    });
  }
  static constexpr bool shares(int c) { return c >= kFirst && c < kEnd - (kEnd - kFirst) % 2; }
  static constexpr int place(int c) {
    return c < kFirst ? c : shares(c) ? kFirst + (c - kFirst) / 2 : c - Tangent::kByStretch / 2;
  }
  static FIRN_HOST_INLINE void store_rough(Tangent& t, Columns<T>& to, std::uint32_t p, int n) {
    if constexpr (kRough < kWhole) {
      shift_scale(t);
      S first;
      for_each(t, [&](int c, S& x) {
        if (!shares(c))
          x.store(to[place(c)] + p, n);
        else if ((c - kFirst) % 2 == 0)
          first = x;
        else
          HalfPairs<S::kWidth>::packed(first, x).store(to[place(c)] + p, n);
      });
    }
  }
  // Makes the derivatives by the stretches less than 1: W has a part in a tangent twice, so that
  // half of their scale may be in each, in whole powers of 2.
  static FIRN_HOST_INLINE void shift_scale(Tangent& t) {
    using Pairs = HalfPairs<S::kWidth>;
    using Bits = typename Pairs::Bits;
    constexpr int kDigits = 23, kBias = 127, kFarthest = 62;
    Bits largest{};
    for_each(t, [&](int c, S& x) {
      if (c >= kFirst && c < kEnd) largest = Pairs::larger(largest, Pairs::magnitude(x));
    });
    Bits power = ((largest >> kDigits) - (kBias - 2)) >> 1;
    power = Pairs::larger(power, Bits{} - kFarthest);
    power = -Pairs::larger(-power, Bits{} - kFarthest);
    const S root = std::bit_cast<S>(Bits((power + kBias) << kDigits));
    const S share = std::bit_cast<S>(Bits((kBias - 2 * power) << kDigits));
    t.W = t.W * root;
    for_each(t, [&](int c, S& x) {
      if (c >= kFirst && c < kEnd) x = x * share;
    });
  }
  template <class Column>
  static FIRN_HOST_INLINE void load_rough(Tangent& t, const Column& column) {
    if constexpr (kRough < kWhole) {
      using Pairs = HalfPairs<S::kWidth>;
      for_each(t, [&](int c, S& x) {
        const S found = column(place(c));
        x = !shares(c) ? found : (c - kFirst) % 2 == 0 ? Pairs::high(found) : Pairs::low(found);
      });
    }
  }
};

}  // namespace firn

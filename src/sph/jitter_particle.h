// Neighbours that move to and fro against each other. Gradients by sums over pairs do not see it,
// so that no stress answers, and what pairs bear feeds it where steps are long. Motion relative to
// a neighbour is damped as far as the gradients of the two do not explain it: what is linear or
// quadratic in space stays. What two give each other is opposite and equal, never more than their
// relative motion and never against it, so that momentum stays and energy only falls.
// Of one particle, or of several as lanes.
#pragma once

#include "sph/pair_scalar.h"

namespace firn {

// How much a neighbour counts: flat enough for those across a diagonal to count as well.
template <class Pair>
FIRN_INLINE auto jitter_weight(const Pair& pair) {
  using S = decltype(pair.r);
  return pair.volume * max_of(S(1) - pair.r, S(0));
}

// Gradients lie where nobody needs what is there at that time: `leading`, and in 3D `shift`.
template <int D>
inline constexpr int kGradientFours = D == 2 ? 1 : 3;

template <class T, int D>
FIRN_INLINE Four<T>* gradient_fours(const SphView<T, D>& all, int four) {
  return four < kStressFours<D> ? all.leading + four : all.shift;
}
template <int D>
FIRN_INLINE int gradient_stride(int four) {
  return four < kStressFours<D> ? kStressFours<D> : 1;
}

// How much jitter is damped, from 0 to 1: in what holds still, and in what no friction could hold,
// but not where sand flows, whose own way that would bend.
template <class S, class T, int D>
FIRN_INLINE S jitter_share(const SphContext<T>& ctx, const YieldLaw<S>& law,
                           const Mat<S, D>& gradient) {
  constexpr double kStill = 0.1;  // 1/s
  S rate2(0);
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b) rate2 = rate2 + square(gradient(a, b) + gradient(b, a));
  const S share = S(1) / (S(1) + rate2 * S(T(0.25 / (kStill * kStill)) * square(ctx.inverse_h)));
  return select(law.slope > S(0), share, S(1));
}

// The gradient of velocities that fits the neighbours' motion best, m/s a cell, and what share of
// jitter is damped, into `limit`.
template <class Pairs, class T, int D>
FIRN_INLINE void fit_gradient_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                 const Pairs& pairs, std::size_t i) {
  using S = typename Pairs::S;
  S own[4], moves[D][D];
  pairs.load(all.velocity, i, 1, own);
  SymMat<S, D> places = SymMat<S, D>::isotropic(S(0));
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b) moves[a][b] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) FIRN_INLINE_LAMBDA {
    const S weight = jitter_weight(pair);
    S there[4];
    load_lanes(all.velocity, pair.number, 1, there);
    for (int a = 0; a < D; ++a) {
      const S along = weight * pair.way[a];
      for (int b = a; b < D; ++b) places(a, b) = places(a, b) + along * pair.way[b];
      for (int b = 0; b < D; ++b) moves[b][a] = moves[b][a] + (own[b] - there[b]) * along;
    }
  });
  Mat<S, D> spread, moved;
  for (int k = 0; k < places.kSize; ++k) places.e[k] = pairs.sum(places.e[k]);
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b) {
      spread(a, b) = places(a, b);
      moved(a, b) = pairs.sum(moves[a][b]);
    }
  if (!pairs.leads()) return;
  // Neighbours in a row or a plane say nothing of what is across.
  const S least = S(T(1e-3)) * trace(places) + S(T(1e-6));
  for (int a = 0; a < D; ++a) spread(a, a) = spread(a, a) + least;
  const Mat<S, D> gradient = moved * inverse(spread);
  pairs.store(all.limit, i, jitter_share(ctx, YieldLaw<S>(pairs.law(all, i)), gradient));
  for (int four = 0; four < kGradientFours<D>; ++four) {
    S part[4];
    for (int k = 0; k < 4; ++k) {
      const int at = 4 * four + k;
      part[k] = at < D * D ? gradient.e[at / D % D][at % D] : S(0);
    }
    pairs.store(gradient_fours(all, four), i, gradient_stride<D>(four), part);
  }
}

// The sum of a particle's gradient and a neighbour's times the way from the one to the other.
template <class S, class T, int D, class Pair>
FIRN_INLINE Vec<S, D> explained_by(const SphView<T, D>& all, const Mat<S, D>& own,
                                   const Pair& pair) {
  S both[4 * kGradientFours<D>];
  for (int four = 0; four < kGradientFours<D>; ++four) {
    S part[4];
    load_lanes(gradient_fours(all, four), pair.number, gradient_stride<D>(four), part);
    for (int k = 0; k < 4; ++k) both[4 * four + k] = part[k];
  }
  Vec<S, D> sum;
  for (int a = 0; a < D; ++a) {
    sum[a] = (both[a * D] + own(a, 0)) * -pair.way[0];
    for (int b = 1; b < D; ++b) sum[a] = sum[a] - (both[a * D + b] + own(a, b)) * pair.way[b];
  }
  return sum;
}

// What damping gives is part of the velocity without stress.
template <class Pairs, class T, int D>
FIRN_INLINE void damp_jitter_of(const SphContext<T>& ctx, const SphView<T, D>& all,
                                const Pairs& pairs, std::size_t i) {
  using S = typename Pairs::S;
  S own[4], change[D];
  pairs.load(all.velocity, i, 1, own);
  Mat<S, D> gradient;
  for (int four = 0; four < kGradientFours<D>; ++four) {
    S part[4];
    pairs.load(gradient_fours(all, four), i, gradient_stride<D>(four), part);
    for (int at = 4 * four; at < D * D && at < 4 * four + 4; ++at)
      gradient.e[at / D][at % D] = part[at % 4];
  }
  for (int a = 0; a < D; ++a) change[a] = S(0);
  pairs(i, [&](const typename Pairs::Pair& pair) FIRN_INLINE_LAMBDA {
    S there[4], motion[D], along(0), motion2(T(1e-30));
    load_lanes(all.velocity, pair.number, 1, there);
    const Vec<S, D> explained = explained_by(all, gradient, pair);
    for (int a = 0; a < D; ++a) {
      motion[a] = there[a] - own[a];
      along = along + S(T(0.5)) * explained[a] * motion[a];
      motion2 = motion2 + motion[a] * motion[a];
    }
    const S left = S(1) - max_of(min_of(along / motion2, S(1)), S(0));
    const S lightness = there[3] / (there[3] + own[3]);
    const S pull = jitter_weight(pair) * gathered(all.limit, pair.number, S()) * lightness * left;
    for (int a = 0; a < D; ++a) change[a] = change[a] + pull * motion[a];
  });
  for (int a = 0; a < D; ++a) change[a] = pairs.sum(change[a]);
  if (!pairs.leads()) return;
  S free[4];
  pairs.load(all.free, i, 1, free);
  const S share = S(ctx.calm) * pairs.load(all.limit, i);
  for (int a = 0; a < D; ++a) free[a] = free[a] + share * change[a];
  pairs.store(all.free, i, 1, free);
}

}  // namespace firn

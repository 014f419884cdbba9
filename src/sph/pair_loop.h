// Sums over the neighbours of particles: of several particles at once, from their places or from
// what was kept of them; or of one.
#pragma once

#include "sph/neighbors.h"
#include "sph/pair_lanes.h"
#include "sph/pair_scalar.h"
#include "sph/smoothing.h"
#include "sph/sph_state.h"

namespace firn {

// Of some particles and a neighbour of each: from it to them in cells, and the gradient of the
// kernel times its volume.
template <class T, int D>
struct PairLanes {
  static constexpr int kWidth = kPairLanes<T>;
  using S = Simd<T, kWidth>;
  alignas(64) std::uint32_t number[kWidth];
  S way[D], r, volume, slope[D];
};

// What 1 stands for in the slopes that are kept.
template <class T>
double kept_unit(const SphContext<T>& ctx) {
  return KeptLanes<T>::kMost > 0 ? ctx.steepest / KeptLanes<T>::kMost : 1;
}

template <class Kernel, class T, int D>
class PairLoop : public ParticleLanes<T> {
 public:
  using Pair = PairLanes<T, D>;
  using S = typename Pair::S;

  PairLoop(const SphState<T, D>& state, const SphContext<T>& ctx)
      : ParticleLanes<T>(state.flat.count, state.laws.size() == 1),
        place_(state.flat.place.data()),
        lists_(state.lists),
        scale_(T(1 / ctx.norm)),
        slope_scale_(T(1 / ctx.moment)),
        kept_scale_(T(1 / kept_unit<T>(ctx))) {}

  // f(pair) for the neighbours of the particles from number i on, whose slopes are kept.
  template <class F>
  FIRN_HOST_INLINE void operator()(std::size_t i, F&& f) const {
    S here[4];
    load_lanes(place_, i, 1, here);
    const std::uint32_t* end = lists_.end(i / Pair::kWidth);
    for (const std::uint32_t* n = lists_.begin(i / Pair::kWidth); n != end; n += Pair::kWidth) {
      Pair pair;
      S there[4];
      alignas(64) std::uint32_t block[Pair::kWidth];
      for (int k = 0; k < Pair::kWidth; ++k) {
        pair.number[k] = Neighbor::number(n[k]);
        block[k] = static_cast<std::uint32_t>(Neighbor::block(n[k]));
      }
      load_lanes(place_, pair.number, 1, there);
      S r2 = S(T(kSamePlace * kSamePlace));
      for (int a = 0; a < D; ++a) {
        pair.way[a] = (here[a] - there[a]) - lists_.offset(a).of(block, S());
        r2 = r2 + pair.way[a] * pair.way[a];
      }
      const S inverse = inverse_root(r2);
      pair.r = r2 * inverse;
      pair.volume = there[3] * S(scale_);
      const S slope = S(slope_scale_) * Kernel::slope_over_r(pair.r, inverse);
      typename NeighborLists<T, D>::Kept* kept = lists_.slopes(n);
      for (int a = 0; a < D; ++a) {
        const S along = slope * pair.way[a];
        KeptLanes<T>::store(kept + a * Pair::kWidth, along * S(kept_scale_));
        pair.slope[a] = along * pair.volume;
      }
      f(pair);
    }
  }

 private:
  const Four<T>* place_;
  const NeighborLists<T, D>& lists_;
  T scale_, slope_scale_, kept_scale_;
};

// Of some particles and a neighbour of each, what iterations need.
template <class T, int D>
struct SlopeLanes {
  static constexpr int kWidth = kPairLanes<T>;
  using S = Simd<T, kWidth>;
  alignas(64) std::uint32_t number[kWidth];
  S slope[D];
};

// The same sums by the slopes that a PairLoop has kept.
template <class T, int D>
class SlopeLoop : public ParticleLanes<T> {
 public:
  using Pair = SlopeLanes<T, D>;
  using S = typename Pair::S;

  SlopeLoop(const SphState<T, D>& state, const SphContext<T>& ctx)
      : ParticleLanes<T>(state.flat.count, state.laws.size() == 1),
        place_(state.flat.place.data()),
        lists_(state.lists),
        even_(state.flat.even_volume),
        scale_(T(kept_unit<T>(ctx) / ctx.norm)),
        volume_(place_[0][3] * scale_) {}

  template <class F>
  FIRN_HOST_INLINE void operator()(std::size_t i, F&& f) const {
    const std::uint32_t* end = lists_.end(i / Pair::kWidth);
    for (const std::uint32_t* n = lists_.begin(i / Pair::kWidth); n != end; n += Pair::kWidth) {
      Pair pair;
      for (int k = 0; k < Pair::kWidth; ++k) pair.number[k] = Neighbor::number(n[k]);
      S volume(volume_);
      if (!even_) {
        S there[4];
        load_lanes(place_, pair.number, 1, there);
        volume = there[3] * S(scale_);
      }
      const typename NeighborLists<T, D>::Kept* kept = lists_.slopes(n);
      for (int a = 0; a < D; ++a)
        pair.slope[a] = KeptLanes<T>::load(kept + a * Pair::kWidth) * volume;
      f(pair);
    }
  }

 private:
  const Four<T>* place_;
  const NeighborLists<T, D>& lists_;
  bool even_;
  T scale_, volume_;
};

// The same as PairLoop for one particle, where few ask.
template <class Kernel, class T, int D>
class SinglePairLoop : public OneParticle<T> {
 public:
  using Pair = ScalarPair<T, D>;

  SinglePairLoop(const SphState<T, D>& state, const SphContext<T>& ctx)
      : place_(state.flat.place.data()),
        lists_(state.lists),
        scale_(T(1 / ctx.norm)),
        slope_scale_(T(1 / ctx.moment)) {}

  template <class F>
  FIRN_HOST_INLINE void operator()(std::size_t i, F&& f) const {
    constexpr int kWidth = kPairLanes<T>;
    const Four<T> here = place_[i];
    const std::uint32_t* end = lists_.end(i / kWidth) + i % kWidth;
    for (const std::uint32_t* n = lists_.begin(i / kWidth) + i % kWidth; n != end; n += kWidth) {
      Pair pair;
      pair.number[0] = Neighbor::number(*n);
      const Four<T> there = place_[pair.number[0]];
      if (!(there[3] > 0)) break;  // what fills up the list
      T r2 = T(kSamePlace * kSamePlace);
      for (int a = 0; a < D; ++a) {
        pair.way[a] = (here[a] - there[a]) - lists_.offset(a).value[Neighbor::block(*n)];
        r2 += pair.way[a] * pair.way[a];
      }
      pair.r = sqrt_of(r2);
      pair.volume = there[3] * scale_;
      for (int a = 0; a < D; ++a)
        pair.slope[a] = pair.volume * slope_scale_ * slope_over_r(Kernel(), pair.r) * pair.way[a];
      f(pair);
    }
  }
  FIRN_HOST_INLINE T sum(T x) const { return x; }
  FIRN_HOST_INLINE T largest(T x) const { return x; }
  FIRN_HOST_INLINE static constexpr bool leads() { return true; }

 private:
  const Four<T>* place_;
  const NeighborLists<T, D>& lists_;
  T scale_, slope_scale_;
};

}  // namespace firn

// Sums over the neighbours of a particle, a few of them at once.
#pragma once

#include "sph/neighbors.h"
#include "sph/pair_lanes.h"
#include "sph/smoothing.h"

namespace firn {

// Of one particle and some neighbours: from them to it in cells, and V W' / r of each, so that the
// gradient of the kernel times the volume is pull * way.
template <class T, int D>
struct PairLanes {
  static constexpr int kWidth = kPairLanes<T>;
  using S = Simd<T, kWidth>;
  alignas(64) std::uint32_t number[kWidth];
  S way[D], pull, r, volume;
};

template <class Kernel, class T, int D>
class PairLoop {
 public:
  using Pair = PairLanes<T, D>;
  using S = typename Pair::S;

  PairLoop(const FlatParticles<T, D>& flat, const NeighborLists<T, D>& lists,
           const SphContext<T>& ctx)
      : place_(flat.place.data()),
        lists_(lists),
        scale_(T(1 / ctx.norm)),
        slope_scale_(T(1 / ctx.moment)) {}

  // f(pair) for the neighbours of particle i, some after some.
  template <class F>
  FIRN_HOST_INLINE void operator()(std::size_t i, F&& f) const {
    const Four<T> here = place_[i];
    const std::uint32_t* end = lists_.end(i);
    for (const std::uint32_t* n = lists_.begin(i); n != end; n += Pair::kWidth) {
      Pair pair;
      S there[4];
      alignas(64) std::uint32_t block[Pair::kWidth];
      for (int k = 0; k < Pair::kWidth; ++k) {
        pair.number[k] = Neighbor::number(n[k]);
        block[k] = static_cast<std::uint32_t>(Neighbor::block(n[k]));
      }
      load_lanes(place_, pair.number, 1, there);
      S r2 = S(T(1e-24));
      for (int a = 0; a < D; ++a) {
        pair.way[a] = (S(here[a]) - there[a]) - lists_.offset(a).of(block, S());
        r2 = r2 + pair.way[a] * pair.way[a];
      }
      pair.r = sqrt_of(r2);
      pair.volume = there[3] * S(scale_);
      pair.pull = pair.volume * S(slope_scale_) * Kernel::slope_over_r(pair.r);
      f(pair);
    }
  }

  // Of what the lanes of a particle found; the one who puts it to use.
  FIRN_HOST_INLINE T sum(const S& lanes) const { return sum_of_lanes(lanes); }
  FIRN_HOST_INLINE T largest(const S& lanes) const {
    T most = lanes[0];
    for (int k = 1; k < Pair::kWidth; ++k) most = max_of(most, lanes[k]);
    return most;
  }
  FIRN_HOST_INLINE static constexpr bool leads() { return true; }

 private:
  const Four<T>* place_;
  const NeighborLists<T, D>& lists_;
  T scale_, slope_scale_;
};

}  // namespace firn

#include "sph/shift.h"

#include <algorithm>

#include "sph/pair_loop.h"
#include "sph/shift_loop.h"

namespace firn {
namespace {

struct OverParticles {
  std::size_t count, stride;

  template <class Sums, class F>
  Sums sum(F&& f) const {
    return sum_over_particles<Sums>("shift", count, stride, f);
  }
  template <class F>
  void for_all(F&& f) const {
    sum<NoSums>([&](std::size_t i, NoSums&) { f(i); });
  }
};

}  // namespace

template <class T, int D>
int find_shift(const SphContext<T>& ctx, SphState<T, D>& state) {
  const SphView<T, D> all = state.view();
  const SlopeLoop<T, D> pairs(state, ctx);
  const OverParticles loop{all.count, pairs.kWidth};
  return run_shift_loop(loop, ctx, all, pairs, std::max<double>(1, double(all.count)));
}

#define FIRN_INSTANTIATE(T, D) template int find_shift<T, D>(const SphContext<T>&, SphState<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn

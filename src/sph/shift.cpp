#include "sph/shift.h"

#include <algorithm>

#include "sph/momentum_steps.h"
#include "sph/pair_loop.h"

namespace firn {
namespace {

struct ShiftSums {
  double left = 0, against = 0;

  void add(const ShiftSums& o) {
    left += o.left;
    against += o.against;
  }
};

template <class Kernel, class T, int D>
class ShiftLoop {
  using S = typename PairLanes<T, D>::S;

 public:
  ShiftLoop(const SphContext<T>& ctx, SphState<T, D>& state)
      : ctx_(ctx), state_(state), pairs_(state.flat, state.lists, ctx.norm) {}

  // Compression after the step, in place of that before it; the mean of what is too much.
  double predict() {
    const Four<T>* velocity = state_.flat.velocity.data();
    return sum_over_particles<ShiftSums>("predict density", state_.flat.count,
                                         [&](std::size_t i, ShiftSums& sums) {
                                           T& now = state_.compression[i];
                                           now += ctx_.dt * rate(velocity, i, true);
                                           state_.pressure[i] = state_.leading[i] = T(0);
                                           sums.left += max_of(double(now), 0.0);
                                         })
        .left;
  }
  void find_shifts() {
    sum_over_particles<NoSums>("shift", state_.flat.count,
                               [&](std::size_t i, NoSums&) { find_one(i); });
  }
  ShiftSums improve(double ahead) {
    const Four<T>* shift = state_.shift.data();
    return sum_over_particles<ShiftSums>(
        "pressure of the shift", state_.flat.count, [&](std::size_t i, ShiftSums& sums) {
          const T wanted = min_of(state_.compression[i] / ctx_.dt, T(kFastest));
          const T excess = wanted + rate(shift, i, false);
          const T looked = state_.leading[i], before = state_.pressure[i];
          const T now = max_of(looked + ctx_.relaxation * excess / state_.diagonal[i], T(0));
          state_.pressure[i] = now;
          state_.leading[i] = now + T(ahead) * (now - before);
          sums.left += max_of(double(excess * ctx_.dt), 0.0);
          sums.against += double(state_.diagonal[i] * (now - before) * (looked - now));
        });
  }

 private:
  // Share of its volume that a particle may grow by in a second. What moves faster changes forces
  // between neighbours by more than the next step makes up for.
  static constexpr double kFastest = 0.5;

  // Compression by velocities, 1/s. Bodies move but the shift is along them.
  T rate(const Four<T>* velocity, std::size_t i, bool bodies_move) const {
    const Four<T> own = velocity[i];
    S sum(0);
    pairs_(i, [&](const PairLanes<T, D>& pair) {
      S there[4];
      load_lanes(velocity, pair.number, 1, there);
      for (int a = 0; a < D; ++a) sum = sum + (S(own[a]) - there[a]) * pair.pull * pair.way[a];
    });
    T total = sum_of_lanes(sum);
    const WallContact<T, D>* walls = state_.walls.of(i);
    for (int k = 0; k < state_.walls.count(i); ++k)
      for (int a = 0; a < D; ++a)
        total -= walls[k].push * walls[k].contact.normal[a] *
                 (own[a] - (bodies_move ? walls[k].contact.v_body[a] : T(0)));
    return total * ctx_.inverse_h;
  }
  void find_one(std::size_t i) {
    const T* leading = state_.leading.data();
    const T own = leading[i];
    S force[D];
    for (int a = 0; a < D; ++a) force[a] = S(0);
    pairs_(i, [&](const PairLanes<T, D>& pair) {
      S there;
      for (int k = 0; k < PairLanes<T, D>::kWidth; ++k) there.set(k, leading[pair.number[k]]);
      const S both = (there + S(own)) * pair.pull;
      for (int a = 0; a < D; ++a) force[a] = force[a] - both * pair.way[a];
    });
    const T lightness = ctx_.dt * ctx_.inverse_h / state_.flat.velocity[i][3];
    const WallContact<T, D>* walls = state_.walls.of(i);
    Vec<T, D> v;
    for (int a = 0; a < D; ++a) v[a] = lightness * sum_of_lanes(force[a]);
    for (int k = 0; k < state_.walls.count(i); ++k)
      v += walls[k].contact.normal * (own * lightness * walls[k].push);
    for (int k = 0; k < state_.walls.count(i); ++k) {
      const Contact<T, D>& c = walls[k].contact;
      T gap = c.phi / ctx_.dt;  // m/s that are left after the step
      for (int a = 0; a < D; ++a) gap += (state_.flat.velocity[i][a] - c.v_body[a]) * c.normal[a];
      const T into = -dot(v, c.normal) - max_of(gap, T(0));
      if (into > 0) v += c.normal * into;
    }
    for (int a = 0; a < D; ++a) state_.shift[i][a] = v[a];
  }

  const SphContext<T>& ctx_;
  SphState<T, D>& state_;
  PairLoop<Kernel, T, D> pairs_;
};

}  // namespace

template <class T, int D>
int find_shift(const SphContext<T>& ctx, SmoothingKind kernel, SphState<T, D>& state) {
  constexpr int kMost = 20;
  const double count = std::max<double>(1, double(state.flat.count));
  for (std::size_t i = 0; i <= state.flat.count; ++i) state.shift[i] = {};
  state.leading[state.flat.count] = T(0);
  return with_smoothing<D>(kernel, [&](auto chosen) {
    ShiftLoop<decltype(chosen), T, D> loop(ctx, state);
    if (loop.predict() / count <= ctx.tolerance) return 0;
    MomentumSteps momentum;
    double against = 0;
    int iterations = 0;
    while (iterations < kMost) {
      loop.find_shifts();
      const ShiftSums sums = loop.improve(momentum.next(against));
      against = sums.against;
      ++iterations;
      if (sums.left / count <= ctx.tolerance / 2) break;
    }
    return iterations;
  });
}

#define FIRN_INSTANTIATE(T, D) \
  template int find_shift<T, D>(const SphContext<T>&, SmoothingKind, SphState<T, D>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn

// States and differences that the tests of first and second derivatives share.
#pragma once

#include <algorithm>
#include <functional>

#include "material/derivatives.h"
#include "material/elastic_law.h"
#include "material_common.h"

namespace firn::testing {

template <class Model>
typename Model::Parameters parameters_for_derivatives() {
  auto p = unyielding_parameters<Model>();
  if constexpr (!Model::kHasF) p.det_max = 100;
  return p;
}

// Scalars that matter to the elastic law, at values that do.
template <class Model, int D>
MaterialState<double, D, Model::kScalars> state_for_derivatives() {
  auto state = initial_state<Model, D>();
  if constexpr (std::is_same_v<Model, Snow>) state.scalar[0] = 0.95;
  if constexpr (std::is_same_v<Model, VonMises>) state.scalar[1] = D == 2 ? 0.05 : 0;
  return state;
}

template <class Model, int D, class S = double>
ElasticLaw<Model, S> law_of(
    const typename Model::Parameters& p = parameters_for_derivatives<Model>()) {
  const auto from = state_for_derivatives<Model, D>();
  MaterialState<S, D, Model::kScalars> state{};
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = S(ScalarOf<S>(from.scalar[k]));
  return ElasticLaw<Model, S>::of(Model::template constants<S, D>(p, S(1)), state);
}

template <int D>
Vec<double, D> descending(Vec<double, D> s) {
  std::sort(s.e, s.e + D, [](double a, double b) { return std::abs(a) > std::abs(b); });
  return s;
}

constexpr int kStretchKinds = 12;

// Generic; two or all nearly equal, by 1e-3, 1e-6, 1e-9, 0; nearly at rest; strongly stretched;
// nearly flat, flat, inverted. In the order of singular values.
template <int D>
Vec<double, D> stretches_of_kind(Random& random, int kind) {
  constexpr double kGaps[] = {1e-3, 1e-6, 1e-9, 0};
  Vec<double, D> s = random_stretches<D>(random, 0.6, 1.8);
  if (kind >= 1 && kind <= 4) {
    s[1] = s[0] + kGaps[kind - 1];
    if (D == 3 && random() % 2) s[2] = s[0] - kGaps[kind - 1] * uniform(random, 0, 1);
  }
  if (kind == 5) s = random_stretches<D>(random, 1 - 1e-4, 1 + 1e-4);
  if (kind == 6) s = Vec<double, D>::fill(1);
  if (kind == 7)
    for (int i = 0; i < D; ++i) s[i] = std::pow(10.0, uniform(random, -1, 1));
  if (kind == 8) s[0] = uniform(random, 2e-3, 1e-2);
  if (kind == 9) s[0] = 0;
  if (kind == 10) s[0] = -uniform(random, 0.05, 0.4);
  if (kind == 11) s[0] = -0.9 * std::min(s[1], s[D - 1]);
  return descending(s);
}

// How far F may change before the law has a singularity.
template <int D, class Law>
double reach(const Law& law, const Vec<double, D>& s) {
  Vec<double, D> inverted = Vec<double, D>::fill(1);
  inverted[D - 1] = -1;
  return law.admissible(inverted) ? std::min(1.0, s[D - 1] + s[D - 2]) : s[D - 1];
}

// f'(0) to the fourth order.
template <class F>
auto fourth_order_slope(const F& f, double step) {
  return ((f(step) - f(-step)) * 8.0 - (f(2 * step) - f(-2 * step))) * (1 / (12 * step));
}

// Calls f(law, F, step of differences, kind) for many states that the law admits.
template <class Model, int D, class F>
void for_admissible_states(int count, const F& f) {
  Random random(7);
  const auto law = law_of<Model, D>();
  for (int n = 0; n < count * kStretchKinds; ++n) {
    const Vec<double, D> s = stretches_of_kind<D>(random, n % kStretchKinds);
    const Mat<double, D> state = with_stretches<D>(random, s);
    const double step = 4e-4 * reach(law, s);
    if (law.admissible(s) && step > 1e-7) f(law, state, step, n % kStretchKinds);
  }
}

// One copy for all calls: they compile slowly.
template <class S, int D, class Law>
__attribute__((noinline)) StressDerivative<S, D> derivative_at(const Law& law, const Mat<S, D>& F,
                                                               bool clamped = false) {
  return stress_derivative(law, F, clamped);
}
template <class S, int D>
__attribute__((noinline)) Mat<S, D> applied(const StressDerivative<S, D>& at, const Mat<S, D>& dF) {
  return at.apply(dF);
}
template <int D, class Law>
__attribute__((noinline)) double energy_at(const Law& law, const Mat<double, D>& F) {
  return law.energy(svd(F).s);
}

template <class S>
double last_lane(const S& x) {
  if constexpr (ScalarTraits<S>::kWidth > 1)
    return static_cast<double>(x[ScalarTraits<S>::kWidth - 1]);
  else
    return static_cast<double>(x);
}

template <int D>
Mat<double, D> unit_matrix(int k) {
  Mat<double, D> r = Mat<double, D>::zero();
  r(k / D, k % D) = 1;
  return r;
}

template <int D>
double largest_stiffness(const StressDerivative<double, D>& at) {
  double r = 0;
  for (int k = 0; k < D * D; ++k) r = std::max(r, largest_entry(applied(at, unit_matrix<D>(k))));
  return r;
}

// No eigenvalue below -noise, where a negative one asks for a margin of the D x D block.
template <int D>
bool blocks_positive(const StretchDerivatives<double, D>& d, double noise) {
  SymMat<double, D> second;
  for (int i = 0; i < D; ++i)
    for (int j = i; j < D; ++j) second(i, j) = d.second(i, j);
  const Vec<double, D> values = spectrum(second).eigenvalue;
  const double pair_noise = std::max(noise, 0.0);
  bool r = true;
  for (int i = 0; i < D; ++i) r = r && values[i] >= -noise;
  for (int k = 0; k < d.kPairs; ++k)
    r = r && d.difference[k] >= -pair_noise && d.sum[k] >= -pair_noise;
  return r;
}

}  // namespace firn::testing

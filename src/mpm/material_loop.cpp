#include "mpm/material_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/lane_ops.h"
#include "mpm/advance_material.h"
#include "mpm/material_columns.h"
#include "mpm/porous_particle.h"

namespace firn {
namespace {

// What the lanes of an update found.
template <class S>
struct LaneReport {
  S max_signal = S(0), max_speed2 = S(0), plastic = S(0);
  std::int64_t first_bad = -1;  // the first particle whose state is not finite
};

// A pressure alone is one number; the stress of a viscous fluid needs all its entries.
template <class Model, class S, int D, class T>
FIRN_HOST_INLINE void store_stress(const SymMat<S, D>& told, S viscosity, const Mat<S, D>& rate,
                                   const MaterialState<S, D, Model::kScalars>& state,
                                   const UpdateColumns<Model, T, D>& columns, std::size_t p) {
  if (Model::kIsotropicStress && columns.one_stress) {
    told.e[0].store(columns.stress[0] + p);
    return;
  }
  const SymMat<S, D> tau = whole_stress<Model, S, D>(told, viscosity, rate, state);
  for (int k = 0; k < SymMat<S, D>::kSize; ++k) tau.e[k].store(columns.stress[k] + p);
}

// Wave speed and particle speed, m/s, from M V / sqrt(M V m) = sqrt(M V / m) and v^2 / sqrt(v^2).
// They only bound the next dt, for which an estimate of the roots is good enough.
template <class Model, class S, int D, class T>
FIRN_HOST_INLINE void measure_speeds(S wave_modulus, const UpdateColumns<Model, T, D>& columns,
                                     std::size_t p, LaneReport<S>& report) {
  const S tiny(T(1e-30));
  S speed2 = tiny;
  for (int a = 0; a < D; ++a) speed2 += square(S::load(columns.velocity[a] + p));
  const S force = wave_modulus * S::load(columns.volume + p);
  const S wave = force * rsqrt_estimate(force * S::load(columns.mass + p) + tiny);
  const S signal = wave + speed2 * rsqrt_estimate(speed2);
  const auto sane = signal < S(T(1e15));  // false for NaN as well
  if (any(!sane) && report.first_bad < 0)
    for (int l = ScalarTraits<S>::kWidth - 1; l >= 0; --l)
      if (!sane[l]) report.first_bad = static_cast<std::int64_t>(p) + l;
  report.max_signal = max_of(report.max_signal, signal);
  report.max_speed2 = max_of(report.max_speed2, speed2);
}

// Packs [0, count) of the columns. Lanes are independent of each other. kLoose: there are loose
// particles.
template <bool kLoose, template <class, class, int> class Source, class Model, class T, int D>
LaneReport<Simd<T, kModelLanes<Model>>> update_simds(const MaterialSet<T, D>& set, T dt_value,
                                                     const UpdateColumns<Model, T, D>& columns,
                                                     std::size_t count, bool damps) {
  constexpr int W = kModelLanes<Model>;
  using S = Simd<T, W>;
  Source<Model, S, D> model(set, columns);
  const S dt(dt_value);
  LaneReport<S> report;
  for (std::size_t p = 0; p < count * W; p += W) {
    Mat<S, D> rate;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) rate(i, j) = S::load(columns.rate[i * D + j] + p);
    MaterialState<S, D, Model::kScalars> state;
    for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = S::load(columns.scalar[k] + p);
    if constexpr (Model::kHasF)
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) state.F(i, j) = S::load(columns.gradient[i * D + j] + p);
    S source(0);
    if (kSources<Model> && columns.source) source = S::load(columns.source + p);
    if (kSwells<Model> && columns.swelling) swell_instead(S::load(columns.swelling + p), rate);
    model.load(p);
    const auto stiffened = model.constants.stiffened(S::load(columns.stiffness + p));
    if constexpr (kLoose) {
      S dilation = S::load(columns.dilation + p);
      use_dilation<Model, S, D>(dt, dilation, rate, source, state);
      dilation.store(columns.dilation + p);
    }
    const StressUpdate<S, D> update =
        advance_material<Model, S, D>(stiffened, dt, rate, source, state, damps);
    if constexpr (Model::kHasF)
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) state.F(i, j).store(columns.gradient[i * D + j] + p);
    for (int k = 0; k < Model::kScalars; ++k) state.scalar[k].store(columns.scalar[k] + p);
    store_stress<Model, S, D, T>(update.tau, model.viscosity, rate, state, columns, p);
    report.plastic += update.plastic;
    measure_speeds<Model, S, D, T>(update.wave_modulus, columns, p, report);
  }
  return report;
}

template <class Model, class T, int D>
LaneReport<Simd<T, kModelLanes<Model>>> update_simds(const MaterialSet<T, D>& set, T dt,
                                                     const UpdateColumns<Model, T, D>& columns,
                                                     std::size_t count, bool damps) {
  if (columns.varied_count > 0)
    return columns.dilation ? update_simds<true, VariedConstants>(set, dt, columns, count, damps)
                            : update_simds<false, VariedConstants>(set, dt, columns, count, damps);
  return columns.dilation ? update_simds<true, SameConstants>(set, dt, columns, count, damps)
                          : update_simds<false, SameConstants>(set, dt, columns, count, damps);
}

template <class S>
void add_lanes(const LaneReport<S>& lanes, int n, std::uint32_t first, MaterialReport& report) {
  report.max_signal = std::max(report.max_signal, double(max_lane(lanes.max_signal)));
  report.max_speed = std::max(report.max_speed, std::sqrt(double(max_lane(lanes.max_speed2))));
  for (int l = 0; l < n; ++l) report.plastic += static_cast<std::size_t>(lanes.plastic[l]);
  if (lanes.first_bad >= 0 && report.bad < 0) report.bad = first + lanes.first_bad;
}

// The last n < W particles go through a copy whose columns are filled up with the last of them.
template <class Model, class T, int D>
void update_rest(const MaterialSet<T, D>& set, T dt, UpdateColumns<Model, T, D> columns,
                 std::uint32_t first, int n, bool damps, MaterialReport& report) {
  constexpr int W = kModelLanes<Model>,
                kMost = 2 * D * D + D + 6 + Model::kScalars + D * (D + 1) / 2 + kMostNumbers;
  T copy[kMost][W];
  T* original[kMost];
  int used = 0;
  columns.for_each([&](auto& column) {
    original[used] = const_cast<T*>(column);
    for (int l = 0; l < W; ++l) copy[used][l] = column[l < n ? l : n - 1];
    column = copy[used++];
  });
  add_lanes(update_simds<Model, T, D>(set, dt, columns, 1, damps), n, first, report);
  for (int c = 0; c < used; ++c) std::copy(copy[c], copy[c] + n, original[c]);
}

template <class Model, class T, int D>
MaterialReport update_model(MaterialSet<T, D>& set, T dt, const T* const* rate_columns,
                            std::uint32_t begin, std::uint32_t end, bool damps) {
  constexpr std::uint32_t W = kModelLanes<Model>;
  UpdateColumns<Model, T, D> columns(rate_columns, set.particles, begin);
  const std::uint32_t simds = (end - begin) / W;
  MaterialReport report;
  add_lanes(update_simds<Model, T, D>(set, dt, columns, simds, damps), W, begin, report);
  if (const std::uint32_t rest = (end - begin) % W; rest > 0) {
    columns.for_each([&](auto& column) { column += simds * W; });
    update_rest<Model, T, D>(set, dt, columns, end - rest, static_cast<int>(rest), damps, report);
  }
  return report;
}

}  // namespace

template <class T, int D>
MaterialUpdate<T, D> material_loop(const ModelParameters& parameters) {
  return visit_model(static_cast<int>(parameters.index()), [](auto tag) -> MaterialUpdate<T, D> {
    return &update_model<typename decltype(tag)::type, T, D>;
  });
}

template <int D>
SetLayout set_layout(const ModelParameters& parameters) {
  return visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    const auto& model = std::get<typename Model::Parameters>(parameters);
    SetLayout layout;
    const bool one = Model::kIsotropicStress && !(viscosity_of<Model>(model) > 0);
    layout.declare(column::affine, D * D)
        .declare(column::gradient, Model::kHasF ? D * D : 0)
        .declare(column::stress, one ? 1 : SymMat<double, D>::kSize)
        .declare(column::scalar, Model::kScalars)
        .declare(column::source, Model::kHasF ? 0 : 1)
        .declare(column::dilation, 0)
        .declare(column::stiffness, 1);
    return layout;
  });
}

template SetLayout set_layout<2>(const ModelParameters&);
template SetLayout set_layout<3>(const ModelParameters&);
#define FIRN_INSTANTIATE(T, D) \
  template MaterialUpdate<T, D> material_loop<T, D>(const ModelParameters&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn

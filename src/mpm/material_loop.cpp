#include "mpm/material_loop.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/lane_ops.h"
#include "mpm/advance_material.h"
#include "mpm/porous_particle.h"

namespace firn {
namespace {

// Chains of dependent operations (logarithms, power laws, roots) are long and the processor looks
// ahead by about one SIMD vector of four: twice the lanes hide them.
template <class Model>
constexpr int kModelLanes = 8;

// Models whose volume may have a source.
template <class Model>
constexpr bool kSources = !Model::kHasF || keeps_dilation<Model>;

// Models that may be the fluid of a mixture.
template <class Model>
constexpr bool kSwells = !Model::kHasF;

// The columns that an update touches, each from the first particle of a range on.
template <class Model, class T, int D>
struct UpdateColumns {
  static constexpr int kGradient = Model::kHasF ? D * D : 0;
  static constexpr int kStress = SymMat<T, D>::kSize;

  const T* rate[D * D];
  const T* velocity[D];
  const T *mass, *volume, *stiffness;
  const T* source;    // null: none
  const T* swelling;  // of a fluid in a mixture, in the place of the trace of the rate; null: none
  T* dilation;        // null: no particle is loose
  int varied_count;
  const T* varied[kMostNumbers];
  T* gradient[kGradient + 1];
  T* scalar[Model::kScalars + 1];
  T* stress[kStress];
  bool one_stress;  // an isotropic stress is stored as one number

  UpdateColumns(const T* const* rate_columns, ParticleSet<T, D>& set, std::uint32_t begin)
      : mass(set.mass[0] + begin),
        volume(stressed_volume(set)[0] + begin),
        stiffness(set[column::stiffness][0] + begin),
        source(set[column::source].components() > 0 ? set[column::source][0] + begin : nullptr),
        swelling(set[column::swelling].components() > 0 ? set[column::swelling][0] + begin
                                                        : nullptr),
        dilation(set[column::dilation].components() > 0 ? set[column::dilation][0] + begin
                                                        : nullptr),
        varied_count(set[column::varied].components()),
        one_stress(set[column::stress].components() == 1) {
    for (int k = 0; k < varied_count; ++k) varied[k] = set[column::varied][k] + begin;
    for (int k = 0; k < D * D; ++k) rate[k] = rate_columns[k];
    for (int a = 0; a < D; ++a) velocity[a] = set.velocity[a] + begin;
    for (int k = 0; k < kGradient; ++k) gradient[k] = set[column::gradient][k] + begin;
    for (int k = 0; k < Model::kScalars; ++k) scalar[k] = set[column::scalar][k] + begin;
    for (int k = 0; k < set[column::stress].components(); ++k)
      stress[k] = set[column::stress][k] + begin;
  }
  // f(column) for each of them.
  template <class F>
  void for_each(F&& f) {
    for (auto& column : rate) f(column);
    for (auto& column : velocity) f(column);
    f(mass);
    f(volume);
    f(stiffness);
    if (source) f(source);
    if (swelling) f(swelling);
    if (dilation) f(dilation);
    for (int k = 0; k < varied_count; ++k) f(varied[k]);
    for (int k = 0; k < kGradient; ++k) f(gradient[k]);
    for (int k = 0; k < Model::kScalars; ++k) f(scalar[k]);
    for (int k = 0; k < (one_stress ? 1 : kStress); ++k) f(stress[k]);
  }
};

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

// Constants of all particles alike, made once.
template <class Model, class S, int D>
struct SameConstants {
  using T = ScalarOf<S>;
  const typename Model::template Constants<S> constants;
  const S viscosity;

  SameConstants(const MaterialSet<T, D>& set, const UpdateColumns<Model, T, D>&)
      : SameConstants(std::get<typename Model::Parameters>(set.parameters)) {}
  explicit SameConstants(const typename Model::Parameters& model)
      : constants(Model::template constants<S, D>(model, S(1))),
        viscosity(T(viscosity_of<Model>(model))) {}
  FIRN_HOST_INLINE void load(std::size_t) {}
};

// Constants from parameters that particles have their own values of.
template <class Model, class S, int D>
struct VariedConstants {
  using T = ScalarOf<S>;
  typename Model::template ParametersOf<S> parameters;
  const UpdateColumns<Model, T, D>& columns;
  S* target[kMostNumbers];
  typename Model::template Constants<S> constants;
  S viscosity;

  VariedConstants(const VariedConstants&) = delete;  // it points into itself
  VariedConstants(const MaterialSet<T, D>& set, const UpdateColumns<Model, T, D>& from)
      : parameters(
            spread_parameters<Model, S>(std::get<typename Model::Parameters>(set.parameters))),
        columns(from) {
    S* number[kMostNumbers];
    find_numbers(parameters, number);
    settle_moduli(set);
    for (int k = 0; k < columns.varied_count; ++k) target[k] = number[set.varied[k].number];
  }
  // Moduli that do not vary are turned into Lame's constants once.
  void settle_moduli(const MaterialSet<T, D>& set) {
    const auto& same = std::get<typename Model::Parameters>(set.parameters);
    if constexpr (requires { same.given_mu; }) {
      double* number[kMostNumbers];
      auto copy = same;
      find_numbers(copy, number);
      const double* const moduli[] = {&copy.given_mu, &copy.given_lambda, &copy.youngs_modulus,
                                      &copy.poisson_ratio};
      for (const VariedParameter& varied : set.varied)
        for (const double* modulus : moduli)
          if (number[varied.number] == modulus) return;
      parameters.given_mu = S(T(same.mu()));
      parameters.given_lambda = S(T(same.lambda()));
    }
  }
  // From what was loaded last: neighbours are often alike.
  FIRN_HOST_INLINE bool differs(std::size_t p) const {
    auto other = S(0) > S(0);
    for (int k = 0; k < columns.varied_count; ++k) {
      const S value = S::load(columns.varied[k] + p);
      other = other | (value < *target[k]) | (value > *target[k]);
    }
    return any(other);
  }
  FIRN_HOST_INLINE void load(std::size_t p) {
    if (p > 0 && !differs(p)) return;
    for (int k = 0; k < columns.varied_count; ++k) *target[k] = S::load(columns.varied[k] + p);
    constants = Model::template constants<S, D>(parameters, S(1));
    viscosity = viscosity_of<Model, S>(parameters);
  }
};

// Packs [0, count) of the columns. Lanes are independent of each other. kLoose: there are loose
// particles.
template <bool kLoose, template <class, class, int> class Source, class Model, class T, int D>
LaneReport<Simd<T, kModelLanes<Model>>> update_simds(const MaterialSet<T, D>& set, T dt_value,
                                                     const UpdateColumns<Model, T, D>& columns,
                                                     std::size_t count) {
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
        advance_material<Model, S, D>(stiffened, dt, rate, source, state);
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
                                                     std::size_t count) {
  if (columns.varied_count > 0)
    return columns.dilation ? update_simds<true, VariedConstants>(set, dt, columns, count)
                            : update_simds<false, VariedConstants>(set, dt, columns, count);
  return columns.dilation ? update_simds<true, SameConstants>(set, dt, columns, count)
                          : update_simds<false, SameConstants>(set, dt, columns, count);
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
                 std::uint32_t first, int n, MaterialReport& report) {
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
  add_lanes(update_simds<Model, T, D>(set, dt, columns, 1), n, first, report);
  for (int c = 0; c < used; ++c) std::copy(copy[c], copy[c] + n, original[c]);
}

template <class Model, class T, int D>
MaterialReport update_model(MaterialSet<T, D>& set, T dt, const T* const* rate_columns,
                            std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint32_t W = kModelLanes<Model>;
  UpdateColumns<Model, T, D> columns(rate_columns, set.particles, begin);
  const std::uint32_t simds = (end - begin) / W;
  MaterialReport report;
  add_lanes(update_simds<Model, T, D>(set, dt, columns, simds), W, begin, report);
  if (const std::uint32_t rest = (end - begin) % W; rest > 0) {
    columns.for_each([&](auto& column) { column += simds * W; });
    update_rest<Model, T, D>(set, dt, columns, end - rest, static_cast<int>(rest), report);
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

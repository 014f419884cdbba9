// The wave modulus of every model against the true stiffness, over a wide range of states: no wave
// may be faster than what the time step is chosen by.
#include "material/presets.h"
#include "material_common.h"

namespace firn {
namespace {

using namespace firn::testing;

template <class Model>
class Waves : public ::testing::Test {};
TYPED_TEST_SUITE(Waves, AllModels);

template <class Model, int D>
using StateOf = MaterialState<double, D, Model::kScalars>;

template <class Model, int D>
using ConstantsOf = typename Model::template Constants<double>;

// Directions n and polarisations m: along and across the axes of the body, and any.
template <int D>
struct Wave {
  Vec<double, D> m, n;
};
template <int D>
Wave<D> wave(Random& random, const Mat<double, D>& axes, int k) {
  const Mat<double, D> any = random_rotation<D>(random), other = random_rotation<D>(random);
  Wave<D> w;
  for (int i = 0; i < D; ++i) {
    if (k < D * D) {
      w.m[i] = axes(i, k / D);
      w.n[i] = axes(i, k % D);
    } else {
      w.m[i] = any(i, 0);
      w.n[i] = k % 2 ? other(i, 0) : any(i, k / 2 % D);
    }
  }
  return w;
}

// d^2 Psi / de^2 along F(e) = (I + e m n^T) F by second differences of the energy.
template <class Model, int D>
double elastic_stiffness(const ConstantsOf<Model, D>& c, const StateOf<Model, D>& at,
                         const Wave<D>& w) {
  const double step = 1e-4;
  const auto energy = [&](double e) {
    StateOf<Model, D> state = at;
    if constexpr (Model::kHasF)
      state.F = at.F + outer(w.m, w.n) * at.F * e;
    else
      state.scalar[0] *= 1 + e * dot(w.m, w.n);
    return Model::template energy<double, D>(c, state);
  };
  return (energy(step) - 2 * energy(0) + energy(-step)) / (step * step);
}

// A body that was stretched along random axes, which stay known.
template <int D>
struct Stretched {
  Mat<double, D> axes, F;
};
template <int D>
Stretched<D> stretched(Random& random, double widest) {
  const double reach = uniform(random, 0, std::log(widest));
  Vec<double, D> s;
  for (int i = 0; i < D; ++i) s[i] = std::exp(uniform(random, -reach, reach));
  const Mat<double, D> axes = random_rotation<D>(random);
  return {axes, axes * Mat<double, D>::diagonal(s) * random_rotation<D>(random)};
}

template <class Model, int D>
void bounds_elastic_waves(const typename Model::Parameters& p, double widest) {
  Random random(5);
  const auto c = Model::template constants<double, D>(p, 1.0);
  for (int n = 0; n < 300; ++n) {
    const Stretched<D> body = stretched<D>(random, widest);
    StateOf<Model, D> state = initial_state<Model, D>();
    if constexpr (Model::kHasF)
      state.F = body.F;
    else
      state.scalar[0] = std::clamp(determinant(body.F), p.det_min, p.det_max);
    const StateOf<Model, D> at = state;
    const double bound = Model::template update<double, D>(c, state).wave_modulus;
    for (int k = 0; k < 40; ++k)
      ASSERT_LE((elastic_stiffness<Model, D>(c, at, wave<D>(random, body.axes, k))),
                bound * (1 + 1e-5))
          << Model::kName << " " << D << "D, F^T F = " << trace(times_own_transpose(body.F));
  }
}

TYPED_TEST(Waves, AreBoundedAtLargeStrains) {
  using Model = TypeParam;
  auto p = unyielding_parameters<Model>();
  if constexpr (Model::kHasF) {
    for (const double nu : {-0.4, 0.0, 0.3, 0.45}) {
      p.poisson_ratio = nu;
      bounds_elastic_waves<Model, 2>(p, 6);
      bounds_elastic_waves<Model, 3>(p, 6);
    }
  } else {
    p.det_max = 3;
    bounds_elastic_waves<Model, 2>(p, 3);
    bounds_elastic_waves<Model, 3>(p, 3);
  }
}

// At moderate strains the bound costs nothing: it is not absurdly large either.
TYPED_TEST(Waves, BoundIsNotWasteful) {
  using Model = TypeParam;
  if constexpr (Model::kHasF) {
    Random random(6);
    const auto p = unyielding_parameters<Model>();
    for (int n = 0; n < 200; ++n) {
      const auto s = random_stretches<3>(random, 0.7, 1.4);
      const auto at = update_at<Model>(p, Mat<double, 3>::diagonal(s));
      EXPECT_LE(at.wave_modulus, 12 * (2 * p.mu() + p.lambda()));
      // d tau_i / d ln s_i is bounded as well.
      Vec<double, 3> up = s;
      up[0] *= 1 + 1e-6;
      const auto next = update_at<Model>(p, Mat<double, 3>::diagonal(up));
      EXPECT_LE((next.tau.e[0] - at.tau.e[0]) / 1e-6, at.wave_modulus * (1 + 1e-4));
    }
  }
}

// m . d(P F^T) / de . n through the projection: the stiffness of loading beyond the yield surface,
// hardening included. Sand that is squeezed while it flows gains K (1 + sin(phi)) in 2D, as its
// friction grows with the pressure; snow hardens. Both may be somewhat above the elastic bound,
// within what cfl leaves; flow that is associated, as in metals, never is.
template <class Model, int D>
double loading_stiffness(const ConstantsOf<Model, D>& c, const StateOf<Model, D>& at,
                         const SymMat<double, D>& tau, const Wave<D>& w, double step) {
  StateOf<Model, D> state = at;
  state.F = at.F + outer(w.m, w.n) * at.F * step;
  const auto next = Model::template update<double, D>(c, state).tau.full();
  const Mat<double, D> back =
      Mat<double, D>::identity() - outer(w.n, w.m) * (step / (1 + step * dot(w.m, w.n)));
  return dot(w.m, (next * back - tau.full()) * w.n) / step;
}

template <class Model>
constexpr double kLoadingExcess = 1.2;
template <>
constexpr double kLoadingExcess<VonMises> = 1 + 1e-5;

template <class Model, int D>
void bounds_loading(const typename Model::Parameters& p) {
  Random random(7);
  const auto c = Model::template constants<double, D>(p, 1.0);
  for (int n = 0; n < 200; ++n) {
    const Stretched<D> body = stretched<D>(random, 1 + std::pow(10, uniform(random, -4, -0.3)));
    StateOf<Model, D> state = initial_state<Model, D>();
    state.F = body.F;
    Model::template update<double, D>(c, state);
    StateOf<Model, D> again = state;
    const auto r = Model::template update<double, D>(c, again);
    for (int k = 0; k < 30; ++k) {
      const Wave<D> w = wave<D>(random, body.axes, k);
      for (const double step : {1e-6, -1e-6})
        ASSERT_LE((loading_stiffness<Model, D>(c, state, r.tau, w, step)),
                  r.wave_modulus * kLoadingExcess<Model> + 1e-4 * p.mu())
            << Model::kName << " " << D << "D";
    }
  }
}

TYPED_TEST(Waves, OfLoadingBeyondTheYieldSurfaceAreBounded) {
  using Model = TypeParam;
  if constexpr (Model::kYields)
    for (const Preset& preset : presets(model_index_by_name(Model::kName))) {
      const auto& p = std::get<typename Model::Parameters>(preset.parameters);
      bounds_loading<Model, 2>(p);
      bounds_loading<Model, 3>(p);
      if (this->HasFatalFailure()) FAIL() << "preset " << preset.name;
    }
}

}  // namespace
}  // namespace firn

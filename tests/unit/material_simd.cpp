// Models on SIMD vectors of lanes against double precision, and lanes against their neighbours.
#include <gtest/gtest.h>

#include "material/presets.h"
#include "material_common.h"

namespace firn {
namespace {

using namespace firn::testing;

// Random trial states of a model, small enough strains to keep to the accuracy that is promised.
template <class Model, int D>
MaterialState<float, D, Model::kScalars> random_state(Random& random) {
  MaterialState<float, D, Model::kScalars> state{};
  const double spread = std::pow(10.0, uniform(random, -4, -0.7));
  state.F = with_stretches<D>(random, random_stretches<D>(random, 1 - spread, 1 + spread))
                .template cast<float>();
  for (int k = 0; k < Model::kScalars; ++k)
    state.scalar[k] =
        static_cast<float>(Model::kScalarFields[k].initial + uniform(random, 0, spread));
  return state;
}

template <int D>
double largest_strain(const Mat<float, D>& F) {
  const Vec<double, D> b = principal(times_own_transpose(F.template cast<double>())).value;
  double r = 0;
  for (int i = 0; i < D; ++i) r = std::max(r, std::abs(std::sqrt(b[i]) - 1));
  return r;
}

// One copy of each update for both tests: they compile slowly, most of all under sanitizers.
template <class Model, int D, class S>
__attribute__((noinline)) StressUpdate<S, D> update_simd(
    const typename Model::Parameters& p, MaterialState<S, D, Model::kScalars>& state) {
  return Model::template update<S, D>(Model::template constants<S, D>(p, S(1)), state);
}

// Lane i of a SIMD vector against double, on the same float input.
template <class Model, int D, class S>
void simd_agrees_with_double(const typename Model::Parameters& p) {
  constexpr int W = S::kWidth;
  Random random(11);
  constexpr int kStress = Model::kIsotropicStress ? 1 : SymMat<double, D>::kSize;
  for (int n = 0; n < 300; ++n) {
    MaterialState<float, D, Model::kScalars> one[W];
    MaterialState<S, D, Model::kScalars> pack;
    for (int l = 0; l < W; ++l) {
      one[l] = random_state<Model, D>(random);
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) pack.F(i, j).set(l, one[l].F(i, j));
      for (int k = 0; k < Model::kScalars; ++k) pack.scalar[k].set(l, one[l].scalar[k]);
    }
    const auto r = update_simd<Model, D>(p, pack);
    for (int l = 0; l < W; ++l) {
      MaterialState<double, D, Model::kScalars> state{};
      state.F = one[l].F.template cast<double>();
      for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = one[l].scalar[k];
      const double strain = largest_strain<D>(one[l].F);
      const auto reference = update_simd<Model, D>(p, state);
      // 2e-5 of modulus * strain, and the round-off of F itself: 1e-6 of strain.
      const double tolerance = reference.wave_modulus * (2e-5 * strain + 1e-6);
      for (int i = 0; i < kStress; ++i)
        EXPECT_NEAR(r.tau.e[i][l], reference.tau.e[i], tolerance)
            << Model::kName << " " << D << "D";
      EXPECT_NEAR(r.wave_modulus[l], reference.wave_modulus, 1e-4 * reference.wave_modulus);
      if constexpr (Model::kHasF) {
        for (int i = 0; i < D * D; ++i)
          EXPECT_NEAR(pack.F(i / D, i % D)[l], state.F(i / D, i % D), 1e-6);
      }
      for (int k = 0; k < Model::kScalars; ++k)
        EXPECT_NEAR(pack.scalar[k][l], state.scalar[k], 2e-6) << Model::kName;
    }
  }
}

// The result of a lane must not depend on what the others hold, to the last bit.
template <class Model, int D>
void lanes_ignore_neighbours(const typename Model::Parameters& p) {
  using S = Simd<float, 8>;
  Random random(12);
  for (int n = 0; n < 100; ++n) {
    const auto mine = random_state<Model, D>(random);
    float first[3 + D * D] = {};
    for (int other = 0; other < 3; ++other) {
      MaterialState<S, D, Model::kScalars> pack;
      for (int l = 0; l < 8; ++l) {
        const auto one = l == 5 ? mine : random_state<Model, D>(random);
        for (int i = 0; i < D; ++i)
          for (int j = 0; j < D; ++j) pack.F(i, j).set(l, one.F(i, j));
        for (int k = 0; k < Model::kScalars; ++k) pack.scalar[k].set(l, one.scalar[k]);
      }
      const auto r = update_simd<Model, D>(p, pack);
      float now[3 + D * D] = {r.tau.e[0][5], r.wave_modulus[5]};
      if (Model::kScalars > 0) now[2] = pack.scalar[0][5];
      if (Model::kHasF)
        for (int i = 0; i < D * D; ++i) now[3 + i] = pack.F(i / D, i % D)[5];
      for (int i = 0; i < 3 + D * D; ++i) {
        if (other > 0) {
          EXPECT_EQ(now[i], first[i]) << Model::kName;
        }
        first[i] = now[i];
      }
    }
  }
}

template <class Model>
class Packs : public ::testing::Test {};
TYPED_TEST_SUITE(Packs, AllModels);

TYPED_TEST(Packs, AgreeWithDouble) {
  for (const Preset& preset : presets(model_index_by_name(TypeParam::kName))) {
    const auto& p = std::get<typename TypeParam::Parameters>(preset.parameters);
    simd_agrees_with_double<TypeParam, 3, Simd<float, 4>>(p);
    simd_agrees_with_double<TypeParam, 2, Simd<float, 8>>(p);
    simd_agrees_with_double<TypeParam, 3, Simd<float, 8>>(p);
    simd_agrees_with_double<TypeParam, 3, Simd<double, 4>>(p);
  }
}

TYPED_TEST(Packs, LanesIgnoreTheirNeighbours) {
  lanes_ignore_neighbours<TypeParam, 2>({});
  lanes_ignore_neighbours<TypeParam, 3>({});
}

}  // namespace
}  // namespace firn

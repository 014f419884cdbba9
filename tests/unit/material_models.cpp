// The list of models: descriptions, presets, and agreement of packs and precisions.
#include "material/models.h"

#include <gtest/gtest.h>

#include <set>

#include "material/presets.h"
#include "material_common.h"

namespace firn {
namespace {

using namespace firn::testing;

// Collects what lies outside its described range, or is described poorly.
struct RangeVisitor {
  std::set<std::string> names;
  std::string problems;

  void add_name(const char* name, const char* meaning) {
    if (!names.insert(name).second) problems += std::string(name) + " twice; ";
    if (std::string(meaning).empty()) problems += std::string(name) + " without meaning; ";
  }
  void number(const char* name, double& value, const NumberInfo& info) {
    add_name(name, info.meaning);
    const bool low = info.above_min ? value <= info.min : value < info.min;
    const bool high = info.below_max ? value >= info.max : value > info.max;
    if (low || high || !std::isfinite(value)) problems += std::string(name) + " out of range; ";
  }
  void flag(const char* name, bool&, const char* meaning) { add_name(name, meaning); }
  template <class E, class Names>
  void choice(const char* name, E& value, const Names& words, const char* meaning) {
    add_name(name, meaning);
    if (static_cast<std::size_t>(value) >= std::size(words)) problems += std::string(name) + "; ";
  }
};

std::string described(ModelParameters parameters) {
  RangeVisitor visitor;
  visit_model(parameters, [&](auto& p) { p.describe(visitor); });
  if (visitor.names.size() < 2) visitor.problems += "hardly any parameters; ";
  return visitor.problems + check_parameters(parameters);
}

TEST(Models, NamesLeadToIndices) {
  EXPECT_EQ(model_count, 7);
  std::set<std::string> names;
  for (int i = 0; i < model_count; ++i) {
    EXPECT_EQ(model_index_by_name(model_name(i)), i);
    EXPECT_EQ(static_cast<int>(default_parameters(i).index()), i);
    EXPECT_FALSE(std::string(model_description(i)).empty());
    names.insert(model_name(i));
  }
  EXPECT_EQ(static_cast<int>(names.size()), model_count);
  EXPECT_EQ(model_index_by_name("sandd"), -1);
}

TEST(Models, DefaultsLieInTheirRanges) {
  for (int i = 0; i < model_count; ++i)
    EXPECT_EQ(described(default_parameters(i)), "") << model_name(i);
}

TEST(Models, ScalarFieldsStartInTheirRanges) {
  for (int i = 0; i < model_count; ++i)
    for (const ScalarField& field : model_scalar_fields(i)) {
      EXPECT_GE(field.initial, field.min) << field.name;
      EXPECT_LE(field.initial, field.max) << field.name;
    }
  EXPECT_EQ(model_scalar_fields(model_index_by_name("sand")).size(), 2u);
}

TEST(Models, ViscosityBelongsToFluids) {
  Fluid::Parameters p;
  p.viscosity = 3;
  EXPECT_EQ(viscosity_of<Fluid>(p), 3);
  EXPECT_EQ(viscosity_of<Sand>({}), 0);
}

TEST(Presets, AllAreValidAndFound) {
  for (int i = 0; i < model_count; ++i) {
    std::set<std::string> names;
    for (const Preset& preset : presets(i)) {
      EXPECT_EQ(described(preset.parameters), "") << model_name(i) << " " << preset.name;
      EXPECT_EQ(static_cast<int>(preset.parameters.index()), i);
      EXPECT_GT(preset.density, 10);
      EXPECT_LT(preset.density, 1e4);
      EXPECT_TRUE(names.insert(preset.name).second) << preset.name;
      EXPECT_EQ(find_preset(i, preset.name), &preset);
      EXPECT_EQ(preset_density(i, preset.name), preset.density);
    }
    EXPECT_EQ(find_preset(i, "no such"), nullptr);
    EXPECT_EQ(preset_names(i).size(), presets(i).size());
  }
}

// Writes all numbers down, so that parameters can be compared.
struct NumberVisitor {
  std::vector<double> values;
  void number(const char*, double& value, const NumberInfo&) { values.push_back(value); }
  void flag(const char*, bool& value, const char*) { values.push_back(value); }
  template <class E, class Names>
  void choice(const char*, E& value, const Names&, const char*) {
    values.push_back(static_cast<double>(value));
  }
};

std::vector<double> numbers(ModelParameters parameters) {
  NumberVisitor visitor;
  visit_model(parameters, [&](auto& p) { p.describe(visitor); });
  return visitor.values;
}

TEST(Presets, FirstOneIsTheDefault) {
  for (int i = 0; i < model_count; ++i)
    EXPECT_EQ(numbers(presets(i).front().parameters), numbers(default_parameters(i)))
        << model_name(i);
}

TEST(Presets, TablesOfTheDocuments) {
  const int snow = model_index_by_name("snow"), sand = model_index_by_name("sand");
  EXPECT_EQ(preset_density(snow, "base"), 400);
  EXPECT_EQ(std::get<Snow::Parameters>(preset_parameters(snow, "base")).youngs_modulus, 1.4e5);
  const auto hourglass = std::get<Sand::Parameters>(preset_parameters(sand, "hourglass"));
  EXPECT_LT(hourglass.friction_angle, 0);
  EXPECT_EQ(hourglass.h1, 9);
  EXPECT_EQ(hourglass.h2, 0.3);
  EXPECT_EQ(preset_density(sand, "splash"), 1582);
  EXPECT_EQ(std::get<Sand::Parameters>(preset_parameters(sand, "splash")).friction_angle, 22);
}

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

// Lane i of a pack against double, on the same float input.
template <class Model, int D, class S>
void pack_agrees_with_double(const typename Model::Parameters& p) {
  constexpr int W = S::kWidth;
  Random random(11);
  const auto exact = Model::template constants<double, D>(p, 1.0);
  const auto fast = Model::template constants<S, D>(p, S(1));
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
    const auto r = Model::template update<S, D>(fast, pack);
    for (int l = 0; l < W; ++l) {
      MaterialState<double, D, Model::kScalars> state{};
      state.F = one[l].F.template cast<double>();
      for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = one[l].scalar[k];
      const double strain = largest_strain<D>(one[l].F);
      const auto reference = Model::template update<double, D>(exact, state);
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
  using S = Pack<float, 8>;
  Random random(12);
  const auto c = Model::template constants<S, D>(p, S(1));
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
      const auto r = Model::template update<S, D>(c, pack);
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
using All =
    ::testing::Types<StVenantKirchhoff, Hencky, NeoHookean, FixedCorotated, Fluid, Snow, Sand>;
TYPED_TEST_SUITE(Packs, All);

TYPED_TEST(Packs, AgreeWithDouble) {
  for (const Preset& preset : presets(model_index_by_name(TypeParam::kName))) {
    const auto& p = std::get<typename TypeParam::Parameters>(preset.parameters);
    pack_agrees_with_double<TypeParam, 3, Pack<float, 4>>(p);
    pack_agrees_with_double<TypeParam, 2, Pack<float, 8>>(p);
    pack_agrees_with_double<TypeParam, 3, Pack<float, 8>>(p);
    pack_agrees_with_double<TypeParam, 3, Pack<double, 4>>(p);
  }
}

TYPED_TEST(Packs, LanesIgnoreTheirNeighbours) {
  lanes_ignore_neighbours<TypeParam, 2>({});
  lanes_ignore_neighbours<TypeParam, 3>({});
}

}  // namespace
}  // namespace firn

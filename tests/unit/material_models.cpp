// The list of models: names, self-description and presets.
#include "material/models.h"

#include <gtest/gtest.h>

#include <set>

#include "material/presets.h"

namespace firn {
namespace {

// A model that forgot something is refused by the name of what it lacks (model_concept.h).
struct WithoutPresets : NeoHookean {
  static void presets();
};
struct WithoutEnergy : NeoHookean {
  static void energy();
};
struct WithoutLimit : NeoHookean {
  static constexpr bool kYields = true;
};
struct ScalarsUncounted : NeoHookean {
  static constexpr int kScalars = 1;
};
static_assert(!model_needs::Presets<WithoutPresets> && model_needs::Presets<NeoHookean>);
static_assert(!model_needs::Energy<WithoutEnergy> && model_needs::Energy<Sand>);
static_assert(!model_needs::Unyielding<WithoutLimit> && model_needs::Unyielding<Snow>);
static_assert(!model_needs::StateConstants<ScalarsUncounted> &&
              model_needs::StateConstants<VonMises>);

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
    if (value == kNotGiven) return;  // other parameters have it
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

// kYields tells the truth: models yield, in their default parameters, or never do.
TEST(Models, YieldWhenTheySayThatTheyDo) {
  for (int i = 0; i < model_count; ++i)
    visit_model(i, [](auto tag) {
      using Model = typename decltype(tag)::type;
      if constexpr (Model::kHasF) {
        MaterialState<double, 3, Model::kScalars> state{};
        for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = Model::kScalarFields[k].initial;
        state.F = Mat<double, 3>::diagonal({{0.6, 1.6, 1.1}});
        const auto constants =
            Model::template constants<double, 3>(typename Model::Parameters(), 1.0);
        EXPECT_EQ((Model::template update<double, 3>(constants, state).plastic),
                  Model::kYields ? 1 : 0)
            << Model::kName;
      }
    });
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
      EXPECT_LT(preset.density, 2.3e4);  // osmium
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
  const int metal = model_index_by_name("von_mises");
  EXPECT_EQ(find_preset(metal, "jelly"), nullptr);
  EXPECT_EQ(preset_density(metal, "copper"), 8930);
}

// The damping of sound resists compression always, and thinning only until the fluid tears.
TEST(FluidModel, DampingIsNoTension) {
  Fluid::Parameters water;
  water.det_max = 1;
  const auto constants = Fluid::constants<double, 3>(water, 1.0);
  EXPECT_EQ(Fluid::damping(constants, 1.0, 1e-3), 0);
  EXPECT_LT(Fluid::damping(constants, 1.0, -1e-3), 0);
  EXPECT_GT(Fluid::damping(constants, 0.99, 1e-3), 0);
}

}  // namespace
}  // namespace firn

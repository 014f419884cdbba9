#include "cases/agreement.h"

#include <algorithm>
#include <cmath>

#include "cases/agreement_operators.h"
#include "cases/agreement_scenes.h"
#include "cases/case_tools.h"

namespace firn {
namespace {

Result<Agreement> check(const AgreementScene& test, Precision precision) {
  const std::string name = (precision == Precision::double_ ? "double " : "float ") + test.name;
  const auto make = [&](Device device) { return World::create(test.scene, precision, device); };
  const auto run = [&](World& world) {
    if (test.prepare) test.prepare(world);
    return take_steps(world, test.steps);
  };
  Result<Agreement> result = compare_devices(test.scene, precision, make, run);
  if (!result) return Errors{name + " " + result.errors().front()};
  result->scene = name;
  if (test.tolerance > 0) result->tolerance = test.tolerance;
  return result;
}

// Every model alone, and some together, with each kernel.
std::vector<AgreementScene> model_scenes(int dimension) {
  std::vector<std::vector<int>> mixes;
  for (int model = 0; model < model_count; ++model) mixes.push_back({model});
  mixes.push_back({model_index_by_name("sand"), model_index_by_name("fluid"),
                   model_index_by_name("neo_hookean")});
  std::vector<AgreementScene> scenes;
  for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic})
    for (const auto& mix : mixes) {
      AgreementScene test{std::string(kernel == KernelKind::cubic ? "cubic " : "quadratic ") +
                              (mix.size() > 1 ? "mixed" : model_name(mix[0])),
                          fall_scene(dimension, mix), kAgreementSteps};
      test.scene.mpm.kernel = kernel;
      scenes.push_back(std::move(test));
    }
  return scenes;
}

}  // namespace

void check_agreement(const std::vector<std::string>& names,
                     const std::function<void(const Agreement&)>& tell) {
  if (names.empty() || std::find(names.begin(), names.end(), "operators") != names.end())
    for (const Agreement& result : check_operators()) tell(result);
  for (const Precision precision : {Precision::double_, Precision::single})
    for (const int dimension : {2, 3}) {
      std::vector<AgreementScene> scenes = model_scenes(dimension);
      for (AgreementScene& test : transfer_scenes(dimension)) scenes.push_back(std::move(test));
      for (AgreementScene& test : agreement_scenes(dimension)) scenes.push_back(std::move(test));
      for (AgreementScene& test : species_scenes(dimension)) scenes.push_back(std::move(test));
      for (AgreementScene& test : implicit_scenes(dimension, precision))
        scenes.push_back(std::move(test));
      for (AgreementScene& test : scenes) {
        if (!is_among(test.name, names)) continue;
        test.name = std::to_string(dimension) + "D " + test.name;
        const Result<Agreement> result = check(test, precision);
        // A run that fails is told like one that differs.
        tell(result ? *result : Agreement{test.name, INFINITY, result.errors().front(), 0});
      }
    }
}

}  // namespace firn

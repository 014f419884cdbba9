#include "cases/agree.h"

#include <algorithm>
#include <cmath>

#include "cases/agree_scenes.h"
#include "cases/case_tools.h"

namespace firn {
namespace {

Result<Agreement> check(const AgreeScene& test, Precision precision) {
  const std::string name = (precision == Precision::double_ ? "double " : "float ") + test.name;
  const auto make = [&](Device device) { return World::create(test.scene, precision, device); };
  const auto run = [&](World& world) {
    if (test.prepare) test.prepare(world);
    return take_steps(world, test.steps);
  };
  Result<Agreement> result = compare_devices(test.scene, precision, make, run);
  if (!result) return Errors{name + " " + result.errors().front()};
  result->scene = name;
  return result;
}

// Every model alone, and some together, with each kernel.
std::vector<AgreeScene> model_scenes(int dimension) {
  std::vector<std::vector<int>> mixes;
  for (int model = 0; model < model_count; ++model) mixes.push_back({model});
  mixes.push_back({model_index_by_name("sand"), model_index_by_name("fluid"),
                   model_index_by_name("neo_hookean")});
  std::vector<AgreeScene> scenes;
  for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic})
    for (const auto& mix : mixes) {
      AgreeScene test{std::string(kernel == KernelKind::cubic ? "cubic " : "quadratic ") +
                          (mix.size() > 1 ? "mixed" : model_name(mix[0])),
                      fall_scene(dimension, mix), kAgreeSteps};
      test.scene.mpm.kernel = kernel;
      scenes.push_back(std::move(test));
    }
  return scenes;
}

}  // namespace

Result<std::vector<Agreement>> check_agreement(const std::vector<std::string>& names) {
  std::vector<Agreement> results;
  for (const Precision precision : {Precision::double_, Precision::single})
    for (const int dimension : {2, 3}) {
      std::vector<AgreeScene> scenes = model_scenes(dimension);
      for (AgreeScene& test : transfer_scenes(dimension)) scenes.push_back(std::move(test));
      for (AgreeScene& test : agree_scenes(dimension)) scenes.push_back(std::move(test));
      for (AgreeScene& test : scenes) {
        if (!names.empty() && std::find(names.begin(), names.end(), test.name) == names.end())
          continue;
        test.name = std::to_string(dimension) + "D " + test.name;
        const Result<Agreement> result = check(test, precision);
        // A run that fails is told like one that differs.
        results.push_back(result ? *result
                                 : Agreement{test.name, INFINITY, result.errors().front(), 0});
      }
    }
  return results;
}

}  // namespace firn

#include "cases/agreement.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "cases/agreement_operators.h"
#include "cases/agreement_scenes.h"
#include "cases/case_tools.h"
#include "exec/parallel.h"

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

struct Test {
  AgreementScene scene;
  Precision precision;
};

std::vector<Test> all_tests(const std::vector<std::string>& names) {
  std::vector<Test> tests;
  for (const Precision precision : {Precision::double_, Precision::single})
    for (const int dimension : {2, 3}) {
      const auto add = [&](std::vector<AgreementScene> scenes) {
        for (AgreementScene& test : scenes) {
          if (!is_among(test.name, names)) continue;
          test.name = std::to_string(dimension) + "D " + test.name;
          tests.push_back({std::move(test), precision});
        }
      };
      add(model_scenes(dimension));
      add(transfer_scenes(dimension));
      add(agreement_scenes(dimension));
      add(species_scenes(dimension));
      add(implicit_scenes(dimension, precision));
      add(sph_scenes(dimension, precision));
    }
  return tests;
}

}  // namespace

void check_agreement(const std::vector<std::string>& names,
                     const std::function<void(const Agreement&)>& tell) {
  if (names.empty() || std::find(names.begin(), names.end(), "operators") != names.end())
    for (const Agreement& result : check_operators()) tell(result);
  const std::vector<Test> tests = all_tests(names);
  std::atomic<std::size_t> next{0};
  std::mutex telling;
  const auto work = [&] {
    for (std::size_t i = next++; i < tests.size(); i = next++) {
      const Result<Agreement> result = check(tests[i].scene, tests[i].precision);
      const std::lock_guard lock(telling);
      // A run that fails is told like one that differs.
      tell(result ? *result : Agreement{tests[i].scene.name, INFINITY, result.errors().front(), 0});
    }
  };
  // Scenes are small, and each keeps two threads busy.
  std::vector<std::thread> others;
  for (int i = 1; i < thread_count() / 2; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace firn

// The engine alone, where only a compiler is at hand: `firn_engine bench|validate [CASE]...`.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cases/bench.h"
#include "cases/validate.h"

namespace {

using Names = std::vector<std::string>;

bool asked(const Names& cases, const std::string& name) {
  return cases.empty() || std::find(cases.begin(), cases.end(), name) != cases.end();
}

// One line for each name that is not known.
bool known(const Names& cases, const Names& names) {
  bool all = true;
  for (const std::string& name : cases)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::fprintf(stderr, "no case \"%s\"\n", name.c_str());
      all = false;
    }
  return all;
}

int bench(const Names& cases) {
  if (!known(cases, firn::bench_case_names())) return 2;
  const firn::MachinePeak peak = firn::measure_peak();
  std::printf("%.1f GB/s, %.1f GFLOP/s\n", peak.bandwidth * 1e-9, peak.arithmetic * 1e-9);
  for (const std::string& name : firn::bench_case_names()) {
    if (!asked(cases, name)) continue;
    const auto result = firn::run_bench(name, {});
    if (!result) {
      std::fprintf(stderr, "%s\n", result.errors().front().c_str());
      return 1;
    }
    std::printf("%-22s %8.2f M particle-steps/s, %d threads\n", name.c_str(),
                result->particle_steps_per_second * 1e-6, result->threads);
  }
  return 0;
}

int validate(const Names& cases) {
  Names names;
  for (const firn::ValidationCase& entry : firn::validation_cases()) names.push_back(entry.name);
  if (!known(cases, names)) return 2;
  int failed = 0;
  for (const firn::ValidationCase& entry : firn::validation_cases()) {
    if (!asked(cases, entry.name)) continue;
    for (const firn::Check& check : entry.run({})) {
      std::printf("%-22s %-70s %12.6g %s\n", check.case_name.c_str(), check.quantity.c_str(),
                  check.measured, check.pass ? "ok" : "FAILED");
      failed += !check.pass;
    }
  }
  return failed > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Names cases(argv + std::min(argc, 2), argv + argc);
  if (argc > 1 && !std::strcmp(argv[1], "bench")) return bench(cases);
  if (argc > 1 && !std::strcmp(argv[1], "validate")) return validate(cases);
  std::fprintf(stderr, "usage: firn_engine bench|validate [CASE]...\n");
  return 2;
}

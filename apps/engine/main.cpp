// The engine alone, where only a compiler is at hand.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cases/agreement.h"
#include "cases/bench.h"
#include "cases/bench_figures.h"
#include "cases/drop.h"
#include "cases/implicit_cost.h"
#include "cases/repeatability.h"
#include "cases/validate.h"
#include "commands.h"
#include "exec/heap.h"

namespace {

using Names = std::vector<std::string>;

constexpr const char* kUsage =
    "usage: firn_engine bench [--device cpu|cuda] [--precision float|double] [--particles N] "
    "[--stepwise] [--deterministic]\n"
    "                         [--transfer mls|apic|flip|pic] [--kernel linear|quadratic|cubic] "
    "[CASE]...\n"
    "       firn_engine krylov [options of bench]\n"
    "       firn_engine validate [CASE]...\n"
    "       firn_engine agreement [CASE | PACK]...\n"
    "       firn_engine run PACK [--device cpu|cuda] [--deterministic] [--precision float|double]\n"
    "                       [--frames N | --steps N] [--points FILE.ply]\n"
    "       firn_engine growth\n"
    "       firn_engine repeatability [--device cpu|cuda] [CASE]...\n";

// In the order of the enumerations.
const Names kTransfers = {"mls", "apic", "flip", "pic"},
            kKernels = {"linear", "quadratic", "cubic"};

// -1 where the name is unknown.
int place_of(const std::string& name, const Names& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

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

// Takes the options out of the words; what remains are cases.
bool take_options(Names& words, firn::BenchOptions& options) {
  Names cases;
  bool deterministic = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("--")) {
      cases.push_back(word);
      continue;
    }
    if (word == "--stepwise" || word == "--deterministic") {
      (word == "--stepwise" ? options.stepwise : deterministic) = true;
      continue;
    }
    if (++i == words.size()) return false;
    const std::string& value = words[i];
    if (word == "--device" && (value == "cpu" || value == "cuda"))
      options.device = value == "cuda" ? firn::Device::cuda : firn::Device::cpu;
    else if (word == "--precision" && (value == "float" || value == "double"))
      options.precision = value == "double" ? firn::Precision::double_ : firn::Precision::single;
    else if (word == "--transfer" && place_of(value, kTransfers) >= 0)
      options.transfer = static_cast<firn::TransferKind>(place_of(value, kTransfers));
    else if (word == "--kernel" && place_of(value, kKernels) >= 0)
      options.kernel = static_cast<firn::KernelKind>(place_of(value, kKernels));
    else if (word == "--particles" && std::atoll(value.c_str()) >= 1000)
      options.particles = std::atoll(value.c_str());
    else
      return false;
  }
  words = cases;
  if (deterministic && options.device == firn::Device::cuda)
    options.device = firn::Device::cuda_deterministic;
  return true;
}

bool find_figures(const firn::FigureBench& bench, const firn::BenchOptions& options) {
  const firn::Errors errors = bench.run(options, [](const firn::BenchFigure& figure) {
    std::fputs(firn::figure_text(figure).c_str(), stdout);
    std::fflush(stdout);
  });
  if (!errors.empty()) std::fprintf(stderr, "%s\n", errors.front().c_str());
  return errors.empty();
}

int bench(Names words) {
  firn::BenchOptions options;
  if (!take_options(words, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  Names names = firn::bench_case_names();
  if (words.empty()) words = names;
  for (const std::string& name : firn::drop_case_names()) names.push_back(name);
  for (const firn::FigureBench& bench : firn::figure_benches()) names.emplace_back(bench.name);
  if (!known(words, names)) return 2;
  for (const std::string& name : words) {
    if (const firn::FigureBench* bench = firn::find_figure_bench(name)) {
      if (!find_figures(*bench, options)) return 1;
      continue;
    }
    const auto result = firn::run_bench(name, options);
    if (!result) {
      std::fprintf(stderr, "%s\n", result.errors().front().c_str());
      return 1;
    }
    const double rate = result->particle_steps_per_second;
    std::printf(
        "%-22s %10lld particles %9.4f ms %9.3f G particle-steps/s %5.0f B/particle %lld "
        "steps\n",
        name.c_str(), static_cast<long long>(result->particles),
        1e3 * double(result->particles) / rate, rate * 1e-9, result->bytes_per_particle,
        static_cast<long long>(result->steps));
    std::fflush(stdout);
  }
  return 0;
}

// An iteration of conjugate gradients beside an explicit step, and drops of a ball.
firn::Errors tell_krylov(const firn::BenchOptions& options, firn::PreconditionerKind kind) {
  const char* const name = kind == firn::PreconditionerKind::blocks ? "blocks" : "multigrid";
  const auto cost = firn::measure_krylov(options, kind);
  if (!cost) return cost.errors();
  std::printf(
      "%s, %lld particles: an iteration takes %.4f ms, an explicit step %.4f ms (%.2f of it); "
      "%lld iterations in %lld Newton steps of %lld steps\n",
      name, static_cast<long long>(cost->particles), 1e3 * cost->iteration,
      1e3 * cost->explicit_step, cost->iteration / cost->explicit_step,
      static_cast<long long>(cost->iterations), static_cast<long long>(cost->newton_steps),
      static_cast<long long>(cost->steps));
  for (const double stiffness : {1e6, 1e7, 1e9}) {
    const auto drop = firn::measure_drop(options, kind, stiffness);
    if (!drop) return drop.errors();
    std::printf("%s, drop of %g Pa: %.3f s, %g steps, %g Newton steps, %g iterations\n", name,
                stiffness, drop->seconds, double(drop->steps), drop->newton_iterations,
                drop->krylov_iterations);
    std::fflush(stdout);
  }
  return {};
}
int krylov(Names words) {
  firn::BenchOptions options;
  if (!take_options(words, options) || !words.empty()) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  for (const auto kind : {firn::PreconditionerKind::blocks, firn::PreconditionerKind::multigrid})
    if (const firn::Errors errors = tell_krylov(options, kind); !errors.empty()) {
      std::fprintf(stderr, "%s\n", errors.front().c_str());
      return 1;
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

bool is_pack(const std::string& word) {
  return word.ends_with(".firnpack");
}

int agreement(const Names& cases) {
  if (!cases.empty() && std::all_of(cases.begin(), cases.end(), is_pack))
    return firn::engine::agree_packs(cases);
  int told = 0, failed = 0;
  firn::check_agreement(cases, [&](const firn::Agreement& result) {
    std::printf("%-40s %10.3g of %s %s\n", result.scene.c_str(), result.difference,
                result.field.c_str(), result.pass() ? "ok" : "FAILED");
    std::fflush(stdout);
    ++told;
    failed += !result.pass();
  });
  if (told == 0) {
    std::fputs("no such case, and packs are files named .firnpack\n", stderr);
    return 2;
  }
  return failed > 0 ? 1 : 0;
}

int repeatability(Names words) {
  firn::BenchOptions options;
  options.device = firn::Device::cuda;
  if (!take_options(words, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  const bool cpu = options.device == firn::Device::cpu;
  int failed = 0;
  const firn::Errors errors = firn::check_repeats(
      cpu ? firn::Device::cpu : firn::Device::cuda_deterministic, words,
      [&](const firn::Repeat& result) {
        std::printf("%-44s %-20s %s\n", result.scene.c_str(), result.manner.c_str(),
                    result.same() ? "the same bytes" : ("FAILED: " + result.difference).c_str());
        std::fflush(stdout);
        failed += !result.same();
      });
  for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
  return failed > 0 || !errors.empty() ? 1 : 0;
}

}  // namespace

static int run(int argc, char** argv) {
  const Names words(argv + std::min(argc, 2), argv + argc);
  if (argc > 1 && !std::strcmp(argv[1], "bench")) return bench(words);
  if (argc > 1 && !std::strcmp(argv[1], "krylov")) return krylov(words);
  if (argc > 1 && !std::strcmp(argv[1], "validate")) return validate(words);
  if (argc > 1 && !std::strcmp(argv[1], "agreement")) return agreement(words);
  if (argc > 1 && !std::strcmp(argv[1], "run")) return firn::engine::run_pack(words);
  if (argc == 2 && !std::strcmp(argv[1], "growth")) return firn::engine::growth();
  if (argc > 1 && !std::strcmp(argv[1], "repeatability")) return repeatability(words);
  std::fputs(kUsage, stderr);
  return 2;
}

int main(int argc, char** argv) {
  firn::return_large_blocks();
  const int status = run(argc, argv);
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return status;
  std::perror("standard output");
  return status == 0 ? 1 : status;
}

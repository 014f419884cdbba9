#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/bench.h"
#include "cases/bench_figures.h"
#include "cases/drop.h"
#include "commands.h"
#include "cuda/device.h"
#include "mesh_io/atomic_file.h"
#include "output.h"
#include "scene/line_text.h"
#include "simulate.h"

namespace firn::cli {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kKernels = {"linear", "quadratic", "cubic"};
const std::vector<std::string> kTransfers = {"mls", "apic", "flip", "pic"};

struct BenchArguments {
  std::vector<std::string> cases;
  MachineOptions machine;
  BenchOptions bench;
  std::string kernel = "quadratic", transfer = "mls", json;
};

int index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

Json result_json(const BenchResult& result, const BenchArguments& arguments) {
  Json phases = Json::object();
  for (const auto& [name, seconds] : result.phases) phases[name] = seconds;
  const bool is_double = arguments.bench.precision == Precision::double_;
  return {{"case", result.case_name},
          {"device", arguments.machine.device},
          {"dimension", arguments.bench.dimension},
          {"kernel", arguments.kernel},
          {"transfer", arguments.transfer},
          {"precision", is_double ? "double" : "float"},
          {"particles", result.particles},
          {"threads", result.threads},
          {"steps", result.steps},
          {"particle_steps_per_second", result.particle_steps_per_second},
          {"bytes_per_particle", result.bytes_per_particle},
          {"bytes_moved_per_particle_step", result.bytes_moved_per_particle_step},
          {"flops_per_particle_step", result.flops_per_particle_step},
          {"plastic_fraction", result.plastic_fraction},
          {"phases", phases}};
}

Json figure_json(const char* name, const BenchFigure& figure) {
  Json made = {{"case", name}, {"what", figure.what}, {"measured", figure.measured}};
  if (figure.at_least) made["at_least"] = *figure.at_least;
  if (figure.at_most) made["at_most"] = *figure.at_most;
  made["note"] = figure.note;
  return made;
}

std::string result_text(const BenchResult& result, const MachinePeak& peak) {
  const double rate = result.particle_steps_per_second;
  std::string text = fmt::format(
      "{:20} {:8.2f} M particle-steps/s  {:4.0f} B/particle  {:3.0f} % of bandwidth  {:3.0f} % of "
      "arithmetic  {:3.0f} % yield\n",
      result.case_name, rate * 1e-6, result.bytes_per_particle,
      100 * rate * result.bytes_moved_per_particle_step / peak.bandwidth,
      100 * rate * result.flops_per_particle_step / peak.arithmetic, 100 * result.plastic_fraction);
  double total = 0;
  for (const auto& [name, seconds] : result.phases) total += seconds;
  for (const auto& [name, seconds] : result.phases)
    text += fmt::format("    {:20} {:8.3f} s {:3.0f} %\n", name, seconds, 100 * seconds / total);
  return text;
}

// The stages of a device are not timed one by one, and the CPU's peaks say nothing of it.
std::string device_result_text(const BenchResult& result) {
  const double rate = result.particle_steps_per_second;
  return fmt::format(
      "{:20} {:>11} particles  {:8.4f} ms a step  {:6.3f} G particle-steps/s  {:4.0f} B/particle\n",
      result.case_name, result.particles, 1e3 * double(result.particles) / rate, rate * 1e-9,
      result.bytes_per_particle);
}

// Those too that run only where they are named.
std::vector<std::string> all_case_names() {
  std::vector<std::string> names = bench_case_names();
  for (const std::string& name : drop_case_names()) names.push_back(name);
  for (const FigureBench& bench : figure_benches()) names.emplace_back(bench.name);
  return names;
}

Errors check_cases(const std::vector<std::string>& cases) {
  const std::vector<std::string> names = all_case_names();
  Errors errors;
  for (const std::string& name : cases)
    if (std::find(names.begin(), names.end(), name) == names.end())
      errors.push_back("no benchmark case " + in_quotes(name) + suggestion(name, names));
  return errors;
}

// Runs a case, says what it found and adds it to the list.
Errors bench_case(const std::string& name, const BenchArguments& arguments, const MachinePeak& peak,
                  Json& list) {
  if (const FigureBench* bench = find_figure_bench(name))
    return bench->run(arguments.bench, [&](const BenchFigure& figure) {
      put_passing("");
      put(figure_text(figure));
      list.push_back(figure_json(bench->name, figure));
    });
  const Result<BenchResult> result = run_bench(name, arguments.bench);
  if (!result) return result.errors();
  put_passing("");
  const bool on_cpu = arguments.bench.device == Device::cpu;
  put(on_cpu ? result_text(*result, peak) : device_result_text(*result));
  list.push_back(result_json(*result, arguments));
  return {};
}

int bench(BenchArguments arguments) {
  Errors errors = check_cases(arguments.cases);
  if (errors.empty()) errors = arguments.machine.apply();
  if (!errors.empty()) return report(errors, kBadInput);
  if (arguments.cases.empty()) arguments.cases = bench_case_names();
  arguments.bench.kernel = static_cast<KernelKind>(index_of(kKernels, arguments.kernel));
  arguments.bench.transfer = static_cast<TransferKind>(index_of(kTransfers, arguments.transfer));
  arguments.bench.precision = arguments.machine.chosen_precision().value_or(Precision::single);
  arguments.bench.device = arguments.machine.chosen_device();
  arguments.bench.progress = put_passing;
  const bool on_cpu = arguments.bench.device == Device::cpu;
  MachinePeak peak;
  if (on_cpu) {
    peak = measure_peak();
    put(fmt::format("this machine: {:.1f} GB/s of memory, {:.1f} GFLOP/s\n", peak.bandwidth * 1e-9,
                    peak.arithmetic * 1e-9));
  } else {
    put(*device_name() + "\n");
  }
  Json list = Json::array();
  for (const std::string& name : arguments.cases)
    if (errors = bench_case(name, arguments, peak, list); !errors.empty())
      return report(errors, kFailed);
  if (arguments.json.empty()) return kDone;
  const auto written = write_whole_file(arguments.json, list.dump(2) + "\n");
  return written ? kDone : report(written.errors(), kFailed);
}

}  // namespace

void add_bench_command(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("bench", "Measure particle-steps per second, phase by phase");
  auto arguments = std::make_shared<BenchArguments>();
  command->add_option("CASE", arguments->cases,
                      "Cases to run (default: all but drops, implicit, sph and fem)");
  command
      ->add_option("--particles", arguments->bench.particles,
                   "Particles (default: 1000000; implicit: 268000)")
      ->check(CLI::Range(std::int64_t(1000), std::int64_t(2'000'000'000)));
  command->add_option("--dimension", arguments->bench.dimension, "2 or 3 (default: 3)")
      ->check(CLI::Range(2, 3));
  command->add_option("--kernel", arguments->kernel, "linear, quadratic or cubic")
      ->check(CLI::IsMember(kKernels));
  command->add_option("--transfer", arguments->transfer, "mls, apic, flip or pic")
      ->check(CLI::IsMember(kTransfers));
  arguments->machine.add_to(*command);
  command->add_option("--json", arguments->json, "Also write the results to this file");
  std::string cases;
  for (const std::string& name : all_case_names()) cases += " " + name;
  command->footer("Cases:" + cases +
                  "\nExamples:\n  firn bench\n  firn bench sand snow --threads 1 --json "
                  "bench.json\n");
  command->callback([arguments, &status] { status = bench(*arguments); });
}

}  // namespace firn::cli

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "commands.h"
#include "exec/parallel.h"
#include "output.h"
#include "progress.h"
#include "run/run.h"
#include "run/upsample.h"
#include "scene/check_grains.h"
#include "scene/line_text.h"
#include "scene_io/scene_reader.h"
#include "signals.h"

namespace firn::cli {
namespace fs = std::filesystem;

namespace {

struct UpsampleArguments {
  std::string folder, method, species;
  std::int64_t per_particle = 0;
  double terminal_speed = -1;
  std::optional<std::uint64_t> seed;
  int threads = 0;
  bool overwrite = false, quiet = false;

  // What was given stands above what the scene says.
  GrainKeys keys(const SceneSettings& scene) const {
    GrainKeys keys = scene.grains.value_or(GrainKeys{});
    if (per_particle > 0) keys.per_particle = per_particle;
    if (!method.empty())
      keys.method = method == "printed" ? GrainMethod::printed : GrainMethod::even;
    if (!species.empty()) keys.species = species;
    if (terminal_speed >= 0) keys.terminal_speed = terminal_speed;
    if (seed) keys.seed = seed;
    return keys;
  }
};

constexpr const char* kUpsampleExamples =
    "Makes fine grains of the particles of a run and leaves them as frames/grains_0000.ply ... in\n"
    "its folder. The frames must hold velocity and id, as they do by default. A scene with the\n"
    "section grains has them from firn run already.\n"
    "Examples:\n"
    "  firn upsample out/sand_column\n"
    "  firn upsample out/sand_column --per-particle 350 --overwrite\n"
    "  firn render out/sand_column --grains\n";

int upsample(const UpsampleArguments& arguments) {
  UpsampleOptions options;
  options.folder = {arguments.folder};
  std::error_code ignored;
  if (!fs::is_directory(options.folder.root, ignored))
    return report(arguments.folder + ": no such folder; simulate with firn run first", kBadInput);
  Result<SceneSettings> scene = read_scene(options.folder.scene().string());
  if (!scene) return report(scene.errors(), kBadInput);
  scene->grains = arguments.keys(*scene);
  std::vector<SceneIssue> issues;
  check_grains(*scene, issues);
  if (!issues.empty()) return report("--species: " + issues.front().what, kBadInput);
  options.scene = std::move(*scene);
  options.overwrite = arguments.overwrite;
  options.memory = machine_memory();
  if (arguments.threads > 0) set_thread_count(arguments.threads);
  RunControl control;
  const SignalScope signals(control);
  Progress progress(arguments.quiet);
  const auto start = std::chrono::steady_clock::now();
  const UpsampleOutcome outcome =
      upsample_run(options, [&](std::int64_t done, std::int64_t total, std::size_t grains) {
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        progress.show(done, total, fmt::format("{} grains", grouped(static_cast<double>(grains))),
                      seconds / static_cast<double>(done) * static_cast<double>(total - done));
        return !control.quit;
      });
  if (!outcome.errors.empty()) return report(outcome.errors, outcome.refused ? kBadInput : kFailed);
  if (outcome.report.stopped) return report("interrupted", kInterrupted);
  progress.say(fmt::format("{}: {} grains in {} frames", options.folder.frames().string(),
                           grouped(static_cast<double>(outcome.report.grains)),
                           outcome.report.frames));
  return kDone;
}

}  // namespace

void add_upsample_command(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("upsample", "Make many fine grains of the particles of a finished run");
  auto arguments = std::make_shared<UpsampleArguments>();
  command->add_option("DIR", arguments->folder, "Folder of a run")->required();
  command
      ->add_option("--per-particle", arguments->per_particle,
                   "Grains made of a particle, 1 to 100000 (default: the scene's, else 70)")
      ->check(CLI::Range(1, 100'000));
  command
      ->add_option("--method", arguments->method,
                   "even, or printed: GRAIN 40 to 43 as they stand (default: the scene's, else "
                   "even)")
      ->check(CLI::IsMember({"even", "printed"}));
  command
      ->add_option("--terminal-speed", arguments->terminal_speed,
                   "Of a grain that falls through still air, m/s; 0: no air (default: the "
                   "scene's, else 0)")
      ->check(CLI::Range(0.0, 1e6));
  command->add_option("--species", arguments->species,
                      "Whose particles become grains, where there are several species");
  command->add_option("--seed", arguments->seed, "Of the places where grains start");
  command->add_option("--threads", arguments->threads, "Number of threads (default: all)")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--overwrite", arguments->overwrite, "Replace the grains that are there");
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kUpsampleExamples);
  command->callback([arguments, &status] { status = upsample(*arguments); });
}

}  // namespace firn::cli

#include <fmt/format.h>

#include <filesystem>

#include "commands.h"
#include "exec/parallel.h"
#include "mesh_io/atomic_file.h"
#include "output.h"
#include "pack/world_pack.h"
#include "scene_lookup.h"
#include "simulate.h"

namespace firn::cli {
namespace fs = std::filesystem;

namespace {

struct PackArguments {
  SceneOptions scene;
  std::string output;
  int threads = 0;
  bool quiet = false;
};

constexpr const char* kExtension = ".firnpack";
constexpr const char* kPackExamples =
    "A pack is the start of a scene in one file: settings, expressions, particles, and the "
    "sampled\n"
    "fields of meshes and pictures. The engine alone (firn_engine run, firn_engine agree) runs "
    "it,\n"
    "without the libraries that read scenes; docs/gpu.md.\n"
    "Examples:\n"
    "  firn pack snowball_drop                      out/snowball_drop.firnpack\n"
    "  firn pack my.json -o my.firnpack --set /grid/spacing=0.05\n";

int pack(const PackArguments& arguments) {
  const Result<LoadedScene> scene = load_scene(arguments.scene);
  if (!scene) return report(scene.errors(), kBadInput);
  if (arguments.threads > 0) set_thread_count(arguments.threads);
  SceneSettings settings = scene->settings;
  settings.frames = arguments.scene.chosen_frames(settings).value_or(settings.frames);
  Result<WorldPack> made = make_pack(settings);
  if (!made) {
    Errors errors;
    for (const std::string& line : made.errors()) errors.push_back(scene->path + ": " + line);
    return report(errors, kBadInput);
  }
  std::size_t particles = 0;
  for (const ObjectParticles& object : made->particles) particles += object.size();
  const fs::path file = arguments.output.empty()
                            ? fs::path("out") / (folder_name(settings.name) + kExtension)
                            : fs::path(arguments.output);
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  const std::string bytes = encode_pack(std::move(*made));
  const auto written = write_whole_file(file, bytes);
  if (!written) return report(written.errors(), kFailed);
  if (!arguments.quiet)
    put_aside(fmt::format("{}: {} particles, {}\n", file.string(),
                          grouped(static_cast<double>(particles)),
                          bytes_text(static_cast<double>(bytes.size()))));
  return kDone;
}

}  // namespace

void add_pack_command(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("pack", "Write the start of a scene as one file for the engine alone");
  auto arguments = std::make_shared<PackArguments>();
  arguments->scene.add_to(*command, "Scene file, name of a shipped scene, or folder of a run");
  command->add_option("-o,--output", arguments->output, "The file (default: out/NAME.firnpack)");
  command->add_option("--threads", arguments->threads, "Number of threads (default: all)")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kPackExamples);
  command->callback([arguments, &status] { status = pack(*arguments); });
}

}  // namespace firn::cli

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "commands.h"
#include "io/run_folder.h"
#include "io/scene_reader.h"
#include "output.h"
#include "picture_size.h"
#include "progress.h"
#include "render/camera.h"
#include "render/render_run.h"
#include "scene/line_text.h"
#include "signals.h"
#include "simulate.h"

namespace firn::cli {
namespace fs = std::filesystem;

namespace {

struct RenderArguments {
  SceneOptions scene;
  MachineOptions machine;
  std::string output, size = kDefaultSize;
  RenderRunOptions picture;
  bool overwrite = false, quiet = false, no_legend = false;
};

constexpr const char* kExamples =
    "Examples:\n"
    "  firn render out/snowball_drop              out/snowball_drop/film.mp4\n"
    "  firn render out/snowball_drop -o still.png --frame 30 --size 1920x1080\n"
    "  firn render out/dam --color-by velocity --camera side\n"
    "  firn render snowball_drop                  simulates it first\n";

// What can be said before anything is read or simulated; "" when all is well.
std::string check_arguments(RenderArguments& arguments) {
  const std::string problem = parse_size(arguments.size, arguments.picture);
  if (!problem.empty()) return problem;
  const std::string& camera = arguments.picture.camera;
  const std::vector<std::string>& names = camera_names();
  if (!camera.empty() && std::find(names.begin(), names.end(), camera) == names.end())
    return "--camera " + printable(camera) + ": no such camera" + suggestion(camera, names);
  if (arguments.output.empty()) return "";
  const std::string extension = fs::path(arguments.output).extension().string();
  if (extension != ".mp4" && extension != ".png")
    return arguments.output + ": must end in .mp4 (a film) or .png (a still)";
  if (arguments.picture.frame >= 0 && extension != ".png")
    return arguments.output + ": --frame makes a still, whose name must end in .png";
  return "";
}

// The folder of the run to show: the one given, or that of the scene, simulated as far as needed.
int find_run(const RenderArguments& arguments, RunFolder& folder) {
  std::error_code ignored;
  if (fs::is_directory(arguments.scene.scene, ignored)) {
    if (!arguments.scene.overrides.empty() || arguments.scene.frames > 0 || arguments.overwrite)
      return report(arguments.scene.scene +
                        ": is the folder of a run; --set, --frames and --overwrite are for scenes",
                    kBadInput);
    folder.root = arguments.scene.scene;
    return kDone;
  }
  Result<LoadedScene> scene = load_scene(arguments.scene);
  if (!scene) return report(scene.errors(), kBadInput);
  RunOptions options;
  options.frames = arguments.scene.chosen_frames(scene->settings);
  options.scene_file = scene->path;
  options.precision = arguments.machine.chosen_precision();
  options.folder = default_folder(scene->settings);
  options.existing = arguments.overwrite ? ExistingRun::overwrite : ExistingRun::resume;
  options.program = program_name();
  carry_shown_field(arguments.picture.color_by, scene->settings);
  options.scene = std::move(scene->settings);
  folder.root = options.folder;
  return simulate(options, arguments.quiet);
}

int draw(const std::vector<fs::path>& frames, const SceneSettings& scene,
         const RenderArguments& arguments) {
  RunControl control;
  const SignalScope signals(control);
  Progress progress(arguments.quiet);
  const auto start = std::chrono::steady_clock::now();
  const auto on_frame = [&](std::int64_t done, std::int64_t total) {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (done > 0)
      progress.show(done, total,
                    fmt::format("drawn, {:.3g} frames/s", static_cast<double>(done) / seconds),
                    seconds / static_cast<double>(done) * static_cast<double>(total - done));
    return !control.quit;
  };
  const Result<RenderReport> drawn = render_run(frames, scene, arguments.picture, on_frame);
  if (control.quit) return report("interrupted", kInterrupted);
  if (!drawn) return report(drawn.errors(), kFailed);
  report(drawn->warnings, kDone);
  progress.say(fmt::format("{}: {} frame{}", drawn->output.string(), drawn->frames,
                           drawn->frames == 1 ? "" : "s"));
  return kDone;
}

int render(RenderArguments arguments) {
  const std::string problem = check_arguments(arguments);
  if (!problem.empty()) return report(problem, kBadInput);
  const Errors errors = arguments.machine.apply();
  if (!errors.empty()) return report(errors, kBadInput);
  RunFolder folder;
  if (const int status = find_run(arguments, folder); status != kDone) return status;
  const Result<SceneSettings> scene = read_scene(folder.scene().string());
  if (!scene) return report(scene.errors(), kBadInput);
  const std::vector<fs::path> frames = frame_files(folder.root);
  if (frames.empty()) return report(folder.frames().string() + ": no frames", kBadInput);
  RenderRunOptions& picture = arguments.picture;
  if (picture.frame >= 0 &&
      std::find(frames.begin(), frames.end(), folder.frame(picture.frame)) == frames.end())
    return report(fmt::format("{}: no frame {}", folder.root.string(), picture.frame), kBadInput);
  picture.legend = !arguments.no_legend;
  picture.output = arguments.output;
  if (picture.output.empty())
    picture.output =
        folder.root /
        (picture.frame >= 0 ? fmt::format("still_{:04}.png", picture.frame) : "film.mp4");
  return draw(frames, *scene, arguments);
}

}  // namespace

void add_render_command(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("render", "Draw a run, or a scene after running it: film or still");
  auto arguments = std::make_shared<RenderArguments>();
  arguments->scene.add_to(*command, "Folder of a run, or a scene (simulated into out/NAME first)");
  command->add_option("-o,--output", arguments->output,
                      "film.mp4 or still.png (default: film.mp4 in the folder of the run)");
  command
      ->add_option("--frame", arguments->picture.frame,
                   "Draw a still of this frame (default: the last)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--size", arguments->size, "Pixels, WIDTHxHEIGHT (default: 1280x720)");
  command->add_option("--camera", arguments->picture.camera,
                      "three_quarter, front, side or top (default: the scene's camera)");
  command->add_option("--color-by", arguments->picture.color_by,
                      "color, material, velocity or any column of the frames");
  command->add_flag("--no-legend", arguments->no_legend, "Leave out the scale of the colours");
  arguments->machine.add_to(*command);
  command->add_flag("--overwrite", arguments->overwrite,
                    "Simulate the scene anew where a run of it exists");
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kExamples);
  command->callback([arguments, &status] { status = render(*arguments); });
}

}  // namespace firn::cli

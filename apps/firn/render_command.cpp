#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "commands.h"
#include "io/film.h"
#include "io/png.h"
#include "io/scene_reader.h"
#include "output.h"
#include "pictures.h"
#include "progress.h"
#include "scene/line_text.h"
#include "signals.h"
#include "simulate.h"

namespace firn::cli {
namespace fs = std::filesystem;

namespace {

struct RenderArguments {
  SceneOptions scene;
  MachineOptions machine;
  std::string output, size = "1280x720";
  std::int64_t frame = -1;  // -1: not given
  PictureOptions picture;
  bool overwrite = false, quiet = false;
};

constexpr const char* kExamples =
    "Examples:\n"
    "  firn render out/snow_ball                          out/snow_ball/film.mp4\n"
    "  firn render out/snow_ball -o still.png --frame 30 --size 1920x1080\n"
    "  firn render out/dam --color-by velocity --camera side\n"
    "  firn render snow_ball                              simulates it first\n";

std::string parse_size(const std::string& text, PictureOptions& options) {
  const char* end = text.data() + text.size();
  const auto [after_width, first] = std::from_chars(text.data(), end, options.width);
  if (first == std::errc() && after_width != end && *after_width == 'x') {
    const auto [after, second] = std::from_chars(after_width + 1, end, options.height);
    const auto fits = [](int side) { return side >= 16 && side <= 16384; };
    if (second == std::errc() && after == end && fits(options.width) && fits(options.height))
      return "";
  }
  return "--size " + printable(text) +
         ": must be WIDTHxHEIGHT of 16 to 16384 pixels each, such as "
         "1280x720";
}

bool is_still(const std::string& output) {
  return fs::path(output).extension() == ".png";
}

// Frames carry what the picture shows, where the scene does not say so already.
void write_shown_field(const std::string& color_by, OutputSettings& output) {
  const std::string field = color_by == "speed" ? "velocity" : color_by;
  const auto contains = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), field) != names.end();
  };
  if (contains(output_field_names()) && !contains(output.fields)) output.fields.push_back(field);
}

// The folder of the run to show: the one given, or that of the scene, simulated as far as needed.
int find_run(const RenderArguments& arguments, RunFolder& folder) {
  if (fs::is_directory(arguments.scene.scene)) {
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
  const std::string& asked = arguments.picture.color_by;
  write_shown_field(asked.empty() ? scene->settings.view.color_by : asked, scene->settings.output);
  options.scene = std::move(scene->settings);
  folder.root = options.folder;
  return simulate(options, arguments.quiet);
}

int render_still(const PictureMaker& maker, const std::string& output, std::int64_t frame,
                 Progress& progress) {
  const Result<Image> image = maker.picture(frame);
  if (!image) return report(image.errors(), kFailed);
  const Result<fs::path> written = write_png(output, *image);
  if (!written) return report(written.errors(), kFailed);
  progress.say(fmt::format("{}: frame {}", output, frame));
  return kDone;
}

int render_film(const PictureMaker& maker, const RenderArguments& arguments,
                const std::string& output, double fps, const std::vector<std::int64_t>& frames,
                Progress& progress) {
  RunControl control;
  const SignalScope signals(control);
  Result<FilmWriter> film =
      FilmWriter::open(output, arguments.picture.width, arguments.picture.height, fps);
  if (!film) return report(film.errors(), kFailed);
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Result<Image> image = maker.picture(frames[i]);
    if (!image) return report(image.errors(), kFailed);
    if (control.quit) return kInterrupted;
    if (!film->add(*image)) break;
    const double done = static_cast<double>(i + 1);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress.show(static_cast<std::int64_t>(i + 1), static_cast<std::int64_t>(frames.size()),
                  fmt::format("drawn, {:.3g} frames/s", done / seconds),
                  seconds / done * (static_cast<double>(frames.size()) - done));
  }
  const Result<fs::path> written = film->finish();
  if (!written) return report(written.errors(), kFailed);
  progress.say(fmt::format("{}: {} frames", output, frames.size()));
  return kDone;
}

std::string check_arguments(RenderArguments& arguments) {
  const std::string problem = parse_size(arguments.size, arguments.picture);
  if (!problem.empty()) return problem;
  const std::string& camera = arguments.picture.camera;
  const std::vector<std::string>& names = camera_names();
  if (!camera.empty() && std::find(names.begin(), names.end(), camera) == names.end())
    return "--camera " + printable(camera) + ": no such camera" + suggestion(camera, names);
  const std::string extension = fs::path(arguments.output).extension();
  const std::vector<std::string> films = {".mp4", ".mkv", ".mov"};
  if (!arguments.output.empty() && !is_still(arguments.output) &&
      std::find(films.begin(), films.end(), extension) == films.end())
    return arguments.output + ": must end in .mp4, .mkv or .mov (film) or .png (still)";
  if (arguments.frame >= 0 && !arguments.output.empty() && !is_still(arguments.output))
    return arguments.output + ": --frame makes a still, whose name must end in .png";
  return "";
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
  const std::vector<std::int64_t> frames = frame_numbers(folder);
  if (frames.empty()) return report(folder.frames().string() + ": no frames", kBadInput);
  const bool still = arguments.frame >= 0 || is_still(arguments.output);
  const std::int64_t frame = arguments.frame >= 0 ? arguments.frame : frames.back();
  if (still && std::find(frames.begin(), frames.end(), frame) == frames.end())
    return report(fmt::format("{}: no frame {}; there are {} to {}", folder.root.string(), frame,
                              frames.front(), frames.back()),
                  kBadInput);
  const Result<PictureMaker> maker =
      PictureMaker::create(*scene, folder, frames, arguments.picture);
  if (!maker) return report(maker.errors(), kBadInput);
  Progress progress(arguments.quiet);
  std::string output = arguments.output;
  if (output.empty())
    output = (folder.root / (still ? fmt::format("still_{:04}.png", frame) : "film.mp4")).string();
  if (still) return render_still(*maker, output, frame, progress);
  return render_film(*maker, arguments, output, scene->fps, frames, progress);
}

}  // namespace

void add_render_command(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("render", "Draw a run, or a scene after running it: film or still");
  auto arguments = std::make_shared<RenderArguments>();
  arguments->scene.add_to(*command, "Folder of a run, or a scene (simulated into out/NAME first)");
  command->add_option("-o,--output", arguments->output,
                      "film.mp4 or still.png (default: film.mp4 in the folder of the run)");
  command->add_option("--frame", arguments->frame, "Draw a still of this frame (default: the last)")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--size", arguments->size, "Pixels, WIDTHxHEIGHT (default: 1280x720)");
  command->add_option("--camera", arguments->picture.camera,
                      "three_quarter, front, side or top (default: the scene's camera)");
  command->add_option("--color-by", arguments->picture.color_by,
                      "color, material, velocity or any column of the frames");
  arguments->machine.add_to(*command);
  command->add_flag("--overwrite", arguments->overwrite,
                    "Simulate the scene anew where a run of it exists");
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kExamples);
  command->callback([arguments, &status] { status = render(*arguments); });
}

}  // namespace firn::cli

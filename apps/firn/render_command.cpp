#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "commands.h"
#include "draw/slice_view.h"
#include "frames/grain_files.h"
#include "output.h"
#include "painter_choice.h"
#include "picture_size.h"
#include "progress.h"
#include "render/camera.h"
#include "render/live_film.h"
#include "render/render_run.h"
#include "run/existing_run.h"
#include "scene/line_text.h"
#include "scene_io/scene_reader.h"
#include "signals.h"
#include "simulate.h"

namespace firn::cli {
namespace fs = std::filesystem;

namespace {

struct RenderArguments {
  SceneOptions scene;
  MachineOptions machine;
  std::string output, size = kDefaultSize, codec = "h264", color_map;
  std::vector<double> range;
  PainterChoice painter;
  RenderRunOptions picture;
  bool overwrite = false, quiet = false, no_legend = false, live = false, grains = false;

  bool is_still() const {
    return picture.frame >= 0 || fs::path(output).extension().string() == ".png";
  }
};

constexpr const char* kRenderExamples =
    "Examples:\n"
    "  firn render out/snowball_drop              out/snowball_drop/film.mp4\n"
    "  firn render out/snowball_drop -o still.png --frame 30 --size 1920x1080\n"
    "  firn render out/dam --color-by velocity --camera side --turntable 90\n"
    "  firn render out/dam --slice pressure:z=0   a slice of the grid\n"
    "  firn render out/sph_grains --grains        fine grains, where the run has them\n"
    "  firn render snowball_drop                  simulates it first\n"
    "  firn render snowball_drop --live           draws while it simulates\n";

// What can be said before anything is read or simulated; "" when all is well.
std::string check_arguments(RenderArguments& arguments) {
  RenderRunOptions& picture = arguments.picture;
  const std::string problem = parse_size(arguments.size, picture);
  if (!problem.empty()) return problem;
  if (arguments.range.size() == 2) {
    picture.low = arguments.range[0], picture.high = arguments.range[1];
    if (!(picture.low < picture.high)) return "--range: the second number must be larger";
  }
  const std::vector<std::string> maps = color_map_names();
  const auto map = std::find(maps.begin(), maps.end(), arguments.color_map);
  if (map != maps.end()) picture.color_map = static_cast<ColorMap>(map - maps.begin());
  if (arguments.codec == "hevc") picture.codec = FilmCodec::hevc;
  picture.legend = !arguments.no_legend;
  if (picture.last >= 0 && picture.last < picture.first) return "--to: lies before --from";
  if (arguments.live && arguments.is_still()) return "--live: is for films";
  if (arguments.live && arguments.grains) return "--live: shows particles; leave out --grains";
  if (arguments.output.empty()) return "";
  const std::string extension = fs::path(arguments.output).extension().string();
  if (extension != ".mp4" && extension != ".png")
    return arguments.output + ": must end in .mp4 (a film) or .png (a still)";
  if (picture.frame >= 0 && extension != ".png")
    return arguments.output + ": --frame makes a still, whose name must end in .png";
  return "";
}

// What can be said once the scene is known.
std::string check_with_scene(const RenderArguments& arguments, const SceneSettings& scene) {
  const std::string& camera = arguments.picture.camera;
  std::vector<std::string> names = camera_names();
  for (const NamedCameraSettings& own : scene.view.cameras) names.push_back(own.name);
  if (!camera.empty() && std::find(names.begin(), names.end(), camera) == names.end())
    return "--camera " + printable(camera) + ": no such camera" + suggestion(camera, names);
  if (arguments.painter.slice.empty()) return "";
  const Result<GridSliceOptions> slice = parse_slice(arguments.painter.slice, scene);
  return slice ? "" : "--slice " + slice.errors().front();
}

RunOptions run_options(const RenderArguments& arguments, LoadedScene scene) {
  RunOptions options;
  options.frames = arguments.scene.chosen_frames(scene.settings);
  options.scene_file = scene.path;
  options.precision = arguments.machine.chosen_precision();
  options.folder = default_folder(scene.settings);
  options.existing = arguments.overwrite                    ? ExistingRun::overwrite
                     : holds_run(RunFolder{options.folder}) ? ExistingRun::resume
                                                            : ExistingRun::refuse;
  options.program = program_name();
  carry_shown_field(arguments.picture.color_by, scene.settings);
  if (!arguments.painter.slice.empty())
    if (const auto slice = parse_slice(arguments.painter.slice, scene.settings); slice)
      for (const std::string& field : slice_output_fields(*slice))
        carry_shown_field(field, scene.settings);
  const std::string& style = arguments.painter.style;
  if (style == "icosahedra" || scene.settings.view.look.style == PointStyle::icosahedra)
    carry_shown_field("F", scene.settings);
  options.scene = std::move(scene.settings);
  return options;
}

int say_result(Progress& progress, const Result<RenderReport>& drawn, bool interrupted) {
  if (!drawn && interrupted) return report("interrupted", kInterrupted);
  if (!drawn) return report(drawn.errors(), kFailed);
  report(drawn->warnings, kDone);
  progress.say(fmt::format("{}: {} frame{}{}", drawn->output.string(), drawn->frames,
                           drawn->frames == 1 ? "" : "s", interrupted ? ", interrupted" : ""));
  return interrupted ? kInterrupted : kDone;
}

// A film of the run while it is computed.
int draw_live(const RenderArguments& arguments, const RunOptions& run) {
  const Result<std::unique_ptr<FramePainter>> painter =
      choose_painter(arguments.painter, run.scene, arguments.picture, {});
  if (!painter) return report(painter.errors(), kFailed);
  RenderRunOptions picture = arguments.picture;
  picture.output = arguments.output.empty() ? run.folder / "film.mp4" : fs::path(arguments.output);
  SceneSettings scene = run.scene;
  if (run.frames) scene.frames = *run.frames;
  LiveFilm film(RunFolder{run.folder}, scene, picture, **painter);
  Errors errors;
  std::int64_t newest = 0;
  const int status = simulate(run, arguments.quiet, [&](std::int64_t frame) {
    // The newest frame is still on its way to the disk.
    newest = frame;
    if (errors.empty()) errors = film.advance(frame - 1);
    return errors.empty();
  });
  if (!errors.empty()) return report(errors, kFailed);
  if (status == kBadInput) return status;
  Progress progress(arguments.quiet);
  const auto numbers = frame_numbers(RunFolder{run.folder});
  const std::int64_t last = numbers.empty() ? newest : numbers.back();
  const Result<RenderReport> drawn = film.finish(last);
  const int shown = say_result(progress, drawn, status == kInterrupted);
  return status == kDone ? shown : status;
}

int draw(const std::vector<fs::path>& frames, const SceneSettings& scene,
         const RenderArguments& arguments) {
  const Result<std::unique_ptr<FramePainter>> painter =
      choose_painter(arguments.painter, scene, arguments.picture, frames);
  if (!painter) return report(painter.errors(), kFailed);
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
  RenderRunOptions picture = arguments.picture;
  if (!arguments.painter.slice.empty()) picture.color_by = "color";
  const Result<RenderReport> drawn = render_run(frames, scene, picture, **painter, on_frame);
  return say_result(progress, drawn, control.quit);
}

int draw_run(const RunFolder& folder, RenderArguments& arguments) {
  const Result<SceneSettings> scene = read_scene(folder.scene().string());
  if (!scene) return report(scene.errors(), kBadInput);
  const std::string problem = check_with_scene(arguments, *scene);
  if (!problem.empty()) return report(problem, kBadInput);
  const Result<SceneSettings> shown =
      arguments.grains ? scene_of_grains(folder, *scene) : Result<SceneSettings>(*scene);
  if (!shown) return report(shown.errors(), kBadInput);
  const std::vector<fs::path> frames =
      arguments.grains ? grain_files(folder) : frame_files(folder.root);
  if (frames.empty()) return report(folder.frames().string() + ": no frames", kBadInput);
  RenderRunOptions& picture = arguments.picture;
  const fs::path asked =
      arguments.grains ? folder.grains(picture.frame) : folder.frame(picture.frame);
  if (picture.frame >= 0 && std::find(frames.begin(), frames.end(), asked) == frames.end())
    return report(fmt::format("{}: no {} {}", folder.root.string(),
                              arguments.grains ? "grains of frame" : "frame", picture.frame),
                  kBadInput);
  picture.output = arguments.output;
  if (picture.output.empty())
    picture.output =
        folder.root /
        (picture.frame >= 0 ? fmt::format("still_{:04}.png", picture.frame) : "film.mp4");
  if (!arguments.is_still())
    picture.width -= picture.width % 2, picture.height -= picture.height % 2;
  return draw(frames, *shown, arguments);
}

int render(RenderArguments arguments) {
  const std::string problem = check_arguments(arguments);
  if (!problem.empty()) return report(problem, kBadInput);
  const Errors errors = arguments.machine.apply();
  if (!errors.empty()) return report(errors, kBadInput);
  std::error_code ignored;
  if (fs::is_directory(arguments.scene.scene, ignored)) {
    if (!arguments.scene.overrides.empty() || arguments.scene.frames > 0 || arguments.overwrite ||
        arguments.live)
      return report(
          arguments.scene.scene +
              ": is the folder of a run; --set, --frames, --overwrite and --live are for scenes",
          kBadInput);
    return draw_run({arguments.scene.scene}, arguments);
  }
  Result<LoadedScene> scene = load_scene(arguments.scene);
  if (!scene) return report(scene.errors(), kBadInput);
  const std::string wrong = check_with_scene(arguments, scene->settings);
  if (!wrong.empty()) return report(wrong, kBadInput);
  const RunOptions options = run_options(arguments, std::move(*scene));
  if (arguments.live) return draw_live(arguments, options);
  if (const int status = simulate(options, arguments.quiet); status != kDone) return status;
  return draw_run({options.folder}, arguments);
}

void add_film_options(CLI::App& command, RenderArguments& arguments) {
  RenderRunOptions& picture = arguments.picture;
  command.add_option("--from", picture.first, "First frame of a film")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--to", picture.last, "Last frame of a film")->check(CLI::NonNegativeNumber);
  command
      .add_option("--speed", picture.speed,
                  "Simulated seconds a second of film (default: every frame becomes a picture)")
      ->check(CLI::Range(1e-6, 1e6));
  command.add_option("--fps", picture.fps, "Pictures a second (default: the scene's, at most 60)")
      ->check(CLI::Range(1e-3, 1000.0));
  command.add_option("--turntable", picture.turntable,
                     "Turn the camera by so many degrees through the film");
  command
      .add_option("--motion-blur", picture.motion_blur,
                  "Blend so many pictures into one (default: 1)")
      ->check(CLI::Range(1, 256));
  command.add_option("--codec", arguments.codec, "h264 or hevc (default: h264)")
      ->check(CLI::IsMember({"h264", "hevc"}));
  command.add_flag("--live", arguments.live, "Draw the frames of a scene while it is simulated");
}

void add_look_options(CLI::App& command, RenderArguments& arguments) {
  command.add_option("--size", arguments.size, "Pixels, WIDTHxHEIGHT (default: 1280x720)");
  command.add_option("--camera", arguments.picture.camera,
                     "three_quarter, front, side, top or one that the scene names (default: the "
                     "scene's camera)");
  command.add_option("--color-by", arguments.picture.color_by,
                     "color, material, velocity or any column of the frames");
  command.add_option("--range", arguments.range, "Values at the ends of the colours: LOW HIGH")
      ->expected(2);
  command
      .add_option("--color-map", arguments.color_map, "viridis, plasma, coolwarm, turbo or grey")
      ->check(CLI::IsMember(color_map_names()));
  command.add_option("--style", arguments.painter.style, "points, spheres, icosahedra or mesh")
      ->check(CLI::IsMember(point_style_names()));
  command.add_option(
      "--slice", arguments.painter.slice,
      "Show a slice of the grid: FIELD[@SPECIES][:AXIS[=METRES]], such as velocity_x:z=0.1 or "
      "abs_pressure_gradient_y@water");
  command
      .add_option("--samples", arguments.picture.supersampling,
                  "Samples along each side of a pixel, 1 or 2 (default: 2)")
      ->check(CLI::Range(1, 2));
  command
      .add_option("--renderer", arguments.painter.renderer,
                  "gl (OpenGL), cpu, or auto: gl where it works (default: auto)")
      ->check(CLI::IsMember({"auto", "gl", "cpu"}));
  command.add_flag("--grains", arguments.grains,
                   "Show the fine grains of the run (see firn upsample) in place of its particles");
  command.add_flag("--no-legend", arguments.no_legend, "Leave out the scale of the colours");
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
  add_look_options(*command, *arguments);
  add_film_options(*command, *arguments);
  arguments->machine.add_to(*command);
  command->add_flag("--overwrite", arguments->overwrite,
                    "Simulate the scene anew where a run of it exists");
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kRenderExamples);
  command->callback([arguments, &status] { status = render(*arguments); });
}

}  // namespace firn::cli

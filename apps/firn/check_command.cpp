#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "commands.h"
#include "output.h"
#include "picture_size.h"
#include "render/preview.h"
#include "scene/check.h"
#include "scene/initial_particles.h"
#include "scene_text.h"
#include "sim/emitter.h"
#include "simulate.h"

namespace firn::cli {
namespace {

struct CheckArguments {
  SceneOptions scene;
  MachineOptions machine;
  std::string preview, size = kDefaultSize;
};

// A scene at its start. What fills the mouths of its emitters is a world of its own, as a look at
// what is to come; null without emitters.
struct Start {
  std::unique_ptr<World> world, mouths;
};

// What a run would cost.
struct Estimate {
  double first_dt = 0;        // s
  double step_seconds = 0;    // of wall-clock time, on average
  double particles = 0;       // on average
  double last_particles = 0;  // when the run ends, if none is removed
};

Errors with_file(const std::string& file, Errors errors) {
  for (std::string& line : errors) line = file + ": " + line;
  return errors;
}

Result<Start> make_start(const SceneSettings& scene, std::vector<ObjectParticles> objects,
                         Precision precision) {
  Start start;
  Result<std::unique_ptr<World>> world =
      World::create_from_particles(scene, std::move(objects), precision);
  if (!world) return world.errors();
  start.world = std::move(*world);
  if (scene.emitters.empty()) return start;
  Result<std::vector<ObjectParticles>> filled = filled_mouths(scene);
  if (!filled) return filled.errors();
  world = World::create_from_particles(scene, std::move(*filled), precision);
  if (!world) return world.errors();
  start.mouths = std::move(*world);
  return start;
}

Result<std::filesystem::path> draw_preview(const Start& start, const SceneSettings& scene,
                                           const CheckArguments& arguments) {
  RenderRunOptions picture;
  parse_size(arguments.size, picture);
  picture.output = arguments.preview;
  const std::vector<std::string>& fields = scene.output.fields;
  return render_preview(start.world->snapshot(fields),
                        start.mouths ? start.mouths->snapshot(fields) : PointTable{}, scene,
                        picture);
}

// Seconds that a time step takes, after a first one has brought everything into memory.
Result<double> seconds_a_step(World& world) {
  const Result<double> first = world.advance_step();
  if (!first) return first.errors();
  const auto start = std::chrono::steady_clock::now();
  const Result<double> second = world.advance_step();
  if (!second) return second.errors();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Steps are as short as what comes out of the emitters will need them.
Result<Estimate> estimate_cost(const SceneSettings& scene, const Start& start) {
  const WorldSize size = start.world->size();
  const auto count = static_cast<double>(size.particles);
  Estimate estimate{size.first_dt, 0, count, count};
  for (std::size_t i = 0; i < scene.emitters.size(); ++i)
    estimate.last_particles += emitted_particles(scene, i);
  estimate.particles = 0.5 * (count + estimate.last_particles);
  if (start.mouths) estimate.first_dt = std::min(estimate.first_dt, start.mouths->size().first_dt);
  World& measured = size.particles == 0 && start.mouths ? *start.mouths : *start.world;
  const auto measured_count = static_cast<double>(measured.size().particles);
  const Result<double> seconds = seconds_a_step(measured);
  if (!seconds) return seconds.errors();
  estimate.step_seconds =
      measured_count > 0 ? *seconds * estimate.particles / measured_count : *seconds;
  return estimate;
}

std::string size_lines(const SceneSettings& scene, const WorldSize& size,
                       const Estimate& estimate) {
  const auto frames = static_cast<double>(scene.frames);
  const double steps = frames * std::ceil(1 / scene.fps / estimate.first_dt);
  std::string text = fmt::format("particles    {}", grouped(static_cast<double>(size.particles)));
  if (!scene.emitters.empty())
    text += fmt::format(
        " at first, about {} come in",
        grouped(std::round(estimate.last_particles - static_cast<double>(size.particles))));
  text +=
      fmt::format("\ngrid         {} blocks, {} nodes\n", grouped(static_cast<double>(size.blocks)),
                  grouped(static_cast<double>(size.grid_nodes)));
  text += fmt::format("memory       {}\n", bytes_text(static_cast<double>(size.bytes)));
  text += fmt::format("time step    {:.3g} s at first, {:.0f} a frame\n", estimate.first_dt,
                      steps / frames);
  text += fmt::format("run          {} frames, {:.4g} s, about {:.3g} particle-steps, {}\n",
                      scene.frames, frames / scene.fps, steps * estimate.particles,
                      duration_text(steps * estimate.step_seconds));
  return text;
}

// What can be said before anything is read; "" when all is well.
std::string check_picture(const CheckArguments& arguments) {
  RenderRunOptions ignored;
  const std::string problem = parse_size(arguments.size, ignored);
  if (!problem.empty()) return problem;
  if (!arguments.preview.empty() && std::filesystem::path(arguments.preview).extension() != ".png")
    return "--preview " + arguments.preview + ": the name must end in .png";
  return "";
}

int check(const CheckArguments& arguments) {
  if (const std::string problem = check_picture(arguments); !problem.empty())
    return report(problem, kBadInput);
  const Errors errors = arguments.machine.apply();
  if (!errors.empty()) return report(errors, kBadInput);
  Result<LoadedScene> loaded = load_scene(arguments.scene);
  if (!loaded) return report(loaded.errors(), kBadInput);
  SceneSettings& scene = loaded->settings;
  if (arguments.scene.frames > 0) scene.frames = arguments.scene.frames;
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return report(with_file(loaded->path, objects.errors()), kBadInput);
  const std::string object_text = object_lines(scene, *objects);
  const Result<Start> start = make_start(
      scene, std::move(*objects), arguments.machine.chosen_precision().value_or(Precision::single));
  if (!start) return report(with_file(loaded->path, start.errors()), kBadInput);
  const WorldSize size = start->world->size();
  if (!arguments.preview.empty()) {
    const Result<std::filesystem::path> drawn = draw_preview(*start, scene, arguments);
    if (!drawn) return report(drawn.errors(), kFailed);
  }
  const Result<Estimate> estimate = estimate_cost(scene, *start);
  if (!estimate) return report(with_file(loaded->path, estimate.errors()), kFailed);
  put(fmt::format("{}: {}\n", scene.name, scene.description) + object_text + emitter_lines(scene) +
      surroundings_lines(scene) + size_lines(scene, size, *estimate));
  if (!arguments.preview.empty()) put(fmt::format("preview      {}\n", arguments.preview));
  for (const SceneIssue& issue : check_scene(scene))
    if (issue.warning)
      put(fmt::format("warning: {}: {}: {}\n", loaded->path, issue.pointer, issue.what));
  return kDone;
}

}  // namespace

void add_check_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "check", "Check a scene and print what would run: particles, grid, memory, time step");
  auto arguments = std::make_shared<CheckArguments>();
  arguments->scene.add_to(*command, "Scene file or name of a shipped scene");
  command->add_option("--preview", arguments->preview,
                      "Draw how the scene starts; the name ends in .png");
  command->add_option("--size", arguments->size,
                      "Pixels of the preview, WIDTHxHEIGHT (default: 1280x720)");
  arguments->machine.add_to(*command);
  command->footer(
      "Examples:\n  firn check my.json\n  firn check my.json --set /grid/spacing=0.01\n"
      "  firn check my.json --preview my.png --size 640x360\n");
  command->callback([arguments, &status] { status = check(*arguments); });
}

}  // namespace firn::cli

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "commands.h"
#include "cost_estimate.h"
#include "output.h"
#include "picture_size.h"
#include "render/preview.h"
#include "scene/check.h"
#include "scene/initial_particles.h"
#include "scene/object_mesh.h"
#include "scene_text.h"
#include "sim/emitter.h"
#include "sim/integrator_forecast.h"
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

Errors with_file(const std::string& file, Errors errors) {
  for (std::string& line : errors) line = file + ": " + line;
  return errors;
}

Result<Start> make_start(const SceneSettings& scene, std::vector<ObjectParticles> objects,
                         Precision precision) {
  Start start;
  // A few steps are taken to measure them, and an emitter may let in any number in a step.
  SceneSettings closed = scene;
  closed.emitters.clear();
  Result<std::unique_ptr<World>> world =
      World::create_from_particles(closed, std::move(objects), precision);
  if (!world) return world.errors();
  start.world = std::move(*world);
  if (scene.emitters.empty()) return start;
  Result<std::vector<ObjectParticles>> filled = filled_mouths(scene);
  if (!filled) return filled.errors();
  world = World::create_from_particles(closed, std::move(*filled), precision);
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

std::string size_lines(const SceneSettings& scene, const WorldSize& size,
                       const CostEstimate& estimate) {
  const auto frames = static_cast<double>(scene.frames);
  const bool is_meshed = scene.solver == SolverKind::fem;
  std::string text = fmt::format("{:12} {}", is_meshed ? "vertices" : "particles",
                                 grouped(static_cast<double>(size.particles)));
  double coming = 0;
  for (std::size_t i = 0; i < scene.emitters.size(); ++i) coming += emitted_particles(scene, i);
  if (!scene.emitters.empty())
    text += fmt::format(" at first, about {} come in", grouped(std::round(coming)));
  if (size.fine_grains > 0)
    text += fmt::format("\ngrains       {}", grouped(static_cast<double>(size.fine_grains)));
  text += "\n";
  if (!is_meshed)
    text +=
        fmt::format("grid         {} blocks, {} nodes\n", grouped(static_cast<double>(size.blocks)),
                    grouped(static_cast<double>(size.grid_nodes)));
  text += fmt::format("memory       {}\n", bytes_text(static_cast<double>(size.bytes)));
  text += fmt::format("time step    {:.3g} s at first, {:.6g} a frame\n", estimate.first_dt,
                      std::max(1.0, std::round(estimate.steps / frames)));
  if (scene.solver == SolverKind::mpm)
    text += fmt::format("integrators  {}\n", forecast_line(forecast_integrators(scene)));
  text += fmt::format("run          {} frames, {:.4g} s, about {:.3g} {}-steps, {}\n", scene.frames,
                      frames / scene.fps, estimate.particle_steps,
                      is_meshed ? "vertex" : "particle", duration_text(estimate.seconds));
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
  // The scene itself stays as it is: coarse twins of it are meshed anew.
  const bool is_meshed = scene.solver == SolverKind::fem;
  const Result<SceneSettings> meshed = is_meshed ? with_meshes(scene) : Result(scene);
  if (!meshed) return report(with_file(loaded->path, meshed.errors()), kBadInput);
  Result<std::vector<ObjectParticles>> objects = initial_particles(*meshed);
  if (!objects) return report(with_file(loaded->path, objects.errors()), kBadInput);
  const std::string object_text = object_lines(scene, *objects);
  const Precision precision = arguments.machine.chosen_precision().value_or(usual_precision(scene));
  const Result<Start> start = make_start(*meshed, std::move(*objects), precision);
  if (!start) return report(with_file(loaded->path, start.errors()), kBadInput);
  const WorldSize size = start->world->size();
  if (!arguments.preview.empty()) {
    const Result<std::filesystem::path> drawn = draw_preview(*start, scene, arguments);
    if (!drawn) return report(drawn.errors(), kFailed);
  }
  const Result<CostEstimate> estimate =
      estimate_cost(scene, *start->world, start->mouths.get(), precision);
  if (!estimate) return report(with_file(loaded->path, estimate.errors()), kFailed);
  put(fmt::format("{}: {}\n", scene.name, scene.description) + object_text + emitter_lines(scene) +
      surroundings_lines(scene) + cell_lines(*meshed) + size_lines(scene, size, *estimate));
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

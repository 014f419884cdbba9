#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "commands.h"
#include "output.h"
#include "scene/check.h"
#include "scene/initial_particles.h"
#include "simulate.h"

namespace firn::cli {
namespace {

struct CheckArguments {
  SceneOptions scene;
  MachineOptions machine;
};

Errors with_file(const std::string& file, Errors errors) {
  for (std::string& line : errors) line = file + ": " + line;
  return errors;
}

std::string object_lines(const SceneSettings& scene, const std::vector<ObjectParticles>& objects) {
  std::string text;
  for (const ObjectParticles& object : objects) {
    const ObjectSettings& settings = scene.objects[object.object];
    const MaterialSettings& material = scene.materials[object.material];
    text += fmt::format("  {:20} {:>12} particles of {} ({})\n", settings.name,
                        grouped(static_cast<double>(object.size())), material.name,
                        model_name(static_cast<int>(material.parameters.index())));
  }
  return text;
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

std::string size_lines(const SceneSettings& scene, const WorldSize& size, double step_seconds) {
  const double steps = static_cast<double>(scene.frames) * std::ceil(1 / scene.fps / size.first_dt);
  const double particle_steps = steps * static_cast<double>(size.particles);
  std::string text;
  text += fmt::format("particles    {}\n", grouped(static_cast<double>(size.particles)));
  text +=
      fmt::format("grid         {} blocks, {} nodes\n", grouped(static_cast<double>(size.blocks)),
                  grouped(static_cast<double>(size.grid_nodes)));
  text += fmt::format("memory       {}\n", bytes_text(static_cast<double>(size.bytes)));
  text += fmt::format("time step    {:.3g} s at first, {:.0f} a frame\n", size.first_dt,
                      steps / static_cast<double>(scene.frames));
  text += fmt::format("run          {} frames, {:.4g} s, about {:.3g} particle-steps, {}\n",
                      scene.frames, static_cast<double>(scene.frames) / scene.fps, particle_steps,
                      duration_text(steps * step_seconds));
  return text;
}

int check(const CheckArguments& arguments) {
  const Errors errors = arguments.machine.apply();
  if (!errors.empty()) return report(errors, kBadInput);
  Result<LoadedScene> loaded = load_scene(arguments.scene);
  if (!loaded) return report(loaded.errors(), kBadInput);
  SceneSettings& scene = loaded->settings;
  if (arguments.scene.frames > 0) scene.frames = arguments.scene.frames;
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return report(with_file(loaded->path, objects.errors()), kBadInput);
  const std::string object_text = object_lines(scene, *objects);
  *objects = {};  // the world needs the memory
  const Result<std::unique_ptr<World>> world =
      World::create(scene, arguments.machine.chosen_precision().value_or(Precision::single));
  if (!world) return report(with_file(loaded->path, world.errors()), kBadInput);
  const WorldSize size = (*world)->size();
  const Result<double> seconds = seconds_a_step(**world);
  if (!seconds) return report(with_file(loaded->path, seconds.errors()), kFailed);
  put(fmt::format("{}: {}\n", scene.name, scene.description) + object_text +
      size_lines(scene, size, *seconds));
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
  arguments->machine.add_to(*command);
  command->footer(
      "Examples:\n  firn check my.json\n  firn check my.json --set /grid/spacing=0.01\n");
  command->callback([arguments, &status] { status = check(*arguments); });
}

}  // namespace firn::cli

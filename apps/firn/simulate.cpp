#include "simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cuda/device.h"
#include "exec/parallel.h"
#include "output.h"
#include "progress.h"
#include "scene/defaults.h"
#include "scene_io/scene_reader.h"
#include "scene_lookup.h"
#include "signals.h"

namespace firn::cli {

void MachineOptions::add_to(CLI::App& command) {
  command.add_option("--threads", threads, "Number of threads (default: all)")
      ->check(CLI::Range(1, 1024));
  command.add_option("--device", device, "cpu or cuda (default: cpu)")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command.add_flag("--deterministic", deterministic,
                   "The same bytes from run to run on cuda as well, at a price");
  command
      .add_option("--precision", precision,
                  "float or double (default: float; double with the solver fem)")
      ->check(CLI::IsMember({"float", "double"}));
}

Errors MachineOptions::apply() const {
  if (device == "cuda")
    if (const Result<std::string> name = device_name(); !name) return name.errors();
  if (threads > 0) set_thread_count(threads);
  return {};
}

std::optional<Precision> MachineOptions::chosen_precision() const {
  if (precision.empty()) return {};
  return precision == "double" ? Precision::double_ : Precision::single;
}

void SceneOptions::add_to(CLI::App& command, const char* meaning) {
  add_scene_to(command, meaning);
  command.add_option("--frames", frames, "Number of frames after the initial one")
      ->check(CLI::Range(std::int64_t(1), kMaxFrames));
}

void SceneOptions::add_scene_to(CLI::App& command, const char* meaning) {
  command.add_option("SCENE", scene, meaning)->required();
  command
      .add_option("--set", overrides,
                  "Change a value of the scene, such as /grid/spacing=0.01; repeatable")
      ->allow_extra_args(false)
      ->type_name("/POINTER=VALUE");
}

bool SceneOptions::overrides_start_with(const std::string& pointer) const {
  return std::any_of(overrides.begin(), overrides.end(),
                     [&](const std::string& text) { return text.starts_with(pointer); });
}

std::optional<std::int64_t> SceneOptions::chosen_frames(const SceneSettings& scene_read) const {
  if (frames > 0) return frames;
  for (const std::string& setting : overrides)
    if (setting.starts_with("/frames=") || setting.starts_with("/duration="))
      return scene_read.frames;
  return {};
}

void carry_shown_field(const std::string& color_by, SceneSettings& scene) {
  std::vector<std::string>& fields = scene.output.fields;
  const std::string field = color_by == "speed" ? "velocity" : color_by;
  const auto contains = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), field) != names.end();
  };
  if ((contains(output_field_names()) || contains(scene.scalars)) && !contains(fields))
    fields.push_back(field);
}

Result<LoadedScene> load_scene(const SceneOptions& options) {
  const Result<std::string> path = find_scene(options.scene);
  if (!path) return path.errors();
  Result<SceneSettings> settings = read_scene(*path, options.overrides);
  if (!settings) return settings.errors();
  for (const std::string& field : color_fields(*settings)) carry_shown_field(field, *settings);
  return LoadedScene{*path, std::move(*settings)};
}

std::string default_folder(const SceneSettings& scene) {
  return "out/" + folder_name(scene.name);
}

namespace {

// M/s: million particle-steps a second.
std::string frame_details(const RunProgress& progress) {
  const FrameStats& stats = progress.stats;
  std::string text;
  if (stats.steps > 0) text = fmt::format("{} steps of {:.1e} s  ", stats.steps, stats.dt_max);
  if (stats.solves && stats.steps > 0)
    text += fmt::format("{} Newton, {} Krylov  ", stats.solves->newton_iterations,
                        stats.solves->krylov_iterations);
  if (stats.grains && stats.steps > 0)
    text += fmt::format("{} iterations, density {:+.2g} %  ", stats.grains->iterations,
                        100 * stats.grains->mean_density_error);
  text += grouped(static_cast<double>(stats.particles)) + " particles";
  if (progress.particle_steps_per_second > 0)
    text += fmt::format("  {:.2f} M/s", progress.particle_steps_per_second * 1e-6);
  return text;
}

}  // namespace

int simulate(const RunOptions& options, bool quiet, const FrameListener& on_frame) {
  RunControl control;
  const SignalScope signals(control);
  Progress progress(quiet);
  const auto start = std::chrono::steady_clock::now();
  RunOptions heard = options;
  heard.on_note = [&](const Note& note) {
    progress.say((note.warning ? "warning: " : "") + options.folder.string() + ": " + note.line);
  };
  const RunReport done = run_into_folder(heard, control, [&](const RunProgress& now) {
    progress.show(now.frame, now.frames, frame_details(now), now.seconds_left);
    if (on_frame && !on_frame(now.frame)) control.request_quit();
  });
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string folder = options.folder.string();
  if (!quiet)
    for (const std::string& note : done.notes) progress.say("warning: " + folder + ": " + note);
  switch (done.status) {
    case RunStatus::finished:
      progress.say(fmt::format("{}: complete, frames 0 to {}, {}", folder, done.frame,
                               duration_text(seconds)));
      return kDone;
    case RunStatus::interrupted:
      progress.say(
          fmt::format("{}: interrupted after frame {}; --resume continues", folder, done.frame));
      return kInterrupted;
    case RunStatus::refused:
      return report(done.errors, kBadInput);
    case RunStatus::failed:
      break;
  }
  return report(done.errors, kFailed);
}

}  // namespace firn::cli

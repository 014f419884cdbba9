#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "commands.h"
#include "output.h"
#include "scene/check.h"
#include "scene/line_text.h"
#include "scene/output_fields.h"
#include "simulate.h"

namespace firn::cli {
namespace {

struct RunArguments {
  SceneOptions scene;
  MachineOptions machine;
  std::string out;
  std::vector<std::string> formats;  // none: as the scene says
  bool resume = false, overwrite = false, quiet = false;
};

constexpr const char* kRunExamples =
    "Examples:\n"
    "  firn run snowball_drop                        a scene that ships with firn\n"
    "  firn run my.json --out out/try --frames 30\n"
    "  firn run my.json --set /grid/spacing=0.01 --set /materials/snow/hardening=8\n"
    "  firn run my.json --resume --frames 200        continue, or extend a finished run\n"
    "  firn run out/my --resume                      the same by the folder of the run\n";

Errors check_formats(const std::vector<std::string>& formats) {
  const std::vector<std::string> names = frame_format_names();
  Errors errors;
  for (const std::string& format : formats)
    if (std::find(names.begin(), names.end(), format) == names.end())
      errors.push_back("--format: no format " + in_quotes(format) + suggestion(format, names));
  return errors;
}

int run(const RunArguments& arguments) {
  Errors errors = check_formats(arguments.formats);
  if (!errors.empty()) return report(errors, kBadInput);
  errors = arguments.machine.apply();
  if (!errors.empty()) return report(errors, kBadInput);
  Result<LoadedScene> scene = load_scene(arguments.scene);
  if (!scene) return report(scene.errors(), kBadInput);
  if (!arguments.quiet)
    for (const SceneIssue& issue : check_scene(scene->settings))
      report("warning: " + scene->path + ": " + issue.pointer + ": " + issue.what, kDone);
  RunOptions options;
  options.frames = arguments.scene.chosen_frames(scene->settings);
  options.scene_file = scene->path;
  options.precision = arguments.machine.chosen_precision();
  options.device = arguments.machine.chosen_device();
  options.existing = arguments.resume      ? ExistingRun::resume
                     : arguments.overwrite ? ExistingRun::overwrite
                                           : ExistingRun::refuse;
  options.program = program_name();
  options.folder = arguments.out;
  if (arguments.out.empty())
    options.folder = arguments.resume && std::filesystem::is_directory(arguments.scene.scene)
                         ? arguments.scene.scene
                         : default_folder(scene->settings);
  options.scene = std::move(scene->settings);
  if (!arguments.formats.empty())
    options.formats = arguments.formats;
  else if (arguments.scene.overrides_start_with("/output"))
    options.formats = options.scene.output.formats;
  return simulate(options, arguments.quiet);
}

}  // namespace

void add_run_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("run", "Simulate a scene into a folder of frames");
  auto arguments = std::make_shared<RunArguments>();
  arguments->scene.add_to(*command, "Scene file, name of a shipped scene, or folder of a run");
  command->add_option("--out", arguments->out, "Folder of the run (default: out/NAME)");
  arguments->machine.add_to(*command);
  command
      ->add_option("--format", arguments->formats,
                   "Frame formats, comma-separated: ply (always written), vtu with run.pvd\n"
                   "(ParaView), bgeo (Houdini), vdb (volumes; 3D only)")
      ->delimiter(',')
      ->allow_extra_args(false);
  CLI::Option* resume = command->add_flag("--resume", arguments->resume,
                                          "Continue the run in the folder from its checkpoint");
  command->add_flag("--overwrite", arguments->overwrite, "Replace the run in the folder")
      ->excludes(resume);
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kRunExamples);
  command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace firn::cli

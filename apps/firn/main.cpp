#include <fcntl.h>

#include <new>
#include <sstream>

#include "commands.h"
#include "driver_command.h"
#include "exec/heap.h"
#include "output.h"
#include "scene/line_text.h"
#include "signals.h"

namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  firn scenes                           what ships with firn\n"
    "  firn run snowball_drop                simulate one of them into out/snowball_drop\n"
    "  firn render out/snowball_drop         make a film of it\n"
    "  firn COMMAND --help                   everything about a command\n";

// One line: what was wrong and, for a command that does not exist, what may have been meant.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    names.push_back(command->get_name());
  const bool unknown_command = app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-';
  if (unknown_command)
    return "no command " + firn::in_quotes(argv[1]) + firn::suggestion(argv[1], names);
  std::string line = error.what();
  for (char& c : line)
    if (c == '\n') c = ' ';
  const std::string name =
      app.get_subcommands().empty() ? "" : " " + app.get_subcommands()[0]->get_name();
  return line + "; see firn" + name + " --help";
}

// A file that is opened later must not become the standard output or error of a program that was
// started without them: what it says would go into the file.
void fill_standard_descriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) return;
}

// --help and --version.
int show_request(const CLI::App& app, const CLI::Success& request) {
  std::ostringstream out, errors;
  const int status = app.exit(request, out, errors);
  firn::cli::put(out.str());
  return firn::cli::finished(status);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace firn::cli;
  fill_standard_descriptors();
  ignore_write_signals();
  firn::return_large_blocks();
  CLI::App app("Firn: snow, sand, water and solids by the material point method", "firn");
  app.set_version_flag("--version", program_name());
  app.require_subcommand(0, 1);
  app.footer(kExamples);
  int status = kDone;
  add_run_command(app, status);
  add_view_command(app, status);
  add_render_command(app, status);
  add_mesh_command(app, status);
  add_upsample_command(app, status);
  add_tetmesh_command(app, status);
  add_pack_command(app, status);
  add_check_command(app, status);
  add_info_command(app, status);
  add_scenes_command(app, status);
  add_materials_command(app, status);
  add_bench_command(app, status);
  add_validate_command(app, status);
  add_schema_command(app, status);
  add_driver_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return show_request(app, request);
  } catch (const CLI::ParseError& error) {
    return report(usage_error(app, error, argc, argv), kBadInput);
  } catch (const std::bad_alloc&) {
    return report("not enough memory; fewer particles need less", kFailed);
  }
  if (app.get_subcommands().empty()) put(app.help());
  return finished(status);
}

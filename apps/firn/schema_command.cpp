#include "commands.h"
#include "io/scene_schema.h"
#include "output.h"

namespace firn::cli {

void add_schema_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("schema", "Print what scene files may hold");
  auto as_text = std::make_shared<bool>(false);
  command->add_flag("--text", *as_text, "As lines for people instead of JSON Schema");
  command->footer("Examples:\n  firn schema > schema.json\n  firn schema --text | less\n");
  command->callback([as_text, &status] {
    put(*as_text ? scene_help() : scene_schema());
    status = kDone;
  });
}

}  // namespace firn::cli

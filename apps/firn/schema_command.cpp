#include "commands.h"
#include "output.h"
#include "scene_io/scene_schema.h"

namespace firn::cli {

void add_schema_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("schema", "Print what scene files may hold");
  struct Form {
    bool text = false, markdown = false;
  };
  auto form = std::make_shared<Form>();
  CLI::Option* text =
      command->add_flag("--text", form->text, "As lines for people instead of JSON Schema");
  command->add_flag("--markdown", form->markdown, "As the page docs/scenes.md")->excludes(text);
  command->footer(
      "Examples:\n  firn schema > schema.json\n  firn schema --text | less\n"
      "  firn schema --markdown > scenes.md\n");
  command->callback([form, &status] {
    put(form->markdown ? scene_handbook() : form->text ? scene_help() : scene_schema());
    status = kDone;
  });
}

}  // namespace firn::cli

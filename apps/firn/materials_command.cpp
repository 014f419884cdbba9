#include "commands.h"
namespace firn::cli {
void add_materials_command(CLI::App&, int&) {}
}  // namespace firn::cli

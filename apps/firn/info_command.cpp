#include "commands.h"
namespace firn::cli {
void add_info_command(CLI::App&, int&) {}
}  // namespace firn::cli

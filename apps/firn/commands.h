// The subcommands of the program: each adds itself to the command line and, when it has run, leaves
// its exit status.
#pragma once

#include <CLI/CLI.hpp>

namespace firn::cli {

void add_run_command(CLI::App& app, int& status);
void add_render_command(CLI::App& app, int& status);
void add_view_command(CLI::App& app, int& status);
void add_mesh_command(CLI::App& app, int& status);
void add_upsample_command(CLI::App& app, int& status);
void add_tetmesh_command(CLI::App& app, int& status);
void add_pack_command(CLI::App& app, int& status);
void add_check_command(CLI::App& app, int& status);
void add_info_command(CLI::App& app, int& status);
void add_scenes_command(CLI::App& app, int& status);
void add_materials_command(CLI::App& app, int& status);
void add_bench_command(CLI::App& app, int& status);
void add_validate_command(CLI::App& app, int& status);
void add_schema_command(CLI::App& app, int& status);

}  // namespace firn::cli

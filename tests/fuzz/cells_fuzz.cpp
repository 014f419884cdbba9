// Fuzz target of the readers of tetrahedra and triangles: whatever the bytes, in every format, the
// answer is a mesh that can be simulated, or clear lines; and the same again for the same bytes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exec/parallel.h"
#include "geometry/simplex_boundary.h"
#include "geometry/simplex_check.h"
#include "mesh_io/simplex_file.h"
#include "require.h"

namespace {

constexpr std::string_view kNextFile = "=====\n";  // between a .node and its .ele

template <int D>
bool check_cells(std::string_view bytes, const char* name, std::string_view beside) {
  const auto loaded = firn::parse_simplex_mesh<D>(bytes, name, beside);
  if (!firn::check_result(loaded, name)) return false;
  firn::check_lines(loaded->warnings, name);
  firn::require(firn::mesh_problems(loaded->mesh).empty(), "a mesh with problems", name);
  firn::require(firn::survey_boundary(loaded->mesh).crowded_faces == 0, "cells overlap", name);
  const auto again = firn::parse_simplex_mesh<D>(bytes, name, beside);
  firn::require(again.ok() && again->mesh.cells == loaded->mesh.cells, "another mesh", name);
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  firn::set_thread_count(1);
  std::string_view bytes(reinterpret_cast<const char*>(data), size), beside;
  if (const std::size_t at = bytes.find(kNextFile); at != std::string_view::npos) {
    beside = bytes.substr(at + kNextFile.size());
    bytes = bytes.substr(0, at);
  }
  bool any = false;
  for (const char* name :
       {"fuzz.msh", "fuzz.vtk", "fuzz.vtu", "fuzz.mesh", "fuzz.meshb", "fuzz.node"}) {
    any = check_cells<3>(bytes, name, beside) || any;
    any = check_cells<2>(bytes, name, beside) || any;
  }
  return any ? 0 : -1;
}

#include "particles/frame.h"

namespace firn {
namespace {

bool are_rows(const std::vector<std::uint32_t>& corners, std::size_t count) {
  for (const std::uint32_t corner : corners)
    if (corner >= count) return false;
  return true;
}

}  // namespace

std::vector<bool> points_in_cells(const Frame& frame) {
  std::vector<bool> inside(frame.count, false);
  for (const FrameMesh& mesh : frame.meshes)
    for (const auto* corners : {&mesh.triangles, &mesh.tetrahedra})
      for (const std::uint32_t corner : *corners)
        if (corner < frame.count) inside[corner] = true;
  return inside;
}

std::string mesh_problem(const Frame& frame) {
  for (const FrameMesh& mesh : frame.meshes) {
    const std::string name = "mesh " + mesh.name;
    if (mesh.triangles.size() % 3 != 0 || mesh.tetrahedra.size() % 4 != 0)
      return name + " has a cell that lacks corners";
    if (!are_rows(mesh.triangles, frame.count) || !are_rows(mesh.tetrahedra, frame.count))
      return name + " has a corner that is no point of the frame";
    for (const Column& column : mesh.values.columns)
      if (column.size() != mesh.cells())
        return name + ": " + column.name + " does not have a value for each cell";
  }
  return "";
}

}  // namespace firn

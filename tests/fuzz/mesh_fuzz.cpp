// Fuzz target of the mesh readers: whatever the bytes, in every format, the answer is a mesh that
// a distance field can be built from, or clear lines.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "exec/parallel.h"
#include "geometry/mesh_field.h"
#include "mesh_io/mesh_file.h"
#include "mesh_io/painted_mesh.h"
#include "require.h"

namespace {

void build_field(const firn::TriangleMesh& mesh) {
  const firn::Bounds box = firn::mesh_bounds(mesh);
  const firn::Vec3d size = box.high - box.low;
  const double spacing = std::max({size[0], size[1], size[2]}) / 6;
  const auto field = firn::mesh_distance_field(mesh, spacing);
  if (!field) return;
  firn::require(field->volume() > 0, "a field without volume");
  firn::field_distance(field->view(), (box.low + box.high) * 0.5);
}

void check_looks(std::string_view bytes) {
  const auto mesh = firn::parse_painted_mesh(bytes, "fuzz.gltf");
  if (!firn::check_result(mesh, "fuzz.gltf")) return;
  const std::size_t n = mesh->vertices.size();
  firn::require(
      mesh->normals.size() == n && mesh->places.size() == 2 * n && mesh->colors.size() == 4 * n,
      "vertices without looks");
  for (const firn::PaintedPart& part : mesh->parts)
    firn::require(std::size_t(part.first) + part.count <= mesh->indices.size() &&
                      part.picture < static_cast<int>(mesh->pictures.size()),
                  "a part that is not there");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  firn::set_thread_count(1);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bool any = false;
  for (const char* name : {"fuzz.obj", "fuzz.ply", "fuzz.stl", "fuzz.gltf"}) {
    const auto loaded = firn::parse_mesh(bytes, name);
    if (!firn::check_result(loaded, name)) continue;
    any = true;
    firn::check_lines(loaded->warnings, name);
    firn::require(firn::mesh_fault(loaded->mesh).empty(), "a mesh with a fault", name);
    // A field takes a hundred times as long as reading.
    if (loaded->mesh.triangles.size() < 200 && size % 16 == 0) build_field(loaded->mesh);
  }
  check_looks(bytes);
  return any ? 0 : -1;
}

// glTF 2.0: the triangles of all meshes of the scene, placed by their nodes.
#include "mesh_io/gltf_walk.h"
#include "mesh_io/mesh_formats.h"

namespace firn {

using nlohmann::json;

std::string GltfTriangles::add(const json& primitive, const Affine& transform) {
  std::size_t mode = 4, position = 0, indices = 0;
  if (!read_count(primitive, "mode", mode) || !read_count(primitive, "indices", indices))
    return "its numbers make no sense";
  if (mode < 4) return "";  // points and lines
  const auto attributes = primitive.find("attributes");
  if (attributes == primitive.end() || !attributes->is_object() ||
      !attributes->contains("POSITION") || !read_count(*attributes, "POSITION", position))
    return "no POSITION";
  const std::size_t base = mesh_.vertices.size();
  std::string fault = document_.read_positions(position, mesh_.vertices);
  if (!fault.empty()) return fault;
  const std::size_t vertices = mesh_.vertices.size() - base;
  if (mesh_.vertices.size() > 3 * kMostTriangles) return "more than 300 million vertices";
  for (std::size_t v = base; v < mesh_.vertices.size(); ++v)
    mesh_.vertices[v] = transformed(transform, mesh_.vertices[v]);
  order_.clear();
  if (primitive.contains("indices")) {
    fault = document_.read_indices(indices, order_);
    if (!fault.empty()) return fault;
    for (const std::uint32_t v : order_)
      if (v >= vertices) return "an index names a vertex that does not exist";
  } else {
    for (std::size_t v = 0; v < vertices; ++v) order_.push_back(static_cast<std::uint32_t>(v));
  }
  return add_triangles(mode, static_cast<std::uint32_t>(base), mirrors(transform));
}

// Modes: 4 triangles, 5 a strip, 6 a fan.
std::string GltfTriangles::add_triangles(std::size_t mode, std::uint32_t base, bool mirrored) {
  if (mode > 6) return "unknown mode";
  const std::size_t step = mode == 4 ? 3 : 1;
  for (std::size_t i = 0; i + 2 < order_.size(); i += step) {
    Triangle t{order_[mode == 6 ? 0 : i], order_[i + 1], order_[i + 2]};
    if ((mode == 5 && i % 2 == 1) != mirrored) std::swap(t[1], t[2]);
    for (std::uint32_t& v : t) v += base;
    mesh_.triangles.push_back(t);
  }
  return mesh_.triangles.size() > kMostTriangles ? "more than 100 million triangles" : "";
}

Result<TriangleMesh> parse_gltf(std::string_view bytes, const std::string& name,
                                const std::filesystem::path& folder) {
  GltfDocument document;
  std::string fault = document.open(bytes, folder);
  GltfTriangles triangles(document);
  if (fault.empty())
    fault = walk_gltf(document, [&](const json& primitive, const Affine& transform) {
      return triangles.add(primitive, transform);
    });
  if (!fault.empty()) return Result<TriangleMesh>::failure(name + ": " + fault);
  return std::move(triangles.mesh());
}

}  // namespace firn

// The parts of a glTF scene, each with the transformation of the nodes above it.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "geometry/triangle_mesh.h"
#include "mesh_io/gltf_document.h"

namespace firn {

// Rows of [A | b].
using Affine = std::array<std::array<double, 4>, 3>;

Vec3d transformed(const Affine& a, const Vec3d& p);
bool mirrors(const Affine& a);

// Both give an empty text, or what is wrong.
using PrimitiveVisitor = std::function<std::string(const nlohmann::json&, const Affine&)>;
std::string walk_gltf(const GltfDocument& document, const PrimitiveVisitor& visit);

// The triangles of the primitives added so far.
class GltfTriangles {
 public:
  explicit GltfTriangles(const GltfDocument& document) : document_(document) {}
  // Empty, or what is wrong. Points and lines add nothing.
  std::string add(const nlohmann::json& primitive, const Affine& transform);
  TriangleMesh& mesh() { return mesh_; }

 private:
  std::string add_triangles(std::size_t mode, std::uint32_t base, bool mirrored);

  const GltfDocument& document_;
  TriangleMesh mesh_;
  std::vector<std::uint32_t> order_;
};

}  // namespace firn

#include "io/mesh_color.h"

#include <algorithm>
#include <cmath>

#include "io/gltf_document.h"
#include "io/mesh_file.h"

namespace firn {
namespace {

using nlohmann::json;

// glTF states colours in linear light.
double srgb_of(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

// The number of the material of the first part that has one.
std::optional<std::size_t> first_material(const GltfDocument& document) {
  for (std::size_t m = 0; m < document.count("meshes"); ++m) {
    const json* mesh = document.entry("meshes", m);
    if (!mesh) continue;
    const auto parts = mesh->find("primitives");
    if (parts == mesh->end() || !parts->is_array()) continue;
    for (const json& part : *parts) {
      std::size_t material = 0;
      if (part.is_object() && part.contains("material") && read_count(part, "material", material))
        return material;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Vec3d> mesh_base_color(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension != ".gltf" && extension != ".glb") return std::nullopt;
  const Result<std::string> bytes = read_mesh_bytes(path);
  GltfDocument document;
  if (!bytes || !document.open(*bytes, path.parent_path()).empty()) return std::nullopt;
  const auto number = first_material(document);
  const json* material = number ? document.entry("materials", *number) : nullptr;
  if (!material) return std::nullopt;
  const auto surface = material->find("pbrMetallicRoughness");
  if (surface == material->end() || !surface->is_object()) return std::nullopt;
  const auto factor = surface->find("baseColorFactor");
  if (factor == surface->end() || !factor->is_array() || factor->size() < 3) return std::nullopt;
  Vec3d color;
  for (int k = 0; k < 3; ++k) {
    const json& part = (*factor)[static_cast<std::size_t>(k)];
    if (!part.is_number()) return std::nullopt;
    color[k] = srgb_of(part.get<double>());
  }
  return color;
}

}  // namespace firn

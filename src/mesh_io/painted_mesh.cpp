#include "mesh_io/painted_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "mesh_io/gltf_walk.h"
#include "mesh_io/image_file.h"
#include "mesh_io/mesh_file.h"

namespace firn {
namespace {

using nlohmann::json;

constexpr std::size_t kMostTexels = std::size_t(4096) * 4096;

// glTF states colours in linear light.
std::uint8_t srgb_of(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  const double s = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * s));
}

Image image_of(const Picture& picture) {
  Image image(picture.width, picture.height);
  for (std::size_t i = 0; i < image.rgb.size(); ++i)
    image.rgb[i] = static_cast<std::uint8_t>(std::lround(255 * picture.rgb[i]));
  return image;
}

const json* member(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

// What a material says about its base colour.
struct BaseColor {
  Vec3d factor{{1, 1, 1}};
  int picture = -1;
  std::size_t coordinates = 0;  // which TEXCOORD
};

// Looks that cannot be read are left out: a collider is drawn all the same.
class Painter {
 public:
  explicit Painter(const GltfDocument& document) : document_(document), triangles_(document) {}

  std::string add(const json& primitive, const Affine& transform) {
    const TriangleMesh& mesh = triangles_.mesh();
    const std::size_t vertices = mesh.vertices.size(), triangles = mesh.triangles.size();
    const std::string fault = triangles_.add(primitive, transform);
    if (!fault.empty() || mesh.triangles.size() == triangles) return fault;
    const json& attributes = primitive["attributes"];
    const BaseColor color = base_color(primitive);
    const std::size_t count = mesh.vertices.size() - vertices;
    add_colors(attributes, color.factor, count);
    const std::string places = "TEXCOORD_" + std::to_string(color.coordinates);
    bool placed = color.picture >= 0;
    placed = placed && add_numbers(attributes, places.c_str(), 2, count, painted_.places);
    painted_.places.resize(2 * mesh.vertices.size(), 0);
    painted_.parts.push_back({static_cast<std::uint32_t>(3 * triangles),
                              static_cast<std::uint32_t>(3 * (mesh.triangles.size() - triangles)),
                              placed ? color.picture : -1});
    add_normals(attributes, transform, vertices, triangles);
    return "";
  }

  PaintedMesh take() {
    const TriangleMesh& mesh = triangles_.mesh();
    for (const Vec3d& v : mesh.vertices) painted_.vertices.push_back(v.cast<float>());
    for (const Triangle& t : mesh.triangles)
      painted_.indices.insert(painted_.indices.end(), t.begin(), t.end());
    return std::move(painted_);
  }
  bool has_looks() const { return has_looks_; }

 private:
  bool add_numbers(const json& attributes, const char* name, int components, std::size_t vertices,
                   std::vector<float>& out) const {
    std::size_t accessor = 0;
    const std::size_t before = out.size();
    if (!attributes.contains(name) || !read_count(attributes, name, accessor) ||
        !document_.read_numbers(accessor, components, out).empty() ||
        out.size() - before != vertices * static_cast<std::size_t>(components)) {
      out.resize(before);
      return false;
    }
    return std::all_of(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(),
                       [](float v) { return std::isfinite(v); });
  }

  void add_colors(const json& attributes, const Vec3d& factor, std::size_t vertices) {
    std::vector<float> own;
    std::size_t stride = 4;
    if (!add_numbers(attributes, "COLOR_0", 4, vertices, own)) {
      stride = 3;
      if (!add_numbers(attributes, "COLOR_0", 3, vertices, own)) own.clear();
    }
    has_looks_ |= !own.empty();
    for (std::size_t v = 0; v < vertices; ++v) {
      for (std::size_t k = 0; k < 3; ++k)
        painted_.colors.push_back(
            srgb_of(factor[static_cast<int>(k)] * (own.empty() ? 1.0 : own[stride * v + k])));
      painted_.colors.push_back(255);
    }
  }

  // Those of the file, or of the triangles where it has none.
  void add_normals(const json& attributes, const Affine& transform, std::size_t first_vertex,
                   std::size_t first_triangle) {
    const TriangleMesh& mesh = triangles_.mesh();
    std::vector<float> own;
    const bool given =
        add_numbers(attributes, "NORMAL", 3, mesh.vertices.size() - first_vertex, own);
    painted_.normals.resize(mesh.vertices.size(), Vec3f::zero());
    const Vec3d origin = transformed(transform, {{0, 0, 0}});
    for (std::size_t v = first_vertex; given && v < mesh.vertices.size(); ++v) {
      const float* n = &own[3 * (v - first_vertex)];
      painted_.normals[v] = (transformed(transform, {{n[0], n[1], n[2]}}) - origin).cast<float>();
    }
    for (std::size_t t = first_triangle; !given && t < mesh.triangles.size(); ++t) {
      const Triangle& corners = mesh.triangles[t];
      const Vec3d a = mesh.vertices[corners[0]];
      const Vec3d across = cross(mesh.vertices[corners[1]] - a, mesh.vertices[corners[2]] - a);
      for (const std::uint32_t v : corners) painted_.normals[v] += across.cast<float>();
    }
    for (std::size_t v = first_vertex; v < mesh.vertices.size(); ++v) {
      Vec3f& n = painted_.normals[v];
      n = n * (1 / std::sqrt(std::max(dot(n, n), 1e-30f)));
    }
  }

  BaseColor base_color(const json& primitive) {
    BaseColor color;
    std::size_t number = 0;
    if (!primitive.contains("material") || !read_count(primitive, "material", number)) return color;
    const json* material = document_.entry("materials", number);
    const json* surface = material ? member(*material, "pbrMetallicRoughness") : nullptr;
    if (!surface) return color;
    const auto factor = surface->find("baseColorFactor");
    if (factor != surface->end() && factor->is_array() && factor->size() >= 3)
      for (std::size_t k = 0; k < 3; ++k)
        if ((*factor)[k].is_number()) {
          color.factor[static_cast<int>(k)] = (*factor)[k].get<double>();
          has_looks_ = true;
        }
    if (const json* texture = member(*surface, "baseColorTexture")) {
      std::size_t index = 0;
      if (read_count(*texture, "index", index)) color.picture = picture_of(index);
      if (!read_count(*texture, "texCoord", color.coordinates)) color.picture = -1;
      has_looks_ |= color.picture >= 0;
    }
    return color;
  }

  int picture_of(std::size_t texture) {
    const json* entry = document_.entry("textures", texture);
    std::size_t source = 0;
    if (!entry || !entry->contains("source") || !read_count(*entry, "source", source)) return -1;
    const auto known = picture_of_image_.find(source);
    if (known != picture_of_image_.end()) return known->second;
    int& number = picture_of_image_[source];
    number = -1;
    std::string bytes;
    if (!document_.read_image_bytes(source, bytes).empty()) return -1;
    const Result<Picture> picture = parse_image(bytes, "picture", kMostTexels);
    if (!picture) return -1;
    number = static_cast<int>(painted_.pictures.size());
    painted_.pictures.push_back(image_of(*picture));
    return number;
  }

  const GltfDocument& document_;
  GltfTriangles triangles_;
  PaintedMesh painted_;
  std::map<std::size_t, int> picture_of_image_;
  bool has_looks_ = false;
};

}  // namespace

Result<PaintedMesh> read_painted_mesh(const std::filesystem::path& path) {
  using Made = Result<PaintedMesh>;
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension != ".gltf" && extension != ".glb")
    return Made::failure(path.string() + ": only glTF files have looks");
  const Result<std::string> bytes = read_mesh_bytes(path);
  return bytes ? parse_painted_mesh(*bytes, path) : Made(bytes.errors());
}

Result<PaintedMesh> parse_painted_mesh(std::string_view bytes, const std::filesystem::path& path) {
  GltfDocument document;
  std::string fault = document.open(bytes, path.parent_path());
  Painter painter(document);
  if (fault.empty())
    fault = walk_gltf(document, [&](const json& primitive, const Affine& transform) {
      return painter.add(primitive, transform);
    });
  if (fault.empty() && !painter.has_looks()) fault = "the file gives no looks";
  if (!fault.empty()) return Result<PaintedMesh>::failure(path.string() + ": " + fault);
  return painter.take();
}

Bounds bounds_of(const PaintedMesh& mesh) {
  if (mesh.vertices.empty()) return {{{0, 0, 0}}, {{0, 0, 0}}};
  Bounds box{mesh.vertices[0].cast<double>(), mesh.vertices[0].cast<double>()};
  for (const Vec3f& v : mesh.vertices) box = united(box, {v.cast<double>(), v.cast<double>()});
  return box;
}

}  // namespace firn

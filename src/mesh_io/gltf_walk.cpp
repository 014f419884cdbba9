#include "mesh_io/gltf_walk.h"

namespace firn {
namespace {

using nlohmann::json;

constexpr Affine kIdentity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

Affine product(const Affine& a, const Affine& b) {
  Affine r{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) {
      r[i][j] = j == 3 ? a[i][3] : 0;
      for (int k = 0; k < 3; ++k) r[i][j] += a[i][k] * b[k][j];
    }
  return r;
}

// False when the key is there but holds anything but n numbers.
template <std::size_t N>
bool read_numbers(const json& node, const char* key, std::array<double, N>& out) {
  const auto found = node.find(key);
  if (found == node.end()) return true;
  if (!found->is_array() || found->size() != N) return false;
  for (std::size_t i = 0; i < N; ++i) {
    if (!(*found)[i].is_number()) return false;
    out[i] = (*found)[i].get<double>();
  }
  return true;
}

bool read_transform(const json& node, Affine& out) {
  std::array<double, 16> m{};
  std::array<double, 3> shift{}, scale{1, 1, 1};
  std::array<double, 4> q{0, 0, 0, 1};
  if (!read_numbers(node, "matrix", m) || !read_numbers(node, "translation", shift) ||
      !read_numbers(node, "scale", scale) || !read_numbers(node, "rotation", q))
    return false;
  if (node.contains("matrix")) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) out[i][j] = m[4 * j + i];
    return true;
  }
  const auto [x, y, z, w] = q;
  const double rotation[3][3] = {
      {1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
      {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
      {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[i][j] = rotation[i][j] * scale[j];
    out[i][3] = shift[i];
  }
  return true;
}

class Walk {
 public:
  Walk(const GltfDocument& document, const PrimitiveVisitor& visit)
      : document_(document), visit_(visit) {}

  std::string run() {
    const std::size_t nodes = document_.count("nodes");
    visited_.assign(nodes, false);
    std::string fault;
    if (nodes == 0) {
      for (std::size_t m = 0; m < document_.count("meshes") && fault.empty(); ++m)
        fault = add_mesh(m, kIdentity);
      return fault;
    }
    std::vector<Visit> open;
    fault = push_roots(open);
    while (fault.empty() && !open.empty()) {
      const Visit visit = open.back();
      open.pop_back();
      fault = enter(visit, open);
    }
    return fault;
  }

 private:
  struct Visit {
    std::size_t node;
    Affine transform;
  };

  static std::string push_list(const json& owner, const char* key, const Affine& transform,
                               std::vector<Visit>& open) {
    const auto list = owner.find(key);
    if (list == owner.end()) return "";
    if (!list->is_array()) return std::string(key) + " is not a list";
    for (std::size_t i = list->size(); i-- > 0;) {
      const json& item = (*list)[i];
      if (!item.is_number_unsigned()) return std::string(key) + " holds something but numbers";
      open.push_back({item.get<std::size_t>(), transform});
    }
    return "";
  }

  // The nodes of the scene; without scenes every node that is nobody's child.
  std::string push_roots(std::vector<Visit>& open) const {
    std::size_t scene = 0;
    if (!read_count(document_.root(), "scene", scene)) return "scene is not a number";
    if (document_.count("scenes") > 0) {
      const json* entry = document_.entry("scenes", scene);
      return entry ? push_list(*entry, "nodes", kIdentity, open) : "the scene does not exist";
    }
    std::vector<Visit> children;
    for (std::size_t n = 0; n < visited_.size(); ++n)
      if (const json* node = document_.entry("nodes", n)) {
        const std::string fault = push_list(*node, "children", kIdentity, children);
        if (!fault.empty()) return fault;
      }
    std::vector<bool> is_child(visited_.size(), false);
    for (const Visit& child : children)
      if (child.node < is_child.size()) is_child[child.node] = true;
    for (std::size_t n = is_child.size(); n-- > 0;)
      if (!is_child[n]) open.push_back({n, kIdentity});
    return "";
  }

  std::string enter(const Visit& visit, std::vector<Visit>& open) {
    const json* node = document_.entry("nodes", visit.node);
    if (!node) return "no node " + std::to_string(visit.node);
    const std::string where = "node " + std::to_string(visit.node) + ": ";
    if (visited_[visit.node]) return where + "it is reached twice";
    visited_[visit.node] = true;
    Affine local = kIdentity;
    if (!read_transform(*node, local)) return where + "its transformation makes no sense";
    const Affine transform = product(visit.transform, local);
    std::string fault = push_list(*node, "children", transform, open);
    if (fault.empty() && node->contains("mesh")) {
      std::size_t mesh = 0;
      fault = read_count(*node, "mesh", mesh) ? add_mesh(mesh, transform) : "mesh is not a number";
    }
    return fault.empty() ? "" : where + fault;
  }

  std::string add_mesh(std::size_t index, const Affine& transform) {
    const json* mesh = document_.entry("meshes", index);
    if (!mesh) return "no mesh " + std::to_string(index);
    const auto primitives = mesh->find("primitives");
    if (primitives == mesh->end() || !primitives->is_array()) return "a mesh without primitives";
    for (const json& primitive : *primitives) {
      const std::string fault =
          primitive.is_object() ? visit_(primitive, transform) : "it is not an object";
      if (!fault.empty()) return "mesh " + std::to_string(index) + ": " + fault;
    }
    return "";
  }

  const GltfDocument& document_;
  const PrimitiveVisitor& visit_;
  std::vector<bool> visited_;
};

}  // namespace

Vec3d transformed(const Affine& a, const Vec3d& p) {
  Vec3d r;
  for (int i = 0; i < 3; ++i) r[i] = a[i][0] * p[0] + a[i][1] * p[1] + a[i][2] * p[2] + a[i][3];
  return r;
}

bool mirrors(const Affine& a) {
  const Vec3d x{{a[0][0], a[1][0], a[2][0]}}, y{{a[0][1], a[1][1], a[2][1]}};
  return dot(cross(x, y), Vec3d{{a[0][2], a[1][2], a[2][2]}}) < 0;
}

std::string walk_gltf(const GltfDocument& document, const PrimitiveVisitor& visit) {
  return Walk(document, visit).run();
}

}  // namespace firn

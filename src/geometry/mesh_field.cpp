#include "geometry/mesh_field.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "exec/parallel.h"
#include "geometry/mesh_tree.h"

namespace firn {
namespace {

// Volumes of the mesh and of its field are taken as the same thing when they differ by less than
// this share and this depth under the surface, in cells: samples round edges off.
constexpr double kSameShare = 0.02, kSameDepth = 0.1;
// Two radii off a round hole the winding number differs by this much from 1/2; from there on the
// edge of the hole is as near as its lid.
constexpr double kNearLid = 0.45;
// Mean thickness under the surface, in cells, below which there is nothing but round-off.
constexpr double kThinnest = 0.05;

double norm(const Vec3d& v) {
  return std::sqrt(dot(v, v));
}

// The solid that a mesh bounds.
struct MeshSolid {
  const MeshTree* surface;  // the triangles that bound it
  const MeshTree* whole;    // all triangles
  double direction;         // -1: normals point inwards
  bool open;

  double winding(const Vec3d& p) const { return direction * whole->winding_number(p); }
  bool contains(const Vec3d& p) const { return winding(p) > 0.5; }
};

// Walks from point to neighbouring point: the last answer gives a first bound of the distance, and
// where no surface lies between, the sign.
class MeshProbe {
 public:
  explicit MeshProbe(const MeshSolid& solid) : solid_(solid) {}

  double operator()(const Vec3d& p) {
    const NearestPoint nearest = solid_.surface->nearest(p, hint_);
    double distance = std::sqrt(nearest.distance2);
    hint_ = nearest.triangle;
    if (solid_.open) return with_lid(p, distance);
    // Clearly so: the last point may lie on the surface, where its sign means nothing.
    if (!started_ || norm(p - last_) >= 0.99 * std::max(distance, last_distance_))
      inside_ = solid_.contains(p);
    started_ = true;
    last_ = p;
    last_distance_ = distance;
    return inside_ ? -distance : distance;
  }

 private:
  // The lid over a hole is the surface of winding number 1/2; the slope there tells how far.
  double with_lid(const Vec3d& p, double distance) const {
    const double winding = solid_.winding(p);
    const double excess = std::fabs(winding - 0.5);
    if (excess < kNearLid) {
      const double slope = norm(solid_.whole->winding_gradient(p));
      if (excess < distance * slope) distance = excess / slope;
    }
    return winding > 0.5 ? -distance : distance;
  }

  const MeshSolid& solid_;
  std::uint32_t hint_ = 0;
  Vec3d last_{{0, 0, 0}};
  double last_distance_ = 0;
  bool inside_ = false, started_ = false;
};

// Whether the solid lies on both sides of a triangle: in its middle, and when it is larger than
// `small` also near its corners and edges.
bool is_buried(const MeshSolid& solid, const Vec3d& a, const Vec3d& b, const Vec3d& c,
               double small) {
  const Vec3d normal = cross(b - a, c - a);
  const double doubled_area = norm(normal);
  if (!(doubled_area > 0)) return false;
  const Vec3d step = normal * (1e-3 * solid.direction / std::sqrt(doubled_area));
  const double weights[7][3] = {{1, 1, 1},  {8, 1, 1},  {1, 8, 1}, {1, 1, 8},
                                {5, 5, .5}, {5, .5, 5}, {.5, 5, 5}};
  const bool one_will_do = std::max({norm(b - a), norm(c - b), norm(a - c)}) < small;
  for (const auto& w : weights) {
    const Vec3d p = (a * w[0] + b * w[1] + c * w[2]) / (w[0] + w[1] + w[2]);
    if (!solid.contains(p + step) || !solid.contains(p - step)) return false;
    if (one_will_do) break;
  }
  return true;
}

bool overlap(const Bounds& a, const Bounds& b) {
  for (int i = 0; i < 3; ++i)
    if (a.low[i] > b.high[i] || b.low[i] > a.high[i]) return false;
  return true;
}

void include(Bounds& box, const Vec3d& p) {
  for (int i = 0; i < 3; ++i) {
    box.low[i] = std::min(box.low[i], p[i]);
    box.high[i] = std::max(box.high[i], p[i]);
  }
}

// For each triangle whether it touches the box of a part that it does not belong to. With very many
// parts all may.
std::vector<std::uint8_t> meets_another_part(const TriangleMesh& mesh) {
  constexpr std::size_t kManyParts = 64;
  std::vector<std::uint8_t> meets(mesh.triangles.size(), 1);
  const std::vector<std::uint32_t> part = part_of_triangles(mesh);
  const std::size_t parts = *std::max_element(part.begin(), part.end()) + std::size_t(1);
  if (parts > kManyParts) return meets;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Bounds> boxes(parts, {Vec3d::fill(infinity), Vec3d::fill(-infinity)});
  for (std::size_t t = 0; t < part.size(); ++t)
    for (const std::uint32_t v : mesh.triangles[t]) include(boxes[part[t]], mesh.vertices[v]);
  for (std::size_t t = 0; t < part.size(); ++t) {
    Bounds box{Vec3d::fill(infinity), Vec3d::fill(-infinity)};
    for (const std::uint32_t v : mesh.triangles[t]) include(box, mesh.vertices[v]);
    meets[t] = 0;
    for (std::size_t k = 0; k < parts; ++k) meets[t] |= k != part[t] && overlap(box, boxes[k]);
  }
  return meets;
}

// Without the triangles that lie inside of another part: they bound nothing.
TriangleMesh bounding_part(const TriangleMesh& mesh, const MeshSolid& solid, double spacing) {
  std::vector<std::uint8_t> buried = meets_another_part(mesh);
  parallel_for("mesh_field_buried", std::int64_t(buried.size()), 256,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t t = begin; t < end; ++t) {
                   const Triangle& v = mesh.triangles[t];
                   if (buried[t])
                     buried[t] = is_buried(solid, mesh.vertices[v[0]], mesh.vertices[v[1]],
                                           mesh.vertices[v[2]], spacing);
                 }
               });
  TriangleMesh rest{mesh.vertices, {}};
  for (std::size_t t = 0; t < buried.size(); ++t)
    if (!buried[t]) rest.triangles.push_back(mesh.triangles[t]);
  return rest;
}

}  // namespace

Result<DistanceField> mesh_distance_field(const TriangleMesh& mesh, double spacing) {
  const std::string fault = mesh_fault(mesh);
  if (!fault.empty()) return Result<DistanceField>::failure(fault);
  const MeshTree tree(mesh);
  const double volume = signed_volume(mesh);
  MeshSolid solid{&tree, &tree, volume < 0 ? -1.0 : 1.0, count_open_edges(mesh) > 0};
  std::optional<MeshTree> surface;
  if (count_parts(mesh) > 1) {
    const TriangleMesh part = bounding_part(mesh, solid, spacing);
    if (!part.triangles.empty() && part.triangles.size() < mesh.triangles.size())
      solid.surface = &surface.emplace(part);
  }
  const Bounds bounds = mesh_bounds(mesh);
  Result<DistanceField> field =
      build_distance_field(3, bounds, spacing, [&] { return DistanceProbe(MeshProbe(solid)); });
  if (!field) return field;
  DistanceFieldData data = field->take_data();
  const double skin = spacing * surface_area(mesh);  // m^3 for one cell of depth
  if (!(data.volume > kThinnest * skin)) {
    char apart[32];
    std::snprintf(apart, sizeof(apart), "%.4g", spacing);
    return Result<DistanceField>::failure(
        std::string("the mesh holds no volume that samples ") + apart +
        " m apart could see: lower the \"resolution\" of the shape, or close the mesh");
  }
  const double difference = std::fabs(std::fabs(volume) - data.volume);
  if (!solid.open && difference < kSameShare * data.volume + kSameDepth * skin)
    data.volume = std::fabs(volume);
  data.solid = bounds;
  return DistanceField::from_data(std::move(data));
}

}  // namespace firn

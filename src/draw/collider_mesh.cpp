#include "draw/collider_mesh.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "surface/surface_mesh.h"

namespace firn {

namespace {

constexpr int kTurns = 72;  // pieces of a circle

// A point of an outline that is turned about the y axis, with its normal.
struct Profile {
  double r, y, normal_r, normal_y;
};

void add_box(const Vec3d& half, BodyMesh& mesh) {
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int corner = 0; corner < 4; ++corner) {
        Vec3f p, n = Vec3f::zero();
        p[axis] = static_cast<float>(side * half[axis]);
        p[u] = static_cast<float>((corner & 1 ? 1 : -1) * half[u]);
        p[v] = static_cast<float>((corner & 2 ? 1 : -1) * half[v]);
        n[axis] = static_cast<float>(side);
        mesh.vertices.push_back(p);
        mesh.normals.push_back(n);
      }
      const std::uint32_t order[2][6] = {{0, 2, 1, 1, 2, 3}, {0, 1, 2, 1, 3, 2}};
      for (const std::uint32_t k : order[side > 0]) mesh.indices.push_back(first + k);
    }
}

// `outline` runs so that the solid lies to its right (upwards with the axis on the left).
void add_turned(const std::vector<Profile>& outline, BodyMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  const auto rows = static_cast<std::uint32_t>(outline.size());
  for (int i = 0; i <= kTurns; ++i) {
    const double angle = 2 * kPi * i / kTurns, c = std::cos(angle), s = std::sin(angle);
    for (const Profile& p : outline) {
      mesh.vertices.push_back(Vec3d{{p.r * c, p.y, p.r * s}}.cast<float>());
      mesh.normals.push_back(Vec3d{{p.normal_r * c, p.normal_y, p.normal_r * s}}.cast<float>());
    }
  }
  for (std::uint32_t i = 0; i < kTurns; ++i)
    for (std::uint32_t k = 0; k + 1 < rows; ++k) {
      const std::uint32_t a = first + i * rows + k, b = a + rows;
      for (const std::uint32_t v : {a, a + 1, b, b, a + 1, b + 1}) mesh.indices.push_back(v);
    }
}

// An arc of a circle about (r, y), angles in degrees from the outward direction.
void add_arc(double r, double y, double radius, double from, double to, int pieces,
             std::vector<Profile>& outline) {
  for (int k = 0; k <= pieces; ++k) {
    const double angle = (from + (to - from) * k / pieces) * kDegree;
    const double c = std::cos(angle), s = std::sin(angle);
    outline.push_back({r + radius * c, y + radius * s, c, s});
  }
}

std::vector<Profile> cone_outline(double bottom, double top, double half) {
  const double slope = (bottom - top) / (2 * half);
  const double length = std::sqrt(1 + slope * slope);
  const double nr = 1 / length, ny = slope / length;
  return {{0, -half, 0, -1},   {bottom, -half, 0, -1}, {bottom, -half, nr, ny},
          {top, half, nr, ny}, {top, half, 0, 1},      {0, half, 0, 1}};
}

void stretch(const Vec3d& half, BodyMesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    Vec3f& n = mesh.normals[i];
    for (int k = 0; k < 3; ++k) {
      mesh.vertices[i][k] *= static_cast<float>(half[k]);
      n[k] /= static_cast<float>(std::max(half[k], 1e-12));
    }
    n = n * (1 / std::sqrt(std::max(dot(n, n), 1e-30f)));
  }
}

// Cuts the surface out of samples of the signed distance.
BodyMesh marched(const Shape& shape) {
  BodyMesh mesh;
  const Vec3d half = half_extents(shape);
  const double longest = std::max({half[0], half[1], half[2]});
  if (!(longest > 0) || !(longest < 1e12)) return mesh;
  // Shapes that change are made anew for every picture.
  const int pieces =
      shape.kind == ShapeKind::compound && shape.operation == SetOperation::blend ? 48 : 112;
  LevelSet level_set;
  level_set.voxel = 2 * longest / pieces;
  level_set.outside = static_cast<float>(level_set.voxel);
  const double block = level_set.voxel * kBlockEdge;
  SampleBlockCoord last;
  std::int32_t* ends[3] = {&last.x, &last.y, &last.z};
  for (int k = 0; k < 3; ++k)
    *ends[k] = static_cast<std::int32_t>(std::floor((half[k] + 2 * level_set.voxel) / block));
  for (std::int32_t x = -last.x - 1; x <= last.x; ++x)
    for (std::int32_t y = -last.y - 1; y <= last.y; ++y)
      for (std::int32_t z = -last.z - 1; z <= last.z; ++z) level_set.grid.insert({x, y, z});
  level_set.grid.sort();
  level_set.values.resize(std::size_t(level_set.grid.size()) * kBlockSamples);
  parallel_for("collider", level_set.grid.size(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (int b = static_cast<int>(begin); b < static_cast<int>(end); ++b) {
      const SampleBlockCoord c = level_set.grid.coord(b);
      const Vec3d low = Vec3d{{double(c.x), double(c.y), double(c.z)}} * block;
      float* values = level_set.block(b);
      const double middle = detail::local_distance(shape, low + Vec3d::fill(0.5 * block)).distance;
      const bool far = std::abs(middle) > 1.6 * block;
      for (int i = 0; i < kBlockEdge; ++i)
        for (int j = 0; j < kBlockEdge; ++j)
          for (int k = 0; k < kBlockEdge; ++k) {
            const Vec3d p = low + Vec3d{{double(i), double(j), double(k)}} * level_set.voxel;
            values[sample_index(i, j, k)] =
                static_cast<float>(far ? middle : detail::local_distance(shape, p).distance);
          }
    }
  });
  const SurfaceMesh cut = make_mesh(level_set);
  for (const Vec3f& vertex : cut.vertices) {
    const DistanceAndNormal d = detail::local_distance(shape, vertex.cast<double>());
    const double step = std::clamp(d.distance, -level_set.voxel, level_set.voxel);
    mesh.vertices.push_back((vertex.cast<double>() - d.normal * step).cast<float>());
    mesh.normals.push_back(d.normal.cast<float>());
  }
  for (const SurfaceMesh::Triangle& t : cut.triangles)
    mesh.indices.insert(mesh.indices.end(), t.begin(), t.end());
  return mesh;
}

void append(std::string& key, const void* data, std::size_t bytes) {
  key.append(static_cast<const char*>(data), bytes);
}

void append_shape(std::string& key, const PlainShape& shape) {
  append(key, &shape.kind, sizeof(shape.kind));
  append(key, &shape.size, sizeof(shape.size));
  append(key, &shape.field.corners, sizeof(shape.field.corners));
  append(key, &shape.field_origin, sizeof(shape.field_origin));
  append(key, &shape.scale, sizeof(shape.scale));
  append(key, &shape.operation, sizeof(shape.operation));
  append(key, &shape.share, sizeof(shape.share));
  for (int i = 0; i < shape.part_count; ++i) {
    append(key, &shape.parts[i].center, sizeof(Vec3d));
    append(key, &shape.parts[i].rotation, sizeof(Mat<double, 3>));
    append(key, &shape.parts[i].inside, sizeof(bool));
    append_shape(key, shape.parts[i]);
  }
}

}  // namespace

BodyMesh make_body_mesh(const Shape& given) {
  Shape shape = given;
  shape.inside = false;
  BodyMesh mesh;
  if (!is_bounded(shape)) return mesh;
  std::vector<Profile> outline;
  switch (shape.kind) {
    case ShapeKind::box:
      add_box(shape.size, mesh);
      return mesh;
    case ShapeKind::ball:
      add_arc(0, 0, shape.size[0], -90, 90, 40, outline);
      break;
    case ShapeKind::ellipsoid:
      add_arc(0, 0, 1, -90, 90, 40, outline);
      add_turned(outline, mesh);
      stretch(shape.size, mesh);
      return mesh;
    case ShapeKind::cylinder:
      outline = cone_outline(shape.size[0], shape.size[0], shape.size[1]);
      break;
    case ShapeKind::cone:
      outline = cone_outline(shape.size[0], shape.size[2], shape.size[1]);
      break;
    case ShapeKind::capsule:
      add_arc(0, -shape.size[1], shape.size[0], -90, 0, 20, outline);
      add_arc(0, shape.size[1], shape.size[0], 0, 90, 20, outline);
      break;
    case ShapeKind::torus:
      add_arc(shape.size[0], 0, shape.size[1], -180, 180, 40, outline);
      break;
    default:
      return marched(shape);
  }
  add_turned(outline, mesh);
  return mesh;
}

std::string body_key(const Shape& shape) {
  std::string key;
  append_shape(key, shape);
  return key;
}

}  // namespace firn

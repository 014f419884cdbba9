#include "geometry/bitmap_field.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry/bitmap_contour.h"
#include "geometry/mesh_tree.h"

namespace firn {
namespace {

constexpr double kMostHeightPixels = 16e6;

std::string image_fault(const GrayImage& image) {
  if (image.width < 1 || image.height < 1) return "the picture is empty";
  if (image.value.size() != std::size_t(image.width) * std::size_t(image.height))
    return "the picture's size and its number of pixels differ";
  return "";
}

bool is_positive(double x) {
  return x > 0 && std::isfinite(x);
}

// From pixels to metres about the picture's middle, y upwards; and back.
struct Placement {
  double pixel;  // m
  double half_x, half_y;

  Vec3d to_metres(const Vec2d& p) const {
    return {{p[0] * pixel - half_x, half_y - p[1] * pixel, 0}};
  }
  Vec2d to_pixels(const Vec3d& p) const {
    return {{(p[0] + half_x) / pixel, (half_y - p[1]) / pixel}};
  }
};

// Segments as triangles with two equal corners, which the tree takes as such.
TriangleMesh segment_mesh(const std::vector<Segment>& segments, const Placement& place) {
  TriangleMesh mesh;
  mesh.vertices.reserve(2 * segments.size());
  mesh.triangles.reserve(segments.size());
  for (const Segment& s : segments) {
    const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(place.to_metres(s.a));
    mesh.vertices.push_back(place.to_metres(s.b));
    mesh.triangles.push_back({base, base + 1, base + 1});
  }
  return mesh;
}

// Between the outermost pixels, which reach half a pixel further.
float height_at(const GrayImage& image, int x, int y) {
  return image.at(std::min(x, image.width - 1), std::min(y, image.height - 1));
}

// The corners of the top along its edge, counter-clockwise seen from below.
std::vector<std::uint32_t> rim_of(int nx, int nz) {
  std::vector<std::uint32_t> rim;
  for (int i = 0; i + 1 < nx; ++i) rim.push_back(i);
  for (int j = 0; j + 1 < nz; ++j) rim.push_back(j * nx + nx - 1);
  for (int i = nx - 1; i > 0; --i) rim.push_back((nz - 1) * nx + i);
  for (int j = nz - 1; j > 0; --j) rim.push_back(j * nx);
  return rim;
}

// Walls below the rim, and a fan from the middle of the bottom.
void close_below(TriangleMesh& mesh, const std::vector<std::uint32_t>& rim, double bottom) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const std::uint32_t v : rim) {
    Vec3d p = mesh.vertices[v];
    p[1] = bottom;
    mesh.vertices.push_back(p);
  }
  const auto middle = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back({{0, bottom, 0}});
  const auto count = static_cast<std::uint32_t>(rim.size());
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t next = (k + 1) % count;
    mesh.triangles.push_back({rim[k], rim[next], first + next});
    mesh.triangles.push_back({rim[k], first + next, first + k});
    mesh.triangles.push_back({middle, first + k, first + next});
  }
}

}  // namespace

Result<DistanceField> bitmap_distance_field(const GrayImage& image, const BitmapRegion& region,
                                            double spacing) {
  using Field = Result<DistanceField>;
  const std::string fault = image_fault(image);
  if (!fault.empty()) return Field::failure(fault);
  if (!is_positive(region.width)) return Field::failure("the picture's width must be above 0");
  const PixelLevels levels(image, region);
  if (!levels.any_inside())
    return Field::failure(region.inverted ? "no pixel is inside: none is below the threshold"
                                          : "no pixel is inside: none is above the threshold");
  const auto segments = levels.contour();
  if (!segments)
    return Field::failure("the picture's contour has more than 20 million pieces: scale it down");
  Placement place{region.width / image.width, region.width / 2, 0};
  place.half_y = place.pixel * image.height / 2;
  const TriangleMesh mesh = segment_mesh(*segments, place);
  const MeshTree tree(mesh);
  const auto make_probe = [&] {
    return DistanceProbe([&, hint = std::uint32_t(0)](const Vec3d& p) mutable {
      const NearestPoint nearest = tree.nearest(p, hint);
      hint = nearest.triangle;
      const double distance = std::sqrt(nearest.distance2);
      return levels.contains(place.to_pixels(p)) ? -distance : distance;
    });
  };
  return build_distance_field(2, mesh_bounds(mesh), spacing, make_probe);
}

Result<TriangleMesh> height_mesh(const GrayImage& image, double size_x, double size_z,
                                 double height, double base) {
  using Mesh = Result<TriangleMesh>;
  const std::string fault = image_fault(image);
  if (!fault.empty()) return Mesh::failure(fault);
  if (!is_positive(size_x) || !is_positive(size_z) || !is_positive(height))
    return Mesh::failure("the size and height of a height map must be above 0");
  if (!(base >= 0) || !std::isfinite(base))
    return Mesh::failure("the base of a height map must not be negative");
  if (double(image.width) * image.height > kMostHeightPixels)
    return Mesh::failure("a height map may have 16 million pixels: scale the picture down");
  // A row or column alone is as good as two equal ones.
  const int nx = std::max(image.width, 2), nz = std::max(image.height, 2);
  TriangleMesh mesh;
  mesh.vertices.reserve(std::size_t(nx) * nz + 2 * (nx + nz));
  mesh.triangles.reserve(2 * std::size_t(nx) * nz + 6 * (nx + nz));
  for (int j = 0; j < nz; ++j)
    for (int i = 0; i < nx; ++i) {
      const double value = height_at(image, i, j);
      if (!(value >= 0 && value <= 1))
        return Mesh::failure("a pixel of the height map is not between 0 and 1");
      mesh.vertices.push_back({{size_x * (double(i) / (nx - 1) - 0.5), height * value,
                                size_z * (double(j) / (nz - 1) - 0.5)}});
    }
  for (int j = 0; j + 1 < nz; ++j)
    for (int i = 0; i + 1 < nx; ++i) {
      const auto a = static_cast<std::uint32_t>(j * nx + i), b = a + 1, c = a + nx, d = c + 1;
      mesh.triangles.push_back({a, c, b});
      mesh.triangles.push_back({b, c, d});
    }
  close_below(mesh, rim_of(nx, nz), -base);
  remove_degenerate_triangles(mesh);
  return mesh;
}

}  // namespace firn

#include "render/bodies.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "exec/parallel.h"
#include "render/icosahedron.h"

namespace firn {

namespace {

constexpr int kBand = 16;                // rows that one task draws
constexpr float kCornerDistance = 1.2f;  // of the icosahedron's corners from its middle, at most

Vec3f corner_of(const DeformedPoint& point, const Vec3f& c) {
  Vec3f place = point.position;
  for (int row = 0; row < 3; ++row)
    place[row] += point.axes[row] * c[0] + point.axes[3 + row] * c[1] + point.axes[6 + row] * c[2];
  return place;
}

Vec3f linear(const Rgb8& c) {
  return {{linear_from_srgb(c.r), linear_from_srgb(c.g), linear_from_srgb(c.b)}};
}

Vec3f unit(const Vec3f& v) {
  return v * (1 / std::sqrt(std::max(dot(v, v), 1e-30f)));
}

// What is drawn at once, and sorted by depth: a triangle of the mesh, or an icosahedron.
struct Units {
  const Bodies& bodies;
  std::size_t triangles, count;
  explicit Units(const Bodies& b)
      : bodies(b), triangles(b.indices.size() / 3), count(triangles + b.icosahedra.size()) {}
};

// Pixels that a unit may cover, and its nearest depth.
struct UnitBox {
  int x0, y0, x1, y1;  // inclusive
  float front;
};

// False when nothing of it can be seen.
bool clip(float low_x, float low_y, float high_x, float high_y, const Projection& projection,
          UnitBox& box) {
  const auto width = static_cast<float>(projection.width);
  const auto height = static_cast<float>(projection.height);
  // Also false for coordinates that are no numbers.
  if (!(high_x > 0 && low_x < width && high_y > 0 && low_y < height)) return false;
  box.x0 = static_cast<int>(std::max(low_x - 0.5f, 0.0f));
  box.y0 = static_cast<int>(std::max(low_y - 0.5f, 0.0f));
  box.x1 = static_cast<int>(std::min(high_x, width - 1));
  box.y1 = static_cast<int>(std::min(high_y, height - 1));
  return true;
}

bool box_of_spots(const Spot* spots, std::size_t count, const Projection& projection,
                  UnitBox& box) {
  float low_x = kFar, high_x = -kFar, low_y = kFar, high_y = -kFar;
  box.front = kFar;
  for (std::size_t k = 0; k < count; ++k) {
    if (projection.perspective && !(spots[k].depth > 1e-6f)) return false;
    low_x = std::min(low_x, spots[k].x), high_x = std::max(high_x, spots[k].x);
    low_y = std::min(low_y, spots[k].y), high_y = std::max(high_y, spots[k].y);
    box.front = std::min(box.front, spots[k].depth);
  }
  return clip(low_x, low_y, high_x, high_y, projection, box);
}

using IcosahedronSpots = std::array<Spot, 12>;

IcosahedronSpots spots_of(const DeformedPoint& point, const Projection& projection) {
  IcosahedronSpots spots;
  for (std::size_t k = 0; k < 12; ++k)
    spots[k] = projection.project(corner_of(point, icosahedron().corners[k]), 0);
  return spots;
}

bool box_of(const Units& units, std::size_t unit, const Projection& projection, UnitBox& box) {
  if (unit < units.triangles) {
    const std::array<Vec3f, 3> corners = units.bodies.corners(unit);
    Spot spots[3];
    for (std::size_t k = 0; k < 3; ++k) spots[k] = projection.project(corners[k], 0);
    return box_of_spots(spots, 3, projection, box);
  }
  const DeformedPoint& point = units.bodies.icosahedra[unit - units.triangles];
  // A ball around it: no corner is farther than the largest stretch takes it.
  float square = 0;
  for (const float a : point.axes) square += a * a;
  const float radius = kCornerDistance * std::sqrt(square);
  const Spot spot = projection.project(point.position, radius);
  box.front = spot.depth - radius;
  if (projection.perspective && !(box.front > 1e-6f)) return false;
  // In perspective the outline of a ball off the axis is longer than its circle.
  const float reach = projection.perspective ? 1.5f * spot.radius : spot.radius;
  return clip(spot.x - reach, spot.y - reach, spot.x + reach, spot.y + reach, projection, box);
}

// Twice the area of (a, b, p), positive on one side of the line.
float side(const Spot& a, const Spot& b, float x, float y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

class Rasterizer {
 public:
  Rasterizer(const Units& units, const Projection& projection, VisibilityBuffer& buffer)
      : units_(units), projection_(projection), buffer_(buffer) {}

  // The part of a unit between two rows, the second not included.
  void draw(std::size_t unit, int first, int end) {
    UnitBox box;
    if (!box_of(units_, unit, projection_, box) || is_hidden(box, first, end)) return;
    if (unit < units_.triangles) {
      const std::array<Vec3f, 3> corners = units_.bodies.corners(unit);
      Spot spots[3];
      for (std::size_t k = 0; k < 3; ++k) spots[k] = projection_.project(corners[k], 0);
      return draw_triangle(spots, static_cast<std::uint32_t>(unit), first, end);
    }
    draw_icosahedron(unit - units_.triangles, first, end);
  }

 private:
  bool is_hidden(const UnitBox& box, int first, int end) const {
    for (int y = std::max(box.y0, first); y <= std::min(box.y1, end - 1); ++y)
      for (int x = box.x0; x <= box.x1; ++x)
        if (box.front < buffer_.depth[buffer_.index(x, y)]) return false;
    return true;
  }

  void draw_icosahedron(std::size_t number, int first, int end) {
    const DeformedPoint& point = units_.bodies.icosahedra[number];
    const IcosahedronSpots spots = spots_of(point, projection_);
    const float* a = point.axes;
    const float volume = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[3] * (a[1] * a[8] - a[2] * a[7]) +
                         a[6] * (a[1] * a[5] - a[2] * a[4]);
    for (std::size_t f = 0; f < 20; ++f) {
      Spot face[3];
      for (std::size_t k = 0; k < 3; ++k)
        face[k] = spots[static_cast<std::size_t>(icosahedron().faces[f][k])];
      // Rows go down: faces that look at the eye turn to the negative side, unless F mirrors them.
      if (side(face[0], face[1], face[2].x, face[2].y) * volume > 0) continue;
      draw_triangle(face, static_cast<std::uint32_t>(units_.triangles + 20 * number + f), first,
                    end);
    }
  }

  void draw_triangle(const Spot (&t)[3], std::uint32_t triangle, int first, int end) {
    UnitBox box;
    if (!box_of_spots(t, 3, projection_, box)) return;
    const float area = side(t[0], t[1], t[2].x, t[2].y);
    if (!(std::abs(area) > 1e-12f)) return;
    const float inverse = 1 / area;
    // What is linear in the picture: in perspective one over the depth.
    float value[3];
    for (int k = 0; k < 3; ++k) value[k] = projection_.perspective ? 1 / t[k].depth : t[k].depth;
    for (int y = std::max(box.y0, first); y <= std::min(box.y1, end - 1); ++y)
      for (int x = box.x0; x <= box.x1; ++x) {
        const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
        const float a = side(t[1], t[2], px, py) * inverse;
        const float b = side(t[2], t[0], px, py) * inverse;
        const float c = 1 - a - b;
        // Neighbours share an edge up to rounding: rather both than none.
        if (std::min({a, b, c}) < -1e-4f) continue;
        const float v = a * value[0] + b * value[1] + c * value[2];
        const float depth = projection_.perspective ? 1 / v : v;
        const std::size_t at = buffer_.index(x, y);
        if (!(depth < buffer_.depth[at])) continue;
        buffer_.depth[at] = depth;
        buffer_.id[at] = kTriangleBit | triangle;
      }
  }

  const Units& units_;
  const Projection& projection_;
  VisibilityBuffer& buffer_;
};

// Units by bands of rows, in their order.
class Bands {
 public:
  struct Entry {
    float front;
    std::uint32_t unit;
  };

  Bands(const Units& units, const Projection& projection)
      : units_(units),
        projection_(projection),
        count_((projection.height + kBand - 1) / kBand),
        chunk_(std::max<std::int64_t>(8192, static_cast<std::int64_t>(units.count) / 128 + 1)),
        chunks_((static_cast<std::int64_t>(units.count) + chunk_ - 1) / chunk_) {
    starts_.assign(static_cast<std::size_t>(count_ * chunks_ + 1), 0);
    for_all([&](std::int64_t chunk, const Entry&, int band) { ++starts_[slot(band, chunk)]; });
    std::uint64_t sum = 0;
    for (std::uint64_t& start : starts_) sum += std::exchange(start, sum);
    entries_.resize(sum);
    std::vector<std::uint64_t> next = starts_;
    for_all([&](std::int64_t chunk, const Entry& entry, int band) {
      entries_[next[slot(band, chunk)]++] = entry;
    });
  }
  int count() const { return count_; }
  // From front to back, so that most of what is inside a body is found hidden at once.
  std::span<const Entry> sorted(int band) {
    const std::span<Entry> all(entries_.data() + starts_[slot(band, 0)],
                               entries_.data() + starts_[slot(band + 1, 0)]);
    std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) {
      return a.front != b.front ? a.front < b.front : a.unit < b.unit;
    });
    return all;
  }

 private:
  template <class F>
  void for_all(F&& visit) {
    parallel_for("bin triangles", chunks_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t chunk = begin; chunk < end; ++chunk) {
        const std::int64_t last =
            std::min((chunk + 1) * chunk_, static_cast<std::int64_t>(units_.count));
        UnitBox box;
        for (std::int64_t i = chunk * chunk_; i < last; ++i)
          if (box_of(units_, static_cast<std::size_t>(i), projection_, box))
            for (int band = box.y0 / kBand; band <= box.y1 / kBand; ++band)
              visit(chunk, {box.front, static_cast<std::uint32_t>(i)}, band);
      }
    });
  }
  std::size_t slot(int band, std::int64_t chunk) const {
    return static_cast<std::size_t>(band * chunks_ + chunk);
  }

  const Units& units_;
  const Projection& projection_;
  int count_;
  std::int64_t chunk_, chunks_;
  std::vector<std::uint64_t> starts_;
  std::vector<Entry> entries_;
};

}  // namespace

std::array<Vec3f, 3> Bodies::corners(std::size_t triangle) const {
  const std::size_t of_mesh = indices.size() / 3;
  if (triangle < of_mesh)
    return {vertices[indices[3 * triangle]], vertices[indices[3 * triangle + 1]],
            vertices[indices[3 * triangle + 2]]};
  const DeformedPoint& point = icosahedra[(triangle - of_mesh) / 20];
  const Icosahedron& body = icosahedron();
  std::array<Vec3f, 3> list;
  for (std::size_t k = 0; k < 3; ++k) {
    const int corner = body.faces[(triangle - of_mesh) % 20][k];
    list[k] = corner_of(point, body.corners[static_cast<std::size_t>(corner)]);
  }
  return list;
}

BodyPaint paint_of(const Bodies& bodies, std::size_t triangle, const Vec3f& place) {
  const std::array<Vec3f, 3> p = bodies.corners(triangle);
  const Vec3f across = cross(p[1] - p[0], p[2] - p[0]);
  const std::size_t of_mesh = bodies.indices.size() / 3;
  if (triangle >= of_mesh) {
    const DeformedPoint& point = bodies.icosahedra[(triangle - of_mesh) / 20];
    // Out of the body, also where F has turned it inside out.
    const Vec3f out = (p[0] + p[1] + p[2]) * (1.0f / 3) - point.position;
    const Vec3f normal = unit(across);
    return {linear(point.color), dot(normal, out) < 0 ? -normal : normal};
  }
  const float area2 = std::max(dot(across, across), 1e-30f);
  const float b = dot(cross(place - p[0], p[2] - p[0]), across) / area2;
  const float c = dot(cross(p[1] - p[0], place - p[0]), across) / area2;
  const float share[3] = {1 - b - c, b, c};
  BodyPaint paint{{{0, 0, 0}}, {{0, 0, 0}}};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t vertex = bodies.indices[3 * triangle + k];
    const float s = std::clamp(share[k], 0.0f, 1.0f);
    paint.color += linear(bodies.colors[vertex]) * s;
    paint.normal += bodies.normals[vertex] * s;
  }
  if (dot(paint.normal, paint.normal) > 0) paint.normal = unit(paint.normal);
  return paint;
}

void draw_bodies(const Bodies& bodies, const Projection& projection, VisibilityBuffer& buffer) {
  const Units units(bodies);
  if (units.count == 0) return;
  Bands bands(units, projection);
  parallel_for("draw triangles", bands.count(), 1, [&](std::int64_t begin, std::int64_t end) {
    Rasterizer rasterizer(units, projection, buffer);
    for (int band = static_cast<int>(begin); band < static_cast<int>(end); ++band)
      for (const Bands::Entry& entry : bands.sorted(band))
        rasterizer.draw(entry.unit, band * kBand, (band + 1) * kBand);
  });
}

}  // namespace firn

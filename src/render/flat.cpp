#include "render/flat.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "render/shading.h"

namespace firn {

namespace {

constexpr Vec3f kSolidFill{{0.52f, 0.53f, 0.56f}};
constexpr Vec3f kSolidRim{{0.16f, 0.17f, 0.19f}};

Vec3f mixed(const Vec3f& a, const Vec3f& b, float t) {
  return a * (1 - t) + b * t;
}

class FlatShader {
 public:
  FlatShader(const PointCloud& cloud, const RenderScene& scene, const Projection& projection,
             const VisibilityBuffer& buffer, int supersampling)
      : cloud_(cloud),
        colliders_(scene.colliders),
        marks_(scene.marks),
        projection_(projection),
        buffer_(buffer),
        n_(supersampling),
        background_(linear_color(scene.background)) {
    for (Shape& shape : colliders_) {
      shape.center -= cloud.origin;
      shape.dimension = 2;
    }
    for (RegionMark& mark : marks_) {
      mark.shape.center -= cloud.origin;
      mark.shape.dimension = 2;
    }
  }

  Vec3f pixel(int x, int y, int width, int height) const {
    const Vec3f behind = backdrop(x, y, width, height);
    Vec3f sum{{0, 0, 0}};
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i) sum += sample(x * n_ + i, y * n_ + j, behind);
    return marked(x, y, sum * (1.0f / static_cast<float>(n_ * n_)));
  }

 private:
  // Background and colliders; the signed distance smooths their edges over a pixel.
  Vec3f backdrop(int x, int y, int width, int height) const {
    const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
    Vec3f color = background_at(background_, px, py, width, height);
    const auto n = static_cast<float>(n_);
    const Vec3d place = projection_.ray_origin(px * n, py * n).cast<double>();
    const double pixel_size = n * projection_.pixel_size(1);
    for (const Shape& shape : colliders_) {
      const auto pixels = static_cast<float>(signed_distance(shape, place).distance / pixel_size);
      color = mixed(color, kSolidFill, std::clamp(0.5f - pixels, 0.0f, 1.0f));
      color = mixed(color, kSolidRim, 0.8f * std::clamp(1.1f - std::abs(pixels), 0.0f, 1.0f));
    }
    return color;
  }

  // Regions tint what they cover and have a rim.
  Vec3f marked(int x, int y, Vec3f color) const {
    if (marks_.empty()) return color;
    const auto n = static_cast<float>(n_);
    const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
    const Vec3d place = projection_.ray_origin(px * n, py * n).cast<double>();
    const double pixel_size = n * projection_.pixel_size(1);
    for (const RegionMark& mark : marks_) {
      const auto pixels =
          static_cast<float>(signed_distance(mark.shape, place).distance / pixel_size);
      const Vec3f tint{{linear_from_srgb(mark.color.r), linear_from_srgb(mark.color.g),
                        linear_from_srgb(mark.color.b)}};
      color = mixed(color, tint, 0.2f * std::clamp(0.5f - pixels, 0.0f, 1.0f));
      color = mixed(color, tint, std::clamp(1.6f - std::abs(pixels), 0.0f, 1.0f));
    }
    return color;
  }

  Vec3f sample(int x, int y, const Vec3f& behind) const {
    const std::uint32_t id = buffer_.id[buffer_.index(x, y)];
    if (id == kNothing) return behind;
    if (id & kTriangleBit) {
      const Vec3f place =
          projection_.position(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f,
                               buffer_.depth[buffer_.index(x, y)]);
      return paint_of(cloud_.bodies, id & ~kTriangleBit, place).color;
    }
    const Rgb8 c = cloud_.colors[id];
    const Vec3f color{{linear_from_srgb(c.r), linear_from_srgb(c.g), linear_from_srgb(c.b)}};
    const Point& point = cloud_.points[id];
    const Spot spot = projection_.project(point.position, point.radius);
    const float dx = static_cast<float>(x) + 0.5f - spot.x;
    const float dy = static_cast<float>(y) + 0.5f - spot.y;
    const float edge = (dx * dx + dy * dy) / std::max(spot.radius * spot.radius, 1.0f);
    // A darker rim tells discs apart once they are larger than some pixels.
    const float rim = std::clamp((spot.radius - 2) / 6, 0.0f, 1.0f);
    return color * (1 - 0.3f * rim * std::min(edge * edge, 1.0f));
  }

  const PointCloud& cloud_;
  std::vector<Shape> colliders_;
  std::vector<RegionMark> marks_;
  const Projection& projection_;
  const VisibilityBuffer& buffer_;
  int n_;
  Vec3f background_;
};

}  // namespace

Image render_flat(const PointCloud& cloud, const RenderScene& scene, const Camera& camera,
                  const RenderOptions& options) {
  const int n = std::max(options.supersampling, 1);
  const int width = options.width * n, height = options.height * n;
  const Projection projection = make_projection(camera, cloud.origin, width, height);
  VisibilityBuffer buffer(width, height);
  splat_points(cloud.points, projection, buffer);
  draw_bodies(cloud.bodies, projection, buffer);
  const FlatShader shader(cloud, scene, projection, buffer, n);
  Image image(options.width, options.height);
  parallel_for("shade flat", image.height, 4, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < image.width; ++x) {
        const Vec3f color = shader.pixel(x, y, image.width, image.height);
        for (int k = 0; k < 3; ++k) image.pixel(x, y)[k] = srgb_from_linear(color[k]);
      }
  });
  return image;
}

}  // namespace firn

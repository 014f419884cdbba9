#include "render/shading.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"

namespace firn {

namespace {

// Light from the sun, the sky above and what the ground reflects, for white matter.
constexpr Vec3f kSun{{1.02f, 0.98f, 0.92f}};
constexpr Vec3f kSky{{0.42f, 0.45f, 0.50f}};
constexpr Vec3f kGroundLight{{0.25f, 0.24f, 0.23f}};

float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

Vec3f times(const Vec3f& a, const Vec3f& b) {
  return {{a[0] * b[0], a[1] * b[1], a[2] * b[2]}};
}
Vec3f blended(const Vec3f& a, const Vec3f& b, float t) {
  return a * (1 - t) + b * t;
}
Vec3f normalized(const Vec3f& v) {
  return v * (1 / std::sqrt(std::max(dot(v, v), 1e-30f)));
}

Vec3f sky_light(const Vec3f& normal) {
  return blended(kGroundLight, kSky, 0.5f + 0.5f * normal[1]);
}

// Bends what is brighter than white back into range, instead of cutting it off.
float soft_clip(float v) {
  return v <= 0.8f ? v : 0.8f + 0.2f * (1 - std::exp((0.8f - v) * 5));
}
float before_soft_clip(float v) {
  return v <= 0.8f ? v : 0.8f - 0.2f * std::log(1 - (std::min(v, 0.9999f) - 0.8f) * 5);
}

class Shader {
 public:
  explicit Shader(const ShadingInput& input)
      : in_(input),
        background_(linear_color(input.scene.background)),
        center_(center_of(input.box).cast<float>()),
        reach_(0.5f * static_cast<float>(diagonal_of(input.box))),
        texel_(input.shadow_map ? input.shadow_map->texel() : 0) {
    for (const Surface& surface : input.surfaces)
      planes_.push_back(surface.is_plane() ? plane_of(surface) : Plane{{{0, 1, 0}}, 0});
  }

  // Mean of a pixel's samples in linear light.
  Vec3f pixel(int x, int y, int width, int height) const {
    const int n = in_.supersampling;
    const float open = in_.openness.empty() ? 1.0f : in_.openness[std::size_t(y) * width + x];
    const Vec3f behind = background_at(background_, static_cast<float>(x) + 0.5f,
                                       static_cast<float>(y) + 0.5f, width, height);
    if (is_smooth(x, y)) return sample(x * n + n / 2, y * n + n / 2, open, behind);
    Vec3f sum{{0, 0, 0}};
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) sum += sample(x * n + i, y * n + j, open, behind);
    return sum * (1.0f / static_cast<float>(n * n));
  }

 private:
  // Whether all samples see the background or one plane: a single one then does.
  bool is_smooth(int x, int y) const {
    const int n = in_.supersampling;
    const std::uint32_t id = in_.buffer.id[in_.buffer.index(x * n, y * n)];
    const bool plain =
        id == kNothing || ((id & kSurfaceBit) && in_.surfaces[id & ~kSurfaceBit].is_plane());
    for (int k = 1; plain && k < n * n; ++k)
      if (in_.buffer.id[in_.buffer.index(x * n + k % n, y * n + k / n)] != id) return false;
    return plain;
  }

  Vec3f sample(int x, int y, float open, const Vec3f& behind) const {
    const std::size_t at = in_.buffer.index(x, y);
    const std::uint32_t id = in_.buffer.id[at];
    if (id == kNothing) return behind;
    const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
    const float depth = in_.buffer.depth[at];
    const Vec3f place = in_.projection.position(px, py, depth);
    if (!(id & kSurfaceBit))
      return id & kTriangleBit ? triangle(id & ~kTriangleBit, place, x, y, open)
                               : point(id, place, depth, x, y, open);
    const std::uint32_t surface = id & ~kSurfaceBit;
    if (in_.surfaces[surface].is_plane()) return plane(surface, place, open, behind);
    return solid(surface, place, x, y, open);
  }

  Vec3f point(std::uint32_t id, const Vec3f& place, float depth, int x, int y, float open) const {
    const Point& p = in_.cloud.points[id];
    const Rgb8 c = in_.cloud.colors[id];
    const Vec3f albedo{{linear_from_srgb(c.r), linear_from_srgb(c.g), linear_from_srgb(c.b)}};
    // Grains of a few pixels are shaded mostly by the slope they lie on, larger ones by their own
    // roundness.
    const Vec3f slope =
        in_.relief[std::size_t(y / in_.supersampling) * (in_.buffer.width / in_.supersampling) +
                   x / in_.supersampling];
    const float pixels = p.radius / in_.projection.pixel_size(depth);
    const float grain = std::max(0.25f, smooth_step(0.5f, 3.0f, pixels));
    const float flat = 1 - smooth_step(8.0f, 24.0f, pixels);
    const Vec3f normal = normalized(normalized(place - p.position) * grain + slope * flat);
    const float lit = shadow(p.position + normal * p.radius, x, y);
    // Light creeps around grains: wrapped a little over the edge.
    const float sun = std::max(0.0f, 0.8f * dot(normal, in_.towards_light) + 0.2f) * lit;
    return times(albedo, kSun * sun + sky_light(normal) * open);
  }

  Vec3f triangle(std::uint32_t number, const Vec3f& place, int x, int y, float open) const {
    const BodyPaint paint = paint_of(in_.cloud.bodies, number, place);
    if (!(dot(paint.normal, paint.normal) > 0)) return as_it_is(paint.color);
    // The inside of a surface that is cut by the eye is seen as if it were its outside.
    const Vec3f to_eye =
        in_.projection.perspective ? in_.projection.eye - place : -in_.projection.forward;
    const Vec3f normal = dot(paint.normal, to_eye) < 0 ? -paint.normal : paint.normal;
    const float lit = shadow(place + normal * (3 * texel_), x, y);
    const float sun = std::max(0.0f, 0.8f * dot(normal, in_.towards_light) + 0.2f) * lit;
    return times(paint.color, kSun * sun + sky_light(normal) * open);
  }

  // What becomes this colour in the end.
  Vec3f as_it_is(const Vec3f& color) const {
    Vec3f light;
    for (int k = 0; k < 3; ++k) light[k] = before_soft_clip(color[k]) / in_.exposure;
    return light;
  }

  Vec3f solid(std::uint32_t surface, const Vec3f& place, int x, int y, float open) const {
    const Vec3f normal =
        signed_distance(in_.surfaces[surface].shape, place.cast<double>()).normal.cast<float>();
    const float facing = dot(normal, in_.towards_light);
    const float sun = facing > 0 ? facing * shadow(place + normal * (3 * texel_), x, y) : 0;
    return times(in_.surfaces[surface].color, kSun * sun + sky_light(normal) * open);
  }

  // Floors and walls take the background's colour, so that they fade into it without a seam.
  Vec3f plane(std::uint32_t surface, const Vec3f& place, float open, const Vec3f& behind) const {
    const Vec3f normal = planes_[surface].normal;
    const auto& cover = in_.plane_shadows[surface];
    const float lit = cover ? cover->light_at(place) : 1.0f;
    const Vec3f full = kSun * std::max(in_.towards_light[1], 0.3f) + sky_light({{0, 1, 0}});
    const Vec3f light =
        kSun * (std::max(dot(normal, in_.towards_light), 0.0f) * lit) + sky_light(normal) * open;
    Vec3f shaded;
    for (int k = 0; k < 3; ++k) shaded[k] = 0.94f * behind[k] * light[k] / full[k];
    const Vec3f d = place - center_;
    return blended(shaded, behind, smooth_step(1.5f * reach_, 7 * reach_, std::sqrt(dot(d, d))));
  }

  float shadow(const Vec3f& place, int x, int y) const {
    return in_.shadow_map ? in_.shadow_map->light_at(place, x, y) : 1.0f;
  }

  const ShadingInput& in_;
  Vec3f background_, center_;
  float reach_, texel_;
  std::vector<Plane> planes_;
};

}  // namespace

Vec3f background_at(const Vec3f& color, float x, float y, int width, int height) {
  const float dx = x / static_cast<float>(width) - 0.5f;
  const float dy = y / static_cast<float>(height) - 0.45f;
  return color * (1 - 0.28f * (dx * dx + dy * dy));
}

Image shade(const ShadingInput& input) {
  const int n = input.supersampling;
  Image image(input.buffer.width / n, input.buffer.height / n);
  const Shader shader(input);
  parallel_for("shade", image.height, 4, [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < image.width; ++x) {
        const Vec3f color = shader.pixel(x, y, image.width, image.height);
        std::uint8_t* to = image.pixel(x, y);
        for (int k = 0; k < 3; ++k) to[k] = srgb_from_linear(soft_clip(input.exposure * color[k]));
      }
  });
  return image;
}

}  // namespace firn

// What a picture is made of: cameras, bounds, colliders sorted by how they are drawn.
#include <algorithm>
#include <cmath>

#include "draw/renderer_state.h"
#include "exec/parallel.h"

namespace firn {

namespace {

constexpr float kSpritePixels = 14;  // larger balls are drawn exactly

Vec3f unit_light(const Vec3d& light) {
  const double length = std::sqrt(dot(light, light));
  return length > 0 ? (light * (1 / length)).cast<float>() : Vec3f{{0, 1, 0}};
}

Vec3f unit(const Vec3f& v) {
  return v * (1 / std::sqrt(std::max(dot(v, v), 1e-30f)));
}

// Near and far ends of what the camera may see.
void choose_depths(const Bounds& box, ShaderCamera& camera) {
  const Projection& p = camera.projection;
  const auto reach = static_cast<float>(0.5 * diagonal_of(box));
  const float middle = dot(center_of(box).cast<float>() - p.eye, p.forward);
  camera.far = std::max(middle, 0.0f) + 10 * reach;
  camera.near = 0.01f * std::max(middle - reach, 0.1f * reach);
  if (!p.perspective) camera.near = middle - 10 * reach;
}

// An orthographic camera that looks along the light and holds the box; its picture is square.
ShaderCamera light_camera(const Bounds& box, const std::vector<DrawnBody>& planes,
                          const Vec3f& towards_light, int texels) {
  ShaderCamera camera;
  Projection& p = camera.projection;
  p.forward = -towards_light;
  p.right = unit(cross(std::abs(towards_light[1]) < 0.95f ? Vec3f{{0, 1, 0}} : Vec3f{{1, 0, 0}},
                       towards_light));
  p.up = cross(towards_light, p.right);
  p.perspective = false;
  p.width = p.height = texels;
  Vec3f low = Vec3f::fill(1e30f), high = Vec3f::fill(-1e30f);
  for (const Vec3d& corner : corners_of(box)) {
    const Vec3f c = corner.cast<float>();
    const Vec3f v{{dot(c, p.right), dot(c, p.up), dot(c, p.forward)}};
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], v[k]);
      high[k] = std::max(high[k], v[k]);
    }
  }
  const float side = 1.04f * std::max({high[0] - low[0], high[1] - low[1], 1e-9f});
  p.scale = static_cast<float>(texels) / side;
  p.eye = p.right * (0.5f * (low[0] + high[0])) + p.up * (0.5f * (low[1] + high[1])) +
          p.forward * low[2];
  camera.near = 0;
  // As far as the planes on which the shadows fall, within reason: where depth is cut off in the
  // middle of a plane, its blur shows as a line.
  const float depth = std::max(high[2] - low[2], 1e-9f);
  camera.far = 1.35f * depth;
  for (const DrawnBody& body : planes) {
    const Shape& plane = body.shape;
    const Vec3f normal =
        Vec3d{{plane.rotation(0, 1), plane.rotation(1, 1), plane.rotation(2, 1)}}.cast<float>();
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3f from = p.eye + p.right * ((corner & 1 ? 0.5f : -0.5f) * side) +
                         p.up * ((corner & 2 ? 0.5f : -0.5f) * side);
      const float far = dot(normal, plane.center.cast<float>() - from) / dot(normal, p.forward);
      if (far > 0) camera.far = std::max(camera.far, std::min(1.01f * far, 3 * depth));
    }
  }
  return camera;
}

Bounds grown(const Bounds& box, double by) {
  return {box.low - Vec3d::fill(by), box.high + Vec3d::fill(by)};
}

// All but its shape.
DrawnBody drawn_body(const Look& look, const ColliderPaint* paint) {
  DrawnBody body;
  body.style = look.colliders;
  body.opacity = static_cast<float>(look.collider_opacity);
  body.color = look.collider_color.cast<float>();
  if (!paint) return body;
  const ColliderLook& own = paint->look;
  const std::vector<std::string> names = collider_style_names();
  if (const auto found = std::find(names.begin(), names.end(), own.style); found != names.end())
    body.style = static_cast<ColliderStyle>(found - names.begin());
  if (own.opacity >= 0) body.opacity = static_cast<float>(own.opacity);
  body.casts = own.casts_shadow;
  body.receives = own.receives_shadow;
  if (own.color)
    body.color = own.color->cast<float>();
  else if (paint->mesh)
    body.paint = paint;
  return body;
}

void sort_colliders(Picture& picture, const Vec3d& origin) {
  const auto& paints = picture.scene.collider_paints;
  bool any_plane = false;
  for (std::size_t i = 0; i < picture.scene.colliders.size(); ++i) {
    DrawnBody body = drawn_body(picture.look, i < paints.size() ? &paints[i] : nullptr);
    body.shape = picture.scene.colliders[i];
    body.shape.center -= origin;
    any_plane |= body.shape.kind == ShapeKind::plane;
    if (body.style == ColliderStyle::hidden) continue;
    if (body.shape.kind == ShapeKind::plane)
      picture.planes.push_back(body);
    else if (body.shape.inside)
      picture.containers.push_back(body);
    else if (is_bounded(body.shape))
      picture.solids.push_back(body);
  }
  if (picture.scene.ground_height && !any_plane && picture.look.ground &&
      picture.look.colliders != ColliderStyle::hidden) {
    DrawnBody ground;
    ground.shape.kind = ShapeKind::plane;
    ground.shape.center = Vec3d{{0, *picture.scene.ground_height, 0}} - origin;
    picture.planes.push_back(ground);
  }
}

}  // namespace

void ShaderCamera::set(const GlProgram& program) const {
  program.set("eye", projection.eye);
  program.set("right", projection.right);
  program.set("up", projection.up);
  program.set("forward", projection.forward);
  program.set("lens", 2 * projection.scale / static_cast<float>(projection.width),
              2 * projection.scale / static_cast<float>(projection.height), near, far);
  program.set("size", static_cast<float>(projection.width), static_cast<float>(projection.height));
  program.set("perspective", projection.perspective);
  program.set("scale", projection.scale);
}

Picture Renderer::State::prepare(const RenderScene& scene, const Look& look, const DrawView& view) {
  Picture picture{scene, look, view, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  picture.flat = scene.dimension == 2;
  picture.towards_light = unit_light(look.light);
  picture.box = shape.bounds;
  if (scene.bounds)
    picture.box = {scene.bounds->low - shape.origin, scene.bounds->high - shape.origin};
  if (!(diagonal_of(picture.box) > 0)) picture.box = grown(picture.box, 1);
  picture.box = grown(picture.box, largest_radius);
  const double size = diagonal_of(picture.box);
  if (!picture.flat) sort_colliders(picture, shape.origin);

  // What is seen and what casts shadows: particles and the colliders among them.
  const bool any = !host_points.empty() || cells.count > 0;
  Bounds all = any ? united(picture.box, shape.bounds) : picture.box;
  Bounds casters = picture.box;
  for (const DrawnBody& solid : picture.solids) {
    const Bounds box = bounding_box(solid.shape);
    all = united(all, box);
    if (diagonal_of(united(box, picture.box)) < 3 * size) casters = united(casters, box);
  }
  picture.camera.projection =
      make_projection(view.camera, shape.origin, targets.width, targets.height);
  choose_depths(all, picture.camera);
  last_camera = picture.camera;

  picture.shadows = look.shadows && !picture.flat;
  const int longer = std::max(view.width, view.height);
  const int texels = std::clamp(longer * (targets.supersampling + 1) / 5, 256, 1024);
  if (picture.shadows && !resize_shadow(texels).empty()) picture.shadows = false;
  picture.light = light_camera(casters, picture.planes, picture.towards_light, texels);

  const Projection& p = picture.camera.projection;
  float nearest = 1;
  if (p.perspective) {
    nearest = 1e30f;
    for (const Vec3d& corner : corners_of(picture.box))
      nearest = std::min(nearest, dot(corner.cast<float>() - p.eye, p.forward));
  }
  picture.sprites =
      nearest > 4 * largest_radius && largest_radius * p.scale / nearest < kSpritePixels;
  return picture;
}

void Renderer::State::fill_looks(const Look& look, bool flat) {
  float looks[kMostGroups][4];
  for (std::size_t g = 0; g < kMostGroups; ++g) {
    const ParticleLook own = g < look.groups.size() ? look.groups[g] : ParticleLook{};
    PointStyle style = style_of(look, static_cast<int>(g));
    // Flat scenes have discs only; a surface that was not made cannot be drawn.
    if (flat || (style == PointStyle::mesh && surface.count == 0)) style = PointStyle::spheres;
    const bool shown = own.visible && own.opacity > 0;
    style_of_group[g] = style;
    shown_group[g] = shown;
    looks[g][0] = shown ? static_cast<float>(style) : -1.0f;
    looks[g][1] = static_cast<float>(own.opacity);
    looks[g][2] = own.casts_shadow ? 1.0f : 0.0f;
    looks[g][3] = own.receives_shadow ? 1.0f : 0.0f;
  }
  looks_buffer.fill(GL_UNIFORM_BUFFER, looks, sizeof(looks));
  glBindBufferBase(GL_UNIFORM_BUFFER, 0, looks_buffer.id());
}

namespace {

std::vector<Shape> seen_colliders(const RenderScene& scene, const Look& look) {
  std::vector<Shape> seen;
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) {
    const auto* paint = i < scene.collider_paints.size() ? &scene.collider_paints[i] : nullptr;
    if (drawn_body(look, paint).style != ColliderStyle::hidden) seen.push_back(scene.colliders[i]);
  }
  return seen;
}

}  // namespace

// Flat colliders become a picture of their signed distance, half as fine as the scene's.
void Renderer::State::make_solid_map(const Picture& picture) {
  const std::vector<Shape> colliders = seen_colliders(picture.scene, picture.look);
  const Projection& p = picture.camera.projection;
  std::string key;
  for (const Shape& shape : colliders) {
    key += body_key(shape) + (shape.inside ? "-" : "+");
    key.append(reinterpret_cast<const char*>(&shape.center), sizeof(shape.center));
    key.append(reinterpret_cast<const char*>(&shape.rotation), sizeof(shape.rotation));
  }
  if (!key.empty()) {
    key.append(reinterpret_cast<const char*>(&p), sizeof(p));
    key.append(reinterpret_cast<const char*>(&shape.origin), sizeof(shape.origin));
  }
  if (key == solid_key) return;
  solid_key = key;
  if (key.empty()) return;
  const int width = (p.width + 1) / 2, height = (p.height + 1) / 2;
  std::vector<float> distance(std::size_t(width) * height);
  const auto rows = [&](std::int64_t begin, std::int64_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < width; ++x) {
        // Rows from the bottom, as textures have them.
        const float px = (static_cast<float>(x) + 0.5f) * static_cast<float>(p.width) / width;
        const float py = (static_cast<float>(y) + 0.5f) * static_cast<float>(p.height) / height;
        const Vec3d place =
            p.ray_origin(px, static_cast<float>(p.height) - py).cast<double>() + shape.origin;
        double nearest = 1e30;
        for (const Shape& solid : colliders) {
          Shape flat = solid;
          flat.dimension = 2;
          nearest = std::min(nearest, signed_distance(flat, place).distance);
        }
        distance[std::size_t(y) * width + x] = static_cast<float>(nearest);
      }
  };
  parallel_for("solid map", height, 8, rows);
  solid_map = make_texture(GL_R32F, width, height, GL_LINEAR);
  glBindTexture(GL_TEXTURE_2D, solid_map.id());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RED, GL_FLOAT, distance.data());
}

}  // namespace firn

#include "draw/cpu_painter.h"

#include <algorithm>
#include <cmath>

#include "draw/frame_data.h"

namespace firn {

namespace {

ColliderStyle style_of(const Look& look, const ColliderPaint* paint) {
  const std::vector<std::string> names = collider_style_names();
  const auto found = paint ? std::find(names.begin(), names.end(), paint->look.style) : names.end();
  return found == names.end() ? look.colliders : static_cast<ColliderStyle>(found - names.begin());
}

// Colliders as the look wants them: hidden ones are gone, those that are not solid are outlined.
RenderScene followed(const RenderScene& scene, const Look& look) {
  RenderScene result = scene;
  result.colliders.clear();
  result.collider_paints.clear();
  const bool solid = scene.dimension == 3;
  bool any_plane = false;
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) {
    const ColliderPaint* own =
        i < scene.collider_paints.size() ? &scene.collider_paints[i] : nullptr;
    const ColliderStyle style = style_of(look, own);
    Shape shape = scene.colliders[i];
    any_plane = any_plane || shape.kind == ShapeKind::plane;
    if (style == ColliderStyle::hidden) continue;
    ColliderPaint paint = own ? *own : ColliderPaint{};
    if (!paint.look.color) paint.look.color = look.collider_color;
    // As a container: its edges are drawn, where it has any.
    if (solid && style != ColliderStyle::solid && !outline_edges(shape).empty())
      shape.inside = true;
    result.colliders.push_back(shape);
    result.collider_paints.push_back(std::move(paint));
  }
  if (any_plane || !look.ground || look.colliders == ColliderStyle::hidden)
    result.ground_height.reset();
  return result;
}

// The particles of one frame by the styles of their groups.
class CloudMaker {
 public:
  CloudMaker(const FrameData& frame, const Look& look) : frame_(frame) {
    for (std::size_t g = 0; g < kMostGroups; ++g) {
      const ParticleLook own = g < look.groups.size() ? look.groups[g] : ParticleLook{};
      visible_[g] = own.visible && own.opacity > 0;
      style_[g] = style_of(look, static_cast<int>(g));
      // Flat scenes have discs only, and what was not made cannot be drawn.
      if (frame.dimension == 2 || (style_[g] == PointStyle::mesh && frame.mesh.indices.empty()))
        style_[g] = PointStyle::spheres;
    }
  }

  PointCloud make() const {
    PointCloud cloud;
    cloud.origin = frame_.origin;
    for (std::size_t i = 0; i < frame_.points.size(); ++i) add_point(i, cloud);
    add_mesh(frame_.mesh, false, cloud.bodies);
    add_mesh(frame_.cells, true, cloud.bodies);
    return cloud;
  }

 private:
  void add_point(std::size_t i, PointCloud& cloud) const {
    const DrawnPoint& point = frame_.points[i];
    if (!visible_[point.group] || style_[point.group] == PointStyle::mesh) return;
    const Rgb8 color{point.color[0], point.color[1], point.color[2]};
    if (style_[point.group] != PointStyle::icosahedra) {
      cloud.points.push_back({point.position, point.radius});
      cloud.colors.push_back(color);
      return;
    }
    DeformedPoint deformed{point.position, {}, color};
    if (i < frame_.frames.size())
      std::copy_n(frame_.frames[i].axes, 9, deformed.axes);
    else
      for (int k = 0; k < 3; ++k) deformed.axes[4 * k] = point.radius;
    cloud.bodies.icosahedra.push_back(deformed);
  }
  // `always`: in any style.
  void add_mesh(const DrawnMesh& mesh, bool always, Bodies& bodies) const {
    const auto first = static_cast<std::uint32_t>(bodies.vertices.size());
    bodies.vertices.insert(bodies.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    bodies.normals.insert(bodies.normals.end(), mesh.normals.begin(), mesh.normals.end());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      bodies.colors.push_back({mesh.colors[4 * v], mesh.colors[4 * v + 1], mesh.colors[4 * v + 2]});
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
      const std::uint8_t group = mesh.colors[4 * mesh.indices[i] + 3];
      if (visible_[group] && (always || style_[group] == PointStyle::mesh))
        for (std::size_t k = i; k < i + 3; ++k) bodies.indices.push_back(first + mesh.indices[k]);
    }
  }

  const FrameData& frame_;
  bool visible_[kMostGroups];
  PointStyle style_[kMostGroups];
};

// Two triangles for each pixel of the slice that is not clear.
Bodies slice_bodies(const SlicePicture& slice, const Vec3d& origin) {
  Bodies bodies;
  bodies.casts_shadows = false;
  const Vec3d right = slice.along_width * (1.0 / slice.width);
  const Vec3d up = slice.along_height * (1.0 / slice.height);
  for (int j = 0; j < slice.height; ++j)
    for (int i = 0; i < slice.width; ++i) {
      const std::uint8_t* c = &slice.rgba[4 * (static_cast<std::size_t>(j) * slice.width + i)];
      if (c[3] == 0) continue;
      const auto first = static_cast<std::uint32_t>(bodies.vertices.size());
      for (int k = 0; k < 4; ++k) {
        const Vec3d at =
            slice.corner - origin + right * double(i + (k & 1)) + up * double(j + (k >> 1));
        bodies.vertices.push_back(at.cast<float>());
        bodies.normals.push_back({{0, 0, 0}});  // as it is
        bodies.colors.push_back({c[0], c[1], c[2]});
      }
      for (const std::uint32_t k : {0u, 1u, 2u, 1u, 3u, 2u}) bodies.indices.push_back(first + k);
    }
  return bodies;
}

class CpuPainter : public FramePainter {
 public:
  CpuPainter(const SceneSettings& settings, const RenderRunOptions& options,
             const PainterOptions& more)
      : look_(look_of(settings, more)), slice_(more.slice) {
    picture_.width = options.width;
    picture_.height = options.height;
    picture_.supersampling = options.supersampling;
    picture_.ambient_occlusion = look_.ambient_occlusion;
    picture_.shadows = look_.shadows;
    picture_.exposure = look_.exposure;
  }

  Result<Image> paint(const Frame& table, const Survey& survey, const RenderScene& scene,
                      const Camera& camera) override {
    return slice_ ? paint_slice(table, survey, scene, camera)
                  : paint_particles(table, survey, scene, camera);
  }

 private:
  Result<Image> paint_particles(const Frame& table, const Survey& survey, const RenderScene& scene,
                                const Camera& camera) const {
    FrameOptions options;
    options.origin = center_of(*survey.scene.bounds);
    options.radius = survey.radius;
    options.colors = survey.colors;
    options.normals = false;
    choose_parts(look_, options);
    const Result<FrameData> frame = make_frame_data(table, options);
    if (!frame) return frame.errors();
    return render_points(CloudMaker(*frame, look_).make(), followed(scene, look_), camera,
                         picture_);
  }
  Result<Image> paint_slice(const PointTable& table, const Survey& survey, const RenderScene& scene,
                            const Camera& camera) const {
    const Result<CutSlice> slice = cut_slice(table, survey, *slice_);
    if (!slice) return slice.errors();
    PointCloud cloud;
    cloud.origin = center_of(*survey.scene.bounds);
    cloud.bodies = slice_bodies(slice->picture, cloud.origin);
    Image image = render_points(cloud, followed(scene, look_), camera, picture_);
    draw_slice_legend(*slice_, *slice, image);
    return image;
  }

  Look look_;
  std::optional<SliceView> slice_;
  RenderOptions picture_;
};

}  // namespace

std::unique_ptr<FramePainter> make_cpu_painter(const SceneSettings& settings,
                                               const RenderRunOptions& options,
                                               const PainterOptions& more) {
  return std::make_unique<CpuPainter>(settings, options, more);
}

std::string cpu_painter_limits(const SceneSettings& settings, const PainterOptions& more) {
  const Look look = look_of(settings, more);
  std::vector<std::string> list;
  const auto add = [&](bool asked, const char* what) {
    if (asked && std::find(list.begin(), list.end(), what) == list.end()) list.push_back(what);
  };
  for (const ParticleLook& own : look.groups) {
    add(own.visible && own.opacity > 0 && own.opacity < 1, "the opacity of particles");
    add(!own.casts_shadow || !own.receives_shadow,
        "shadows that some cast or receive and others do not");
  }
  add(look.shadows && look.shadow_softness != 1, "shadow_softness");
  const auto is_transparent = [&](const std::string& own) {
    return own == "transparent" || (own.empty() && look.colliders == ColliderStyle::transparent);
  };
  for (const ColliderSettings& collider : settings.colliders) {
    const ColliderLook own = collider.look.value_or(ColliderLook{});
    add(is_transparent(own.style), "transparent colliders (outlined)");
    add(!own.casts_shadow || !own.receives_shadow,
        "shadows that some cast or receive and others do not");
  }
  for (const ColliderPaint& paint : collider_paints(settings))
    add(paint.mesh && !paint.look.color, "the colours of mesh files");
  std::string line;
  for (const std::string& what : list) line += (line.empty() ? "" : ", ") + what;
  return line.empty() ? "" : "the CPU renderer does not draw " + line;
}

}  // namespace firn

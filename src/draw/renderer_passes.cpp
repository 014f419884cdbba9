// The passes of a picture: shadows, surfaces, ambient occlusion, light, glass and lines.
#include <algorithm>
#include <cmath>

#include "draw/renderer_state.h"
#include "render/color.h"
#include "render/outline.h"

namespace firn {

namespace {

constexpr int kIcosahedronCorners = 60;
constexpr int kMargin = 16;  // pixels around the picture, more than a sprite's radius
// Marks in the stencil: which light a pixel gets. 0: background.
constexpr int kMarkSurface = 1, kMarkPlane = 3, kMarkAsItIs = 4;
constexpr float kGlassWalls = 0.10f;  // opacity of the walls of containers
constexpr float kPlaneReach = 8;      // times half the scene's diagonal; planes have faded by then

void set_axes(const GlProgram& program, const Mat<double, 3>& axes, const Vec3d& scale,
              const Vec3d& middle) {
  const char* names[] = {"axis_x", "axis_y", "axis_z"};
  for (int k = 0; k < 3; ++k)
    program.set(names[k], (Vec3d{{axes(0, k), axes(1, k), axes(2, k)}} * scale[k]).cast<float>());
  program.set("middle", middle.cast<float>());
}

// A line with its colour, as it lies in the buffer.
struct DrawnLine {
  Vec3f from, to;
  std::uint8_t color[4];
};

void add_edges(const Shape& shape, const Rgb8& color, double opacity,
               std::vector<DrawnLine>& lines) {
  for (const OutlineEdge& edge : outline_edges(shape))
    lines.push_back({from_shape_frame(shape, edge.from).cast<float>(),
                     from_shape_frame(shape, edge.to).cast<float>(),
                     {color.r, color.g, color.b, static_cast<std::uint8_t>(255 * opacity)}});
}

}  // namespace

const GpuMesh& Renderer::State::body(const Shape& shape) {
  BodyEntry& entry = bodies[body_key(shape)];
  entry.used = true;
  if (entry.mesh.array.id() == 0) {
    const BodyMesh made = make_body_mesh(shape);
    upload_mesh(made.vertices, made.normals, {}, made.indices, entry.mesh);
  }
  return entry.mesh;
}

void Renderer::State::draw_screen() {
  glBindVertexArray(empty_array.id());
  glDisable(GL_DEPTH_TEST);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Renderer::State::draw_particles(const Picture& picture, bool from_light) {
  const ShaderCamera& camera = from_light ? picture.light : picture.camera;
  const PointArrays& arrays = from_light && software ? casting : seen;
  const auto begin = [&](const GlProgram& program) {
    program.use();
    camera.set(program);
    program.set("casting", from_light);
  };
  const bool has_frames = !host_frames.empty();
  bool uses[4] = {};
  for (int m = 0; m <= static_cast<int>(picture.look.by_material.size()); ++m)
    uses[static_cast<int>(style_of(picture.look, m))] = true;
  const bool balls = uses[0] || uses[1] || picture.flat || (uses[3] && surface.count == 0);
  if (arrays.count > 0 && balls && (picture.sprites || from_light)) {
    const GlProgram& program = from_light ? programs.sprite_shadow : programs.sprite[picture.flat];
    begin(program);
    const int width = camera.projection.width, height = camera.projection.height;
    program.set("narrow", static_cast<float>(width) / static_cast<float>(width + 2 * kMargin),
                static_cast<float>(height) / static_cast<float>(height + 2 * kMargin));
    glViewport(-kMargin, -kMargin, width + 2 * kMargin, height + 2 * kMargin);
    glBindVertexArray(arrays.sprite.id());
    glDrawArrays(GL_POINTS, 0, arrays.count);
    glViewport(0, 0, width, height);
  } else if (arrays.count > 0 && balls) {
    begin(programs.ball[picture.flat]);
    glBindVertexArray(arrays.ball.id());
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, arrays.count);
  }
  if (arrays.count > 0 && uses[2] && !picture.flat) {
    const GlProgram& program = from_light ? programs.icosahedron_shadow : programs.icosahedron;
    begin(program);
    program.set("deformed", has_frames);
    glBindVertexArray(arrays.icosahedron.id());
    for (GLuint k = 5; k < 8; ++k)
      has_frames ? glEnableVertexAttribArray(k) : glDisableVertexAttribArray(k);
    glDrawArraysInstanced(GL_TRIANGLES, 0, kIcosahedronCorners, arrays.count);
  }
  if (surface.count > 0 && uses[3]) {
    begin(from_light ? programs.mesh_shadow : programs.mesh);
    glBindVertexArray(surface.array.id());
    glDrawElements(GL_TRIANGLES, surface.count, GL_UNSIGNED_INT, nullptr);
  }
}

void Renderer::State::draw_bodies(const Picture& picture, const GlProgram& program) {
  program.set("kind", 2);
  for (std::size_t i = 0; i < picture.solids.size(); ++i) {
    const Shape& solid = picture.solids[i];
    const GpuMesh& mesh = body(solid);
    if (mesh.count == 0) continue;
    program.set("body_color", picture.solid_colors[i]);
    set_axes(program, solid.rotation, {{1, 1, 1}}, solid.center);
    glBindVertexArray(mesh.array.id());
    glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
  }
}

void Renderer::State::draw_shadows(const Picture& picture) {
  glBindFramebuffer(GL_FRAMEBUFFER, shadow.draw.id());
  glViewport(0, 0, shadow.texels, shadow.texels);
  const float clear[] = {1, 1, 0, 1}, one = 1;  // the far end, where receivers beyond it count
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  glClearBufferfv(GL_COLOR, 0, clear);
  glClearBufferfv(GL_DEPTH, 0, &one);
  glEnable(GL_DEPTH_CLAMP);
  draw_particles(picture, true);
  programs.body_shadow.use();
  picture.light.set(programs.body_shadow);
  if (picture.look.colliders == ColliderStyle::solid) draw_bodies(picture, programs.body_shadow);
  // Planes block no light, but where they lie beside a shadow its rim is blurred.
  draw_planes(picture, programs.body_shadow);
  glDisable(GL_DEPTH_CLAMP);
  const double texels = picture.look.shadow_softness * shadow.texels / 160.0;
  const int reach = std::clamp(static_cast<int>(std::lround(texels)), 1, 24);
  programs.shadow_blur.use();
  programs.shadow_blur.set("reach", reach);
  for (int k = 0; k < 2; ++k) {
    glBindFramebuffer(GL_FRAMEBUFFER, shadow.pass[1 - k].id());
    glUniform2i(glGetUniformLocation(programs.shadow_blur.id(), "along"), k == 0, k == 1);
    programs.shadow_blur.texture("moments_map", 0, shadow.moments[k].id());
    draw_screen();
  }
}

void Renderer::State::draw_planes(const Picture& picture, const GlProgram& program) {
  if (picture.look.colliders == ColliderStyle::hidden) return;
  program.set("kind", 3);
  const double reach = 0.5 * kPlaneReach * diagonal_of(picture.box);
  const Vec3d middle = center_of(picture.box);
  for (const Shape& plane : picture.planes) {
    Vec3d normal{{plane.rotation(0, 1), plane.rotation(1, 1), plane.rotation(2, 1)}};
    if (plane.inside) normal = -normal;
    // Only from the free side, so that a wall does not hide what it holds.
    const Projection& p = picture.camera.projection;
    const double above = dot(normal, p.eye.cast<double>() - plane.center);
    if (p.perspective ? above <= 0 : dot(normal, p.forward.cast<double>()) >= 0) continue;
    Shape slab = plane;
    slab.kind = ShapeKind::box;
    slab.inside = false;
    slab.size = {{1, 0, 1}};
    // The box's faces along its own y axis coincide: the one that faces the eye is seen.
    set_axes(program, plane.rotation, {{reach, 1, reach}},
             middle - normal * dot(normal, middle - plane.center));
    const GpuMesh& mesh = body(slab);
    glBindVertexArray(mesh.array.id());
    glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
  }
}

void Renderer::State::draw_slice(const Picture& picture) {
  if (!slice) return;
  const GlProgram& program = programs.slice;
  program.use();
  picture.camera.set(program);
  program.texture("picture", 0, slice_texture.id());
  program.set("middle", (slice->corner - shape.origin).cast<float>());
  program.set("axis_x", slice->along_width.cast<float>());
  program.set("axis_y", slice->along_height.cast<float>());
  glBindVertexArray(quad_array.id());
  glDisable(GL_CULL_FACE);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

void Renderer::State::draw_surfaces(const Picture& picture) {
  glBindFramebuffer(GL_FRAMEBUFFER, targets.surfaces.id());
  glViewport(0, 0, targets.width, targets.height);
  const float zero[] = {0, 0, 0, 0};
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glDepthFunc(GL_LESS);
  glClearBufferfv(GL_COLOR, 0, zero);
  glClearBufferfv(GL_COLOR, 1, zero);
  glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 0);
  // Which light a pixel gets.
  glEnable(GL_STENCIL_TEST);
  glStencilMask(0xff);
  glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  glStencilFunc(GL_ALWAYS, picture.flat ? kMarkAsItIs : kMarkSurface, 0xff);
  // What hides much goes first.
  if (!picture.flat) {
    programs.body.use();
    picture.camera.set(programs.body);
    glEnable(GL_CULL_FACE);
    if (picture.look.colliders == ColliderStyle::solid) draw_bodies(picture, programs.body);
  }
  glDisable(GL_CULL_FACE);
  draw_particles(picture, false);
  glStencilFunc(GL_ALWAYS, kMarkAsItIs, 0xff);
  draw_slice(picture);
  glStencilFunc(GL_ALWAYS, kMarkPlane, 0xff);
  if (!picture.flat) {
    programs.body.use();
    glEnable(GL_CULL_FACE);
    draw_planes(picture, programs.body);
    glDisable(GL_CULL_FACE);
  }
  glDisable(GL_STENCIL_TEST);
}

void Renderer::State::draw_openness(const Picture& picture) {
  const auto radius = static_cast<float>(0.05 * diagonal_of(picture.box));
  const int stride = openness_stride(targets.supersampling);
  glViewport(0, 0, (targets.width + stride - 1) / stride, (targets.height + stride - 1) / stride);
  for (const bool mean : {false, true}) {
    const GlProgram& program = mean ? programs.openness_mean : programs.openness;
    glBindFramebuffer(GL_FRAMEBUFFER,
                      mean ? targets.openness_mean_pass.id() : targets.openness_pass.id());
    program.use();
    picture.camera.set(program);
    program.set("radius", radius);
    program.set("stride", stride);
    program.texture("depth_map", 0, targets.depth.id());
    if (mean) program.texture("openness_map", 1, targets.openness.id());
    draw_screen();
  }
}

void Renderer::State::draw_light(const Picture& picture) {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, targets.surfaces.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, targets.light_pass.id());
  glBlitFramebuffer(0, 0, targets.width, targets.height, 0, 0, targets.width, targets.height,
                    GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, targets.light_pass.id());
  glViewport(0, 0, targets.width, targets.height);
  glEnable(GL_STENCIL_TEST);
  glStencilMask(0);
  const bool solids = picture.flat && !solid_key.empty();
  light_pixels(picture, programs.light_background[solids], 0);
  light_pixels(picture, programs.light_surface, kMarkSurface);
  light_pixels(picture, programs.light_plane, kMarkPlane);
  light_pixels(picture, programs.light_none, kMarkAsItIs);
  glStencilMask(0xff);
  glDisable(GL_STENCIL_TEST);
}

void Renderer::State::light_pixels(const Picture& picture, const GlProgram& program, int mark) {
  glStencilFunc(GL_EQUAL, mark, 0xff);
  const Look& look = picture.look;
  program.use();
  picture.camera.set(program);
  program.texture("color_map", 0, targets.color.id());
  program.texture("normal_map", 1, targets.normal.id());
  program.texture("depth_map", 2, targets.depth.id());
  program.texture("openness_map", 3, targets.openness_mean.id());
  program.texture("shadow_map", 4, shadow.moments[0].id());
  program.texture("solid_map", 5, solid_map.id());
  program.set("background", linear_color(look.background));
  program.set("towards_light", picture.towards_light);
  program.set("middle", center_of(picture.box).cast<float>());
  program.set("reach", static_cast<float>(0.5 * diagonal_of(picture.box)));
  program.set("exposure", static_cast<float>(look.exposure));
  const Projection& light = picture.light.projection;
  program.set("bias", std::max(largest_radius, 2 / light.scale));
  program.set("shadows", picture.shadows);
  program.set("ground_shadow", look.ground_shadow);
  program.set("has_openness", look.ambient_occlusion && !picture.flat);
  program.set("solid_pixel", picture.camera.projection.pixel_size(1));
  program.set("light_eye", light.eye);
  program.set("light_right", light.right);
  program.set("light_up", light.up);
  const float span = 2 * light.scale / static_cast<float>(std::max(light.width, 1));
  program.set("light_lens", span, span, picture.light.near, picture.light.far);
  draw_screen();
}

void Renderer::State::draw_glass(const Picture& picture) {
  const Look& look = picture.look;
  if (picture.flat || look.colliders == ColliderStyle::hidden) return;
  const bool solids = look.colliders == ColliderStyle::transparent;
  const bool walls = look.colliders != ColliderStyle::outline;
  glBindFramebuffer(GL_FRAMEBUFFER, targets.light_pass.id());
  const GlProgram& program = programs.glass;
  program.use();
  picture.camera.set(program);
  program.set("towards_light", picture.towards_light);
  program.set("body_color", look.collider_color.cast<float>());
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_LESS);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_CULL_FACE);
  const auto draw = [&](const std::vector<Shape>& shapes, GLenum hidden_faces, double opacity) {
    glCullFace(hidden_faces);
    program.set("opacity", static_cast<float>(opacity));
    for (const Shape& one : shapes) {
      const GpuMesh& mesh = body(one);
      if (mesh.count == 0) continue;
      set_axes(program, one.rotation, {{1, 1, 1}}, one.center);
      glBindVertexArray(mesh.array.id());
      glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
    }
  };
  // The inner sides of containers: from outside one looks past the near walls, from inside all are
  // seen.
  if (walls) draw(picture.containers, GL_FRONT, solids ? look.collider_opacity : kGlassWalls);
  if (solids) {
    draw(picture.solids, GL_FRONT, 0.5 * look.collider_opacity);
    draw(picture.solids, GL_BACK, look.collider_opacity);
  }
  glCullFace(GL_BACK);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glDisable(GL_DEPTH_TEST);
}

void Renderer::State::draw_lines(const Picture& picture) {
  constexpr Rgb8 kLineColor{88, 96, 108};
  constexpr double kOpacity = 0.55, kMarkOpacity = 0.85;
  if (picture.flat) return;
  std::vector<DrawnLine> lines;
  const ColliderStyle style = picture.look.colliders;
  if (style != ColliderStyle::hidden)
    for (const Shape& shape : picture.containers) add_edges(shape, kLineColor, kOpacity, lines);
  if (style == ColliderStyle::outline)
    for (const Shape& shape : picture.solids) add_edges(shape, kLineColor, kOpacity, lines);
  for (RegionMark mark : picture.scene.marks) {
    mark.shape.center -= shape.origin;
    if (!mark.shape.inside) add_edges(mark.shape, mark.color, kMarkOpacity, lines);
  }
  if (lines.empty()) return;
  line_buffer.fill(GL_ARRAY_BUFFER, lines.data(), lines.size() * sizeof(DrawnLine));
  glBindFramebuffer(GL_FRAMEBUFFER, targets.light_pass.id());
  const GlProgram& program = programs.line;
  program.use();
  picture.camera.set(program);
  const auto height = static_cast<float>(picture.view.height);
  program.set("width", std::max(1.1f, height / 700) * static_cast<float>(targets.supersampling));
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_LEQUAL);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glBindVertexArray(line_array.id());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(lines.size()));
  glDisable(GL_BLEND);
  glDepthMask(GL_TRUE);
  glDisable(GL_DEPTH_TEST);
}

}  // namespace firn

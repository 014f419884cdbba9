// The passes of a picture: shadows, surfaces, ambient occlusion and light.
#include <algorithm>
#include <cmath>

#include "draw/renderer_state.h"
#include "render/color.h"

namespace firn {

namespace {

constexpr int kIcosahedronCorners = 60;
constexpr int kMargin = 16;  // pixels around the picture, more than a sprite's radius
// Marks in the stencil: which light a pixel gets. 0: background.
constexpr int kMarkSurface = 1, kMarkPlane = 3, kMarkAsItIs = 4;

}  // namespace

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
  for (int style = 0; style < 4; ++style)
    uses[style] = uses_style(picture.look, static_cast<PointStyle>(style));
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
}

// The surface around particles in its style, and the frame's own meshes in any.
void Renderer::State::draw_meshes(const Picture& picture, bool from_light) {
  const GlProgram& program = from_light ? programs.mesh_shadow : programs.mesh;
  program.use();
  (from_light ? picture.light : picture.camera).set(program);
  program.set("casting", from_light);
  for (const bool own : {false, true}) {
    const GpuMesh& mesh = own ? cells : surface;
    if (mesh.count == 0 || (!own && !uses_style(picture.look, PointStyle::mesh))) continue;
    program.set("any_style", own);
    if (!from_light) program.set("two_sided", own);
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
  draw_meshes(picture, true);
  programs.body_shadow.use();
  picture.light.set(programs.body_shadow);
  draw_bodies(picture, programs.body_shadow, true);
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
    draw_bodies(picture, programs.body, false);
  }
  glDisable(GL_CULL_FACE);
  if (!picture.flat) draw_painted(picture);
  draw_particles(picture, false);
  draw_meshes(picture, false);
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

}  // namespace firn

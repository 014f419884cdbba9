// The pictures between the passes.
#include "draw/renderer_state.h"

namespace firn {

Errors Renderer::State::resize(int width, int height, int supersampling) {
  if (targets.width == width && targets.height == height && targets.supersampling == supersampling)
    return {};
  Targets t;
  t.width = width;
  t.height = height;
  t.supersampling = supersampling;
  const int stride = openness_stride(supersampling);
  const int half_width = (width + stride - 1) / stride;
  const int half_height = (height + stride - 1) / stride;
  t.color = make_texture(GL_RGBA8, width, height, GL_NEAREST);
  t.normal = make_texture(GL_RGB10_A2, width, height, GL_NEAREST);
  t.depth = make_texture(GL_DEPTH24_STENCIL8, width, height, GL_NEAREST);
  t.depth_copy = make_texture(GL_DEPTH24_STENCIL8, width, height, GL_NEAREST);
  t.openness = make_texture(GL_R8, half_width, half_height, GL_NEAREST);
  t.openness_mean = make_texture(GL_R8, half_width, half_height, GL_LINEAR);
  t.picture = make_texture(GL_RGBA8, width / supersampling, height / supersampling, GL_LINEAR);
  if (supersampling > 1) t.lit = make_texture(GL_RGBA8, width, height, GL_NEAREST);
  const GLuint lit = supersampling > 1 ? t.lit.id() : t.picture.id();
  Errors errors;
  const auto make = [&](const std::vector<GLuint>& colors, GLuint depth, GlFramebuffer& made) {
    Result<GlFramebuffer> framebuffer = make_framebuffer(colors, depth, depth != 0);
    if (framebuffer)
      made = std::move(*framebuffer);
    else
      errors = framebuffer.errors();
  };
  make({t.color.id(), t.normal.id()}, t.depth.id(), t.surfaces);
  make({t.openness.id()}, 0, t.openness_pass);
  make({t.openness_mean.id()}, 0, t.openness_mean_pass);
  // Light reads the depth, and so tests against a copy of it.
  make({lit}, t.depth_copy.id(), t.light_pass);
  make({t.picture.id()}, 0, t.shrink_pass);
  if (errors.empty()) targets = std::move(t);
  return errors;
}

Errors Renderer::State::resize_shadow(int texels) {
  if (shadow.texels == texels) return {};
  ShadowTargets t;
  t.texels = texels;
  t.depth = make_texture(GL_DEPTH_COMPONENT24, texels, texels, GL_NEAREST);
  for (int k = 0; k < 2; ++k) {
    t.moments[k] = make_texture(GL_RG32F, texels, texels, GL_LINEAR);
    Result<GlFramebuffer> pass = make_framebuffer({t.moments[k].id()}, 0);
    if (!pass) return pass.errors();
    t.pass[k] = std::move(*pass);
  }
  Result<GlFramebuffer> draw = make_framebuffer({t.moments[0].id()}, t.depth.id());
  if (!draw) return draw.errors();
  t.draw = std::move(*draw);
  shadow = std::move(t);
  return {};
}

std::optional<Renderer::Picked> Renderer::pick(int x, int y) const {
  const State& s = *state_;
  const int n = s.targets.supersampling;
  const int height = n > 0 ? s.targets.height / n : 0;
  if (n == 0 || x < 0 || y < 0 || x >= s.targets.width / n || y >= height) return std::nullopt;
  const int px = x * n + n / 2, py = (height - 1 - y) * n + n / 2;
  float depth = 1;
  std::uint8_t color[4] = {};
  glBindFramebuffer(GL_READ_FRAMEBUFFER, s.targets.surfaces.id());
  glReadPixels(px, py, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glReadPixels(px, py, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, color);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  if (!(depth < 1)) return std::nullopt;
  const ShaderCamera& camera = s.last_camera;
  const float near = camera.near, far = camera.far;
  const float z = camera.projection.perspective ? near * far / (far - depth * (far - near))
                                                : near + depth * (far - near);
  const Vec3f place = camera.projection.position(
      static_cast<float>(px) + 0.5f, static_cast<float>(s.targets.height - py) - 0.5f, z);
  const int kind = color[3] >> 4;
  return Picked{place.cast<double>() + s.shape.origin,
                kind == 1 || (kind == 4 && s.shape.dimension == 2)};
}

}  // namespace firn

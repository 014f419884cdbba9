#include "draw/renderer.h"

#include <algorithm>
#include <cmath>

#include "draw/renderer_state.h"
#include "render/icosahedron.h"

namespace firn {

namespace {

constexpr int kLeastVersion = 33;

void attribute(GLuint place, GLint count, GLenum type, bool normalized, std::size_t stride,
               std::size_t offset, GLuint divisor) {
  glEnableVertexAttribArray(place);
  glVertexAttribPointer(place, count, type, normalized ? GL_TRUE : GL_FALSE,
                        static_cast<GLsizei>(stride), reinterpret_cast<const void*>(offset));
  glVertexAttribDivisor(place, divisor);
}

// The columns of a particle; `divisor` 1: one particle an instance.
void point_attributes(GlBuffer& points, GLuint divisor) {
  glBindBuffer(GL_ARRAY_BUFFER, points.id());
  attribute(0, 4, GL_FLOAT, false, sizeof(DrawnPoint), 0, divisor);
  attribute(1, 4, GL_UNSIGNED_BYTE, true, sizeof(DrawnPoint), offsetof(DrawnPoint, color), divisor);
  attribute(2, 4, GL_BYTE, true, sizeof(DrawnPoint), offsetof(DrawnPoint, normal), divisor);
}

// Corners and flat normals of the 20 faces, one after the other.
std::vector<Vec3f> icosahedron_faces() {
  const Icosahedron& body = icosahedron();
  std::vector<Vec3f> list;
  for (const auto& face : body.faces) {
    Vec3f middle = Vec3f::zero();
    for (const int corner : face) middle += body.corners[static_cast<std::size_t>(corner)];
    const Vec3f normal = middle * (1 / std::sqrt(dot(middle, middle)));
    for (const int corner : face) {
      list.push_back(body.corners[static_cast<std::size_t>(corner)]);
      list.push_back(normal);
    }
  }
  return list;
}

}  // namespace

void upload_mesh(const std::vector<Vec3f>& vertices, const std::vector<Vec3f>& normals,
                 const std::vector<std::uint8_t>& colors, const std::vector<std::uint32_t>& indices,
                 GpuMesh& mesh, const std::vector<float>& places) {
  if (mesh.array.id() == 0) mesh.array = make_array();
  glBindVertexArray(mesh.array.id());
  // One after the other in one buffer.
  const std::size_t bytes = vertices.size() * sizeof(Vec3f);
  const std::size_t place_bytes = places.size() * sizeof(float);
  std::vector<std::uint8_t> all(2 * bytes + colors.size() + place_bytes);
  const auto put = [&](std::size_t at, const void* from, std::size_t count) {
    if (count > 0) std::copy_n(static_cast<const std::uint8_t*>(from), count, all.begin() + at);
  };
  put(0, vertices.data(), bytes);
  put(bytes, normals.data(), bytes);
  put(2 * bytes, colors.data(), colors.size());
  put(2 * bytes + colors.size(), places.data(), place_bytes);
  mesh.vertices.fill(GL_ARRAY_BUFFER, all.data(), all.size());
  attribute(0, 3, GL_FLOAT, false, sizeof(Vec3f), 0, 0);
  attribute(1, 3, GL_FLOAT, false, sizeof(Vec3f), bytes, 0);
  if (!colors.empty()) attribute(2, 4, GL_UNSIGNED_BYTE, true, 4, 2 * bytes, 0);
  if (!places.empty()) attribute(3, 2, GL_FLOAT, false, 8, 2 * bytes + colors.size(), 0);
  mesh.indices.fill(GL_ELEMENT_ARRAY_BUFFER, indices.data(),
                    indices.size() * sizeof(std::uint32_t));
  mesh.count = static_cast<GLsizei>(indices.size());
  glBindVertexArray(0);
}

void Renderer::State::create_point_arrays(PointArrays& arrays) {
  arrays.sprite = make_array();
  glBindVertexArray(arrays.sprite.id());
  point_attributes(arrays.points, 0);
  arrays.ball = make_array();
  glBindVertexArray(arrays.ball.id());
  point_attributes(arrays.points, 1);
  arrays.icosahedron = make_array();
  glBindVertexArray(arrays.icosahedron.id());
  point_attributes(arrays.points, 1);
  glBindBuffer(GL_ARRAY_BUFFER, icosahedron_buffer.id());
  attribute(3, 3, GL_FLOAT, false, 2 * sizeof(Vec3f), 0, 0);
  attribute(4, 3, GL_FLOAT, false, 2 * sizeof(Vec3f), sizeof(Vec3f), 0);
  glBindBuffer(GL_ARRAY_BUFFER, arrays.frames.id());
  for (GLuint k = 0; k < 3; ++k)
    attribute(5 + k, 3, GL_FLOAT, false, sizeof(DrawnFrame), 12 * k, 1);
}

void Renderer::State::create_arrays() {
  empty_array = make_array();
  const std::vector<Vec3f> faces = icosahedron_faces();
  icosahedron_buffer.fill(GL_ARRAY_BUFFER, faces.data(), faces.size() * sizeof(Vec3f));
  create_point_arrays(seen);
  create_point_arrays(casting);
  quad_array = make_array();
  glBindVertexArray(quad_array.id());
  const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
  quad_buffer.fill(GL_ARRAY_BUFFER, corners, sizeof(corners));
  attribute(0, 2, GL_FLOAT, false, 8, 0, 0);
  line_array = make_array();
  glBindVertexArray(line_array.id());
  glBindBuffer(GL_ARRAY_BUFFER, line_buffer.id());
  attribute(0, 3, GL_FLOAT, false, 28, 0, 1);
  attribute(1, 3, GL_FLOAT, false, 28, 12, 1);
  attribute(2, 4, GL_UNSIGNED_BYTE, true, 28, 24, 1);
  glBindVertexArray(0);
}

Renderer::Renderer(std::unique_ptr<State> state) : state_(std::move(state)) {}
Renderer::~Renderer() = default;

Result<std::unique_ptr<Renderer>> Renderer::create() {
  using Made = Result<std::unique_ptr<Renderer>>;
  const int version = epoxy_gl_version();
  if (version < kLeastVersion)
    return Made::failure("OpenGL " + std::to_string(version / 10) + "." +
                         std::to_string(version % 10) + " is too old; 3.3 is needed");
  Result<Programs> programs = build_programs();
  if (!programs) return programs.errors();
  auto state = std::make_unique<State>();
  state->programs = std::move(*programs);
  const std::string device = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR"})
    state->software |= device.find(name) != std::string::npos;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &state->largest_side);
  state->create_arrays();
  return std::unique_ptr<Renderer>(new Renderer(std::move(state)));
}

void Renderer::upload(const FrameData& frame) {
  State& s = *state_;
  s.shape.dimension = frame.dimension;
  s.shape.time = frame.time;
  s.shape.origin = frame.origin;
  s.shape.bounds = frame.bounds;
  s.host_points = frame.points;
  s.host_frames.clear();
  if (frame.frames.size() == frame.points.size()) s.host_frames = frame.frames;
  s.largest_radius = 0, s.smallest_radius = frame.points.empty() ? 0 : 1e30f;
  for (const DrawnPoint& p : frame.points) {
    s.largest_radius = std::max(s.largest_radius, p.radius);
    s.smallest_radius = std::min(s.smallest_radius, p.radius);
  }
  s.seen.stale = s.casting.stale = true;
  if (!s.software) s.fill_points(s.host_points, s.host_frames, s.seen);
  upload_mesh(frame.mesh.vertices, frame.mesh.normals, frame.mesh.colors, frame.mesh.indices,
              s.surface);
  upload_mesh(frame.cells.vertices, frame.cells.normals, frame.cells.colors, frame.cells.indices,
              s.cells);
}

void Renderer::upload_slice(const std::optional<SlicePicture>& slice) {
  State& s = *state_;
  s.slice = slice;
  if (!slice || slice->width < 1 || slice->height < 1) {
    s.slice.reset();
    return;
  }
  s.slice_texture = make_texture(GL_RGBA8, slice->width, slice->height, GL_NEAREST);
  glBindTexture(GL_TEXTURE_2D, s.slice_texture.id());
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, slice->width, slice->height, GL_RGBA, GL_UNSIGNED_BYTE,
                  slice->rgba.data());
  s.slice->rgba.clear();
}

namespace {

// What no picture has drawn since the last call.
template <class Entries>
void forget_unused(Entries& entries) {
  std::erase_if(entries, [](const auto& entry) { return !entry.second.used; });
  for (auto& [key, entry] : entries) entry.used = false;
}

}  // namespace

void Renderer::draw(const RenderScene& scene, const Look& look, const DrawView& view) {
  State& s = *state_;
  if (view.width < 1 || view.height < 1) return;
  int n = std::clamp(view.supersampling, 1, 2);
  if (std::max(view.width, view.height) * n > s.largest_side) n = 1;
  if (!s.resize(view.width * n, view.height * n, n).empty()) return;
  const Picture picture = s.prepare(scene, look, view);
  s.fill_looks(look, picture.flat);
  if (s.software) {
    s.choose_points(picture, picture.camera, s.seen);
    if (picture.shadows) s.choose_points(picture, picture.light, s.casting);
  }
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_STENCIL_TEST);
  glEnable(GL_PROGRAM_POINT_SIZE);
  if (picture.shadows) s.draw_shadows(picture);
  s.draw_surfaces(picture);
  if (look.ambient_occlusion && !picture.flat) s.draw_openness(picture);
  if (picture.flat) s.make_solid_map(picture);
  s.draw_light(picture);
  s.draw_glass(picture);
  s.draw_lines(picture);
  if (n == 2) {
    glBindFramebuffer(GL_FRAMEBUFFER, s.targets.shrink_pass.id());
    glViewport(0, 0, view.width, view.height);
    s.programs.shrink.use();
    s.programs.shrink.texture("color_map", 0, s.targets.lit.id());
    s.draw_screen();
  }
  glActiveTexture(GL_TEXTURE0);
  glBindVertexArray(0);
  glUseProgram(0);
  glDisable(GL_PROGRAM_POINT_SIZE);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  forget_unused(s.bodies);
  forget_unused(s.painted);
}

int Renderer::error_count() {
  int count = 0;
  while (count < 100 && glGetError() != GL_NO_ERROR) ++count;
  return count;
}

unsigned Renderer::texture() const {
  return state_->targets.picture.id();
}

void Renderer::present(unsigned framebuffer, int x, int y, int width, int height) const {
  const Targets& t = state_->targets;
  if (t.width == 0) return;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, t.shrink_pass.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  const int w = t.width / t.supersampling, h = t.height / t.supersampling;
  glBlitFramebuffer(0, 0, w, h, x, y, x + width, y + height, GL_COLOR_BUFFER_BIT,
                    w == width && h == height ? GL_NEAREST : GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

Image Renderer::read() const {
  const Targets& t = state_->targets;
  if (t.width == 0) return {};
  Image image(t.width / t.supersampling, t.height / t.supersampling);
  std::vector<std::uint8_t> rgba(std::size_t(4) * image.width * image.height);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, t.shrink_pass.id());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  for (int y = 0; y < image.height; ++y) {
    const std::uint8_t* from = &rgba[std::size_t(4) * (image.height - 1 - y) * image.width];
    std::uint8_t* to = image.pixel(0, y);
    for (int x = 0; x < image.width; ++x)
      for (int k = 0; k < 3; ++k) to[3 * x + k] = from[4 * x + k];
  }
  return image;
}

}  // namespace firn

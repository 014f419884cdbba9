// Colliders in a picture: solid, painted as their files say, as glass, as lines; and planes.
#include <algorithm>
#include <cmath>

#include "draw/renderer_state.h"
#include "render/color.h"
#include "render/outline.h"

namespace firn {

namespace {

constexpr float kGlassWalls = 0.10f;  // opacity of the walls of containers
constexpr float kPlaneReach = 8;      // times half the scene's diagonal; planes have faded by then

void set_axes(const GlProgram& program, const Mat<double, 3>& axes, const Vec3d& scale,
              const Vec3d& middle) {
  const char* names[] = {"axis_x", "axis_y", "axis_z"};
  for (int k = 0; k < 3; ++k)
    program.set(names[k], (Vec3d{{axes(0, k), axes(1, k), axes(2, k)}} * scale[k]).cast<float>());
  program.set("middle", middle.cast<float>());
}

// From the coordinates of a painted mesh to the scene's.
void set_painted_axes(const GlProgram& program, const DrawnBody& body) {
  const Shape& shape = body.shape;
  const MeshPlacement& placement = body.paint->placement;
  set_axes(program, shape.rotation * placement.matrix * shape.scale, {{1, 1, 1}},
           shape.center + shape.rotation * ((placement.shift - shape.field_origin) * shape.scale));
}

GlTexture picture_texture(const Image& image, GLint largest_side) {
  if (image.width > largest_side || image.height > largest_side) return {};
  GlTexture texture = make_texture(GL_SRGB8, image.width, image.height, GL_LINEAR);
  glBindTexture(GL_TEXTURE_2D, texture.id());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE,
                  image.rgb.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  for (const GLenum direction : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
    glTexParameteri(GL_TEXTURE_2D, direction, GL_REPEAT);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glGenerateMipmap(GL_TEXTURE_2D);
  return texture;
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

PaintedEntry& Renderer::State::painted_body(const std::shared_ptr<const PaintedMesh>& mesh) {
  PaintedEntry& entry = painted[mesh.get()];
  entry.used = true;
  if (!entry.source) {
    entry.source = mesh;
    upload_mesh(mesh->vertices, mesh->normals, mesh->colors, mesh->indices, entry.mesh,
                mesh->places);
    for (const Image& image : mesh->pictures)
      entry.pictures.push_back(picture_texture(image, largest_side));
  }
  return entry;
}

// From the light also those that are painted: their shadows have no colours.
void Renderer::State::draw_bodies(const Picture& picture, const GlProgram& program,
                                  bool from_light) {
  program.set("kind", 2);
  for (const DrawnBody& solid : picture.solids) {
    if (solid.style != ColliderStyle::solid || (from_light ? !solid.casts : solid.paint != nullptr))
      continue;
    const GpuMesh& mesh = solid.paint ? painted_body(solid.paint->mesh).mesh : body(solid.shape);
    if (mesh.count == 0) continue;
    program.set("body_color", solid.color);
    program.set("receives", solid.receives);
    if (solid.paint)
      set_painted_axes(program, solid);
    else
      set_axes(program, solid.shape.rotation, {{1, 1, 1}}, solid.shape.center);
    glBindVertexArray(mesh.array.id());
    glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
  }
}

void Renderer::State::draw_painted(const Picture& picture) {
  const GlProgram& program = programs.painted;
  program.use();
  picture.camera.set(program);
  for (const DrawnBody& solid : picture.solids) {
    if (solid.style != ColliderStyle::solid || !solid.paint) continue;
    const PaintedEntry& entry = painted_body(solid.paint->mesh);
    set_painted_axes(program, solid);
    program.set("receives", solid.receives);
    glBindVertexArray(entry.mesh.array.id());
    for (const PaintedPart& part : entry.source->parts) {
      const bool textured =
          part.picture >= 0 && entry.pictures[static_cast<std::size_t>(part.picture)].id() != 0;
      program.set("textured", textured);
      if (textured)
        program.texture("picture", 0, entry.pictures[static_cast<std::size_t>(part.picture)].id());
      glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(part.count), GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(sizeof(std::uint32_t) * part.first));
    }
  }
}

void Renderer::State::draw_planes(const Picture& picture, const GlProgram& program) {
  program.set("kind", 3);
  const double reach = 0.5 * kPlaneReach * diagonal_of(picture.box);
  const Vec3d middle = center_of(picture.box);
  for (const DrawnBody& drawn : picture.planes) {
    const Shape& plane = drawn.shape;
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
    program.set("receives", drawn.receives);
    const GpuMesh& mesh = body(slab);
    glBindVertexArray(mesh.array.id());
    glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
  }
}

void Renderer::State::draw_glass(const Picture& picture) {
  if (picture.flat) return;
  glBindFramebuffer(GL_FRAMEBUFFER, targets.light_pass.id());
  const GlProgram& program = programs.glass;
  program.use();
  picture.camera.set(program);
  program.set("towards_light", picture.towards_light);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_LESS);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_CULL_FACE);
  const auto draw = [&](const DrawnBody& one, GLenum hidden_faces, float opacity) {
    glCullFace(hidden_faces);
    program.set("opacity", opacity);
    program.set("body_color", one.color);
    const GpuMesh& mesh = body(one.shape);
    if (mesh.count == 0) return;
    set_axes(program, one.shape.rotation, {{1, 1, 1}}, one.shape.center);
    glBindVertexArray(mesh.array.id());
    glDrawElements(GL_TRIANGLES, mesh.count, GL_UNSIGNED_INT, nullptr);
  };
  // The inner sides of containers: from outside one looks past the near walls, from inside all are
  // seen.
  for (const DrawnBody& container : picture.containers)
    if (container.style != ColliderStyle::outline)
      draw(container, GL_FRONT,
           container.style == ColliderStyle::transparent ? container.opacity : kGlassWalls);
  for (const bool back : {true, false})
    for (const DrawnBody& solid : picture.solids)
      if (solid.style == ColliderStyle::transparent)
        draw(solid, back ? GL_FRONT : GL_BACK, back ? 0.5f * solid.opacity : solid.opacity);
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
  for (const DrawnBody& container : picture.containers)
    add_edges(container.shape, kLineColor, kOpacity, lines);
  for (const DrawnBody& solid : picture.solids)
    if (solid.style == ColliderStyle::outline) add_edges(solid.shape, kLineColor, kOpacity, lines);
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

#include "draw/driver_trial.h"

#include <epoxy/gl.h>

#include <algorithm>

#include "draw/renderer.h"

namespace firn {

namespace {

constexpr int kSide = 24;                          // pixels
constexpr std::uint8_t kColor[3] = {210, 20, 20};  // of the particles, and of nothing else

bool shows_particles(const Image& image) {
  int red = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::uint8_t* p = image.pixel(x, y);
      red += p[0] > 2 * p[1] && p[0] > 2 * p[2];
    }
  return red > 4;
}

// So many times the colour, each with a fourth byte.
std::vector<std::uint8_t> colors_of(std::size_t count, std::uint8_t fourth) {
  std::vector<std::uint8_t> list(4 * count, fourth);
  for (std::size_t k = 0; k < count; ++k) std::copy_n(kColor, 3, &list[4 * k]);
  return list;
}

// Particles on a lattice that fills a square or cube of 2 m.
FrameData make_frame(int dimension, float radius) {
  FrameData frame;
  frame.dimension = dimension;
  const int side = 4, layers = dimension == 3 ? side : 1;
  for (int k = 0; k < side * side * layers; ++k) {
    const int at[3] = {k % side, k / side % side, k / (side * side)};
    DrawnPoint point;
    for (int a = 0; a < dimension; ++a)
      point.position[a] = 0.5f * static_cast<float>(at[a]) - 0.75f;
    point.radius = radius;
    std::copy_n(kColor, 3, point.color);
    point.normal[2] = 127;
    frame.points.push_back(point);
    frame.frames.push_back({{radius, 0, 0, 0, radius, 0, 0, 0, 2 * radius}});
  }
  frame.bounds = {{{-1, -1, -1}}, {{1, 1, 1}}};
  // The surface is a triangle that the camera sees from its front.
  frame.mesh.vertices = {{{-1, -1, 1}}, {{1, -1, 1}}, {{0, 1, 1}}};
  frame.mesh.normals.assign(3, {{0, 0, 1}});
  frame.mesh.colors = colors_of(3, 0);
  frame.mesh.indices = {0, 1, 2};
  return frame;
}

// A mesh collider with a picture, as glTF files give it.
ColliderPaint painted_triangle() {
  auto mesh = std::make_shared<PaintedMesh>();
  mesh->vertices = {{{-1, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}};
  mesh->normals.assign(3, {{0, 0, 1}});
  mesh->places = {0, 0, 1, 0, 0, 1};
  mesh->colors.assign(12, 255);
  mesh->indices = {0, 1, 2};
  mesh->parts = {{0, 3, 0}};
  mesh->pictures.emplace_back(2, 2);
  return {{}, mesh, {}};
}

// One collider of every kind of look: solid, painted, glass, a container, a plane.
RenderScene make_scene(int dimension) {
  RenderScene scene;
  scene.dimension = dimension;
  scene.bounds = Bounds{{{-2, -2, -2}}, {{2, 2, 2}}};
  Shape box;
  box.size = {{0.3, 0.3, 0.3}};
  box.center = {{-1.5, -1.5, 0}};
  Shape painted = box, glass = box, container = box, plane;
  painted.center = {{1.5, -1.5, 0}};
  glass.center = {{1.5, 1.5, 0}};
  container.center = {{0, 0, 0}};
  container.size = {{1.9, 1.9, 1.9}};
  container.inside = true;
  plane.kind = ShapeKind::plane;
  plane.center = {{0, -2, 0}};
  scene.colliders = {box, painted, glass, container, plane};
  scene.collider_paints.resize(5);
  if (dimension == 3) scene.collider_paints[1] = painted_triangle();
  scene.collider_paints[2].look.style = "transparent";
  scene.marks = {{glass, {20, 20, 200}}};
  return scene;
}

SlicePicture make_slice() {
  SlicePicture slice;
  slice.width = slice.height = 2;
  slice.rgba = colors_of(4, 255);
  slice.corner = {{-1, -1, 0}};
  slice.along_width = {{2, 0, 0}};
  slice.along_height = {{0, 2, 0}};
  return slice;
}

DrawView make_view(int dimension, int supersampling) {
  Camera camera{{{0.5, 0.5, 6}}, {{0, 0, 0}}, {{0, 1, 0}}, 45, 0};
  if (dimension == 2) camera = {{{0, 0, 1}}, {{0, 0, 0}}, {{0, 1, 0}}, 45, 5};
  return {camera, kSide, kSide, supersampling};
}

}  // namespace

Errors try_renderer() {
  Result<std::unique_ptr<Renderer>> made = Renderer::create();
  if (!made) return made.errors();
  Renderer& renderer = **made;
  const std::vector<std::string> styles = point_style_names();
  const auto draw = [&](int dimension, PointStyle style, int supersampling) {
    Look look;
    look.groups.resize(1);
    look.style = style;
    renderer.draw(make_scene(dimension), look, make_view(dimension, supersampling));
    return shows_particles(renderer.read());
  };
  const auto wrong = [](const std::string& what) { return Errors{"shows no " + what}; };
  for (const int dimension : {3, 2})
    for (const float radius : {0.3f, 3.0f}) {  // sprites, and balls larger than those
      renderer.upload(make_frame(dimension, radius));
      for (std::size_t k = 0; k < styles.size(); ++k)
        if (!draw(dimension, static_cast<PointStyle>(k), radius > 1 ? 1 : 2))
          return wrong(styles[k] + (dimension == 2 ? " of a flat scene" : ""));
    }
  FrameData nothing;
  renderer.upload(nothing);
  renderer.upload_slice(make_slice());
  if (!draw(3, PointStyle::spheres, 2)) return wrong("slice");
  if (Renderer::error_count() > 0) return {"answers with errors of OpenGL"};
  return {};
}

std::string driver_name() {
  const auto text = [](GLenum what) {
    const GLubyte* words = glGetString(what);
    return std::string(words ? reinterpret_cast<const char*>(words) : "");
  };
  // "4.5 (Core Profile) Mesa 22.3.6", "4.6.0 NVIDIA 550.54.14": the numbers before are OpenGL's.
  std::string version = text(GL_VERSION);
  for (const char* maker : {"Mesa", "NVIDIA"})
    if (const auto at = version.find(maker); at != std::string::npos) version = version.substr(at);
  return text(GL_RENDERER) + ", " + version;
}

}  // namespace firn

// The inside of the renderer: what it keeps between pictures.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "draw/collider_mesh.h"
#include "draw/gl_objects.h"
#include "draw/renderer.h"
#include "render/projection.h"

namespace firn {

struct Programs {
  GlProgram sprite[2], ball[2];  // of scenes in space, of flat ones
  GlProgram sprite_shadow, icosahedron, icosahedron_shadow, mesh, mesh_shadow, body, body_shadow,
      painted, glass, slice, line, openness, openness_mean, shadow_blur, shrink;
  // The light of one kind of pixel each; of scenes in space, of flat ones with colliders.
  GlProgram light_background[2], light_surface, light_plane, light_none;
};
Result<Programs> build_programs();

// Pictures between the passes, as large as the supersampled picture.
struct Targets {
  int width = 0, height = 0, supersampling = 0;
  GlTexture color, normal, depth, depth_copy;  // surfaces
  GlTexture openness, openness_mean;           // half as large as the picture
  GlTexture lit, picture;                      // `picture` is the final one
  GlFramebuffer surfaces, openness_pass, openness_mean_pass, light_pass, shrink_pass;
};

// Samples of the supersampled picture along the side of a pixel of the ambient occlusion.
constexpr int openness_stride(int supersampling) {
  return 2 * supersampling;
}

struct ShadowTargets {
  int texels = 0;
  GlTexture moments[2], depth;
  GlFramebuffer draw, pass[2];
};

// A camera as the shaders know it.
struct ShaderCamera {
  Projection projection;
  float near = 0.1f, far = 100;

  void set(const GlProgram& program) const;
};

// Triangles in video memory.
struct GpuMesh {
  GlArray array;
  GlBuffer vertices, indices;
  GLsizei count = 0;
};

// Particles in video memory, in the ways they are drawn.
struct PointArrays {
  GlBuffer points, frames;
  GlArray sprite, ball, icosahedron;
  GLsizei count = 0;
  bool holds_all = false, stale = true;  // all of the frame; of an older frame
};

struct BodyEntry {
  GpuMesh mesh;
  bool used = false;
};

// A mesh with the looks of its file.
struct PaintedEntry {
  std::shared_ptr<const PaintedMesh> source;  // kept, so that no other takes its address
  GpuMesh mesh;
  std::vector<GlTexture> pictures;
  bool used = false;
};

// A collider as a picture shows it.
struct DrawnBody {
  Shape shape;  // around the local origin
  ColliderStyle style = ColliderStyle::solid;
  float opacity = 1;  // of a transparent one
  Vec3f color{{1, 1, 1}};
  bool casts = true, receives = true;
  const ColliderPaint* paint = nullptr;  // of its file; none: one colour
};

// What a picture is made of, worked out once a picture.
struct Picture {
  const RenderScene& scene;
  const Look& look;
  const DrawView& view;
  ShaderCamera camera, light;
  Vec3f towards_light{{0, 1, 0}};
  Bounds box;         // of what matters, around the local origin
  bool flat = false;  // a 2D scene
  bool shadows = false;
  bool sprites = true;  // particles are small enough for point sprites
  std::vector<DrawnBody> solids, containers, planes;
};

struct Renderer::State {
  Programs programs;
  Targets targets;
  ShadowTargets shadow;
  ShaderCamera last_camera;  // of the newest picture

  // The frame.
  FrameData shape;         // everything but its lists
  bool software = false;   // OpenGL runs on the CPU
  GLint largest_side = 0;  // of a picture, pixels
  float largest_radius = 0, smallest_radius = 0;
  std::vector<DrawnPoint> host_points;
  std::vector<DrawnFrame> host_frames;
  PointArrays seen, casting;  // from the camera, from the light
  PointStyle style_of_group[kMostGroups];
  bool shown_group[kMostGroups];
  GlBuffer looks_buffer, icosahedron_buffer;
  GpuMesh surface;  // around the particles
  GpuMesh cells;    // the frame's own meshes
  std::optional<SlicePicture> slice;
  GlTexture slice_texture;

  // The surroundings.
  std::map<std::string, BodyEntry> bodies;
  std::map<const PaintedMesh*, PaintedEntry> painted;
  GlArray empty_array, line_array, quad_array;
  GlBuffer line_buffer, quad_buffer;
  GlTexture solid_map;  // signed distance of flat colliders
  std::string solid_key;

  void create_arrays();
  Errors resize(int width, int height, int supersampling);
  Errors resize_shadow(int texels);

  Picture prepare(const RenderScene& scene, const Look& look, const DrawView& view);
  void fill_looks(const Look& look, bool flat);
  void draw_shadows(const Picture& picture);
  void draw_surfaces(const Picture& picture);
  void create_point_arrays(PointArrays& arrays);
  void choose_points(const Picture& picture, const ShaderCamera& camera, PointArrays& arrays);
  void fill_points(const std::vector<DrawnPoint>& list, const std::vector<DrawnFrame>& frames,
                   PointArrays& arrays);
  void draw_particles(const Picture& picture, bool from_light);
  void draw_meshes(const Picture& picture, bool from_light);
  void draw_bodies(const Picture& picture, const GlProgram& program, bool from_light);
  void draw_painted(const Picture& picture);
  void draw_planes(const Picture& picture, const GlProgram& program);
  void draw_slice(const Picture& picture);
  void draw_openness(const Picture& picture);
  void draw_light(const Picture& picture);
  void light_pixels(const Picture& picture, const GlProgram& program, int mark);
  void draw_glass(const Picture& picture);
  void draw_lines(const Picture& picture);
  void draw_screen();
  void make_solid_map(const Picture& picture);
  const GpuMesh& body(const Shape& shape);
  PaintedEntry& painted_body(const std::shared_ptr<const PaintedMesh>& mesh);
};

// Fills the arrays that draw a mesh: positions at 0, normals at 1, colours at 2, and where there
// are any, places in a picture at 3.
void upload_mesh(const std::vector<Vec3f>& vertices, const std::vector<Vec3f>& normals,
                 const std::vector<std::uint8_t>& colors, const std::vector<std::uint32_t>& indices,
                 GpuMesh& mesh, const std::vector<float>& places = {});

}  // namespace firn

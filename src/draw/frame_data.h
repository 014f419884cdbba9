// What one frame draws, ready for upload: made once a frame, drawn from any camera.
#pragma once

#include <cstdint>
#include <vector>

#include "base/spectrum.h"
#include "draw/look.h"
#include "particles/frame.h"
#include "render/point_cloud.h"
#include "surface/surface_mesh.h"

namespace firn {

// As it lies in the buffer: one instance.
struct DrawnPoint {
  Vec3f position;           // m from the local origin
  float radius = 0;         // m
  std::uint8_t color[3]{};  // sRGB
  std::uint8_t group = 0;   // of the look; those from 255 on share the last
  std::int8_t normal[3]{};  // out of the body, times 127; zero: unknown
  std::int8_t chance = 0;   // a number of its own, the same in every frame
};
static_assert(sizeof(DrawnPoint) == 24);

// Axes of a deformed particle in columns, for icosahedra: F times the radius.
struct DrawnFrame {
  float axes[9];  // column by column, m
};

// Triangles: a surface around the particles, or the meshes of a frame.
struct DrawnMesh {
  std::vector<Vec3f> vertices, normals;  // m from the local origin
  std::vector<std::uint8_t> colors;      // 4 a vertex: sRGB and the group
  std::vector<std::uint32_t> indices;
};

struct FrameData {
  int dimension = 3;
  double time = 0;  // s
  Vec3d origin{{0, 0, 0}};
  Bounds bounds;  // of points and cells, around the local origin
  std::vector<DrawnPoint> points;
  std::vector<DrawnFrame> frames;  // as many as points, or none: no deformation known
  DrawnMesh mesh;                  // around the particles, where a style asks for it
  DrawnMesh cells;                 // the frame's own meshes, drawn in any style
};

struct FrameOptions {
  Vec3d origin{{0, 0, 0}};  // near the particles: positions are single precision around it
  double radius = 0.01;     // m
  ColorChoice colors;
  std::vector<int> group_of_object;  // see Look
  // What costs time to make and only some styles need.
  bool normals = true;
  bool frames = false;
  bool mesh = false;
  double mesh_voxel = 0;  // m; 0: two thirds of the radius
};

// What the styles of a look need.
void choose_parts(const Look& look, FrameOptions& options);

// Particles at places that are no numbers are left out, and so are the corners of meshes. Columns
// F_xx, F_xy, ... give the frames, the ids and the table's "objects" (sim/snapshot.h) tell which
// object a particle belongs to.
Result<FrameData> make_frame_data(const Frame& table, const FrameOptions& options);

// Rotation R and stretch S = R^T F of the polar decomposition F = R S. R is a rotation also where F
// turns inside out.
struct Polar {
  Mat<double, 3> rotation, stretch;
};
Polar polar_decomposition(const Mat<double, 3>& f);

}  // namespace firn

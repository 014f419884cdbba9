// A slice through a grid quantity, made from the particles alone: what is seen of finished runs and
// of running ones is the same.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/schemes.h"
#include "particles/point_table.h"
#include "render/color.h"
#include "scene/settings.h"

namespace firn {

struct GridSliceOptions {
  std::string field = "mass";  // one of grid_field_names()
  int axis = 2;                // across the slice: 0, 1 or 2; a flat scene has one slice only
  double position = 0;         // m along the axis; the nearest layer of nodes is taken
  double spacing = 0.02;       // m, of the grid
  KernelKind kernel = KernelKind::quadratic;
  int dimension = 3;
};

// mass, velocity (its length), velocity_x, velocity_y, velocity_z, pressure, density.
const std::vector<std::string>& grid_field_names();

// Nodes in rows: node (i, j) lies at origin + spacing (i u + j v), where u and v are the axes after
// and before the slice's own (x and y for z).
struct GridSlice {
  int width = 0, height = 0;
  int u = 0, v = 1, axis = 2;
  double spacing = 0;         // m
  Vec3d origin{{0, 0, 0}};    // of node (0, 0), m
  std::vector<float> values;  // width x height; where there is no mass: not a number
  double low = 0, high = 0;   // range of the values
  float at(int i, int j) const { return values[static_cast<std::size_t>(j) * width + i]; }
};

// Frames must carry what the field needs: "mass" (else every particle counts alike), "velocity",
// "pressure".
Result<GridSlice> make_grid_slice(const PointTable& table, const GridSliceOptions& options);

// The slice as a picture to lay into the scene; pixels without mass are clear.
struct SlicePicture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
  Vec3d corner{{0, 0, 0}};              // of the first pixel, m
  Vec3d along_width{}, along_height{};  // whole sides, m
};
SlicePicture picture_of(const GridSlice& slice, double low, double high, ColorMap map);

}  // namespace firn

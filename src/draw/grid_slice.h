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

// Whose particles count.
struct SliceSpecies {
  std::string name;          // of one that was chosen; "": none was
  std::vector<int> numbers;  // of those that count; empty: all
};

struct GridSliceOptions {
  std::string field = "mass";  // one of grid_field_names()
  SliceSpecies species;
  int axis = 2;           // across the slice: 0, 1 or 2; a flat scene has one slice only
  double position = 0;    // m along the axis; the nearest layer of nodes is taken
  double spacing = 0.02;  // m, of the grid
  KernelKind kernel = KernelKind::quadratic;
  int dimension = 3;
};

// What can be sliced; of vectors one may see the length, a component, or its absolute value.
const std::vector<std::string>& grid_quantity_names();
bool is_vector_quantity(const std::string& quantity);
const std::vector<std::string>& vector_part_names();  // length, x, y, z, |x|, |y|, |z|
// velocity, velocity_x, abs_velocity_x: of a quantity the part of that index.
std::string grid_field_name(const std::string& quantity, int part);
// Every part of every quantity.
const std::vector<std::string>& grid_field_names();

// The species of a name, or where there is none what the field is usually of: the fluids of the
// pairs for the gradient of pressure, else all.
SliceSpecies slice_species(const SceneSettings& scene, const std::string& field,
                           const std::string& name);
// What frames must carry for it (scene/output_fields.h).
std::vector<std::string> slice_output_fields(const GridSliceOptions& options);

// Nodes in rows: node (i, j) lies at origin + spacing (i u + j v), where u and v are the axes after
// and before the slice's own (x and y for z).
struct GridSlice {
  int width = 0, height = 0;
  int u = 0, v = 1, axis = 2;
  double spacing = 0;         // m
  Vec3d origin{{0, 0, 0}};    // of node (0, 0), m
  std::vector<float> values;  // width x height; where there is no mass: not a number
  double low = 0, high = 0;  // range of the values; of gradients without the hundredths at its ends
  float at(int i, int j) const { return values[static_cast<std::size_t>(j) * width + i]; }
};

// Frames must carry what the field needs (slice_output_fields), but for "mass", without which every
// particle counts alike.
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

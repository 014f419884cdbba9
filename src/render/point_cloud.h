// What is ready to draw: points with radii and colours around a local origin, and triangles.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "particles/point_table.h"
#include "render/bodies.h"
#include "render/color.h"
#include "render/visibility.h"

namespace firn {

// Radius over half the mean distance: a little more than 1, so that a filled body shows no holes.
constexpr double kSphereOverlap = 1.15;

struct PointCloud {
  Vec3d origin{{0, 0, 0}};
  std::vector<Point> points;
  std::vector<Rgb8> colors;  // as many as points
  Bodies bodies;             // what is drawn as triangles instead
};

struct ColorScale {
  std::string by = "color";  // "color", "speed", "material" or any column
  double low = 0, high = 0;  // equal: automatic
  ColorMap map = ColorMap::viridis;
  bool automatic() const { return !(high > low); }
};

// Colours of the particles of one material or object, in place of those of all.
struct ColorPart : ColorScale {
  int material = -1, object = -1;  // one of the two
  bool fits = true;                // the range follows what the frames hold
};

struct ColorChoice : ColorScale {
  std::vector<ColorPart> parts;  // later ones go before earlier ones
};

// The scale that a legend explains: the first of a part where the particles have colours of their
// own.
const ColorScale& legend_scale(const ColorChoice& choice);

// The particles of a part: by the column "material", or by ids and the table's "objects"
// (sim/snapshot.h).
std::vector<std::uint32_t> members_of(const PointTable& table, const ColorPart& part);

// Numbers that colour the points: a column, or "speed" (also called "velocity") from vx, vy, vz.
Result<std::vector<float>> color_values(const PointTable& table, const std::string& by);

// Whether values are shown by a few distinct colours (materials) rather than a scale.
bool is_categorical(const std::string& by);
int category_of(float value);

// Makes the range hold what most of the members of the part have; a fresh one where it is
// automatic.
void fit_part(const PointTable& table, ColorPart& part);

// One colour for each point; without colours or materials a plain one.
Result<std::vector<Rgb8>> point_colors(const PointTable& table, const ColorChoice& choice);

// Range between the 1st and 99th percentile of finite values.
struct ValueRange {
  double low = 0, high = 1;
};
ValueRange robust_value_range(const std::vector<float>& values);

// A common radius, from the particles' mean volume ("volume" column) or, without it, from how
// densely they fill space.
double estimate_radius(const PointTable& table, int dimension);

// Positions that are not finite are left out. `radius` in m; choice.low < choice.high for scales.
Result<PointCloud> make_point_cloud(const PointTable& table, const Vec3d& origin, double radius,
                                    const ColorChoice& choice);

}  // namespace firn

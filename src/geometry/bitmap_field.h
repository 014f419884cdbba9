// Pictures as shapes: the region of bright (or dark) pixels as a distance field in the plane, and
// the solid under a height map as a mesh.
#pragma once

#include <vector>

#include "geometry/distance_field.h"
#include "geometry/triangle_mesh.h"

namespace firn {

struct GrayImage {
  int width = 0, height = 0;
  std::vector<float> value;  // 0 black to 1 white, rows from the top

  float at(int x, int y) const { return value[std::size_t(y) * width + x]; }
};

// nearest: pixels are squares. bilinear: a smooth contour through values between pixel centres.
enum class PixelFilter { nearest, bilinear };

struct BitmapRegion {
  double width = 1;        // of the whole picture, m; the height follows from its pixels
  double threshold = 0.5;  // inside is where the value is above
  bool inverted = false;   // inside is where the value is below
  PixelFilter filter = PixelFilter::nearest;
};

// A field of dimension 2, the picture's middle at the origin, y upwards. Beyond the picture is
// outside.
Result<DistanceField> bitmap_distance_field(const GrayImage& image, const BitmapRegion& region,
                                            double spacing);

// The closed solid from y = -base up to height times the value of each pixel. Pixels span size_x
// by size_z about the origin, the first row at the lowest z.
Result<TriangleMesh> height_mesh(const GrayImage& image, double size_x, double size_z,
                                 double height, double base);

}  // namespace firn

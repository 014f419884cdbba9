#include "geometry/mesh_request.h"

#include <cmath>
#include <cstdio>

#include "geometry/simplex_check.h"

namespace firn {

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", x);
  return text;
}

std::string mesh_request_fault(const Shape& shape, double edge, int dimension) {
  if (shape.dimension != dimension)
    return "a shape of " + std::to_string(shape.dimension) + " dimensions cannot be cut into " +
           (dimension == 2 ? "triangles" : "tetrahedra");
  if (!is_bounded(shape))
    return "the shape has no end, so it cannot be meshed; intersect it with a box";
  if (!(edge > 0) || !std::isfinite(edge))
    return "an edge length of " + short_text(edge) + " m is none; give one above 0";
  const Vec3d half = half_extents(shape);
  for (int i = 0; i < dimension; ++i)
    if (!(half[i] > 0) || !std::isfinite(half[i]))
      return "the shape is empty or flat, so there is nothing to mesh; give it an extent";
  return "";
}

std::string too_fine(double edge, double cells, int dimension) {
  const double factor = std::pow(cells / (0.95 * kMostSimplices), 1.0 / dimension);
  // Two digits, rounded up, so that what is advised is enough.
  const double wanted = edge * factor;
  const double unit = std::pow(10.0, std::floor(std::log10(wanted)) - 1);
  const std::string remedy = short_text(std::ceil(wanted / unit) * unit);
  return "an edge of " + short_text(edge) + " m would make about " +
         short_text(std::round(cells / 1e6)) + " million " +
         (dimension == 2 ? "triangles" : "tetrahedra") + ", more than 50 million; use " + remedy +
         " m or more";
}

}  // namespace firn

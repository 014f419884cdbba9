#include "scene/thin_walls.h"

#include <cmath>

#include "scene/collider_place.h"
#include "scene/line_text.h"

namespace firn {
namespace {

// A wedge is thin along its edge and still a good wall.
constexpr double kShareOfAWall = 0.1;

// Down to the surface from a point near it; false when it is not reached.
bool reach_surface(const Shape& solid, double tolerance, Vec3d& x, DistanceAndNormal& d) {
  for (int round = 0; round < 4; ++round) {
    d = signed_distance(solid, x);
    if (std::abs(d.distance) <= tolerance) return true;
    x -= d.normal * d.distance;
  }
  return false;
}

}  // namespace

double thin_share(const Shape& solid, double thickness) {
  constexpr int kPerAxis = 16;
  if (!is_bounded(solid)) return 0;
  const Bounds box = bounding_box(solid);
  const Vec3d extent = box.high - box.low;
  const int layers = solid.dimension == 3 ? kPerAxis : 1;
  const double apart = std::sqrt(dot(extent, extent)) / kPerAxis;
  std::size_t on_surface = 0, thin = 0;
  for (int i = 0; i < kPerAxis; ++i)
    for (int j = 0; j < kPerAxis; ++j)
      for (int k = 0; k < layers; ++k) {
        Vec3d x =
            box.low + Vec3d{{extent[0] * (i + 0.5) / kPerAxis, extent[1] * (j + 0.5) / kPerAxis,
                             solid.dimension == 3 ? extent[2] * (k + 0.5) / layers : 0}};
        DistanceAndNormal d = signed_distance(solid, x);
        if (std::abs(d.distance) > apart) continue;
        if (!reach_surface(solid, 1e-3 * thickness, x, d)) continue;
        ++on_surface;
        thin += signed_distance(solid, x - d.normal * (0.99 * thickness)).distance > 0;
      }
  return on_surface ? double(thin) / double(on_surface) : 0;
}

std::string thin_wall_warning(const SceneSettings& scene, const ColliderSettings& collider) {
  if (collider.contact == ContactKind::pin) return "";
  const Shape solid = collider_at(collider, static_cast<int>(scene.dimension), 0);
  const double share = thin_share(solid, scene.grid.spacing);
  if (share < kShareOfAWall) return "";
  return std::string(share < 0.5 ? "some of its" : "its") +
         " walls are thinner than a grid cell of " + short_number(scene.grid.spacing) +
         " m: matter may push through them; make them thicker or lower /grid/spacing" +
         (collider.shape.kind == ShapeType::mesh && collider.shape.resolution > 0
              ? " and the \"resolution\" of the shape"
              : "");
}

}  // namespace firn

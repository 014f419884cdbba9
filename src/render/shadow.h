// Shadows: a depth picture from the light, and for planes a blurred copy of what covers them.
#pragma once

#include <vector>

#include "render/point_cloud.h"
#include "render/surfaces.h"

namespace firn {

// Seen along the light, which is parallel, about as finely as a picture of `picture_size` pixels.
// Covers the given box and the solid colliders; what lies outside is lit.
class ShadowMap {
 public:
  ShadowMap(const PointCloud& cloud, const std::vector<Surface>& surfaces, const Bounds& box,
            const Vec3f& towards_light, int picture_size);

  // Share of the light that arrives at a place, from a disc of samples that differs between the
  // pixels (x, y) that ask.
  float light_at(const Vec3f& place, int x, int y) const;
  float texel() const { return texel_; }  // m

  const Projection& projection() const { return projection_; }
  const VisibilityBuffer& buffer() const { return buffer_; }

 private:
  Projection projection_;
  VisibilityBuffer buffer_;
  float texel_, bias_;  // m
};

// The shadow on a plane. A texel of the shadow map is a place on the plane, so softness is a blur
// of the map's covered texels, wider the higher what covers them.
class PlaneShadow {
 public:
  PlaneShadow(const ShadowMap& map, const Plane& plane, const Vec3f& towards_light);
  float light_at(const Vec3f& place) const;

 private:
  static constexpr int kLevels = 3;
  using Layer = std::vector<float>;

  void cover(const ShadowMap& map, const Plane& plane);
  int blur_radius(int level) const;  // texels
  Layer blurred(const Layer& from, int radius) const;
  float sample(const Layer& layer, float x, float y) const;

  Projection projection_;  // of the map, at half its size
  int size_ = 0;
  bool faces_light_ = true;
  Layer covered_[kLevels];
  Layer height_;  // of the cover above the plane along the light, m
};

}  // namespace firn

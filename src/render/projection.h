// From space to pixels and back, in single precision around a local origin (so that scenes far
// from zero lose nothing).
#pragma once

#include <cmath>

#include "render/camera.h"

namespace firn {

struct Spot {
  float x, y;    // pixels, from the top left corner
  float depth;   // m along the view direction
  float radius;  // pixels
};

struct Projection {
  Vec3f eye, right, up, forward;
  float scale = 1;  // pixels per metre, at one metre from the eye when in perspective
  bool perspective = true;
  int width = 0, height = 0;

  Spot project(const Vec3f& p, float radius) const {
    const Vec3f d = p - eye;
    const float depth = dot(d, forward);
    float pixels_per_metre = scale, radius_scale = scale;
    if (perspective) {
      pixels_per_metre = scale / depth;
      // A sphere's outline is the cone tangent to it, a little wider than its equator.
      radius_scale = scale / std::sqrt(std::max(depth * depth - radius * radius, 1e-30f));
    }
    return {0.5f * static_cast<float>(width) + dot(d, right) * pixels_per_metre,
            0.5f * static_cast<float>(height) - dot(d, up) * pixels_per_metre, depth,
            radius * radius_scale};
  }

  // Metres that a pixel covers at some depth.
  float pixel_size(float depth) const { return perspective ? depth / scale : 1 / scale; }

  // The line of sight through a pixel position: origin + depth * direction.
  Vec3f ray_origin(float x, float y) const { return perspective ? eye : eye + offset(x, y); }
  Vec3f ray_direction(float x, float y) const {
    return perspective ? forward + offset(x, y) : forward;
  }
  Vec3f position(float x, float y, float depth) const {
    return ray_origin(x, y) + ray_direction(x, y) * depth;
  }

 private:
  Vec3f offset(float x, float y) const {
    return right * ((x - 0.5f * static_cast<float>(width)) / scale) +
           up * ((0.5f * static_cast<float>(height) - y) / scale);
  }
};

Projection make_projection(const Camera& camera, const Vec3d& origin, int width, int height);

}  // namespace firn

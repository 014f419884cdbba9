// What is seen in each pixel: its depth and which point or surface it is. Colour comes later, once
// per pixel instead of once per splat.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "render/projection.h"

namespace firn {

constexpr std::uint32_t kNothing = 0xffffffffu;
constexpr std::uint32_t kSurfaceBit = 0x80000000u;  // set: the rest numbers a surface, not a point
constexpr float kFar = std::numeric_limits<float>::infinity();

struct VisibilityBuffer {
  int width, height;
  std::vector<float> depth;
  std::vector<std::uint32_t> id;

  VisibilityBuffer(int w, int h)
      : width(w), height(h), depth(std::size_t(w) * h, kFar), id(std::size_t(w) * h, kNothing) {}
  std::size_t index(int x, int y) const { return std::size_t(y) * width + x; }
};

struct Point {
  Vec3f position;  // m from the local origin
  float radius;    // m
};

// Draws spheres, nearest wins; the same picture for any number of threads. Points below half a
// pixel keep one pixel with the probability of their area.
void splat_points(const std::vector<Point>& points, const Projection& projection,
                  VisibilityBuffer& buffer);

}  // namespace firn

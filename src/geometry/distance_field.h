// A sampled signed distance, negative inside, metres: what meshes, pictures and unions become, so
// that one evaluation of fixed cost runs every step on host and device.
//
// Space is cut into blocks of 8^d cells. The top level holds exact distances at the corners of all
// blocks. Blocks near the surface also own (8 + 1)^d samples, one for each corner of their cells;
// the others interpolate between their corners. Where a block with samples touches one without,
// its samples follow the interpolation of the latter, so that the field has no jumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/math.h"
#include "base/result.h"
#include "geometry/distance.h"

namespace firn {

constexpr int kFieldBlock = 8;  // cells along each axis of a block

// What evaluation needs. The pointers belong to a DistanceField, or to its copy on a device.
struct DistanceFieldView {
  int dimension = 3;
  double spacing = 1;  // of the samples, m
  Vec3d origin{{0, 0, 0}};
  int blocks[3] = {0, 0, 0};            // along each axis; blocks[2] = 1 in 2D
  double margin = 0;                    // least distance from the solid to the faces of the box
  const float* corners = nullptr;       // (blocks + 1)^d, x fastest
  const std::int32_t* slots = nullptr;  // blocks^d: index of the block's samples, or -1
  const float* samples = nullptr;       // 9^d a slot
};

namespace detail {

// Multilinear interpolation in one cell: its lowest corner, the strides to the others, the place
// in it from 0 to 1. The gradient is per cell width.
FIRN_INLINE DistanceAndNormal interpolate(const float* low, const std::int64_t* stride,
                                          const double* f, int dimension) {
  const double x0 = 1 - f[0], y0 = 1 - f[1];
  double value = 0;
  Vec3d slope{{0, 0, 0}};
  for (int k = 0; k < dimension - 1; ++k) {
    const float* p = low + k * stride[2];
    const double wz = dimension == 2 ? 1 : (k == 0 ? 1 - f[2] : f[2]);
    const double a = p[0], b = p[1], c = p[stride[1]], d = p[stride[1] + 1];
    const double layer = y0 * (x0 * a + f[0] * b) + f[1] * (x0 * c + f[0] * d);
    value += wz * layer;
    slope[0] += wz * (y0 * (b - a) + f[1] * (d - c));
    slope[1] += wz * (x0 * (c - a) + f[0] * (d - b));
    if (dimension == 3) slope[2] += k == 0 ? -layer : layer;
  }
  return {value, slope};
}

FIRN_INLINE Vec3d unit_or_up(const Vec3d& v) {
  const double length2 = dot(v, v);
  return length2 > 0 ? v * (1 / sqrt_of(length2)) : Vec3d{{0, 1, 0}};
}

// At a point of the box.
FIRN_INLINE DistanceAndNormal field_inside_box(const DistanceFieldView& field, const Vec3d& p) {
  int cell[3] = {0, 0, 0}, block[3] = {0, 0, 0};
  double place[3] = {0, 0, 0};  // in cells from the origin
  for (int i = 0; i < field.dimension; ++i) {
    place[i] = (p[i] - field.origin[i]) / field.spacing;
    const int last = field.blocks[i] * kFieldBlock - 1;
    // Compared as numbers: what is no number ends in the first cell.
    cell[i] = place[i] > 0 ? (place[i] < last ? static_cast<int>(place[i]) : last) : 0;
    block[i] = cell[i] / kFieldBlock;
  }
  const std::int64_t nx = field.blocks[0], ny = field.blocks[1];
  const std::int64_t slot = field.slots[block[0] + nx * (block[1] + ny * block[2])];
  double f[3] = {0, 0, 0};
  if (slot < 0) {
    const std::int64_t stride[3] = {1, nx + 1, (nx + 1) * (ny + 1)};
    for (int i = 0; i < field.dimension; ++i) f[i] = place[i] / kFieldBlock - block[i];
    const float* low = field.corners + block[0] + block[1] * stride[1] + block[2] * stride[2];
    return interpolate(low, stride, f, field.dimension);
  }
  constexpr std::int64_t n = kFieldBlock + 1;
  const std::int64_t stride[3] = {1, n, n * n};
  std::int64_t at = slot * (field.dimension == 2 ? n * n : n * n * n);
  for (int i = 0; i < field.dimension; ++i) {
    at += (cell[i] - block[i] * kFieldBlock) * stride[i];
    f[i] = place[i] - cell[i];
  }
  return interpolate(field.samples + at, stride, f, field.dimension);
}

}  // namespace detail

// Interpolated distance and the direction of its slope. Outside of the box a lower bound of the
// distance that joins the field at the faces: the box is convex, so that the nearest solid point
// is at least as far as the hypotenuse of the way to the box and the distance from there.
FIRN_HD_CALL DistanceAndNormal field_distance(const DistanceFieldView& field, const Vec3d& p) {
  Vec3d q = p, way{{0, 0, 0}};
  for (int i = 0; i < field.dimension; ++i) {
    const double high = field.origin[i] + field.spacing * kFieldBlock * field.blocks[i];
    q[i] = p[i] > field.origin[i] ? (p[i] < high ? p[i] : high) : field.origin[i];
    way[i] = p[i] - q[i];
  }
  if (field.dimension == 2) q[2] = 0;
  DistanceAndNormal r = detail::field_inside_box(field, q);
  r.normal = detail::unit_or_up(r.normal);
  const double away2 = dot(way, way);
  if (!(away2 > 0)) return r;
  const double straight = sqrt_of(away2) + field.margin;
  const double hypotenuse = sqrt_of(away2 + r.distance * r.distance);
  return {max_of(straight, hypotenuse), detail::unit_or_up(way + r.normal * r.distance)};
}

// The arrays of a field: what a file of one holds.
struct DistanceFieldData {
  int dimension = 3;
  double spacing = 1;
  Vec3d origin{{0, 0, 0}};
  int blocks[3] = {0, 0, 0};
  double margin = 0;
  std::vector<float> corners;
  std::vector<std::int32_t> slots;
  std::vector<float> samples;
  double volume = 0;                       // m^3, in 2D m^2
  Bounds solid{{{0, 0, 0}}, {{0, 0, 0}}};  // around the part below zero
};

class DistanceField {
 public:
  // Refuses data whose sizes or slots do not fit together.
  static Result<DistanceField> from_data(DistanceFieldData data);

  DistanceFieldView view() const;
  double volume() const { return data_.volume; }
  const Bounds& bounds() const { return data_.solid; }
  std::size_t bytes() const;
  const DistanceFieldData& data() const { return data_; }
  DistanceFieldData take_data() { return std::move(data_); }

 private:
  explicit DistanceField(DistanceFieldData data) : data_(std::move(data)) {}
  DistanceFieldData data_;
};

// A signed distance that may remember its last answer: each chain of neighbouring points gets a
// probe of its own, so that answers never depend on the number of threads.
using DistanceProbe = std::function<double(const Vec3d&)>;

// Samples a signed distance (exact, or at least 1-Lipschitz) whose solid part lies in `bounds`.
// Fails with a line that says so when the field would not fit in memory.
Result<DistanceField> build_distance_field(int dimension, const Bounds& bounds, double spacing,
                                           const std::function<DistanceProbe()>& make_probe);
Result<DistanceField> build_distance_field(int dimension, const Bounds& bounds, double spacing,
                                           const std::function<double(const Vec3d&)>& distance);

}  // namespace firn

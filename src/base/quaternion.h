// Rotations as unit quaternions, for files and for what lies between two rotations. On the host.
#pragma once

#include <cmath>

#include "base/mat.h"

namespace firn {

struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;

  bool operator==(const Quaternion&) const = default;
};

inline Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

inline Quaternion inverse(const Quaternion& q) {
  return {q.w, -q.x, -q.y, -q.z};
}

// Of length 1; what has no length or is not finite does not turn.
inline Quaternion normalized(const Quaternion& q) {
  const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(length > 0) || !std::isfinite(length)) return {};
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

inline Mat<double, 3> matrix_of(const Quaternion& q) {
  const double s = 2;
  return {
      {{1 - s * (q.y * q.y + q.z * q.z), s * (q.x * q.y - q.w * q.z), s * (q.x * q.z + q.w * q.y)},
       {s * (q.x * q.y + q.w * q.z), 1 - s * (q.x * q.x + q.z * q.z), s * (q.y * q.z - q.w * q.x)},
       {s * (q.x * q.z - q.w * q.y), s * (q.y * q.z + q.w * q.x),
        1 - s * (q.x * q.x + q.y * q.y)}}};
}

// With w not below 0. The largest of the four comes from a root, the others from quotients, so that
// nothing small is divided by (Shepperd 1978).
inline Quaternion quaternion_of(const Mat<double, 3>& r) {
  const double sum = r(0, 0) + r(1, 1) + r(2, 2);
  double q[4];
  int largest = 0;
  for (int k = 1; k < 4; ++k)
    if (r(k - 1, k - 1) > (largest == 0 ? sum : r(largest - 1, largest - 1))) largest = k;
  if (largest == 0) {
    q[0] = 1 + sum;
    for (int k = 0; k < 3; ++k)
      q[1 + k] = r((k + 2) % 3, (k + 1) % 3) - r((k + 1) % 3, (k + 2) % 3);
  } else {
    const int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = r(k, j) - r(j, k);
    q[1 + i] = 1 + 2 * r(i, i) - sum;
    q[1 + j] = r(j, i) + r(i, j);
    q[1 + k] = r(k, i) + r(i, k);
  }
  const double sign = q[0] < 0 ? -1 : 1;
  return normalized({sign * q[0], sign * q[1], sign * q[2], sign * q[3]});
}

// A turn about an axis, as axis times angle in radians.
inline Quaternion quaternion_about(const Vec<double, 3>& turn) {
  const double angle = std::sqrt(dot(turn, turn));
  if (!(angle > 0)) return {};
  const double s = std::sin(angle / 2) / angle;
  return {std::cos(angle / 2), s * turn[0], s * turn[1], s * turn[2]};
}

// The shortest turn that a rotation is, as axis times angle in radians: at most half a turn.
inline Vec<double, 3> turn_of(const Quaternion& q) {
  const double sign = q.w < 0 ? -1 : 1;
  const Vec<double, 3> axis{{sign * q.x, sign * q.y, sign * q.z}};
  const double sine = std::sqrt(dot(axis, axis));
  if (!(sine > 0)) return axis;
  return axis * (2 * std::atan2(sine, sign * q.w) / sine);
}

}  // namespace firn

#include "collision/motion.h"

#include <algorithm>
#include <cmath>

#include "geometry/shape.h"

namespace firn {
namespace {

// Slope at key i: the weighted harmonic mean of the slopes on both sides, zero at an extremum and
// at the ends, so that the motion starts and stops gently.
double slope_at(const std::vector<double>& times, const std::vector<double>& values,
                std::size_t i) {
  if (i == 0 || i + 1 >= times.size()) return 0;
  const double before = times[i] - times[i - 1], after = times[i + 1] - times[i];
  const double rise = (values[i] - values[i - 1]) / before,
               next = (values[i + 1] - values[i]) / after;
  if (!(rise * next > 0)) return 0;
  const double w1 = 2 * after + before, w2 = after + 2 * before;
  return (w1 + w2) / (w1 / rise + w2 / next);
}

double component(const KeyPose& key, int c) {
  return c < 3 ? key.translation[c] : c < 6 ? key.rotation[c - 3] : key.scale;
}

Mat<double, 3> rotation_of(const Vec3d& degrees, bool axis_angle) {
  if (!axis_angle) return rotation_from_degrees(degrees);
  const double angle = sqrt_of(dot(degrees, degrees));
  return angle > 0 ? rotation_about(degrees, angle) : Mat<double, 3>::identity();
}

}  // namespace

double interpolate_keys(const std::vector<double>& times, const std::vector<double>& values,
                        bool smooth, double t) {
  const std::size_t n = times.size();
  if (n == 1 || t <= times.front()) return values.front();
  if (t >= times.back()) return values.back();
  const std::size_t i = std::upper_bound(times.begin(), times.end(), t) - times.begin() - 1;
  const double length = times[i + 1] - times[i], s = (t - times[i]) / length;
  if (!smooth) return values[i] + s * (values[i + 1] - values[i]);
  const double m0 = slope_at(times, values, i) * length,
               m1 = slope_at(times, values, i + 1) * length;
  const double s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * values[i] + (s3 - 2 * s2 + s) * m0 +
         (3 * s2 - 2 * s3) * values[i + 1] + (s3 - s2) * m1;
}

Pose BodyMotion::at(double t) const {
  double c[7] = {0, 0, 0, 0, 0, 0, 1};
  if (keys.empty()) {
    for (int k = 0; k < 7; ++k) c[k] = values[k].at({{0, 0, 0}}, t);
  } else {
    const double first = keys.front().time, period = keys.back().time - first;
    if (repeats && period > 0 && t > first) t = first + std::fmod(t - first, period);
    std::vector<double> times, track;
    for (const KeyPose& key : keys) times.push_back(key.time);
    for (int k = 0; k < 7; ++k) {
      track.clear();
      for (const KeyPose& key : keys) track.push_back(component(key, k));
      c[k] = interpolate_keys(times, track, smooth, t);
    }
  }
  Pose pose;
  pose.rotation = rotation_of({{c[3], c[4], c[5]}}, axis_angle);
  pose.scale = c[6];
  // Turned and scaled about the pivot, then moved.
  pose.translation = pivot + Vec3d{{c[0], c[1], c[2]}} - pose.rotation * (pivot * pose.scale);
  return pose;
}

bool BodyMotion::at_rest() const {
  if (keys.empty())
    return std::none_of(values.begin(), values.end(),
                        [](const VaryingValue& v) { return v.varies_in_time(); });
  return std::all_of(keys.begin(), keys.end(), [&](const KeyPose& key) {
    for (int k = 0; k < 7; ++k)
      if (component(key, k) != component(keys.front(), k)) return false;
    return true;
  });
}

}  // namespace firn

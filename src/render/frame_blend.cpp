#include "render/frame_blend.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/math.h"

namespace firn {

namespace {

// The particle of `to` with the same id, or none. Ids ascend in frames; where they do not, fewer
// are found.
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
std::vector<std::size_t> partners(const std::vector<double>& from, const std::vector<double>& to) {
  std::vector<std::size_t> list(from.size(), kNone);
  std::size_t k = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    while (k < to.size() && to[k] < from[i]) ++k;
    if (k < to.size() && to[k] == from[i]) list[i] = k;
  }
  return list;
}

Vec3d cubic_place(const BodyPose& from, const BodyPose& to, double span, double s) {
  const double s2 = s * s, s3 = s2 * s;
  return from.position * (2 * s3 - 3 * s2 + 1) + to.position * (3 * s2 - 2 * s3) +
         (from.velocity * (s3 - 2 * s2 + s) + to.velocity * (s3 - s2)) * span;
}

// From one rotation to the other, as axis times angle: of all turns that lead there the one that
// the spin comes nearest to.
Vec3d turn_between(const BodyPose& from, const BodyPose& to, double span) {
  const Vec3d shortest = turn_of(to.rotation * inverse(from.rotation));
  const Vec3d spun = (from.spin + to.spin) * (0.5 * span);
  const double angle = std::sqrt(dot(shortest, shortest));
  // Whole turns alone do not tell their axis.
  const Vec3d along = angle > 1e-6 ? shortest : spun;
  const double length = std::sqrt(dot(along, along));
  if (!(length > 0)) return shortest;
  const Vec3d axis = along * (1 / length);
  const double turns = std::round((dot(spun, axis) - angle) / (2 * kPi));
  return shortest + axis * (2 * kPi * turns);
}

BodyPose blended_pose(const BodyPose& from, const BodyPose& to, double span, double share) {
  BodyPose pose = from;
  pose.position = cubic_place(from, to, span, share);
  pose.rotation =
      normalized(quaternion_about(turn_between(from, to, span) * share) * from.rotation);
  pose.scale = from.scale + share * (to.scale - from.scale);
  pose.velocity = from.velocity + (to.velocity - from.velocity) * share;
  pose.spin = from.spin + (to.spin - from.spin) * share;
  return pose;
}

void blend_bodies(const Frame& to, double span, double share, Frame& frame) {
  for (BodyPose& body : frame.bodies)
    for (const BodyPose& later : to.bodies)
      if (later.name == body.name) {
        body = blended_pose(body, later, span, share);
        break;
      }
}

}  // namespace

double frame_time(const PointTable& table) {
  const auto found = table.metadata.find("time");
  return found == table.metadata.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

Frame blend_frames(const Frame& from, const Frame& to, double share) {
  if (share <= 0) return from;
  if (!from.has("id") || !to.has("id")) return share < 0.5 ? from : to;
  const std::vector<std::size_t> partner = partners(from.as_double("id"), to.as_double("id"));
  Frame table = from;
  for (Column& column : table.columns) {
    if (column.name != "x" && column.name != "y" && column.name != "z") continue;
    std::vector<double> place = column.as<double>();
    const std::vector<double> later = to.as_double(column.name);
    for (std::size_t i = 0; i < place.size(); ++i)
      if (partner[i] != kNone && partner[i] < later.size())
        place[i] += share * (later[partner[i]] - place[i]);
    column.values = std::move(place);
  }
  const double span = frame_time(to) - frame_time(from);
  blend_bodies(to, span, share, table);
  char time[40];
  std::snprintf(time, sizeof(time), "%.9g", frame_time(from) + share * span);
  table.metadata["time"] = time;
  return table;
}

}  // namespace firn

// No particle passes an obstacle. The grid holds back what comes near a wall, but a node inside a
// thin wall serves both of its sides, and a step may be longer than the wall is thick. So the path
// of each particle near an obstacle is followed, in the frame of the obstacle: where it would enter
// the solid, the particle ends beside the surface instead. Only the position changes; velocity and
// deformation stay with the grid, unlike in the particle collision of MULTI 13.
#pragma once

#include "collision/fixed_plane.h"

namespace firn {

// Of the search along a path, in grid spacings: finds walls of twice that.
constexpr double kLeastStride = 0.25;

FIRN_INLINE double steepness(const Collider& c) {
  return c.deforms ? kSteepnessOfSamples : c.shape.steepness;
}

namespace detail {

// A straight path in the frame of the body, while the body deforms. Lengths in that frame.
struct BodyPath {
  Vec3d from, to;
  double length;
  double bound;  // how much the distance can change along the whole path

  // Also gives the distance at its start.
  FIRN_HD BodyPath(const Collider& c, const Vec3d& start, const Vec3d& end, DistanceAndNormal& d)
      : from(start), to(end) {
    double change;
    d = body_distance(c, start, c.share_now, &change);
    const Vec3d way = to - from;
    length = sqrt_of(dot(way, way));
    bound =
        length * steepness(c) + kSteepnessOfSamples * abs_of((c.share_next - c.share_now) * change);
  }
  FIRN_HD Vec3d point(double s) const { return from + (to - from) * s; }
  FIRN_HD DistanceAndNormal distance(const Collider& c, double s) const {
    return body_distance(c, point(s), c.share_now + s * (c.share_next - c.share_now));
  }
};

// The last place before `closed` where the gap is open yet, as near to it as need be: `open` with
// its distance on entry and on return. Inside, the nearest face need not be the one that the path
// came through; just before it, it is.
FIRN_HD inline double last_open(const Collider& c, const BodyPath& path, double gap, double open,
                                double closed, double closed_distance, DistanceAndNormal& d) {
  for (int round = 0; round < 24; ++round) {
    if (d.distance <= 2 * gap || (closed - open) * path.length < 0.1 * gap) break;
    const double share = (d.distance - gap) / (d.distance - closed_distance);
    const double s = open + (closed - open) * clamp(share, 0.02, 0.98);
    const DistanceAndNormal between = path.distance(c, s);
    if (between.distance >= gap) {
      open = s;
      d = between;
    } else {
      closed = s;
      closed_distance = between.distance;
    }
  }
  return open;
}

// Where along the path (0 to 1) the gap to the solid closes; 2 when it does not. `d` is the
// distance at the start on entry, and at the place found on return.
FIRN_HD inline double march(const Collider& c, const BodyPath& path, double gap, double h,
                            DistanceAndNormal& d) {
  const double least = kLeastStride * h / max_of(path.bound, kLeastStride * h);
  double s = 0;
  while (d.distance >= gap) {
    if (s >= 1) return 2;
    const double next =
        min_of(1.0, s + max_of((d.distance - gap) / max_of(path.bound, 1e-300), least));
    const DistanceAndNormal ahead = path.distance(c, next);
    if (ahead.distance < gap) return last_open(c, path, gap, s, next, ahead.distance, d);
    s = next;
    d = ahead;
  }
  return s;
}

}  // namespace detail

// Whether the collider changed where the particle ends that was at `from` when the step began.
FIRN_HD inline bool keep_out_by_search(const Collider& c, const Vec3d& from, Vec3d& to,
                                       double spacing) {
  if (c.contact == ContactKind::pin) return false;
  const double h = spacing / (c.moves ? c.now.scale : 1), gap = kSurfaceGap * h;
  const Vec3d start = c.moves ? c.now.to_body(from) : from;
  Vec3d end = c.moves ? c.next.to_body(to) : to;
  DistanceAndNormal d;
  detail::BodyPath path(c, start, end, d);
  if (d.distance > path.bound + gap || d.distance < -kShallowDepth * h) return false;
  // A run with such a step is about to be stopped; following the path would take for ever.
  constexpr double kLongestPath = 1000;  // cells
  if (!(path.bound <= kLongestPath * h)) return false;
  const Vec3d aim = end;
  for (int round = 0; round < 3; ++round) {
    const double s = detail::march(c, path, gap, h, d);
    if (s > 1) break;
    // From where it touches, on along the surface; a third contact ends there.
    const Vec3d touch = path.point(s) + d.normal * (2 * gap - d.distance);
    const double deeper = dot(end - touch, d.normal);
    if (deeper < 0) end -= d.normal * deeper;
    if (round == 2) end = touch;
    path = detail::BodyPath(c, touch, end, d);
  }
  // The body's shape at the end of the step decides. In a hollow edge one face pushes into the
  // other: what is not out soon goes along with the body.
  for (int round = 0; round < 4; ++round) {
    d = body_distance(c, end, c.share_next);
    if (d.distance >= 0.5 * gap) break;
    end += d.normal * (gap - d.distance);
    if (round == 3 && body_distance(c, start, c.share_next).distance >= 0) end = start;
  }
  const Vec3d change = end - aim;
  if (!(dot(change, change) > square(1e-3 * gap))) return false;
  to = c.moves ? c.next.to_world(end) : end;
  return true;
}

FIRN_HD inline bool keep_out(const Collider& c, const Vec3d& from, Vec3d& to, double spacing) {
  return is_fixed_plane(c) ? keep_out_of_plane(c, from, to, spacing)
                           : keep_out_by_search(c, from, to, spacing);
}

// The same for several obstacles: a few rounds, since one may push into another. Bodies that move
// come first, so that the last word is that of walls; where it stays undecided among walls, the
// particle stays where it was. keep_one(collider): as keep_out() of one.
template <class KeepOne>
FIRN_HD inline bool keep_out_of_all(const Collider* colliders, const int* indices, int n,
                                    const Vec3d& from, Vec3d& to, const KeepOne& keep_one) {
  if (n == 1) return keep_one(colliders[indices[0]]);
  constexpr int kRounds = 4;
  bool ever = false, any_moves = false;
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    for (int moving = 1; moving >= 0; --moving)
      for (int k = 0; k < n; ++k) {
        const Collider& c = colliders[indices[k]];
        const bool moves = !stands_still(c);
        any_moves = any_moves || moves;
        if (moves == (moving == 1)) changed = keep_one(c) || changed;
      }
    if (!changed) return ever;
    ever = true;
  }
  if (!any_moves) to = from;
  return true;
}

FIRN_HD inline bool keep_out(const Collider* colliders, const int* indices, int n,
                             const Vec3d& from, Vec3d& to, double spacing) {
  return keep_out_of_all(colliders, indices, n, from, to,
                         [&](const Collider& c) { return keep_out(c, from, to, spacing); });
}

}  // namespace firn

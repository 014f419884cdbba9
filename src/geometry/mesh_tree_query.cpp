#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/math.h"
#include "geometry/mesh_tree.h"

namespace firn {
namespace {

using Lanes = Simd<float, 4>;
using LaneVec = Vec<Lanes, 3>;

LaneVec load(const float (*from)[4]) {
  return {{Lanes::load(from[0]), Lanes::load(from[1]), Lanes::load(from[2])}};
}

Lanes length2(const LaneVec& v) {
  return dot(v, v);
}

// Squared distances of x to four triangles. Rounding may choose an edge where the inside is
// nearest or the other way round: the distance is that of a point of the triangle all the same.
template <class TrianglePack>
Lanes pack_distance2(const TrianglePack& pack, const LaneVec& x) {
  const Lanes zero(0.0f), one(1.0f);
  const LaneVec ab = load(pack.ab), ac = load(pack.ac), bc = ac - ab, ap = x - load(pack.a);
  const LaneVec bp = ap - ab;
  const Lanes u = clamp(dot(ab, ap) * Lanes::load(pack.per_ab2), zero, one);
  const Lanes v = clamp(dot(ac, ap) * Lanes::load(pack.per_ac2), zero, one);
  const Lanes w = clamp(dot(bc, bp) * Lanes::load(pack.per_bc2), zero, one);
  const Lanes edges =
      min_of(min_of(length2(ap - ab * u), length2(ap - ac * v)), length2(bp - bc * w));
  const Lanes s = dot(load(pack.s), ap), t = dot(load(pack.t), ap);
  const Lanes face = length2(ap - ab * s - ac * t);
  return select((s > zero) & (t > zero) & (s + t < one), min_of(face, edges), edges);
}

template <class BoxPack>
Lanes box_distance2(const BoxPack& boxes, const LaneVec& x) {
  Lanes sum(0.0f);
  for (int i = 0; i < 3; ++i) {
    const Lanes excess = max_of(
        max_of(Lanes::load(boxes.low[i]) - x[i], x[i] - Lanes::load(boxes.high[i])), Lanes(0.0f));
    sum += excess * excess;
  }
  return sum;
}

Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const Vec3d ab = b - a;
  const double length2 = dot(ab, ab), along = dot(ab, p - a);
  if (!(along > 0)) return a;
  return along < length2 ? a + ab * (along / length2) : b;
}

// Needles make the place over the face uncertain: the edges are always asked as well.
Vec3d closest_point(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
  Vec3d best = a;
  double best2 = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vec3d& q) {
    const Vec3d d = p - q;
    if (dot(d, d) < best2) {
      best2 = dot(d, d);
      best = q;
    }
  };
  const Vec3d ab = b - a, ac = c - a, ap = p - a;
  const double ab2 = dot(ab, ab), ac2 = dot(ac, ac), mixed = dot(ab, ac);
  const double area2 = ab2 * ac2 - mixed * mixed, x = dot(ab, ap), y = dot(ac, ap);
  const double s = (x * ac2 - y * mixed) / area2, t = (y * ab2 - x * mixed) / area2;
  if (s > 0 && t > 0 && s + t < 1) consider(a + ab * s + ac * t);
  consider(closest_on_segment(a, b, p));
  consider(closest_on_segment(b, c, p));
  consider(closest_on_segment(c, a, p));
  return best;
}

// Solid angle of a triangle seen from the origin (van Oosterom & Strackee 1983), halved.
double half_solid_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b)), lc = std::sqrt(dot(c, c));
  const double volume = dot(a, cross(b, c));
  const double rest = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return std::atan2(volume, rest);
}

// What an edge from a to b adds to the slope of the solid angle seen from the origin: the law of
// Biot and Savart.
Vec3d edge_slope(const Vec3d& a, const Vec3d& b) {
  const double la = std::sqrt(dot(a, a)), lb = std::sqrt(dot(b, b));
  const double denominator = la * lb * (la * lb + dot(a, b));
  return denominator > 0 ? cross(a, b) * ((la + lb) / denominator) : Vec3d::zero();
}

}  // namespace

NearestPoint MeshTree::nearest(const Vec3d& p, std::uint32_t hint) const {
  if (hint >= triangles_.size()) hint = 0;
  const auto exactly = [&](std::uint32_t t) {
    const Corners& v = triangles_[t];
    const Vec3d q = closest_point(v.a, v.b, v.c, p), d = p - q;
    return NearestPoint{dot(d, d), q, t};
  };
  const NearestPoint first = exactly(hint);
  const Vec3d place = (p - middle_) * per_size_;
  LaneVec x;
  for (int i = 0; i < 3; ++i) x[i] = Lanes(static_cast<float>(place[i]));
  float best2 = static_cast<float>(first.distance2 * per_size_ * per_size_);
  std::uint32_t best = hint;

  struct Entry {
    std::size_t node;
    float distance2;
  } stack[64];
  int top = 0;
  stack[top++] = {0, 0};
  const std::size_t leaves = first_leaf();
  while (top > 0) {
    const Entry entry = stack[--top];
    if (entry.distance2 > best2) continue;
    float found[4];
    if (entry.node >= leaves) {
      const std::uint64_t leaf = entry.node - leaves;
      for (std::size_t k = pack_of(leaf, levels_), end = pack_of(leaf + 1, levels_); k < end; ++k) {
        pack_distance2(packs_[k], x).store(found);
        for (int lane = 0; lane < 4; ++lane)
          if (found[lane] < best2) {
            best2 = found[lane];
            best = static_cast<std::uint32_t>(4 * k + lane);
          }
      }
      continue;
    }
    box_distance2(boxes_[entry.node], x).store(found);
    // The nearest child goes on top.
    const int bottom = top;
    for (int child = 0; child < 4; ++child) {
      if (found[child] > best2) continue;
      stack[top++] = {4 * entry.node + 1 + child, found[child]};
      for (int k = top - 1; k > bottom && stack[k].distance2 > stack[k - 1].distance2; --k)
        std::swap(stack[k], stack[k - 1]);
    }
  }
  // The last lanes repeat a triangle.
  best = std::min(best, static_cast<std::uint32_t>(triangles_.size() - 1));
  const NearestPoint last = exactly(best);
  return last.distance2 < first.distance2 ? last : first;
}

template <class Far, class Near>
void MeshTree::walk(const Vec3d& p, Far&& far, Near&& near) const {
  std::size_t stack[64];
  int top = 0;
  stack[top++] = 0;
  const std::size_t leaves = first_leaf();
  while (top > 0) {
    const std::size_t node = stack[--top];
    const Vec3d d = dipoles_[node].center - p;
    const double d2 = dot(d, d);
    if (d2 > dipoles_[node].reach2) {
      far(dipoles_[node], d, d2);
    } else if (node < leaves) {
      for (int child = 1; child <= 4; ++child) stack[top++] = 4 * node + child;
    } else {
      const std::uint64_t leaf = node - leaves;
      const std::size_t end = std::min(4 * pack_of(leaf + 1, levels_), triangles_.size());
      for (std::size_t t = 4 * pack_of(leaf, levels_); t < end; ++t) near(triangles_[t]);
    }
  }
}

double MeshTree::winding_number(const Vec3d& p) const {
  double half_angles = 0, dipoles = 0;
  walk(
      p,
      [&](const Dipole& dipole, const Vec3d& d, double d2) {
        dipoles += dot(d, dipole.normal) / (d2 * std::sqrt(d2));
      },
      [&](const Corners& v) { half_angles += half_solid_angle(v.a - p, v.b - p, v.c - p); });
  return half_angles / (2 * kPi) + dipoles / (4 * kPi);
}

Vec3d MeshTree::winding_gradient(const Vec3d& p) const {
  Vec3d sum = Vec3d::zero();
  walk(
      p,
      [&](const Dipole& dipole, const Vec3d& d, double d2) {
        const double inverse = 1 / (d2 * std::sqrt(d2));
        sum += (d * (3 * dot(d, dipole.normal) / d2) - dipole.normal) * inverse;
      },
      [&](const Corners& v) {
        sum += edge_slope(v.a - p, v.b - p) + edge_slope(v.b - p, v.c - p) +
               edge_slope(v.c - p, v.a - p);
      });
  return sum / (4 * kPi);
}

}  // namespace firn

#include "geometry/mesh_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "exec/parallel.h"

namespace firn {
namespace {

constexpr std::size_t kLargestLeaf = 2;  // SIMD vectors of four triangles
// A group counts as a dipole from this many of its radii on.
constexpr double kFarField = 2.2;

struct Item {
  float center[3];
  std::uint32_t triangle;
};

void split(Item* begin, Item* middle, Item* end) {
  if (begin >= middle || middle >= end) return;
  float low[3], high[3];
  for (int i = 0; i < 3; ++i) low[i] = high[i] = begin->center[i];
  for (const Item* item = begin; item != end; ++item)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], item->center[i]);
      high[i] = std::max(high[i], item->center[i]);
    }
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (high[i] - low[i] > high[axis] - low[axis]) axis = i;
  std::nth_element(begin, middle, end, [axis](const Item& x, const Item& y) {
    return x.center[axis] < y.center[axis] ||
           (x.center[axis] == y.center[axis] && x.triangle < y.triangle);
  });
}

// 0 where there is nothing to divide by.
float inverse(double x) {
  const double r = 1 / x;
  return std::fabs(r) < std::numeric_limits<float>::max() ? static_cast<float>(r) : 0.0f;
}

Bounds nothing() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {Vec3d::fill(infinity), Vec3d::fill(-infinity)};
}

void include(Bounds& box, const Vec3d& low, const Vec3d& high) {
  for (int i = 0; i < 3; ++i) {
    box.low[i] = std::min(box.low[i], low[i]);
    box.high[i] = std::max(box.high[i], high[i]);
  }
}

}  // namespace

MeshTree::MeshTree(const TriangleMesh& mesh) {
  const Bounds bounds = mesh_bounds(mesh);
  middle_ = (bounds.low + bounds.high) * 0.5;
  const Vec3d extent = bounds.high - bounds.low;
  const double size = std::max({extent[0], extent[1], extent[2]});
  if (size > 0) per_size_ = 1 / size;
  packs_.resize((mesh.triangles.size() + 3) / 4);
  while (packs_.size() >> 2 * levels_ > kLargestLeaf) ++levels_;
  sort_triangles(mesh);
  fit_packs();
  fit_nodes();
}

void MeshTree::sort_triangles(const TriangleMesh& mesh) {
  const std::size_t n = mesh.triangles.size();
  std::vector<Item> items(n);
  const auto fill_item = [&](std::int64_t t) {
    const Triangle& v = mesh.triangles[t];
    const Vec3d sum = mesh.vertices[v[0]] + mesh.vertices[v[1]] + mesh.vertices[v[2]];
    const Vec3d center = (sum / 3.0 - middle_) * per_size_;
    items[t].triangle = static_cast<std::uint32_t>(t);
    for (int i = 0; i < 3; ++i) items[t].center[i] = static_cast<float>(center[i]);
  };
  parallel_for("mesh_tree_centers", std::int64_t(n), 4096,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t t = begin; t < end; ++t) fill_item(t);
               });
  // Each node by halves of halves.
  const auto split_node = [&](std::uint64_t k, int level) {
    Item* at[5];
    for (int q = 0; q <= 4; ++q)
      at[q] = items.data() + std::min(n, 4 * pack_of(4 * k + q, level + 1));
    split(at[0], at[2], at[4]);
    split(at[0], at[1], at[2]);
    split(at[2], at[3], at[4]);
  };
  for (int level = 0; level < levels_; ++level)
    parallel_for("mesh_tree_split", std::int64_t(1) << 2 * level, 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t k = begin; k < end; ++k) split_node(k, level);
                 });
  triangles_.resize(n);
  parallel_for("mesh_tree_gather", std::int64_t(n), 4096,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t t = begin; t < end; ++t) {
                   const Triangle& v = mesh.triangles[items[t].triangle];
                   triangles_[t] = {mesh.vertices[v[0]], mesh.vertices[v[1]], mesh.vertices[v[2]]};
                 }
               });
}

void MeshTree::fit_packs() {
  const auto fit = [&](std::int64_t k, int lane) {
    const std::size_t t = std::min<std::size_t>(4 * k + lane, triangles_.size() - 1);
    const Corners& v = triangles_[t];
    const Vec3d a = (v.a - middle_) * per_size_;
    const Vec3d ab = (v.b - v.a) * per_size_, ac = (v.c - v.a) * per_size_, bc = ac - ab;
    const double ab2 = dot(ab, ab), ac2 = dot(ac, ac), mixed = dot(ab, ac);
    const double per_area2 = 1 / (ab2 * ac2 - mixed * mixed);
    TrianglePack& pack = packs_[k];
    for (int i = 0; i < 3; ++i) {
      const double s = (ab[i] * ac2 - ac[i] * mixed) * per_area2;
      const double t_axis = (ac[i] * ab2 - ab[i] * mixed) * per_area2;
      pack.a[i][lane] = static_cast<float>(a[i]);
      pack.ab[i][lane] = static_cast<float>(ab[i]);
      pack.ac[i][lane] = static_cast<float>(ac[i]);
      // Without area no point lies over the triangle: s = 0 keeps to the edges.
      pack.s[i][lane] = std::fabs(s) < 1e30 ? static_cast<float>(s) : 0.0f;
      pack.t[i][lane] = std::fabs(t_axis) < 1e30 ? static_cast<float>(t_axis) : 0.0f;
    }
    pack.per_ab2[lane] = inverse(ab2);
    pack.per_ac2[lane] = inverse(ac2);
    pack.per_bc2[lane] = inverse(dot(bc, bc));
  };
  parallel_for("mesh_tree_packs", std::int64_t(packs_.size()), 1024,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t k = begin; k < end; ++k)
                   for (int lane = 0; lane < 4; ++lane) fit(k, lane);
               });
}

void MeshTree::fit_nodes() {
  const std::size_t leaves = first_leaf(), nodes = 4 * leaves + 1;
  std::vector<Bounds> boxes(nodes);
  boxes_.resize(leaves);
  dipoles_.resize(nodes);
  const auto fit = [&](std::size_t node) {
    boxes[node] = node >= leaves ? fit_leaf(node) : fit_parent(node, boxes);
    Vec3d far;  // the farthest corner of the box bounds the radius
    for (int i = 0; i < 3; ++i)
      far[i] = std::max(dipoles_[node].center[i] - boxes[node].low[i],
                        boxes[node].high[i] - dipoles_[node].center[i]);
    dipoles_[node].reach2 = kFarField * kFarField * dot(far, far);
  };
  for (int level = levels_; level >= 0; --level) {
    const std::int64_t count = std::int64_t(1) << 2 * level, first = (count - 1) / 3;
    parallel_for("mesh_tree_fit", count, 256, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) fit(first + k);
    });
  }
}

Bounds MeshTree::fit_leaf(std::size_t node) {
  Bounds box = nothing();
  Vec3d normal = Vec3d::zero(), moment = Vec3d::zero(), sum_of_centers = Vec3d::zero();
  double area = 0;
  const std::uint64_t leaf = node - first_leaf();
  const std::size_t begin = 4 * pack_of(leaf, levels_);
  const std::size_t end = std::min(4 * pack_of(leaf + 1, levels_), triangles_.size());
  for (std::size_t t = begin; t < end; ++t) {
    const Corners& v = triangles_[t];
    for (const Vec3d* p : {&v.a, &v.b, &v.c}) include(box, *p, *p);
    const Vec3d n = cross(v.b - v.a, v.c - v.a) * 0.5;
    const Vec3d center = (v.a + v.b + v.c) / 3.0;
    const double size = std::sqrt(dot(n, n));
    normal += n;
    moment += center * size;
    sum_of_centers += center;
    area += size;
  }
  const double count = std::max(1.0, double(end) - double(begin));
  dipoles_[node] = {area > 0 ? moment / area : sum_of_centers / count, normal, 0, area};
  return box;
}

Bounds MeshTree::fit_parent(std::size_t node, const std::vector<Bounds>& boxes) {
  Bounds box = nothing();
  Vec3d normal = Vec3d::zero(), moment = Vec3d::zero();
  double area = 0;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (int child = 0; child < 4; ++child) {
    const std::size_t at = 4 * node + 1 + child;
    include(box, boxes[at].low, boxes[at].high);
    normal += dipoles_[at].normal;
    moment += dipoles_[at].center * dipoles_[at].area;
    area += dipoles_[at].area;
    for (int i = 0; i < 3; ++i) {  // rounded outwards
      const double low = (boxes[at].low[i] - middle_[i]) * per_size_;
      const double high = (boxes[at].high[i] - middle_[i]) * per_size_;
      boxes_[node].low[i][child] = std::nextafter(static_cast<float>(low), -infinity);
      boxes_[node].high[i][child] = std::nextafter(static_cast<float>(high), infinity);
    }
  }
  dipoles_[node] = {area > 0 ? moment / area : dipoles_[4 * node + 1].center, normal, 0, area};
  return box;
}

}  // namespace firn

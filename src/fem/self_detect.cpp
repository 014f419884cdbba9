// SelfContact's search: which vertices are inside of which bodies, and where these end nearest.
#include <algorithm>
#include <limits>

#include "base/mat.h"
#include "fem/self_contact.h"

namespace firn {
namespace {

constexpr std::size_t kVerticesAtOnce = 256;
// A little outside counts as inside, so that no vertex falls between two cells.
constexpr double kClosed = 1e-10;
// A cell that has less than this part of its edges' product is flat.
constexpr double kFlat = 1e-12;
// Of squared spacings: where the penalty's second derivative stops falling, and where a vertex is
// as good as on the boundary.
constexpr double kSoftening = 1e-15, kTouching = 1e-24;
// Of the spacing: more than what rounding makes of a distance, so that a search finds the same
// whatever bound it starts from.
constexpr double kSlack = 1e-10;

template <int D>
Vec<double, D> place_of(const double* x, std::uint32_t v) {
  Vec<double, D> p;
  for (int a = 0; a < D; ++a) p[a] = x[D * std::size_t(v) + a];
  return p;
}

template <int D, class Element>
SelfBox<D> box_around(const Element& element, const double* x) {
  SelfBox<D> box;
  for (std::uint32_t v : element) box.include(place_of<D>(x, v));
  return box;
}

bool cell_holds(const SelfCell<2>& cell, const Vec2d& p, const double* x) {
  const Vec2d origin = place_of<2>(x, cell[0]), at = p - origin;
  const Vec2d e1 = place_of<2>(x, cell[1]) - origin, e2 = place_of<2>(x, cell[2]) - origin;
  const auto area = [](const Vec2d& a, const Vec2d& b) { return a[0] * b[1] - a[1] * b[0]; };
  const double whole = area(e1, e2), size = std::abs(whole), sign = whole < 0 ? -1 : 1;
  const double w1 = sign * area(at, e2), w2 = sign * area(e1, at), least = -kClosed * size;
  return w1 >= least && w2 >= least && size - w1 - w2 >= least &&
         whole * whole > kFlat * kFlat * dot(e1, e1) * dot(e2, e2);
}

bool cell_holds(const SelfCell<3>& cell, const Vec3d& p, const double* x) {
  const Vec3d origin = place_of<3>(x, cell[0]), at = p - origin;
  const Vec3d e1 = place_of<3>(x, cell[1]) - origin, e2 = place_of<3>(x, cell[2]) - origin;
  const Vec3d e3 = place_of<3>(x, cell[3]) - origin;
  const Vec3d across = cross(e2, e3);
  const double whole = dot(e1, across), size = std::abs(whole), sign = whole < 0 ? -1 : 1;
  const double w1 = sign * dot(at, across), least = -kClosed * size;
  if (!(w1 >= least && w1 <= size - least)) return false;
  const Vec3d turned = cross(at, e1);
  const double w2 = -sign * dot(e3, turned), w3 = sign * dot(e2, turned);
  return w2 >= least && w3 >= least && size - w1 - w2 - w3 >= least &&
         whole * whole > kFlat * kFlat * dot(e1, e1) * dot(e2, e2) * dot(e3, e3);
}

template <int D>
bool contains(const SelfFace<D>& face, std::uint32_t vertex) {
  bool found = false;
  for (std::uint32_t v : face) found |= v == vertex;
  return found;
}

}  // namespace

template <int D>
bool SelfContact<D>::lists_hold(const double* x) const {
  if (listed_at_.empty()) return false;
  const double most2 = 0.25 * skin_ * skin_;
  std::vector<char> left((rest_.size() + kVerticesAtOnce - 1) / kVerticesAtOnce, 0);
  parallel_for("self contact, moves", static_cast<std::int64_t>(left.size()), 4,
               [&](std::int64_t chunk, std::int64_t last) {
                 for (; chunk < last; ++chunk) {
                   const std::size_t begin = chunk * kVerticesAtOnce;
                   const std::size_t end = std::min(begin + kVerticesAtOnce, rest_.size());
                   for (std::size_t v = begin; v < end; ++v) {
                     double way2 = 0;
                     for (int a = 0; a < D; ++a) {
                       const double way = x[D * v + a] - listed_at_[D * v + a];
                       way2 += way * way;
                     }
                     left[chunk] |= !(way2 <= most2);
                   }
                 }
               });
  return std::none_of(left.begin(), left.end(), [](char one) { return one != 0; });
}

// Long lists that do for one search alone cost more than they save.
template <int D>
void SelfContact<D>::fit_skin() {
  constexpr int kFew = 2, kMany = 8;
  constexpr double kThinnest = 1. / 64;
  if (held_ < kFew) skin_ = std::max(0.5 * skin_, kThinnest * widest_skin_);
  if (held_ > kMany) skin_ = std::min(2 * skin_, widest_skin_);
  held_ = 0;
}

// What a vertex cannot be in, whatever moves by half the skin, is not listed: cells of its own that
// are near at rest, and those whose boxes are farther than the skin.
template <int D>
void SelfContact<D>::list_cells(const double* x) {
  const auto box_of = [&](std::uint32_t c) {
    SelfBox<D> box = box_around<D>(mesh_.cells[c], x);
    for (int a = 0; a < D; ++a) box.low[a] -= skin_, box.high[a] += skin_;
    return box;
  };
  cell_tree_.refit(box_of);
  listed_at_.assign(x, x + D * rest_.size());
  const std::size_t chunks = (tested_.size() + kVerticesAtOnce - 1) / kVerticesAtOnce;
  listed_of_chunk_.resize(chunks);
  first_of_.assign(tested_.size() + 1, 0);
  parallel_for("self contact, lists", static_cast<std::int64_t>(chunks), 1,
               [&](std::int64_t chunk, std::int64_t last) {
                 for (; chunk < last; ++chunk) {
                   std::vector<std::uint32_t>& list = listed_of_chunk_[chunk];
                   list.clear();
                   const std::size_t begin = chunk * kVerticesAtOnce;
                   const std::size_t end = std::min(begin + kVerticesAtOnce, tested_.size());
                   for (std::size_t i = begin; i < end; ++i) {
                     const std::size_t before = list.size();
                     const std::uint32_t v = tested_[i];
                     const Vec<double, D> p = place_of<D>(x, v);
                     cell_tree_.visit_around(p, [&](std::uint32_t c) {
                       const bool own = mesh_.body_of_cell[c] == body_of_vertex_[v];
                       if (mesh_.has(c, v) || !box_of(c).contains(p)) return;
                       if (!own || !cell_is_near(v, c)) list.push_back(c);
                     });
                     first_of_[i + 1] = list.size() - before;
                   }
                 }
               });
  listed_.clear();
  for (const auto& list : listed_of_chunk_) listed_.insert(listed_.end(), list.begin(), list.end());
  for (std::size_t i = 0; i < tested_.size(); ++i) first_of_[i + 1] += first_of_[i];
}

// Of the cells of a body that hold a vertex the first one, whatever the order of the lists.
template <int D>
void SelfContact<D>::hits_of(std::size_t tested, const double* x, std::vector<Hit>& hits) const {
  const std::uint32_t vertex = tested_[tested];
  const Vec<double, D> p = place_of<D>(x, vertex);
  const std::size_t before = hits.size();
  for (std::uint64_t k = first_of_[tested]; k < first_of_[tested + 1]; ++k)
    if (cell_holds(mesh_.cells[listed_[k]], p, x))
      hits.push_back({vertex, mesh_.body_of_cell[listed_[k]], listed_[k]});
  if (hits.size() - before < 2) return;
  const auto first = hits.begin() + static_cast<std::ptrdiff_t>(before);
  std::sort(first, hits.end(), [](const Hit& a, const Hit& b) {
    return a.body != b.body ? a.body < b.body : a.cell < b.cell;
  });
  const auto same_body = [](const Hit& a, const Hit& b) { return a.body == b.body; };
  hits.erase(std::unique(first, hits.end(), same_body), hits.end());
}

template <int D>
void SelfContact<D>::find_hits(const double* x) {
  if (lists_hold(x)) {
    ++held_;
  } else {
    fit_skin();
    list_cells(x);
  }
  const std::size_t chunks = (tested_.size() + kVerticesAtOnce - 1) / kVerticesAtOnce;
  hits_of_chunk_.resize(chunks);
  parallel_for("self contact, vertices", static_cast<std::int64_t>(chunks), 1,
               [&](std::int64_t chunk, std::int64_t last) {
                 for (; chunk < last; ++chunk) {
                   std::vector<Hit>& hits = hits_of_chunk_[chunk];
                   hits.clear();
                   const std::size_t begin = chunk * kVerticesAtOnce;
                   const std::size_t end = std::min(begin + kVerticesAtOnce, tested_.size());
                   for (std::size_t i = begin; i < end; ++i) hits_of(i, x, hits);
                 }
               });
  hits_.clear();
  for (const std::vector<Hit>& hits : hits_of_chunk_)
    hits_.insert(hits_.end(), hits.begin(), hits.end());
}

template <int D>
void SelfContact<D>::fit_faces(const double* x) {
  std::vector<char> met(mesh_.bodies, 0);
  for (const Hit& hit : hits_) met[hit.body] = 1;
  for (std::uint32_t b = 0; b < mesh_.bodies; ++b)
    if (met[b])
      face_trees_[b].refit([&](std::uint32_t f) { return box_around<D>(mesh_.faces[f], x); });
}

// Of faces at the same distance the first one, so that nothing depends on where the search began.
template <int D>
typename SelfContact<D>::Nearest SelfContact<D>::nearest(const Hit& hit, const double* x) {
  const Vec<double, D> p = place_of<D>(x, hit.vertex);
  const double slack = kSlack * mesh_.spacing[hit.vertex];
  Nearest best{kNoFace, {std::numeric_limits<double>::infinity(), Vec<double, D>::zero()}};
  double within2 = best.on_face.distance2;
  const auto take = [&](std::uint32_t f) {
    if (contains<D>(mesh_.faces[f], hit.vertex)) return;
    if (hit.body == body_of_vertex_[hit.vertex] && face_is_near(hit.vertex, f)) return;
    Vec<double, D> corner[D];
    for (int i = 0; i < D; ++i) corner[i] = place_of<D>(x, mesh_.faces[f][i]) - p;
    const NearestOnFace<D> found = nearest_on_face<D>(corner);
    const double d = found.distance2, least = best.on_face.distance2;
    if (!(d < least || (d == least && f < best.face))) return;
    best = {f, found};
    const double reach = std::sqrt(d) + slack;
    within2 = reach * reach;
  };
  const std::uint32_t known = last_met_[hit.vertex];
  if (known != kNoFace && mesh_.body_of_face[known] == hit.body) {
    take(known);
  } else {
    for (std::uint32_t v : mesh_.cells[hit.cell])
      if (mesh_.face_near[v] != kNoFace) take(mesh_.face_near[v]);
  }
  face_trees_[hit.body].visit_near(p, within2, take);
  return best;
}

template <int D>
bool SelfContact<D>::make_pair(const Hit& hit, const Nearest& found, const double* x,
                               SelfPair<D>& pair, Shape& shape) const {
  const double d = found.on_face.distance2, spacing = mesh_.spacing[hit.vertex];
  if (found.face == kNoFace || !(d > kTouching * spacing * spacing) || !std::isfinite(d))
    return false;
  pair = {};
  pair.vertex = hit.vertex;
  pair.face = found.face;
  pair.body = hit.body;
  // Neighbouring faces that share the nearest edge or vertex give the same pair.
  for (int i = 0; i < D; ++i) {
    if (!(found.on_face.weight[i] > 0)) continue;
    int at = pair.corners++;
    for (; at > 0 && pair.corner[at - 1] > mesh_.faces[found.face][i]; --at) {
      pair.corner[at] = pair.corner[at - 1];
      pair.weight[at] = pair.weight[at - 1];
    }
    pair.corner[at] = mesh_.faces[found.face][i];
    pair.weight[at] = found.on_face.weight[i];
  }
  for (int i = pair.corners; i < D; ++i) pair.corner[i] = pair.corner[0];

  DistanceShape<D>& distance = shape.distance;
  distance = {};
  distance.corners = pair.corners;
  const Vec<double, D> p = place_of<D>(x, hit.vertex);
  for (int i = 0; i < pair.corners; ++i)
    distance.apart += pair.weight[i] * (p - place_of<D>(x, pair.corner[i]));
  const Vec<double, D> last = place_of<D>(x, pair.corner[pair.corners - 1]);
  for (int j = 0; j + 1 < pair.corners; ++j)
    distance.edge[j] = place_of<D>(x, pair.corner[j]) - last;
  for (int slot = 0; slot <= D; ++slot) distance.share[slot] = pair.share(slot);
  pair.depth = std::sqrt(d);
  pair.normal = -distance.apart * (1 / pair.depth);
  shape.penalty = self_penalty(stiffness_[hit.vertex], kSoftening * spacing * spacing, d);
  pair.force = 2 * shape.penalty.slope * pair.depth;
  return true;
}

// Of planes that keep their normals: k depth^3, whose second derivative is 6 k depth along them.
template <int D>
void SelfContact<D>::follow_pairs(const double* x) {
  energy_ = 0;
  for (std::size_t h = 0; h < pairs_.size(); ++h) {
    SelfPair<D>& pair = pairs_[h];
    Vec<double, D> way = -place_of<D>(x, pair.vertex);
    for (int i = 0; i < pair.corners; ++i) way += pair.weight[i] * place_of<D>(x, pair.corner[i]);
    pair.depth = std::max(dot(way, pair.normal), 0.0);
    const double k = stiffness_[pair.vertex];
    pair.force = 3 * k * pair.depth * pair.depth;
    shapes_[h].distance.apart = pair.normal * -pair.depth;
    shapes_[h].penalty = {k * pair.depth * pair.depth * pair.depth, 0,
                          pair.depth > 0 ? 1.5 * k / pair.depth : 0};
    energy_ += shapes_[h].penalty.energy;
  }
}

template <int D>
void SelfContact<D>::detect(const double* x) {
  if (keeps_pairs_)
    follow_pairs(x);
  else
    find_pairs(x);
}

template <int D>
void SelfContact<D>::find_pairs(const double* x) {
  find_hits(x);
  fit_faces(x);
  pairs_.resize(hits_.size());
  shapes_.resize(hits_.size());
  std::vector<char> real(hits_.size());
  parallel_for("self contact, nearest", static_cast<std::int64_t>(hits_.size()), 32,
               [&](std::int64_t h, std::int64_t end) {
                 for (; h < end; ++h)
                   real[h] = make_pair(hits_[h], nearest(hits_[h], x), x, pairs_[h], shapes_[h]);
               });
  std::size_t kept = 0;
  energy_ = 0;
  for (std::size_t h = 0; h < hits_.size(); ++h) {
    if (!real[h]) continue;
    pairs_[kept] = pairs_[h];
    shapes_[kept] = shapes_[h];
    last_met_[pairs_[kept].vertex] = pairs_[kept].face;
    energy_ += shapes_[kept++].penalty.energy;
  }
  pairs_.resize(kept);
  shapes_.resize(kept);
  sums_.list(pairs_, last_met_.size());
}

template class SelfContact<2>;
template class SelfContact<3>;

}  // namespace firn

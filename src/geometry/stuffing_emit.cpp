#include "geometry/stuffing_emit.h"

#include <algorithm>
#include <utility>

namespace firn::stuffing {
namespace {

// Looked up once a cell, not once a simplex.
template <class L>
struct Corner {
  typename L::Site site;
  std::uint32_t index;
  int sign;
};

template <class L>
class Points {
 public:
  static constexpr int D = L::kDim;
  Points(Grid<L>& grid, SimplexMesh<D>& mesh) : grid_(grid), mesh_(mesh) {}

  std::uint32_t at(const Corner<L>& corner) {
    Vertex& vertex = grid_.vertex(corner.index);
    if (vertex.point == kNowhere)
      vertex.point =
          add(vertex.moved < 0 ? grid_.position(corner.site)
                               : grid_.position_on(corner.site, vertex.moved,
                                                   grid_.cut_from(corner.site, vertex.moved)));
    return vertex.point;
  }
  // On the edge between a corner inside and one outside.
  std::uint32_t between(const Corner<L>& inside, const Corner<L>& outside) {
    const int direction = direction_between<L>(inside.site, outside.site);
    Cut* cut = grid_.cut(inside.site, direction);
    if (cut == nullptr) {
      missing_ = true;
      return 0;
    }
    if (cut->point == kNowhere)
      cut->point =
          add(grid_.position_on(inside.site, direction, grid_.cut_from(inside.site, direction)));
    return cut->point;
  }
  void cell(const typename SimplexMesh<D>::Cell& corners) { mesh_.cells.push_back(corners); }
  const SimplexMesh<D>& mesh() const { return mesh_; }
  bool missing() const { return missing_; }

 private:
  std::uint32_t add(const Vec3d& x) {
    Vec<double, D> point;
    for (int i = 0; i < D; ++i) point[i] = x[i];
    mesh_.points.push_back(point);
    return static_cast<std::uint32_t>(mesh_.points.size() - 1);
  }
  Grid<L>& grid_;
  SimplexMesh<D>& mesh_;
  bool missing_ = false;
};

// Corners with the inside ones first, then those on the surface, then those outside, still
// positively oriented. Returns how many are inside and outside.
template <class L>
std::pair<int, int> sort_by_sign(Corner<L>* corners) {
  constexpr int n = L::kDim + 1;
  int inside = 0, outside = 0;
  bool odd = false;
  for (int i = 0; i < n; ++i) {
    inside += corners[i].sign > 0;
    outside += corners[i].sign < 0;
    for (int j = i; j > 0 && corners[j].sign > corners[j - 1].sign; --j) {
      std::swap(corners[j], corners[j - 1]);
      odd = !odd;
    }
  }
  if (!odd) return {inside, outside};
  // Two of the same sign exist: three signs, three or four corners - or all three differ in 2D,
  // which needs no order.
  for (int i = 1; i < n; ++i)
    if (corners[i].sign == corners[i - 1].sign) {
      std::swap(corners[i], corners[i - 1]);
      return {inside, outside};
    }
  std::swap(corners[1], corners[2]);
  return {inside, outside};
}

using Tetra = Corner<BodyCentred>;
using TetraPoints = Points<BodyCentred>;

bool is_long_edge(const Tetra& a, const Tetra& b) {
  return BodyCentred::kind_of(a.site) == BodyCentred::kind_of(b.site);
}

// Whether the diagonal of the four-sided part of face (p, q, m), which lies between p and q inside
// and the cuts towards m outside, starts at p: it ends in the cut of the long edge where there is
// one. Where both cuts are on short edges the parity rule breaks the tie; it makes the two faces at
// a long edge inside differ, as the stencil of two corners inside needs it.
bool diagonal_at_first(const Tetra& p, const Tetra& q, const Tetra& m) {
  if (is_long_edge(p, m)) return false;
  if (is_long_edge(q, m)) return true;
  int greater = 0;
  for (int i = 0; i < 3; ++i) greater += p.site[i] > m.site[i];
  return greater % 2 == 0;
}

// Corners p and q inside, z on the surface, m outside: a pyramid.
void emit_pyramid(TetraPoints& points, const Tetra& p, const Tetra& q, const Tetra& z,
                  const Tetra& m) {
  const std::uint32_t a = points.at(p), b = points.at(q), top = points.at(z),
                      pm = points.between(p, m), qm = points.between(q, m);
  if (diagonal_at_first(p, q, m)) {
    points.cell({a, b, top, qm});
    points.cell({a, qm, top, pm});
  } else {
    points.cell({a, b, top, pm});
    points.cell({pm, b, top, qm});
  }
}

// p and q inside, m and n outside: a wedge. The diagonals of two of its sides are given; that of
// the third, on the surface, follows where it has to.
void emit_wedge(TetraPoints& points, const Tetra& p, const Tetra& q, const Tetra& m,
                const Tetra& n) {
  const bool first_of_m = diagonal_at_first(p, q, m), first_of_n = diagonal_at_first(p, q, n);
  const std::uint32_t a = points.at(p), b = points.at(q), pm = points.between(p, m),
                      pn = points.between(p, n), qm = points.between(q, m),
                      qn = points.between(q, n);
  if (first_of_m && first_of_n) {
    points.cell({a, b, qm, qn});
    points.cell({a, qm, pm, qn});
    points.cell({a, pm, pn, qn});
  } else if (!first_of_m && !first_of_n) {
    points.cell({b, a, pn, pm});
    points.cell({b, pn, qn, pm});
    points.cell({b, qn, qm, pm});
  } else if (first_of_m) {
    points.cell({a, qm, pm, pn});
    points.cell({a, b, qm, pn});
    points.cell({b, pn, qn, qm});
  } else {
    points.cell({a, pm, pn, qn});
    points.cell({a, b, pm, qn});
    points.cell({b, qn, qm, pm});
  }
}

// Three corners inside, m outside: a prism between them and their cuts. Of the three diagonals two
// always start at the same corner inside, since those that end in the cut of the one long edge
// towards m agree.
void emit_prism(TetraPoints& points, const Tetra* inside, const Tetra& m) {
  bool at_first[3];  // of side i, between corners i and i + 1
  for (int i = 0; i < 3; ++i) at_first[i] = diagonal_at_first(inside[i], inside[(i + 1) % 3], m);
  int k = 0;
  while (k < 2 && !(at_first[k] && !at_first[(k + 2) % 3])) ++k;
  std::uint32_t low[3], high[3];
  for (int i = 0; i < 3; ++i) {
    const Tetra& corner = inside[(k + i) % 3];
    low[i] = points.at(corner);
    high[i] = points.between(corner, m);
  }
  points.cell({low[0], high[0], high[1], high[2]});
  if (at_first[(k + 1) % 3]) {
    points.cell({low[0], low[1], low[2], high[2]});
    points.cell({low[0], low[1], high[2], high[1]});
  } else {
    points.cell({low[0], low[1], low[2], high[1]});
    points.cell({low[0], low[2], high[2], high[1]});
  }
}

void emit_simplex(TetraPoints& points, Tetra* c) {
  const auto [inside, outside] = sort_by_sign(c);
  if (inside == 0) return;
  if (inside == 1 || outside == 0) {
    TetrahedronCells::Cell cell;
    for (int i = 0; i < 4; ++i)
      cell[i] = c[i].sign < 0 ? points.between(c[0], c[i]) : points.at(c[i]);
    points.cell(cell);
  } else if (inside == 3) {
    emit_prism(points, c, c[3]);
  } else if (outside == 2) {
    emit_wedge(points, c[0], c[1], c[2], c[3]);
  } else {
    emit_pyramid(points, c[0], c[1], c[2], c[3]);
  }
}

// Whether the diagonal of the quadrilateral (p, q, r, s) from p to r leaves angles that add up to
// less, opposite to it, than the other's do: c1 s2 + c2 s1 is the sine of their sum.
bool is_diagonal_at_first(const Vec<double, 2>& p, const Vec<double, 2>& q, const Vec<double, 2>& r,
                          const Vec<double, 2>& s) {
  const Vec<double, 2> pq = p - q, rq = r - q, ps = p - s, rs = r - s;
  const double sine_q = rq[0] * pq[1] - rq[1] * pq[0], sine_s = ps[0] * rs[1] - ps[1] * rs[0];
  return sine_q * dot(ps, rs) + dot(pq, rq) * sine_s >= 0;
}

void emit_simplex(Points<Triangular>& points, Corner<Triangular>* c) {
  const auto [inside, outside] = sort_by_sign(c);
  if (inside == 0) return;
  if (inside == 1 || outside == 0) {
    TriangleCells::Cell cell;
    for (int i = 0; i < 3; ++i)
      cell[i] = c[i].sign < 0 ? points.between(c[0], c[i]) : points.at(c[i]);
    points.cell(cell);
    return;
  }
  // Nobody shares a quadrilateral: its diagonal is the one with the better angles (Delaunay's).
  const std::uint32_t a = points.at(c[0]), b = points.at(c[1]), am = points.between(c[0], c[2]),
                      bm = points.between(c[1], c[2]);
  if (is_diagonal_at_first(points.mesh().points[a], points.mesh().points[b],
                           points.mesh().points[bm], points.mesh().points[am])) {
    points.cell({a, b, bm});
    points.cell({a, bm, am});
  } else {
    points.cell({a, b, am});
    points.cell({b, bm, am});
  }
}

template <class L>
Corner<L> corner_at(const Grid<L>& grid, const typename L::Site& site) {
  const std::uint32_t index = grid.index(site);
  return {site, index, index == kNowhere ? -1 : grid.vertex(index).sign};
}

// The twelve tetrahedra of a cell lie about the lines from its middle to those of the next cells
// along the axes, four about each.
void emit_cell(const Grid<BodyCentred>& grid, const Vec<int, 3>& cell, TetraPoints& points) {
  Tetra corners[8], middles[4];
  bool any = false;
  for (int c = 0; c < 8; ++c) {
    const Vec<int, 3> at{{cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)}};
    corners[c] = corner_at(grid, BodyCentred::site_of(at, 0));
    any = any || corners[c].sign > 0;
  }
  for (int axis = 0; axis < 4; ++axis) {
    Vec<int, 3> at = cell;
    if (axis < 3) ++at[axis];
    middles[axis] = corner_at(grid, BodyCentred::site_of(at, 1));
    any = any || middles[axis].sign > 0;
  }
  if (!any) return;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, here = 1 << axis;
    const int around[4] = {here, here | u, here | u | v, here | v};
    for (int i = 0; i < 4; ++i) {
      Tetra c[4] = {middles[3], middles[axis], corners[around[i]], corners[around[(i + 1) % 4]]};
      emit_simplex(points, c);
    }
  }
}

void emit_cell(const Grid<Triangular>& grid, const Vec<int, 2>& cell, Points<Triangular>& points) {
  Corner<Triangular> corners[4];
  for (int c = 0; c < 4; ++c)
    corners[c] = corner_at(grid, {{cell[0] + (c & 1), cell[1] + (c >> 1)}});
  for (const auto& triangle : {std::array<int, 3>{0, 1, 2}, {1, 3, 2}}) {
    Corner<Triangular> c[3] = {corners[triangle[0]], corners[triangle[1]], corners[triangle[2]]};
    emit_simplex(points, c);
  }
}

}  // namespace

template <class L>
bool emit_mesh(Grid<L>& grid, SimplexMesh<L::kDim>& mesh) {
  mesh = {};
  grid.forget_points();
  Points<L> points(grid, mesh);
  for (std::uint32_t i = 0; i < grid.vertex_count(); i += L::kKinds)
    emit_cell(grid, L::cell_of(grid.site(i)), points);
  return !points.missing();
}

template bool emit_mesh(Grid<BodyCentred>&, SimplexMesh<3>&);
template bool emit_mesh(Grid<Triangular>&, SimplexMesh<2>&);

}  // namespace firn::stuffing

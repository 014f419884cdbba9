#include "geometry/stuffing_snap.h"

#include <algorithm>
#include <array>

#include "exec/parallel.h"

namespace firn::stuffing {
namespace {

// How far the cuts about a vertex that was put back stay away, in reaches of snapping. All at one
// reach would be as bad as it gets.
constexpr double kClearOfReach = 1.2;

// What surrounds a vertex: its neighbours, the edges between them, and the triangles (2D: those
// edges) that make simplices with it.
template <class L>
struct Surroundings {
  struct Edge {
    int a, b;
  };
  struct Triangle {
    int corners[3], edges[3];  // edge i lies opposite to corner i
  };
  std::vector<Edge> edges;
  std::vector<Triangle> triangles;
  int edge_of[L::kNeighbors][L::kNeighbors];

  Surroundings() {
    const auto site = [](int d) { return neighbor<L>(L::Site::zero(), d); };
    for (int a = 0; a < L::kNeighbors; ++a)
      for (int b = 0; b < L::kNeighbors; ++b) {
        edge_of[a][b] = -1;
        if (direction_between<L>(site(a), site(b)) < 0) continue;
        if (a > b) {
          edge_of[a][b] = edge_of[b][a];
          continue;
        }
        edge_of[a][b] = static_cast<int>(edges.size());
        edges.push_back({a, b});
      }
    for (const Edge& edge : edges)
      for (int c = edge.b + 1; c < L::kNeighbors; ++c)
        if (edge_of[edge.a][c] >= 0 && edge_of[edge.b][c] >= 0)
          triangles.push_back({{edge.a, edge.b, c},
                               {edge_of[edge.b][c], edge_of[edge.a][c], edge_of[edge.a][edge.b]}});
  }
};

template <class L>
const Surroundings<L>& surroundings() {
  static const Surroundings<L> instance;
  return instance;
}

// The line between inside and outside on the sphere around a vertex: its knots are neighbours of
// sign 0 and cut edges. One ring without branches bounds a disc.
class Rim {
 public:
  explicit Rim(int knots) : knots_(knots) {
    for (int i = 0; i < knots; ++i) group_[i] = i, degree_[i] = 0;
  }
  void add(int a, int b) {
    ++degree_[a];
    ++degree_[b];
    group_[root(a)] = root(b);
  }
  bool is_one_ring_at_most() {
    int rings = 0;
    for (int i = 0; i < knots_; ++i) {
      if (degree_[i] != 0 && degree_[i] != 2) return false;
      rings += degree_[i] == 2 && root(i) == i;
    }
    return rings <= 1;
  }

 private:
  static constexpr int kMost = 64;
  int root(int i) {
    while (group_[i] != i) i = group_[i];
    return i;
  }
  int knots_;
  int group_[kMost], degree_[kMost];
};

bool is_pinched(const Surroundings<BodyCentred>& around, const int* signs) {
  constexpr int kNeighbors = BodyCentred::kNeighbors;
  const int edges = static_cast<int>(around.edges.size());
  Rim rim(kNeighbors + edges);
  std::array<int, 36> insides{};  // triangles with something inside, of each edge
  for (const auto& triangle : around.triangles) {
    int knots[3], count = 0;
    bool inside = false, outside = false;
    for (int i = 0; i < 3; ++i) {
      const int a = triangle.corners[i], b = triangle.corners[(i + 1) % 3];
      inside = inside || signs[a] > 0;
      outside = outside || signs[a] < 0;
      if (signs[a] * signs[b] < 0) knots[count++] = kNeighbors + around.edge_of[a][b];
    }
    if (!inside) continue;
    for (const int edge : triangle.edges) ++insides[edge];
    if (!outside) continue;
    for (int i = 0; i < 3 && count < 2; ++i)
      if (signs[triangle.corners[i]] == 0) knots[count++] = triangle.corners[i];
    rim.add(knots[0], knots[1]);
  }
  for (int e = 0; e < edges; ++e) {
    const auto [a, b] = around.edges[e];
    if (signs[a] == 0 && signs[b] == 0 && insides[e] == 1) rim.add(a, b);
  }
  return !rim.is_one_ring_at_most();
}

// In the plane the sphere is a ring of six neighbours, which the outline may cross twice.
bool is_pinched(const Surroundings<Triangular>& around, const int* signs) {
  int crossings = 0;
  std::array<int, Triangular::kNeighbors> insides{};
  for (const auto& [a, b] : around.edges) {
    if (signs[a] <= 0 && signs[b] <= 0) continue;
    crossings += signs[a] * signs[b] < 0;
    ++insides[a];
    ++insides[b];
  }
  for (int a = 0; a < Triangular::kNeighbors; ++a) crossings += signs[a] == 0 && insides[a] == 1;
  return crossings > 2;
}

template <class L>
void put_back(Grid<L>& grid, std::uint32_t index) {
  Vertex& vertex = grid.vertex(index);
  const auto site = grid.site(index);
  vertex.moved = -1;
  vertex.sign = static_cast<std::int8_t>(grid.sign_in_place(vertex));
  for (int d = 0; d < L::kNeighbors; ++d) {
    if (grid.sign(neighbor<L>(site, d)) * vertex.sign >= 0) continue;
    const double nearest = std::min(kClearOfReach * L::reach(d), 0.5);
    grid.set_cut_from(site, d, std::clamp(grid.cut_from(site, d), nearest, 1 - nearest));
  }
}

template <class L>
bool is_pinched_at(const Grid<L>& grid, std::uint32_t index) {
  const auto site = grid.site(index);
  int signs[L::kNeighbors];
  for (int d = 0; d < L::kNeighbors; ++d) signs[d] = grid.sign(neighbor<L>(site, d));
  return is_pinched(surroundings<L>(), signs);
}

}  // namespace

template <class L>
void snap_vertices(Grid<L>& grid) {
  for (std::uint32_t i = 0; i < grid.vertex_count(); ++i) {
    Vertex& vertex = grid.vertex(i);
    if (!grid.may_be_cut(vertex)) continue;
    const auto site = grid.site(i);
    double nearest = 2;
    for (int d = 0; d < L::kNeighbors; ++d) {
      if (grid.sign(neighbor<L>(site, d)) * vertex.sign >= 0) continue;
      const double at = grid.cut_from(site, d), way = at * L::length(d);
      if (at >= L::reach(d) || way >= nearest) continue;
      nearest = way;
      vertex.moved = static_cast<std::int8_t>(d);
    }
    if (vertex.moved >= 0) vertex.sign = 0;
  }
}

template <class L>
std::size_t undo_pinches(Grid<L>& grid) {
  std::vector<std::uint32_t> moved;
  for (std::uint32_t i = 0; i < grid.vertex_count(); ++i)
    if (grid.vertex(i).sign == 0) moved.push_back(i);
  std::size_t undone = 0;
  // One that goes back may pinch its neighbours; in the end there would be none left to go.
  for (std::size_t before = undone + 1; before != undone;) {
    before = undone;
    for (const std::uint32_t i : moved)
      if (grid.vertex(i).sign == 0 && is_pinched_at(grid, i)) {
        put_back(grid, i);
        ++undone;
      }
  }
  return undone;
}

template <class L>
std::size_t undo_bad_angles(Grid<L>& grid, const SimplexMesh<L::kDim>& mesh,
                            const AngleRange& allowed) {
  std::vector<std::uint8_t> bad_cell(mesh.cells.size());
  const auto cells = static_cast<std::int64_t>(mesh.cells.size());
  parallel_for("bad angles of a mesh", cells, 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const AngleRange angles = cell_angles(mesh, static_cast<std::size_t>(i));
      bad_cell[i] = angles.least < allowed.least || angles.largest > allowed.largest;
    }
  });
  if (std::find(bad_cell.begin(), bad_cell.end(), 1) == bad_cell.end()) return 0;
  std::vector<std::uint32_t> moved(mesh.points.size(), kNowhere);
  for (std::uint32_t i = 0; i < grid.vertex_count(); ++i)
    if (grid.vertex(i).point != kNowhere && grid.vertex(i).moved >= 0)
      moved[grid.vertex(i).point] = i;
  std::size_t undone = 0;
  for (std::size_t i = 0; i < bad_cell.size(); ++i) {
    if (bad_cell[i] == 0) continue;
    for (const std::uint32_t point : mesh.cells[i])
      if (moved[point] != kNowhere && grid.vertex(moved[point]).moved >= 0) {
        put_back(grid, moved[point]);
        ++undone;
      }
  }
  return undone;
}

template std::size_t undo_bad_angles(Grid<BodyCentred>&, const SimplexMesh<3>&, const AngleRange&);
template std::size_t undo_bad_angles(Grid<Triangular>&, const SimplexMesh<2>&, const AngleRange&);
template void snap_vertices(Grid<BodyCentred>&);
template void snap_vertices(Grid<Triangular>&);
template std::size_t undo_pinches(Grid<BodyCentred>&);
template std::size_t undo_pinches(Grid<Triangular>&);

}  // namespace firn::stuffing

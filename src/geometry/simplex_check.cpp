#include "geometry/simplex_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace firn {
namespace {

constexpr std::size_t kLinesOfAKind = 8;
// Of the volume of a cell as wide as its longest edge: below this its shape is round-off.
constexpr double kFlat = 1e-10;

// The first lines of one kind of flaw, and how many there were.
class FlawList {
 public:
  explicit FlawList(const char* kind) : kind_(kind) {}
  bool add() { return ++count_ <= kLinesOfAKind; }  // whether a line is wanted
  void line(std::string text) { lines_.push_back(std::move(text)); }
  bool any() const { return count_ > 0; }
  void append_to(Errors& errors) {
    for (std::string& text : lines_) errors.push_back(std::move(text));
    if (count_ > kLinesOfAKind)
      errors.push_back("and " + std::to_string(count_ - kLinesOfAKind) + " more " + kind_);
  }

 private:
  const char* kind_;
  std::size_t count_ = 0;
  std::vector<std::string> lines_;
};

using CellName = std::function<std::string(std::size_t)>;

std::string numbered_cell(std::size_t cell) {
  return "cell " + std::to_string(cell);
}

template <int D>
Errors broken_numbers(const SimplexMesh<D>& mesh, const CellName& cell_name) {
  FlawList points("points that are not finite"), indices("indices out of range");
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    bool good = true;
    for (int k = 0; k < D; ++k) good = good && std::fabs(mesh.points[i][k]) <= kFarthestPoint;
    if (!good && points.add())
      points.line("point " + std::to_string(i) + " is not finite or beyond 1e12 m");
  }
  for (std::size_t i = 0; i < mesh.cells.size(); ++i)
    for (const std::uint32_t corner : mesh.cells[i])
      if (corner >= mesh.points.size() && indices.add())
        indices.line(cell_name(i) + " names point " + std::to_string(corner) + " of " +
                     std::to_string(mesh.points.size()));
  Errors errors;
  points.append_to(errors);
  indices.append_to(errors);
  return errors;
}

template <int D>
double longest_edge(const SimplexMesh<D>& mesh, std::size_t cell) {
  double longest2 = 0;
  for (const auto& edge : SimplexEdges<D>::kCorners) {
    const Vec<double, D> way =
        mesh.points[mesh.cells[cell][edge[1]]] - mesh.points[mesh.cells[cell][edge[0]]];
    longest2 = std::max(longest2, dot(way, way));
  }
  return std::sqrt(longest2);
}

// 1: positive, -1: inverted, 0: flat.
template <int D>
int orientation(const SimplexMesh<D>& mesh, std::size_t cell) {
  const double volume = cell_volume(mesh, cell);
  if (!(std::fabs(volume) > kFlat * std::pow(longest_edge(mesh, cell), D))) return 0;
  return volume > 0 ? 1 : -1;
}

template <int D>
void find_shapes(const SimplexMesh<D>& mesh, const CellName& cell_name, Errors& errors) {
  FlawList flat("flat cells"), inverted("inverted cells");
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    const int sign = orientation(mesh, i);
    if (sign == 0 && flat.add())
      flat.line(cell_name(i) + " is flat: it has no " + (D == 2 ? "area" : "volume"));
    if (sign < 0 && inverted.add())
      inverted.line(cell_name(i) + " is inverted: exchange two of its corners");
  }
  flat.append_to(errors);
  inverted.append_to(errors);
}

template <int D>
void find_duplicates(const SimplexMesh<D>& mesh, const CellName& cell_name, Errors& errors) {
  std::vector<typename SimplexMesh<D>::Cell> sorted = mesh.cells;
  for (auto& cell : sorted) std::sort(cell.begin(), cell.end());
  std::vector<std::uint32_t> order(sorted.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return sorted[a] != sorted[b] ? sorted[a] < sorted[b] : a < b;
  });
  FlawList twice("duplicate cells");
  for (std::size_t i = 1; i < order.size(); ++i)
    if (sorted[order[i]] == sorted[order[i - 1]] && twice.add())
      twice.line(cell_name(order[i]) + " has the same corners as " + cell_name(order[i - 1]));
  twice.append_to(errors);
}

template <int D>
void find_unused_points(const SimplexMesh<D>& mesh, Errors& errors) {
  std::vector<bool> used(mesh.points.size(), false);
  for (const auto& cell : mesh.cells)
    for (const std::uint32_t corner : cell) used[corner] = true;
  FlawList unused("points that no cell names");
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i] && unused.add()) unused.line("point " + std::to_string(i) + " is in no cell");
  unused.append_to(errors);
}

}  // namespace

template <int D>
Errors mesh_problems(const SimplexMesh<D>& mesh, const CellName& name) {
  const CellName cell_name = name ? name : CellName(numbered_cell);
  const char* kind = D == 2 ? "triangles" : "tetrahedra";
  if (mesh.cells.empty()) return {std::string("the mesh has no ") + kind};
  if (mesh.cells.size() > kMostSimplices)
    return {std::string("the mesh has more than 50 million ") + kind};
  Errors errors = broken_numbers(mesh, cell_name);
  if (!errors.empty()) return errors;  // the others look at what these name
  find_shapes(mesh, cell_name, errors);
  find_duplicates(mesh, cell_name, errors);
  find_unused_points(mesh, errors);
  return errors;
}

template Errors mesh_problems(const SimplexMesh<2>&, const CellName&);
template Errors mesh_problems(const SimplexMesh<3>&, const CellName&);

}  // namespace firn

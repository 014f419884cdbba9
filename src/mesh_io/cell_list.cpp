#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geometry/simplex_boundary.h"
#include "geometry/simplex_check.h"
#include "mesh_io/simplex_formats.h"

namespace firn {
namespace {

constexpr double kPlanar = 1e-9;  // of the extent: how far points may leave a plane

std::string how_many(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

// Where the points with these numbers are. Most files count without gaps.
class PlacesOfNumbers {
 public:
  explicit PlacesOfNumbers(const std::vector<std::int64_t>& numbers) : numbers_(numbers) {
    for (std::size_t i = 0; i < numbers.size() && counted_; ++i)
      counted_ =
          static_cast<std::uint64_t>(numbers[i]) - static_cast<std::uint64_t>(numbers[0]) == i;
    if (counted_) return;
    sorted_.reserve(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      sorted_.emplace_back(numbers[i], static_cast<std::uint32_t>(i));
    std::sort(sorted_.begin(), sorted_.end());
  }

  // Null, or a number that two points have.
  const std::int64_t* twice() const {
    for (std::size_t i = 1; i < sorted_.size(); ++i)
      if (sorted_[i].first == sorted_[i - 1].first) return &sorted_[i].first;
    return nullptr;
  }

  bool find(std::int64_t number, std::uint32_t& place) const {
    if (counted_) {
      if (numbers_.empty() || number < numbers_[0]) return false;
      const std::uint64_t from_first =
          static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(numbers_[0]);
      place = static_cast<std::uint32_t>(from_first);
      return from_first < numbers_.size();
    }
    const auto at = std::lower_bound(sorted_.begin(), sorted_.end(),
                                     std::pair<std::int64_t, std::uint32_t>(number, 0));
    if (at == sorted_.end() || at->first != number) return false;
    place = at->second;
    return true;
  }

 private:
  const std::vector<std::int64_t>& numbers_;
  bool counted_ = true;
  std::vector<std::pair<std::int64_t, std::uint32_t>> sorted_;
};

template <int D>
std::size_t turn_round(SimplexMesh<D>& mesh) {
  std::size_t turned = 0;
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    if (cell_volume(mesh, i) >= 0) continue;
    std::swap(mesh.cells[i][D - 1], mesh.cells[i][D]);
    ++turned;
  }
  return turned;
}

}  // namespace

std::string ends_early(const char* word, std::int64_t number) {
  return std::string(word) + " " + std::to_string(number) +
         ": the file ends early, or a value is no number; write the file anew";
}

void CellList::add_point(std::int64_t number, const Vec3d& x) {
  points_.push_back(x);
  numbers_.push_back(number);
}

std::string CellList::add_cell(std::int64_t number, const CellKind& kind,
                               const std::int64_t* corners) {
  if (kind.dimension < dimension_) {
    passed_over_ += kind.is_simplex;
    return "";
  }
  const std::string found =
      std::string(word_) + " " + std::to_string(number) + " is a " + kind.name;
  if (kind.dimension > dimension_)
    return found + ", and a 2D scene takes triangles; leave such cells out of the file";
  if (!kind.is_simplex)
    return found + ", and only " + (dimension_ == 2 ? "triangles" : "tetrahedra") +
           " are read; split such cells in the program that made them";
  if (cells_.size() >= kMostSimplices) return "has more than 50 million cells; use a coarser mesh";
  quadratic_ = quadratic_ || kind.nodes > dimension_ + 1;
  Cell& cell = cells_.emplace_back();
  cell.number = number;
  std::copy_n(corners, dimension_ + 1, cell.corners.begin());
  return "";
}

std::string CellList::cell_name(std::size_t cell) const {
  return std::string(word_) + " " + std::to_string(cells_[cell].number);
}

std::string CellList::no_cells() const {
  if (dimension_ == 2) return "has no triangles; a 2D scene needs them";
  if (passed_over_ == 0) return "has no tetrahedra; a 3D scene needs them";
  return "has no tetrahedra but " + how_many(passed_over_, "triangle", "triangles") +
         "; fill the surface in the program that made it, or name the file as a shape of type mesh";
}

std::string CellList::resolve(std::vector<std::array<std::uint32_t, 4>>& cells) const {
  if (points_.size() >= std::numeric_limits<std::uint32_t>::max())
    return "has more points than 32 bits can count; use a coarser mesh";
  const PlacesOfNumbers places(numbers_);
  if (const std::int64_t* number = places.twice())
    return "point " + std::to_string(*number) + " is there twice; number the points anew";
  cells.resize(cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i)
    for (int k = 0; k <= dimension_; ++k)
      if (!places.find(cells_[i].corners[k], cells[i][k]))
        return cell_name(i) + " names point " + std::to_string(cells_[i].corners[k]) +
               ", which the file does not have; write the file anew";
  return "";
}

template <int D>
std::string CellList::take_points(SimplexMesh<D>& mesh) const {
  double low = std::numeric_limits<double>::infinity(), high = -low, extent = 0;
  mesh.points.reserve(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Vec<double, D> point;
    for (int k = 0; k < 3; ++k) {
      const double x = points_[i][k];
      if (!(std::fabs(x) <= kFarthestPoint))
        return "point " + std::to_string(numbers_[i]) +
               " is not finite or beyond 1e12 m; check the units of the file";
      if (k < D) point[k] = x;
      extent = std::max(extent, std::fabs(x));
    }
    low = std::min(low, points_[i][2]);
    high = std::max(high, points_[i][2]);
    mesh.points.push_back(point);
  }
  if (D == 2 && high - low > kPlanar * extent)
    return "its points do not lie in one plane of constant z; a 2D scene needs a flat mesh";
  return "";
}

template <int D>
Result<LoadedSimplexMesh<D>> CellList::mesh() const {
  using Answer = Result<LoadedSimplexMesh<D>>;
  if (cells_.empty()) return Answer::failure(no_cells());
  LoadedSimplexMesh<D> loaded;
  std::string fault = take_points(loaded.mesh);
  std::vector<std::array<std::uint32_t, 4>> cells;
  if (fault.empty()) fault = resolve(cells);
  if (!fault.empty()) return Answer::failure(fault);
  loaded.mesh.cells.resize(cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i)
    std::copy_n(cells[i].begin(), D + 1, loaded.mesh.cells[i].begin());
  const std::size_t dropped = drop_unused_points(loaded.mesh), turned = turn_round(loaded.mesh);
  Errors problems = mesh_problems(loaded.mesh, [&](std::size_t cell) { return cell_name(cell); });
  for (std::string& line : problems) line += "; mend it in the program that made the file";
  if (!problems.empty()) return problems;
  const BoundarySurvey survey = survey_boundary(loaded.mesh);
  if (survey.crowded_faces > 0)
    return Answer::failure(cell_name(survey.crowded_cell) +
                           " overlaps another at a face that they share; mend it in the program "
                           "that made the file");
  if (quadratic_) loaded.warnings.push_back("its quadratic cells were read as their corners");
  if (turned > 0)
    loaded.warnings.push_back(how_many(turned, "cell was inside out and was turned round",
                                       "cells were inside out and were turned round"));
  if (dropped > 0 && !quadratic_)
    loaded.warnings.push_back(how_many(dropped, "point that no cell names was dropped",
                                       "points that no cell names were dropped"));
  return loaded;
}

template Result<LoadedSimplexMesh<2>> CellList::mesh() const;
template Result<LoadedSimplexMesh<3>> CellList::mesh() const;

}  // namespace firn

#include "geometry/lattice_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "exec/parallel.h"
#include "geometry/mesh_request.h"
#include "geometry/simplex_check.h"

namespace firn {
namespace {

constexpr std::uint32_t kNoPoint = std::numeric_limits<std::uint32_t>::max();
constexpr double kMostCubes = 2e8;  // in the box around a shape: a byte each

// Corner c of a cube is at (c & 1, c >> 1 & 1, c >> 2). Cubes whose place adds up to an even number
// have the first cut, the others the second, which is its mirror image.
template <int D>
struct CubeCut;
template <>
struct CubeCut<2> {
  static constexpr int kCells = 2;
  static constexpr int kCorners[2][kCells][3] = {{{0, 1, 3}, {0, 3, 2}}, {{0, 1, 2}, {1, 3, 2}}};
};
template <>
struct CubeCut<3> {
  static constexpr int kCells = 5;
  static constexpr int kCorners[2][kCells][4] = {
      {{0, 5, 3, 6}, {1, 3, 0, 5}, {2, 0, 3, 6}, {4, 5, 0, 6}, {7, 3, 5, 6}},
      {{1, 2, 4, 7}, {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}}};
};

template <int D>
class CubeStack {
 public:
  CubeStack(const Shape& shape, double edge) : shape_(shape), half_(half_extents(shape)) {
    for (int i = 0; i < D; ++i) {
      const double wanted = std::round(2 * half_[i] / edge);
      wanted_cubes_ *= std::max(1.0, wanted);
      count_[i] = static_cast<std::int64_t>(std::clamp(wanted, 1.0, kMostCubes));
    }
  }

  double wanted_cubes() const { return wanted_cubes_; }

  // One layer of cubes after the other; ids of two planes of points are kept.
  SimplexMesh<D> mesh() {
    find_cubes();
    const std::int64_t layers = D == 3 ? count_[2] : 1, planes = D == 3 ? layers + 1 : 1;
    std::vector<std::uint32_t> below, here = number_plane(0);
    if constexpr (D == 2) {
      add_layer(0, here, here);
    } else {
      for (std::int64_t z = 1; z < planes; ++z) {
        below.swap(here);
        here = number_plane(z);
        add_layer(z - 1, below, here);
      }
    }
    return std::move(mesh_);
  }

 private:
  Vec3d place(std::int64_t x, std::int64_t y, std::int64_t z, double shift) const {
    const std::int64_t at[3] = {x, y, z};
    Vec3d p = Vec3d::zero();
    for (int i = 0; i < D; ++i)
      p[i] = half_[i] * (2 * (static_cast<double>(at[i]) + shift) / double(count_[i]) - 1);
    return p;
  }

  void find_cubes() {
    const std::int64_t nx = count_[0], ny = count_[1], nz = D == 3 ? count_[2] : 1;
    inside_.assign(static_cast<std::size_t>(nx * ny * nz), 1);
    if (shape_.kind == ShapeKind::box) return;
    const double least = 1e-9 * half_[0] / static_cast<double>(nx);
    parallel_for("cubes of a shape", ny * nz, 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row)
        for (std::int64_t x = 0; x < nx; ++x) {
          const Vec3d middle = place(x, row % ny, row / ny, 0.5);
          inside_[row * nx + x] = detail::local_distance(shape_, middle).distance <= least;
        }
    });
  }

  bool is_inside(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::int64_t nz = D == 3 ? count_[2] : 1;
    if (x < 0 || y < 0 || z < 0 || x >= count_[0] || y >= count_[1] || z >= nz) return false;
    return inside_[(z * count_[1] + y) * count_[0] + x] != 0;
  }

  bool is_used(std::int64_t x, std::int64_t y, std::int64_t z) const {
    for (int c = 0; c < (1 << D); ++c)
      if (is_inside(x - (c & 1), y - (c >> 1 & 1), z - (c >> 2))) return true;
    return false;
  }

  std::vector<std::uint32_t> number_plane(std::int64_t z) {
    const std::int64_t nx = count_[0] + 1, ny = count_[1] + 1;
    std::vector<std::uint32_t> ids(static_cast<std::size_t>(nx * ny), kNoPoint);
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx; ++x) {
        if (!is_used(x, y, z)) continue;
        ids[y * nx + x] = static_cast<std::uint32_t>(mesh_.points.size());
        const Vec3d p = from_shape_frame(shape_, place(x, y, z, 0));
        Vec<double, D> point;
        for (int i = 0; i < D; ++i) point[i] = p[i];
        mesh_.points.push_back(point);
      }
    return ids;
  }

  void add_layer(std::int64_t z, const std::vector<std::uint32_t>& low,
                 const std::vector<std::uint32_t>& high) {
    const std::int64_t nx = count_[0] + 1;
    for (std::int64_t y = 0; y < count_[1]; ++y)
      for (std::int64_t x = 0; x < count_[0]; ++x) {
        if (!is_inside(x, y, z)) continue;
        std::uint32_t corners[1 << D];
        for (int c = 0; c < (1 << D); ++c)
          corners[c] = ((c >> 2) != 0 ? high : low)[(y + (c >> 1 & 1)) * nx + x + (c & 1)];
        for (const auto& from : CubeCut<D>::kCorners[(x + y + z) & 1]) {
          typename SimplexMesh<D>::Cell cell;
          for (int i = 0; i <= D; ++i) cell[i] = corners[from[i]];
          mesh_.cells.push_back(cell);
        }
      }
  }

  const Shape& shape_;
  Vec3d half_;
  std::int64_t count_[3] = {1, 1, 1};
  double wanted_cubes_ = 1;
  std::vector<std::uint8_t> inside_;
  SimplexMesh<D> mesh_;
};

double box_volume(const Vec3d& half, int dimension) {
  double volume = 1;
  for (int i = 0; i < dimension; ++i) volume *= 2 * half[i];
  return volume;
}

}  // namespace

template <int D>
Result<SimplexMesh<D>> lattice_mesh(const Shape& shape, double edge) {
  using Answer = Result<SimplexMesh<D>>;
  const std::string fault = mesh_request_fault(shape, edge, D);
  if (!fault.empty()) return Answer::failure(fault);
  CubeStack<D> stack(shape, edge);
  const double filled =
      shape.kind == ShapeKind::box ? 1 : volume(shape) / box_volume(half_extents(shape), D);
  const double cells = stack.wanted_cubes() * CubeCut<D>::kCells * filled;
  if (cells > kMostSimplices) return Answer::failure(too_fine(edge, cells, D));
  if (stack.wanted_cubes() > kMostCubes)
    return Answer::failure(too_fine(edge, stack.wanted_cubes() / kMostCubes * kMostSimplices, D));
  try {
    SimplexMesh<D> mesh = stack.mesh();
    if (mesh.cells.empty())
      return Answer::failure("an edge of " + short_text(edge) +
                             " m is too coarse: no cube has its middle in the shape; halve it");
    return mesh;
  } catch (const std::bad_alloc&) {
    return Answer::failure("not enough memory for a mesh of edge " + short_text(edge) +
                           " m; use a longer one");
  }
}

template Result<SimplexMesh<2>> lattice_mesh(const Shape&, double);
template Result<SimplexMesh<3>> lattice_mesh(const Shape&, double);

}  // namespace firn

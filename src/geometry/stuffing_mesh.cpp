#include "geometry/stuffing_mesh.h"

#include <cmath>
#include <new>
#include <string>
#include <type_traits>

#include "geometry/mesh_request.h"
#include "geometry/simplex_check.h"
#include "geometry/stuffing_emit.h"
#include "geometry/stuffing_snap.h"

namespace firn {
namespace {

constexpr double kMostBlocks = 5e7;  // in the box around a shape: four bytes each
constexpr double kVolumeTolerance = 0.2;

template <int D>
using LatticeOf = std::conditional_t<D == 2, stuffing::Triangular, stuffing::BodyCentred>;

template <class L>
double expected_cells(double volume, double edge) {
  return volume / (L::kCellVolume * std::pow(edge, L::kDim)) * L::kSimplices;
}

template <int D>
AngleRange allowed_angles() {
  return D == 2 ? AngleRange{kLeastStuffingAngleFlat, kLargestStuffingAngleFlat}
                : AngleRange{kLeastStuffingAngle, kLargestStuffingAngle};
}

std::string volume_fault(double found, double volume, double edge) {
  if (std::isnan(volume) || std::fabs(found - volume) <= kVolumeTolerance * volume) return "";
  return "an edge of " + short_text(edge) + " m is too coarse for the shape: the mesh has " +
         short_text(100 * found / volume) + " % of its volume; use " + short_text(edge / 2) +
         " m or less";
}

template <int D>
Result<SimplexMesh<D>> stuffed(const stuffing::Source& source, double volume, double edge) {
  using Answer = Result<SimplexMesh<D>>;
  using L = LatticeOf<D>;
  const double expected = std::isnan(volume) ? 0 : expected_cells<L>(volume, edge);
  if (expected > kMostSimplices) return Answer::failure(too_fine(edge, expected, D));
  stuffing::Grid<L> grid(source, edge);
  if (grid.blocks_in_box() > kMostBlocks)
    return Answer::failure(too_fine(edge, grid.blocks_in_box() / kMostBlocks * kMostSimplices, D));
  const double stored = static_cast<double>(grid.find_blocks()) * L::kSimplices;
  // Blocks reach some cells beyond the shape: they may hold a few times as many as come of it.
  if (stored > 5.0 * kMostSimplices) return Answer::failure(too_fine(edge, stored / 3, D));
  grid.measure_vertices();
  grid.find_cuts();
  snap_vertices(grid);
  undo_pinches(grid);
  SimplexMesh<D> mesh;
  mesh.cells.reserve(static_cast<std::size_t>(expected * 1.1));
  bool closed = emit_mesh(grid, mesh);
  while (closed && undo_bad_angles(grid, mesh, allowed_angles<D>()) > 0) {
    undo_pinches(grid);
    closed = emit_mesh(grid, mesh);
  }
  if (!closed)
    return Answer::failure(
        "the distance of the shape is steeper than it says, so that the mesh "
        "would have holes; give a steepness that is large enough");
  if (mesh.cells.empty())
    return Answer::failure("an edge of " + short_text(edge) +
                           " m is too coarse: no point of the lattice lies in the shape; use " +
                           short_text(edge / 2) + " m or less");
  if (mesh.cells.size() > kMostSimplices)
    return Answer::failure(too_fine(edge, static_cast<double>(mesh.cells.size()), D));
  const std::string fault = volume_fault(mesh_volume(mesh), volume, edge);
  if (!fault.empty()) return Answer::failure(fault);
  return mesh;
}

template <int D>
Result<SimplexMesh<D>> stuffed_in_memory(const stuffing::Source& source, double volume,
                                         double edge) {
  try {
    return stuffed<D>(source, volume, edge);
  } catch (const std::bad_alloc&) {
    return Result<SimplexMesh<D>>::failure("not enough memory for a mesh of edge " +
                                           short_text(edge) + " m; use a longer one");
  }
}

}  // namespace

template <int D>
Result<SimplexMesh<D>> stuffing_mesh(const DistanceSource& source, double edge) {
  Shape box;  // whose checks are those of the bounds
  box.dimension = D;
  box.size = (source.bounds.high - source.bounds.low) * 0.5;
  const std::string fault = mesh_request_fault(box, edge, D);
  if (!fault.empty()) return Result<SimplexMesh<D>>::failure(fault);
  return stuffed_in_memory<D>({source.distance, source.distance, source.bounds, source.steepness},
                              source.volume, edge);
}

template <int D>
Result<SimplexMesh<D>> stuffing_mesh(const Shape& shape, double edge) {
  using Answer = Result<SimplexMesh<D>>;
  const std::string fault = mesh_request_fault(shape, edge, D);
  if (!fault.empty()) return Answer::failure(fault);
  const Vec3d half = half_extents(shape);
  const stuffing::Source source{
      [&](const Vec3d& x) { return detail::local_distance(shape, x).distance; },
      [&](const Vec3d& x) { return depth_within(shape, x, edge); },
      {-half, half},
      shape.steepness};
  Answer mesh = stuffed_in_memory<D>(source, volume(shape), edge);
  if (!mesh) return mesh;
  for (Vec<double, D>& point : mesh->points) {
    Vec3d x = Vec3d::zero();
    for (int i = 0; i < D; ++i) x[i] = point[i];
    x = from_shape_frame(shape, x);
    for (int i = 0; i < D; ++i) point[i] = x[i];
  }
  return mesh;
}

template Result<SimplexMesh<2>> stuffing_mesh(const Shape&, double);
template Result<SimplexMesh<3>> stuffing_mesh(const Shape&, double);
template Result<SimplexMesh<2>> stuffing_mesh(const DistanceSource&, double);
template Result<SimplexMesh<3>> stuffing_mesh(const DistanceSource&, double);

}  // namespace firn

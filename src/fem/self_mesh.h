// What contact needs to know of meshes before they move: which bodies there are, what belongs to a
// vertex, and how far apart vertices are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/vec.h"

namespace firn {

constexpr std::uint32_t kNoFace = 0xffffffffu;

template <int D>
using SelfCell = std::array<std::uint32_t, D + 1>;
template <int D>
using SelfFace = std::array<std::uint32_t, D>;

// Faces of one cell only, outward where cells are positively oriented; in the order of cells.
template <int D>
std::vector<SelfFace<D>> boundary_of(const std::vector<SelfCell<D>>& cells);

// Linear cells in the place of second-order ones, which are given as in FemBody: four triangles or
// eight tetrahedra each, between all the nodes. Their boundary follows curved edges, so contact of
// second-order bodies is best given these.
template <int D>
std::vector<SelfCell<D>> linear_parts(const std::vector<std::uint32_t>& second_order_cells);

template <int D>
struct SelfMesh {
  SelfMesh(std::size_t vertices, std::vector<SelfCell<D>> cells, std::vector<SelfFace<D>> faces,
           const double* rest);

  std::vector<SelfCell<D>> cells;
  std::vector<SelfFace<D>> faces;

  // Bodies: parts that no cell or face connects.
  std::uint32_t bodies = 0;
  std::vector<std::uint32_t> body_of_cell, body_of_face;
  std::vector<std::vector<std::uint32_t>> faces_of_body;

  std::vector<char> on_boundary;                   // by vertex
  std::vector<std::array<std::uint32_t, 2>> ends;  // of the edge that a vertex lies on, see has
  std::vector<double> spacing;                     // m, mean length of a vertex's edges at rest
  std::vector<std::uint32_t> face_near;            // by vertex: about the nearest one at rest

  // Whether a vertex is part of a cell: one of its corners or, a node of second order, in the
  // middle of one of its edges.
  bool has(std::uint32_t cell, std::uint32_t vertex) const {
    int met = 0;
    for (std::uint32_t corner : cells[cell])
      met |= (corner == ends[vertex][0] ? 1 : 0) | (corner == ends[vertex][1] ? 2 : 0);
    return met == 3;
  }

 private:
  void find_bodies(std::size_t vertices);
  void find_ends(std::size_t vertices);
  void measure(std::size_t vertices, const double* rest);
  void spread_faces(std::size_t vertices, const double* rest);
};

}  // namespace firn

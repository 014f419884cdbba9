#include "surface/marching_table.h"

#include <algorithm>
#include <utility>

namespace firn {
namespace {

using Loop = std::vector<int>;  // edges, around a piece of surface

// The edge between two neighbouring corners.
int edge_between(int a, int b) {
  const int low = std::min(a, b);
  const int axis = (a ^ b) == 1 ? 0 : (a ^ b) == 2 ? 1 : 2;
  const int below = low & ((1 << axis) - 1), above = low >> (axis + 1);
  return 4 * axis + (below | above << axis);
}

// The corners of a face, counter-clockwise seen from outside of the cell.
std::array<int, 4> face_corners(int axis, int side) {
  const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
  std::array<int, 4> corners = {base, base | u, base | u | v, base | v};
  if (side == 0) std::reverse(corners.begin(), corners.end());
  return corners;
}

bool on_one_face(int a, int b) {
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const auto lies_on = [&](int edge) {
        const CellEdge e = cell_edge(edge);
        return e.axis != axis && (e.corner >> axis & 1) == side;
      };
      if (lies_on(a) && lies_on(b)) return true;
    }
  return false;
}

// A line from where the border of a face enters the inside to where it leaves it again.
std::vector<Loop> loops_of(int inside) {
  std::array<int, 12> next;
  next.fill(-1);
  const auto is_inside = [&](int corner) { return (inside >> corner & 1) != 0; };
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const std::array<int, 4> corners = face_corners(axis, side);
      for (std::size_t i = 0; i < 4; ++i) {
        const int from = corners[i], to = corners[(i + 1) % 4];
        if (is_inside(from) || !is_inside(to)) continue;
        std::size_t last = i + 1;
        while (is_inside(corners[(last + 1) % 4])) ++last;
        next[static_cast<std::size_t>(edge_between(from, to))] =
            edge_between(corners[last % 4], corners[(last + 1) % 4]);
      }
    }
  std::vector<Loop> loops;
  for (std::size_t start = 0; start < next.size(); ++start) {
    Loop loop;
    for (std::size_t edge = start; next[edge] >= 0;) {
      loop.push_back(static_cast<int>(edge));
      edge = static_cast<std::size_t>(std::exchange(next[edge], -1));
    }
    if (!loop.empty()) loops.push_back(std::move(loop));
  }
  return loops;
}

// Cuts a loop into triangles with no cut along a face; false when there is no such way.
bool triangulate(const Loop& loop, CellTriangles& triangles) {
  if (loop.size() < 3) return true;
  const auto fits = [&](std::size_t a, std::size_t b) {
    const std::size_t apart = b - a;
    return apart == 1 || apart == loop.size() - 1 || !on_one_face(loop[a], loop[b]);
  };
  const std::size_t last = loop.size() - 1, before = triangles.size();
  for (std::size_t apex = 1; apex < last; ++apex) {
    if (!fits(0, apex) || !fits(apex, last)) continue;
    triangles.push_back({static_cast<std::uint8_t>(loop[0]), static_cast<std::uint8_t>(loop[apex]),
                         static_cast<std::uint8_t>(loop[last])});
    const auto at = [&](std::size_t i) { return loop.begin() + static_cast<std::ptrdiff_t>(i); };
    if (triangulate(Loop(loop.begin(), at(apex + 1)), triangles) &&
        triangulate(Loop(at(apex), loop.end()), triangles))
      return true;
    triangles.resize(before);
  }
  return false;
}

}  // namespace

CellEdge cell_edge(int edge) {
  const int axis = edge / 4, n = edge % 4;
  const int below = n & ((1 << axis) - 1), above = n >> axis;
  return {axis, below | above << (axis + 1)};
}

const std::array<CellTriangles, 256>& cell_triangles() {
  static const std::array<CellTriangles, 256> table = [] {
    std::array<CellTriangles, 256> made;
    for (int inside = 0; inside < 256; ++inside)
      for (const Loop& loop : loops_of(inside))
        triangulate(loop, made[static_cast<std::size_t>(inside)]);
    return made;
  }();
  return table;
}

}  // namespace firn

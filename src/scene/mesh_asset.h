// Meshes of objects: what a file gave, and bodies in their places.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "geometry/simplex_mesh.h"

namespace firn {

// A connected mesh of one copy of an object, free of stress and in its place.
template <int D>
struct BodyMesh {
  std::vector<Vec<double, D>> nodes;  // m
  // so many numbers a cell as nodes_of_simplex says: corners, then the middles of edges in the
  // order of SimplexEdges.
  std::vector<std::uint32_t> cells;
};

// The bodies of an object, one a copy; their nodes become its particles, in this order.
template <int D>
struct ObjectMesh {
  int order = 1;
  std::vector<BodyMesh<D>> bodies;
};

// One of these, of the dimension of the scene.
struct MeshAsset {
  std::variant<SimplexMesh<2>, SimplexMesh<3>,  // of a file, in its own coordinates
               ObjectMesh<2>, ObjectMesh<3>>    // made already
      content;

  template <class T>
  const T* get() const {
    return std::get_if<T>(&content);
  }
};

// Nodes of a cell: its corners and, of second order, the middles of its edges.
constexpr int nodes_of_simplex(int dimension, int order) {
  return order == 2 ? (dimension + 1) * (dimension + 2) / 2 : dimension + 1;
}

}  // namespace firn

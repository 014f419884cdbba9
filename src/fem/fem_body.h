// A meshed solid as the solver gets it: nodes at rest, cells between them, and what it is made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/vec.h"

namespace firn {

// Nodes of a cell: D + 1 corners and, of second order, one more in the middle of each edge.
constexpr int corners_of_cell(int dimension) {
  return dimension + 1;
}
constexpr int nodes_of_cell(int dimension, int order) {
  return order == 2 ? (dimension + 1) * (dimension + 2) / 2 : dimension + 1;
}

template <int D>
struct FemBody {
  std::string name;
  int set = 0;                 // of particles: its material
  std::uint64_t first_id = 0;  // those of its nodes are consecutive, in the order of `rest`
  int order = 1;
  double density = 1000;  // kg/m^D at rest
  // s, stiffness-proportional (lagged Rayleigh) and 1/s, mass-proportional damping
  double stiffness_damping = 0, mass_damping = 0;

  std::vector<Vec<double, D>> rest;  // of every node, free of stress, m
  // nodes_of_cell(D, order) numbers a cell: corners, positively oriented, then the middles of the
  // edges (0,1), (0,2), ... (1,2), ... in the order of their corners.
  std::vector<std::uint32_t> cells;
};

}  // namespace firn

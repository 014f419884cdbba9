// What the update of the grains of a cell needs again and again.
#pragma once

#include <vector>

#include "grains/grain_cloud.h"
#include "grains/nodes_around.h"

namespace firn {

template <int D>
struct GrainCloud<D>::CellWork {
  std::vector<FlowNode<D>> around;  // the particles around the cell, relative to the grains' block
  NodesAround<D, 1> reaches;        // the same as lanes, with the inverse of their squared supports
  std::vector<std::uint32_t> near;  // numbers of those of them that reach the part
  std::vector<int> block_walls, walls;
  std::vector<float> before[D];
  BlockCoord<D> block;
  std::uint32_t block_end;  // of its grains
  FlightStep<D> flight;
  float fastest = 0;  // m/s

  void find_near(const CellBox<D>& box);
};

}  // namespace firn

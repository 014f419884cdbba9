// The flow that grains follow: the particles of a step in cells, each with its way, the gradient of
// the ways around it, and how well it holds its grains.
#pragma once

#include <vector>

#include "grains/coarse_state.h"
#include "grains/flow_rules.h"
#include "grains/grain_cells.h"

namespace firn {

// A part of a step: from the share `begin` of all ways on, by the share `length`.
struct StepPart {
  double begin = 0, length = 1;
};

template <int D>
class CoarseFlow {
 public:
  // Of the weights of particles, of the radius of a particle: `support` of GrainSettings.
  CoarseFlow(const GrainCells<D>& cells, const typename BlockTopology<D>::Periods& periods,
             double support, int per_particle);

  // `linear`: with gradients, and with particles that are alone letting go of their grains.
  void build(const std::vector<CoarseWay<D>>& ways, const StepPart& part, bool linear);
  // Lets grains drift from where they are many to where they are few: counts[i] is the sum of
  // weights over the grains within kCountReach of node i. The drift goes with the strain of the
  // step, which counts as `least_strain` at least. `filled`: nowhere should be more than where
  // particles lie on a lattice.
  void even_out(const std::vector<float>& counts, float least_strain, bool filled);

  const std::vector<FlowNode<D>>& nodes() const { return nodes_; }
  // Places of nodes are relative to their blocks, of which each has a run of nodes in each cell.
  const BlockTopology<D>& blocks() const { return blocks_; }
  std::uint32_t first(int block, int cell) const { return begin_[block * cells_.count() + cell]; }
  std::uint32_t end(int block, int cell) const { return begin_[block * cells_.count() + cell + 1]; }

  // f(first, end, offset) for the nodes in a cell of the block and the cells around it; `offset`
  // takes their places to ones relative to that block.
  template <class F>
  void for_around(int block, int cell, F&& f) const {
    for_cells_around<D>(blocks_, cells_, block, cell,
                        [&](int there, int number, const Vec<float, D>& offset, int) {
                          if (first(there, number) < end(there, number))
                            f(first(there, number), end(there, number), offset);
                        });
  }

  // Of the weights of a node when it counts grains.
  float inverse_count_reach2(std::size_t node) const {
    return nodes_[node].inverse_support2 * count_factor();
  }
  // From the weights that move grains to those that count them.
  float count_factor() const { return float(square(support_ / kCountReach)); }
  double support() const { return support_; }
  // The sum of weights over the grains of a particle, by its distance; over grains everywhere.
  const std::vector<float>& weights() const { return weights_; }
  float full() const { return full_; }
  // How far a particle goes at most, cells.
  double longest_way() const { return longest_way_; }
  std::size_t bytes() const;

 private:
  // body(node, around): every node with those around it, itself among them, as lanes, each with
  // its place and value_of(its number), so many numbers.
  template <int Values, class ValueOf, class Body>
  void for_each_node(const char* name, ValueOf&& value_of, Body&& body);
  void find_gradients();
  float spacing(std::size_t node) const;  // cells

  GrainCells<D> cells_;
  double support_;  // spacings
  float full_;
  std::vector<float> weights_;
  BlockTopology<D> blocks_;
  std::vector<std::uint32_t> begin_;
  std::vector<FlowNode<D>> nodes_;
  std::vector<float> shortage_, due_;
  double longest_way_ = 0;
};

}  // namespace firn

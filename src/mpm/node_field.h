// A quantity on the nodes of a sparse grid. An integrator has as many as it needs: velocities,
// impulses, vectors of a linear solve.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "base/simd.h"
#include "base/vec.h"
#include "exec/buffer.h"
#include "particles/blocks.h"

namespace firn {

// A node of the grid: a vector in lanes 0..D-1, and where it has one a mass in lane kMassLane.
template <class T>
using Node = Simd<T, 4>;
constexpr int kMassLane = 3;

template <int D, class T>
Vec<T, D> velocity_of(const Node<T>& node) {
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = node[a];
  return v;
}

template <class T, int D>
class NodeField {
 public:
  static constexpr std::size_t kNodes = BlockShape<D>::kNodes;

  explicit NodeField(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  // As many nodes as the blocks have, with any values.
  void resize(const BlockTopology<D>& blocks) {
    nodes_.resize(std::size_t(blocks.size()) * kNodes);
  }
  // The same, all zero.
  void fit(const BlockTopology<D>& blocks) {
    resize(blocks);
    std::fill(nodes_.data(), nodes_.data() + nodes_.size(), Node<T>(0));
  }
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const { return nodes_.bytes(); }
  Buffer<Node<T>>& nodes() { return nodes_; }
  Node<T>* data() { return nodes_.data(); }
  const Node<T>* data() const { return nodes_.data(); }
  Node<T>* of_block(int slot) { return nodes_.data() + std::size_t(slot) * kNodes; }
  const Node<T>* of_block(int slot) const { return nodes_.data() + std::size_t(slot) * kNodes; }

 private:
  std::string name_;
  Buffer<Node<T>> nodes_;
};

}  // namespace firn

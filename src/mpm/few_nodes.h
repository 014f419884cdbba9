// Values of a few of the nodes of a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace firn {

template <class Value>
class FewNodes {
 public:
  // For a grid of so many nodes, of which none has a value.
  void begin(std::size_t nodes) {
    place_.assign(nodes, -1);
    nodes_.clear();
    values_.clear();
  }
  // The value of a node, which gets this one if it has none.
  Value& at(std::size_t node, const Value& first) {
    if (place_[node] < 0) {
      place_[node] = static_cast<std::int32_t>(nodes_.size());
      nodes_.push_back(node);
      values_.push_back(first);
    }
    return values_[std::size_t(place_[node])];
  }
  const Value* find(std::size_t node) const {
    return place_[node] < 0 ? nullptr : &values_[std::size_t(place_[node])];
  }
  void clear() {
    for (const std::size_t node : nodes_) place_[node] = -1;
    nodes_.clear();
    values_.clear();
  }

  std::size_t size() const { return nodes_.size(); }
  std::size_t node(std::size_t k) const { return nodes_[k]; }
  const Value& value(std::size_t k) const { return values_[k]; }
  std::size_t bytes() const {
    return place_.capacity() * sizeof(place_[0]) + nodes_.capacity() * sizeof(nodes_[0]) +
           values_.capacity() * sizeof(values_[0]);
  }

 private:
  std::vector<std::int32_t> place_;  // of each node's value, -1: it has none
  std::vector<std::size_t> nodes_;
  std::vector<Value> values_;
};

}  // namespace firn

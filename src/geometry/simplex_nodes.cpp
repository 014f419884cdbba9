#include "geometry/simplex_nodes.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/random.h"

namespace firn {
namespace {

// Numbers pairs of points in the order of their first mention. Open addressing: a mesh of a million
// cells has more than a million edges, and a map of nodes would take most of the time.
class EdgeNumbers {
 public:
  explicit EdgeNumbers(std::size_t expected)
      : keys_(std::bit_ceil(2 * expected + 16), kFree), numbers_(keys_.size()) {}

  std::uint32_t number(std::uint32_t a, std::uint32_t b,
                       std::vector<std::array<std::uint32_t, 2>>& ends) {
    if (a > b) std::swap(a, b);
    if (2 * ends.size() >= keys_.size()) grow(ends);
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    const std::size_t at = place_of(key);
    if (keys_[at] == kFree) {
      keys_[at] = key;
      numbers_[at] = static_cast<std::uint32_t>(ends.size());
      ends.push_back({a, b});
    }
    return numbers_[at];
  }

 private:
  static constexpr std::uint64_t kFree = std::numeric_limits<std::uint64_t>::max();

  std::size_t place_of(std::uint64_t key) const {
    std::size_t at = mix_bits(key) & (keys_.size() - 1);
    while (keys_[at] != kFree && keys_[at] != key) at = (at + 1) & (keys_.size() - 1);
    return at;
  }
  void grow(const std::vector<std::array<std::uint32_t, 2>>& ends) {
    keys_.assign(2 * keys_.size(), kFree);
    numbers_.resize(keys_.size());
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const std::uint64_t key = std::uint64_t{ends[i][0]} << 32 | ends[i][1];
      const std::size_t at = place_of(key);
      keys_[at] = key;
      numbers_[at] = static_cast<std::uint32_t>(i);
    }
  }

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

template <int D>
SimplexNodes<D> quadratic_nodes(const SimplexMesh<D>& mesh) {
  SimplexNodes<D> nodes;
  const auto corners = static_cast<std::uint32_t>(mesh.points.size());
  EdgeNumbers edges(mesh.cells.size() * 3 / 2);
  nodes.cells.resize(mesh.cells.size());
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    const auto& cell = mesh.cells[i];
    std::copy(cell.begin(), cell.end(), nodes.cells[i].begin());
    for (int e = 0; e < SimplexEdges<D>::kCount; ++e) {
      const int* ends = SimplexEdges<D>::kCorners[e];
      nodes.cells[i][D + 1 + e] = corners + edges.number(cell[ends[0]], cell[ends[1]], nodes.ends);
    }
  }
  nodes.points = mesh.points;
  nodes.points.reserve(corners + nodes.ends.size());
  for (const auto& ends : nodes.ends)
    nodes.points.push_back((mesh.points[ends[0]] + mesh.points[ends[1]]) * 0.5);
  return nodes;
}

template SimplexNodes<2> quadratic_nodes(const SimplexMesh<2>&);
template SimplexNodes<3> quadratic_nodes(const SimplexMesh<3>&);

}  // namespace firn

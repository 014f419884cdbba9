// Sums over pairs, vertex by vertex: what each of them gets comes from a list of the pairs that it
// takes part in, so that the order of a sum never depends on threads.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/parallel.h"
#include "fem/self_pair.h"

namespace firn {

template <int D>
class SelfSums {
 public:
  // Slots as SelfPair::place counts them: 0 the vertex, the primitive's corners after it.
  struct Part {
    std::uint32_t pair;
    int slot;
  };

  void list(const std::vector<SelfPair<D>>& pairs, std::size_t vertices) {
    end_.assign(vertices, 0);
    std::size_t total = 0;
    for (const SelfPair<D>& pair : pairs)
      for (int slot = 0; slot <= pair.corners; ++slot, ++total) ++end_[pair.place(slot)];
    touched_.clear();
    std::size_t before = 0;
    for (std::uint32_t v = 0; v < vertices; ++v) {
      if (end_[v] == 0) continue;
      touched_.push_back({v, before});
      before += end_[v];
      end_[v] = before - end_[v];
    }
    touched_.push_back({0, before});
    parts_.resize(total);
    for (std::uint32_t p = 0; p < pairs.size(); ++p)
      for (int slot = 0; slot <= pairs[p].corners; ++slot)
        parts_[end_[pairs[p].place(slot)]++] = {p, slot};
  }

  // add(part, where) adds what a part brings to `size` numbers that begin at zero; they end up,
  // times `factor`, in those of each touched vertex.
  template <int size, class Add>
  void gather(double factor, double* out, Add&& add) const {
    const auto n = static_cast<std::int64_t>(touched_.empty() ? 0 : touched_.size() - 1);
    parallel_for("self contact, sums", n, 256, [&](std::int64_t i, std::int64_t end) {
      for (; i < end; ++i) {
        double sum[size] = {};
        for (std::size_t k = touched_[i].first; k < touched_[i + 1].first; ++k) add(parts_[k], sum);
        double* mine = out + size * std::size_t(touched_[i].vertex);
        for (int a = 0; a < size; ++a) mine[a] += factor * sum[a];
      }
    });
  }

 private:
  struct Touched {
    std::uint32_t vertex;
    std::size_t first;  // of its parts; they end where those of the next begin
  };
  std::vector<Touched> touched_;
  std::vector<Part> parts_;
  std::vector<std::size_t> end_;
};

}  // namespace firn

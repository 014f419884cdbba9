// Points produced in parallel, kept in the order of the pieces that produced them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/vec.h"
#include "exec/parallel.h"

namespace firn {

// produce(piece, keep) calls keep(point) for each of its points; it runs twice a piece, first to
// count and then to write, and must do the same both times.
template <class Produce>
std::vector<Vec3d> gather_points(std::int64_t pieces, std::int64_t grain, Produce produce) {
  std::vector<std::int64_t> first(static_cast<std::size_t>(pieces) + 1, 0);
  parallel_for("count points", pieces, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t piece = begin; piece < end; ++piece) {
      std::int64_t count = 0;
      produce(piece, [&](const Vec3d&) { ++count; });
      first[static_cast<std::size_t>(piece) + 1] = count;
    }
  });
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<Vec3d> points(static_cast<std::size_t>(first.back()));
  parallel_for("write points", pieces, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t piece = begin; piece < end; ++piece) {
      Vec3d* out = points.data() + first[static_cast<std::size_t>(piece)];
      produce(piece, [&](const Vec3d& x) { *out++ = x; });
    }
  });
  return points;
}

}  // namespace firn

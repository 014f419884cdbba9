#include "draw/point_normals.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"

namespace firn {

namespace {

constexpr std::int64_t kNormalGrain = 4096;
constexpr double kMostCells = 4e6;

// Without the outermost percent on either side but with a margin: stray points far away shall not
// cost memory; they share the cells at the border.
void robust_range(const std::vector<DrawnPoint>& points, int axis, float& low, float& high) {
  std::vector<float> sample;
  for (std::size_t i = 0; i < points.size(); i += 1 + points.size() / 20000)
    sample.push_back(points[i].position[axis]);
  std::sort(sample.begin(), sample.end());
  const std::size_t skipped = sample.size() / 100;
  const float a = sample[skipped], b = sample[sample.size() - 1 - skipped];
  low = a - 0.1f * (b - a);
  high = b + 0.1f * (b - a);
}

// Sums over the points of a cell: how many, and where.
struct CellSum {
  float count = 0;
  Vec3f place{{0, 0, 0}};
};

class CellGrid {
 public:
  CellGrid(const std::vector<DrawnPoint>& points, float cell) {
    Vec3f high;
    for (int k = 0; k < 3; ++k) robust_range(points, k, low_[k], high[k]);
    double cells = kMostCells + 1;
    for (; cells > kMostCells; cell *= 1.26f) {
      inverse_ = 1 / cell;
      cells = 1;
      for (int k = 0; k < 3; ++k) cells *= std::floor((high[k] - low_[k]) * inverse_) + 1;
    }
    for (int k = 0; k < 3; ++k) size_[k] = static_cast<int>((high[k] - low_[k]) * inverse_) + 1;
    cells_.resize(std::size_t(size_[0]) * size_[1] * size_[2]);
    for (const DrawnPoint& p : points) {
      CellSum& cell_sum = cells_[index(coordinate(p.position))];
      cell_sum.count += 1;
      cell_sum.place += p.position;
    }
  }

  Vec<int, 3> coordinate(const Vec3f& p) const {
    Vec<int, 3> c;
    for (int k = 0; k < 3; ++k)
      c[k] = std::clamp(static_cast<int>(std::clamp((p[k] - low_[k]) * inverse_, 0.0f, 1e6f)), 0,
                        size_[k] - 1);
    return c;
  }
  std::size_t index(const Vec<int, 3>& c) const {
    return (std::size_t(c[2]) * size_[1] + c[1]) * size_[0] + c[0];
  }

  // Towards where there is less, with a length of about 1 on a flat face and 0 inside.
  Vec3f emptiness(const Vec3f& p) const {
    const Vec<int, 3> home = coordinate(p);
    float weight = 0;
    Vec3f sum = Vec3f::zero();
    for (int z = std::max(home[2] - 2, 0); z <= std::min(home[2] + 2, size_[2] - 1); ++z)
      for (int y = std::max(home[1] - 2, 0); y <= std::min(home[1] + 2, size_[1] - 1); ++y)
        for (int x = std::max(home[0] - 2, 0); x <= std::min(home[0] + 2, size_[0] - 1); ++x) {
          const CellSum& cell = cells_[index({{x, y, z}})];
          if (cell.count == 0) continue;
          const Vec3f d = p * cell.count - cell.place;
          const Vec3f mean = d * (inverse_ / cell.count);
          const float fade = std::max(0.0f, 1 - dot(mean, mean) / 6.25f);
          sum += d * (inverse_ * fade * fade);
          weight += cell.count * fade * fade;
        }
    return sum * (1.6f / std::max(weight, 1e-6f));
  }

 private:
  Vec3f low_;
  float inverse_;
  int size_[3];
  std::vector<CellSum> cells_;
};

}  // namespace

void estimate_normals(std::vector<DrawnPoint>& points, float reach) {
  if (points.empty() || !(reach > 0)) return;
  const CellGrid grid(points, reach);
  const auto body = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      DrawnPoint& point = points[static_cast<std::size_t>(i)];
      Vec3f n = grid.emptiness(point.position);
      const float length = std::sqrt(dot(n, n));
      if (length > 1) n = n * (1 / length);
      for (int k = 0; k < 3; ++k)
        point.normal[k] = static_cast<std::int8_t>(std::lround(127 * n[k]));
    }
  };
  parallel_for("normals", static_cast<std::int64_t>(points.size()), kNormalGrain, body);
}

}  // namespace firn

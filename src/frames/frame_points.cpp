#include "frames/frame_points.h"

#include <cmath>
#include <numbers>

namespace firn {

std::vector<Vec3f> vectors_of(const PointTable& table, const std::string& x, const std::string& y,
                              const std::string& z) {
  std::vector<Vec3f> vectors(table.count, Vec3f::zero());
  const std::string* names[3] = {&x, &y, &z};
  for (int a = 0; a < 3; ++a) {
    const Column* column = table.find(*names[a]);
    if (!column) continue;
    std::visit(
        [&](const auto& values) {
          for (std::size_t p = 0; p < values.size(); ++p)
            vectors[p][a] = static_cast<float>(values[p]);
        },
        column->values);
  }
  return vectors;
}

std::vector<Vec3f> positions_of(const PointTable& table) {
  return vectors_of(table, "x", "y", "z");
}

std::vector<Vec3f> velocities_of(const PointTable& table) {
  return vectors_of(table, "vx", "vy", "vz");
}

bool is_flat(const PointTable& table) {
  const auto dimension = table.metadata.find("dimension");
  return dimension != table.metadata.end() && dimension->second == "2";
}

double mean_radius(const PointTable& table) {
  const std::vector<double> volumes = table.as_double("volume");
  double sum = 0;
  for (const double volume : volumes) sum += volume;
  if (!(sum > 0)) return 0;
  return std::cbrt(0.75 / std::numbers::pi * sum / static_cast<double>(volumes.size()));
}

}  // namespace firn

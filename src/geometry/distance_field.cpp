#include "geometry/distance_field.h"

#include <cmath>
#include <limits>
#include <utility>

namespace firn {
namespace {

bool is_placed(const DistanceFieldData& data) {
  double sum = data.spacing + data.margin + data.volume;
  for (int i = 0; i < 3; ++i) sum += data.origin[i] + data.solid.low[i] + data.solid.high[i];
  return std::isfinite(sum) && data.spacing > 0 && data.margin >= 0 && data.volume >= 0;
}

bool has_right_sizes(const DistanceFieldData& data) {
  constexpr int kLargest = std::numeric_limits<int>::max() / kFieldBlock - 1;
  std::size_t blocks = 1, corners = 1, stride = 1;
  for (int i = 0; i < data.dimension; ++i) {
    if (data.blocks[i] < 1 || data.blocks[i] > kLargest) return false;
    blocks *= static_cast<std::size_t>(data.blocks[i]);
    corners *= static_cast<std::size_t>(data.blocks[i]) + 1;
    stride *= kFieldBlock + 1;
    if (blocks > data.slots.size() || corners > data.corners.size()) return false;
  }
  if (data.dimension == 2 && data.blocks[2] != 1) return false;
  if (blocks != data.slots.size() || corners != data.corners.size()) return false;
  if (data.samples.size() % stride != 0) return false;
  const std::size_t count = data.samples.size() / stride;
  for (const std::int32_t slot : data.slots)
    if (slot < -1 || (slot >= 0 && static_cast<std::size_t>(slot) >= count)) return false;
  return true;
}

}  // namespace

Result<DistanceField> DistanceField::from_data(DistanceFieldData data) {
  if ((data.dimension != 2 && data.dimension != 3) || !is_placed(data) || !has_right_sizes(data))
    return Result<DistanceField>::failure("distance field: the parts do not fit together");
  for (const std::vector<float>* values : {&data.corners, &data.samples})
    for (const float value : *values)
      if (!std::isfinite(value))
        return Result<DistanceField>::failure("distance field: a distance is not finite");
  return DistanceField(std::move(data));
}

DistanceFieldView DistanceField::view() const {
  DistanceFieldView v;
  v.dimension = data_.dimension;
  v.spacing = data_.spacing;
  v.origin = data_.origin;
  for (int i = 0; i < 3; ++i) v.blocks[i] = data_.blocks[i];
  v.margin = data_.margin;
  v.corners = data_.corners.data();
  v.slots = data_.slots.data();
  v.samples = data_.samples.data();
  return v;
}

std::size_t DistanceField::bytes() const {
  return 4 * (data_.corners.size() + data_.slots.size() + data_.samples.size());
}

}  // namespace firn

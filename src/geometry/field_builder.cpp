#include "geometry/field_builder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "exec/parallel.h"

namespace firn {
namespace {

constexpr int kNodes = kFieldBlock + 1;  // samples along an axis of a block
constexpr double kMostBlocks = 64e6;
constexpr double kMostBytes = 2e9;
constexpr double kMarginCells = 2;  // least distance of the solid from the box
constexpr double kBandCells = 2;    // blocks own samples up to this distance from the surface

std::string too_large(double spacing, const std::string& what) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", spacing);
  return "a distance field of spacing " + std::string(text) + " m would take " + what +
         ": raise the spacing";
}

}  // namespace

FieldBuilder::FieldBuilder(int dimension, const std::function<DistanceProbe()>& make_probe)
    : make_probe_(make_probe),
      layers_(dimension == 3 ? kNodes : 1),
      stride_(layers_ * kNodes * kNodes) {
  data_.dimension = dimension;
}

std::string FieldBuilder::lay_out(const Bounds& bounds, double spacing) {
  if (!(spacing > 0) || !std::isfinite(spacing))
    return "the spacing of a distance field must be a positive number";
  data_.spacing = spacing;
  data_.margin = std::numeric_limits<double>::infinity();
  double blocks = 1, corners = 1;
  const double width = kFieldBlock * spacing;
  for (int i = 0; i < data_.dimension; ++i) {
    const double length = bounds.high[i] - bounds.low[i];
    if (!(length >= 0) || !std::isfinite(length))
      return "the bounds of a distance field must be finite";
    const double count = std::ceil(length / width + 2 * kMarginCells / kFieldBlock);
    blocks *= count;
    corners *= count + 1;
    if (!(blocks <= kMostBlocks)) return too_large(spacing, "more than 64 million blocks");
    data_.blocks[i] = static_cast<int>(count);
    data_.origin[i] = bounds.low[i] - (count * width - length) / 2;
    const double high = data_.origin[i] + count * width;
    data_.margin = std::min({data_.margin, bounds.low[i] - data_.origin[i], high - bounds.high[i]});
  }
  data_.margin = std::max(data_.margin, 0.0);
  if (data_.dimension == 2) data_.blocks[2] = 1;
  data_.slots.assign(static_cast<std::size_t>(blocks), -1);
  data_.corners.assign(static_cast<std::size_t>(corners), 0);
  return "";
}

FieldBuilder::Index FieldBuilder::block_at(std::size_t index) const {
  const std::size_t nx = extent(0), ny = extent(1);
  return {{int(index % nx), int(index / nx % ny), int(index / (nx * ny))}};
}

std::size_t FieldBuilder::corner_at(const Index& corner) const {
  const std::size_t nx = extent(0) + 1, ny = extent(1) + 1;
  return corner.i[0] + nx * (corner.i[1] + ny * corner.i[2]);
}

Vec3d FieldBuilder::block_origin(const Index& block) const {
  Vec3d p = Vec3d::zero();
  for (int i = 0; i < data_.dimension; ++i)
    p[i] = data_.origin[i] + data_.spacing * (kFieldBlock * block.i[i]);
  return p;
}

void FieldBuilder::sample_corners() {
  const int nx = extent(0) + 1, ny = extent(1) + 1;
  const std::int64_t rows = std::int64_t(data_.corners.size()) / nx;
  parallel_for("field_corners", rows, 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const DistanceProbe probe = make_probe_();
      for (int x = 0; x < nx; ++x) {
        const Index corner{{x, int(row % ny), int(row / ny)}};
        data_.corners[row * nx + x] = static_cast<float>(probe(block_origin(corner)));
      }
    }
  });
}

// A distance changes by no more than the way, so that the centre tells of the whole block. Corners
// of both signs without a surface in reach belong to the imagined lid of an open mesh.
bool FieldBuilder::needs_samples(const Index& block, const DistanceProbe& probe) const {
  const double radius = data_.spacing * kFieldBlock / 2 * std::sqrt(double(data_.dimension));
  const double band = radius + kBandCells * data_.spacing;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int corner = 0; corner < (1 << data_.dimension); ++corner) {
    Index c = block;
    for (int i = 0; i < data_.dimension; ++i) c.i[i] += corner >> i & 1;
    const double value = data_.corners[corner_at(c)];
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (low <= 0 && high >= 0) return true;
  if (std::max(std::fabs(low), std::fabs(high)) > band + radius) return false;
  Vec3d center = block_origin(block);
  for (int i = 0; i < data_.dimension; ++i) center[i] += data_.spacing * kFieldBlock / 2;
  const double value = probe(center);
  return std::fabs(value) <= band || (value < 0) != (low < 0);
}

std::string FieldBuilder::choose_blocks() {
  const std::int64_t nx = extent(0), rows = std::int64_t(block_count()) / nx;
  parallel_for("field_choose", rows, 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const DistanceProbe probe = make_probe_();
      for (std::int64_t b = row * nx; b < (row + 1) * nx; ++b)
        if (needs_samples(block_at(b), probe)) data_.slots[b] = 0;
    }
  });
  for (std::size_t b = 0; b < block_count(); ++b)
    if (data_.slots[b] == 0) {
      data_.slots[b] = static_cast<std::int32_t>(owners_.size());
      owners_.push_back(b);
    }
  const double bytes = 4.0 * (double(owners_.size()) * double(stride_) +
                              double(data_.slots.size()) + double(data_.corners.size()));
  if (bytes > kMostBytes)
    return too_large(data_.spacing, std::to_string(std::int64_t(bytes / 1e6)) + " MB");
  data_.samples.resize(owners_.size() * stride_);
  return "";
}

void FieldBuilder::sample_blocks() {
  parallel_for(
      "field_samples", std::int64_t(owners_.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t slot = begin; slot < end; ++slot) {
          const DistanceProbe probe = make_probe_();
          const Vec3d origin = block_origin(block_at(owners_[slot]));
          float* out = data_.samples.data() + slot * stride_;
          // To and fro, so that each point neighbours the last.
          for (int z = 0; z < layers_; ++z)
            for (int row = 0; row < kNodes; ++row) {
              const int y = z % 2 == 0 ? row : kFieldBlock - row;
              for (int step = 0; step < kNodes; ++step) {
                const int x = (z * kNodes + row) % 2 == 0 ? step : kFieldBlock - step;
                const Vec3d p = origin + Vec3d{{double(x), double(y), double(z)}} * data_.spacing;
                out[x + kNodes * (y + kNodes * z)] = static_cast<float>(probe(p));
              }
            }
        }
      });
}

bool FieldBuilder::coarse_neighbour(const Index& block, const int* offset) const {
  std::size_t index = 0, scale = 1;
  for (int i = 0; i < data_.dimension; ++i) {
    const int at = block.i[i] + offset[i];
    if (at < 0 || at >= extent(i)) return false;
    index += scale * at;
    scale *= extent(i);
  }
  return data_.slots[index] < 0;
}

// On a face or edge only the corners of that face or edge count: the same as seen from any block
// that shares it.
float FieldBuilder::between_corners(const Index& block, const Index& sample) const {
  const std::int64_t nx = extent(0) + 1, ny = extent(1) + 1;
  const std::int64_t stride[3] = {1, nx, nx * ny};
  double f[3];
  for (int i = 0; i < 3; ++i) f[i] = double(sample.i[i]) / kFieldBlock;
  return static_cast<float>(
      detail::interpolate(&data_.corners[corner_at(block)], stride, f, data_.dimension).distance);
}

void FieldBuilder::join(std::size_t slot) {
  const Index block = block_at(owners_[slot]);
  bool coarse[27] = {}, any = false;
  for (int k = 0; k < (data_.dimension == 3 ? 27 : 9); ++k) {
    const int offset[3] = {k % 3 - 1, k / 3 % 3 - 1, data_.dimension == 3 ? k / 9 - 1 : 0};
    coarse[k] = coarse_neighbour(block, offset);
    any |= coarse[k];
  }
  if (!any) return;
  const auto sides = [](int x) { return x == 0 ? -1 : (x == kFieldBlock ? 1 : 0); };
  for (int n = 0; n < stride_; ++n) {
    const Index sample{{n % kNodes, n / kNodes % kNodes, n / (kNodes * kNodes)}};
    int side[3] = {0, 0, 0};
    for (int i = 0; i < data_.dimension; ++i) side[i] = sides(sample.i[i]);
    // The blocks that share this sample: any choice of the sides that it lies on.
    bool touches = false;
    for (int choice = 1; choice < 8; ++choice) {
      int code = 0, scale = 1;
      for (int i = 0; i < data_.dimension; ++i, scale *= 3)
        code += scale * ((choice >> i & 1 ? side[i] : 0) + 1);
      touches |= coarse[code];
    }
    if (touches) data_.samples[slot * stride_ + n] = between_corners(block, sample);
  }
}

void FieldBuilder::join_blocks() {
  parallel_for("field_join", std::int64_t(owners_.size()), 16,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t slot = begin; slot < end; ++slot) join(slot);
               });
}

void FieldBuilder::measure() {
  std::vector<Measure> parts(owners_.size());
  parallel_for(
      "field_measure", std::int64_t(owners_.size()), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t slot = begin; slot < end; ++slot)
          parts[slot] = measure_block(data_.samples.data() + slot * stride_, data_.dimension);
      });
  double cells = 0;
  for (std::size_t b = 0; b < block_count(); ++b)
    if (data_.slots[b] < 0 && data_.corners[corner_at(block_at(b))] < 0)
      cells += std::pow(kFieldBlock, data_.dimension);
  bool any = false;
  for (std::size_t slot = 0; slot < parts.size(); ++slot) {
    cells += parts[slot].cells;
    if (!parts[slot].any) continue;
    const Vec3d origin = block_origin(block_at(owners_[slot]));
    for (int i = 0; i < data_.dimension; ++i) {
      const double low = origin[i] + data_.spacing * parts[slot].low[i];
      const double high = origin[i] + data_.spacing * parts[slot].high[i];
      data_.solid.low[i] = any ? std::min(data_.solid.low[i], low) : low;
      data_.solid.high[i] = any ? std::max(data_.solid.high[i], high) : high;
    }
    any = true;
  }
  data_.volume = cells * std::pow(data_.spacing, data_.dimension);
}

Result<DistanceField> build_distance_field(int dimension, const Bounds& bounds, double spacing,
                                           const std::function<double(const Vec3d&)>& distance) {
  return build_distance_field(dimension, bounds, spacing, [&] { return DistanceProbe(distance); });
}

Result<DistanceField> build_distance_field(int dimension, const Bounds& bounds, double spacing,
                                           const std::function<DistanceProbe()>& make_probe) {
  FieldBuilder builder(dimension, make_probe);
  std::string fault = builder.lay_out(bounds, spacing);
  if (!fault.empty()) return Result<DistanceField>::failure(fault);
  builder.sample_corners();
  fault = builder.choose_blocks();
  if (!fault.empty()) return Result<DistanceField>::failure(fault);
  builder.sample_blocks();
  builder.join_blocks();
  builder.measure();
  return DistanceField::from_data(builder.take());
}

}  // namespace firn

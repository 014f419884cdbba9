#include "render/visibility.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "exec/buffer.h"
#include "exec/parallel.h"

namespace firn {

namespace {

constexpr int kTile = 64;                          // a tile's depths and ids stay in cache
constexpr std::int64_t kMostEntries = 48'000'000;  // limits the memory of the bins
constexpr float kPixelSized = 0.5f;                // radius in pixels below which area is chance

struct TileGrid {
  int columns, rows;
  explicit TileGrid(const VisibilityBuffer& b)
      : columns((b.width + kTile - 1) / kTile), rows((b.height + kTile - 1) / kTile) {}
  int count() const { return columns * rows; }
};

struct TileRange {
  int x0, y0, x1, y1;  // inclusive; empty when x1 < x0
};

struct BinnedSplat {
  Spot spot;
  float radius;  // m
  std::uint32_t id;
};

// A well mixed number in [0, 1) for a point, the same in every frame.
float chance(std::uint32_t id) {
  std::uint32_t h = id * 0x9e3779b9u;
  h ^= h >> 15;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  return static_cast<float>(h >> 8) * 0x1p-24f;
}

class Binner {
 public:
  Binner(const std::vector<Point>& points, const Projection& projection,
         const VisibilityBuffer& buffer)
      : points_(points), projection_(projection), tiles_(buffer), buffer_(buffer) {
    const auto n = static_cast<std::int64_t>(points.size());
    chunk_size_ = std::max<std::int64_t>(16384, (n + 255) / 256);
    chunks_ = (n + chunk_size_ - 1) / chunk_size_;
  }

  void run() {
    // A camera inside the particles sees spheres as large as the picture: shrink those until the
    // bins fit.
    while (count() > kMostEntries && largest_radius_ > 2) largest_radius_ *= 0.5f;
    entries_.resize(static_cast<std::size_t>(offsets_.back()));
    scatter();
  }
  // The splats of a tile by increasing point index.
  std::span<const BinnedSplat> of(int tile) const {
    const auto begin = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(tile * chunks_)]);
    const auto end =
        static_cast<std::size_t>(offsets_[static_cast<std::size_t>((tile + 1) * chunks_)]);
    return {entries_.data() + begin, end - begin};
  }
  const TileGrid& tiles() const { return tiles_; }

 private:
  // Points are projected some at a time, in loops without branches that the compiler can spread
  // over lanes.
  static constexpr int kBatch = 128;
  struct Batch {
    float x[kBatch], y[kBatch], depth[kBatch], radius[kBatch];
  };
  template <bool kPerspective>
  void project(const Point* points, int count, Batch& batch) const {
    const Projection& p = projection_;
    const float half_width = 0.5f * static_cast<float>(p.width);
    const float half_height = 0.5f * static_cast<float>(p.height);
    for (int k = 0; k < count; ++k) {
      const float dx = points[k].position[0] - p.eye[0], dy = points[k].position[1] - p.eye[1],
                  dz = points[k].position[2] - p.eye[2], r = points[k].radius;
      const float depth = dx * p.forward[0] + dy * p.forward[1] + dz * p.forward[2];
      float scale = p.scale, wide = p.scale;
      if constexpr (kPerspective) {
        scale = p.scale / depth;
        const float inner = depth * depth - r * r;
        wide = p.scale / std::sqrt(inner > 1e-30f ? inner : 1e-30f);
      }
      batch.x[k] = half_width + (dx * p.right[0] + dy * p.right[1] + dz * p.right[2]) * scale;
      batch.y[k] = half_height - (dx * p.up[0] + dy * p.up[1] + dz * p.up[2]) * scale;
      batch.depth[k] = depth;
      const float pixels = r * wide;
      batch.radius[k] = pixels < largest_radius_ ? pixels : largest_radius_;
    }
  }

  // False when the point is not drawn.
  bool place(const Batch& batch, int k, std::int64_t i, BinnedSplat& splat,
             TileRange& range) const {
    const Point& point = points_[static_cast<std::size_t>(i)];
    splat.spot = {batch.x[k], batch.y[k], batch.depth[k], batch.radius[k]};
    splat.radius = point.radius;
    splat.id = static_cast<std::uint32_t>(i);
    const Spot& spot = splat.spot;
    const float nearest = projection_.perspective ? 1.01f * point.radius : -kFar;
    if (!(spot.depth > nearest)) return false;
    float reach = spot.radius;
    if (reach < kPixelSized) {
      const float area = static_cast<float>(kPi) * reach * reach;
      if (chance(splat.id) >= std::max(area, 0.1f)) return false;
      reach = 0;
    }
    const auto width = static_cast<float>(buffer_.width),
               height = static_cast<float>(buffer_.height);
    // Also false for coordinates that are not numbers.
    if (!(spot.x + reach > 0 && spot.y + reach > 0 && spot.x - reach < width &&
          spot.y - reach < height))
      return false;
    range = {tile_of(spot.x - reach, tiles_.columns), tile_of(spot.y - reach, tiles_.rows),
             tile_of(spot.x + reach, tiles_.columns), tile_of(spot.y + reach, tiles_.rows)};
    return true;
  }
  static int tile_of(float pixel, int tiles) {
    return std::clamp(static_cast<int>(std::max(pixel, 0.0f)) / kTile, 0, tiles - 1);
  }

  template <class F>
  void for_each_entry(std::int64_t chunk, F&& visit) const {
    const std::int64_t first = chunk * chunk_size_;
    const std::int64_t last =
        std::min(first + chunk_size_, static_cast<std::int64_t>(points_.size()));
    BinnedSplat splat;
    TileRange range;
    Batch batch;
    for (std::int64_t start = first; start < last; start += kBatch) {
      const int count = static_cast<int>(std::min<std::int64_t>(kBatch, last - start));
      const Point* points = points_.data() + start;
      projection_.perspective ? project<true>(points, count, batch)
                              : project<false>(points, count, batch);
      for (int k = 0; k < count; ++k) {
        if (!place(batch, k, start + k, splat, range)) continue;
        for (int y = range.y0; y <= range.y1; ++y)
          for (int x = range.x0; x <= range.x1; ++x) visit(y * tiles_.columns + x, splat);
      }
    }
  }

  // Entries by tile, then by chunk; offsets_ becomes their running sum. Returns the total.
  std::int64_t count() {
    offsets_.assign(static_cast<std::size_t>(tiles_.count() * chunks_ + 1), 0);
    parallel_for("count splats", chunks_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t chunk = begin; chunk < end; ++chunk)
        for_each_entry(chunk, [&](int tile, const BinnedSplat&) { ++slot(tile, chunk); });
    });
    std::int64_t sum = 0;
    for (std::int64_t& offset : offsets_) sum += std::exchange(offset, sum);
    return sum;
  }

  void scatter() {
    parallel_for("bin splats", chunks_, 1, [&](std::int64_t begin, std::int64_t end) {
      std::vector<std::int64_t> next(static_cast<std::size_t>(tiles_.count()));
      for (std::int64_t chunk = begin; chunk < end; ++chunk) {
        for (int tile = 0; tile < tiles_.count(); ++tile)
          next[static_cast<std::size_t>(tile)] = slot(tile, chunk);
        for_each_entry(chunk, [&](int tile, const BinnedSplat& splat) {
          entries_[static_cast<std::size_t>(next[static_cast<std::size_t>(tile)]++)] = splat;
        });
      }
    });
  }

  std::int64_t& slot(int tile, std::int64_t chunk) {
    return offsets_[static_cast<std::size_t>(tile * chunks_ + chunk)];
  }

  const std::vector<Point>& points_;
  const Projection& projection_;
  TileGrid tiles_;
  const VisibilityBuffer& buffer_;
  std::int64_t chunk_size_, chunks_;
  float largest_radius_ = 4096;
  std::vector<std::int64_t> offsets_;
  Buffer<BinnedSplat> entries_;  // the threads that fill it touch its memory first
};

struct PixelRect {
  int x0, y0, x1, y1;  // half open
};

// Draws the splats of one tile, roughly from front to back, so that most of what lies inside a
// body is found hidden by a look at a few block depths.
class TilePainter {
 public:
  TilePainter(const PixelRect& rect, VisibilityBuffer& buffer) : rect_(rect), buffer_(buffer) {}

  void draw(std::span<const BinnedSplat> splats) {
    update_blocks();
    if (splats.size() < kWorthSorting) {
      for (const BinnedSplat& splat : splats) draw(splat);
      return;
    }
    sort_by_depth(splats);
    std::size_t drawn = 0, i = 0;
    for (int bucket = 0; bucket < kBuckets; ++bucket) {
      // Once the tile is full, nothing behind all of it is looked at.
      if (bucket_front(bucket) > tile_farthest_) break;
      for (; i < end_[static_cast<std::size_t>(bucket)]; ++i) {
        drawn += draw(splats[order_[i]]);
        if (drawn < kWorthSorting) continue;
        update_blocks();
        drawn = 0;
      }
    }
  }

 private:
  static constexpr std::size_t kWorthSorting = 128;
  static constexpr int kBuckets = 64;
  static constexpr int kBlock = 8;
  static constexpr int kBlocks = kTile / kBlock;

  // A stable sort into slices of depth: the order depends on the splats alone.
  void sort_by_depth(std::span<const BinnedSplat> splats) {
    float nearest = kFar, farthest = -kFar;
    largest_ = 0;
    for (const BinnedSplat& splat : splats) {
      nearest = std::min(nearest, splat.spot.depth);
      farthest = std::max(farthest, splat.spot.depth);
      largest_ = std::max(largest_, splat.radius);
    }
    nearest_ = nearest;
    scale_ = (kBuckets - 1) / std::max(farthest - nearest, 1e-30f);
    order_.resize(splats.size());
    bucket_.resize(splats.size());
    std::array<std::uint32_t, kBuckets> start{};
    for (std::size_t i = 0; i < splats.size(); ++i) {
      bucket_[i] = static_cast<std::uint8_t>((splats[i].spot.depth - nearest) * scale_);
      ++start[bucket_[i]];
    }
    std::uint32_t sum = 0;
    for (std::uint32_t& s : start) sum += std::exchange(s, sum);
    for (std::size_t i = 0; i < splats.size(); ++i)
      order_[start[bucket_[i]]++] = static_cast<std::uint32_t>(i);
    end_ = start;
  }

  // No splat of the bucket or of those behind it comes nearer; a little less, for rounding.
  float bucket_front(int bucket) const {
    return nearest_ + (static_cast<float>(bucket) - 0.01f) / scale_ - largest_;
  }

  // The farthest depth in each block of pixels.
  void update_blocks() {
    tile_farthest_ = -kFar;
    for (int y = rect_.y0; y < rect_.y1; y += kBlock)
      for (int x = rect_.x0; x < rect_.x1; x += kBlock) {
        float farthest = -kFar;
        for (int j = y; j < std::min(y + kBlock, rect_.y1); ++j) {
          const float* depth = &buffer_.depth[buffer_.index(0, j)];
          for (int i = x; i < std::min(x + kBlock, rect_.x1); ++i)
            farthest = std::max(farthest, depth[i]);
        }
        farthest_[(y - rect_.y0) / kBlock][(x - rect_.x0) / kBlock] = farthest;
        tile_farthest_ = std::max(tile_farthest_, farthest);
      }
  }

  bool hidden(float front, int x0, int y0, int x1, int y1) const {
    for (int y = (y0 - rect_.y0) / kBlock; y <= (y1 - rect_.y0) / kBlock; ++y)
      for (int x = (x0 - rect_.x0) / kBlock; x <= (x1 - rect_.x0) / kBlock; ++x)
        if (front < farthest_[y][x]) return false;
    return true;
  }

  // Whether any of it may have been seen.
  bool draw(const BinnedSplat& splat) {
    return splat.spot.radius < kPixelSized ? draw_pixel(splat) : draw_sphere(splat);
  }

  bool draw_pixel(const BinnedSplat& splat) {
    const std::size_t at =
        buffer_.index(static_cast<int>(splat.spot.x), static_cast<int>(splat.spot.y));
    if (splat.spot.depth >= buffer_.depth[at]) return false;
    buffer_.depth[at] = splat.spot.depth;
    buffer_.id[at] = splat.id;
    return true;
  }

  bool draw_sphere(const BinnedSplat& splat) {
    const Spot& spot = splat.spot;
    // Pixel centres lie at half integers.
    const auto first = [&](float c) { return static_cast<int>(std::ceil(c - spot.radius - 0.5f)); };
    const auto last = [&](float c) { return static_cast<int>(std::floor(c + spot.radius - 0.5f)); };
    const int x0 = std::max(rect_.x0, first(spot.x)), x1 = std::min(rect_.x1 - 1, last(spot.x));
    const int y0 = std::max(rect_.y0, first(spot.y)), y1 = std::min(rect_.y1 - 1, last(spot.y));
    if (x1 < x0 || y1 < y0 || hidden(spot.depth - splat.radius, x0, y0, x1, y1)) return false;
    const float r2 = spot.radius * spot.radius, height = splat.radius / spot.radius;
    for (int y = y0; y <= y1; ++y) {
      const float dy = static_cast<float>(y) + 0.5f - spot.y;
      const float row2 = r2 - dy * dy;
      float* depth = &buffer_.depth[buffer_.index(0, y)];
      std::uint32_t* id = &buffer_.id[buffer_.index(0, y)];
      for (int x = x0; x <= x1; ++x) {
        const float dx = static_cast<float>(x) + 0.5f - spot.x;
        const float left = row2 - dx * dx;
        if (left < 0) continue;
        const float z = spot.depth - height * std::sqrt(left);
        if (z < depth[x]) {
          depth[x] = z;
          id[x] = splat.id;
        }
      }
    }
    return true;
  }

  PixelRect rect_;
  VisibilityBuffer& buffer_;
  float farthest_[kBlocks][kBlocks];
  float tile_farthest_ = kFar;
  float nearest_ = 0, scale_ = 1, largest_ = 0;  // of the splats; largest in m
  std::vector<std::uint32_t> order_;
  std::vector<std::uint8_t> bucket_;
  std::array<std::uint32_t, kBuckets> end_{};  // of each bucket in the order
};

}  // namespace

void splat_points(const std::vector<Point>& points, const Projection& projection,
                  VisibilityBuffer& buffer) {
  if (points.empty()) return;
  Binner bins(points, projection, buffer);
  bins.run();
  parallel_for("draw splats", bins.tiles().count(), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t t = begin; t < end; ++t) {
      const int tile = static_cast<int>(t), column = tile % bins.tiles().columns,
                row = tile / bins.tiles().columns;
      const PixelRect rect{column * kTile, row * kTile,
                           std::min((column + 1) * kTile, buffer.width),
                           std::min((row + 1) * kTile, buffer.height)};
      if (!bins.of(tile).empty()) TilePainter(rect, buffer).draw(bins.of(tile));
    }
  });
}

}  // namespace firn

#include "geometry/bitmap_contour.h"

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

constexpr std::size_t kMostSegments = 20'000'000;
// Cells between pixel centres that the contour crosses are cut this fine, so that chords follow
// the bilinear contour to a hundredth of a pixel.
constexpr int kChords = 4;

// The k-th line through pixel centres, the edges of the picture being the first and the last.
double grid_line(int k, int pixels) {
  return k == 0 ? 0 : (k > pixels ? pixels : k - 0.5);
}

Vec2d crossing(const Vec2d& a, double level_a, const Vec2d& b, double level_b) {
  return a + (b - a) * (level_a / (level_a - level_b));
}

}  // namespace

PixelLevels::PixelLevels(const GrayImage& image, const BitmapRegion& region)
    : width_(image.width),
      height_(image.height),
      filter_(region.filter),
      level_(image.value.size()) {
  const double sign = region.inverted ? -1 : 1;
  for (std::size_t i = 0; i < level_.size(); ++i) {
    const double level = sign * (image.value[i] - region.threshold);
    level_[i] = std::isfinite(level) ? static_cast<float>(std::clamp(level, -1e6, 1e6)) : -1.0f;
  }
}

bool PixelLevels::any_inside() const {
  return std::any_of(level_.begin(), level_.end(), [](float level) { return level > 0; });
}

bool PixelLevels::contains(const Vec2d& p) const {
  if (!(p[0] >= 0 && p[0] <= width_ && p[1] >= 0 && p[1] <= height_)) return false;
  if (filter_ == PixelFilter::bilinear) return smooth(p) > 0;
  const int x = std::min(static_cast<int>(p[0]), width_ - 1);
  const int y = std::min(static_cast<int>(p[1]), height_ - 1);
  return at(x, y) > 0;
}

double PixelLevels::smooth(const Vec2d& p) const {
  const double x = std::clamp(p[0] - 0.5, 0.0, width_ - 1.0);
  const double y = std::clamp(p[1] - 0.5, 0.0, height_ - 1.0);
  const int i = static_cast<int>(x), j = static_cast<int>(y);
  const int i1 = std::min(i + 1, width_ - 1), j1 = std::min(j + 1, height_ - 1);
  const double u = x - i, v = y - j;
  return (1 - v) * ((1 - u) * at(i, j) + u * at(i1, j)) +
         v * ((1 - u) * at(i, j1) + u * at(i1, j1));
}

std::optional<std::vector<Segment>> PixelLevels::contour() const {
  std::vector<Segment> out;
  if (filter_ == PixelFilter::nearest) {
    add_pixel_edges(out);
  } else {
    add_smooth_contour(out);
    add_picture_edges(out);
  }
  if (out.size() > kMostSegments) return std::nullopt;
  return out;
}

// Edges between a pixel inside and one outside, straight runs as one.
void PixelLevels::add_pixel_edges(std::vector<Segment>& out) const {
  const auto inside = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < width_ && y < height_ && at(x, y) > 0;
  };
  const auto add_runs = [&](int lines, int length, auto&& side, auto&& segment) {
    for (int line = 0; line <= lines; ++line)
      for (int i = 0, end = 0; i < length && out.size() <= kMostSegments; i = end) {
        end = i + 1;
        const int here = side(line, i);
        while (end < length && side(line, end) == here) ++end;
        if (here != 0) out.push_back(segment(double(line), double(i), double(end)));
      }
  };
  add_runs(
      height_, width_, [&](int y, int x) { return inside(x, y) - inside(x, y - 1); },
      [](double y, double a, double b) {
        return Segment{{{a, y}}, {{b, y}}};
      });
  add_runs(
      width_, height_, [&](int x, int y) { return inside(x, y) - inside(x - 1, y); },
      [](double x, double a, double b) {
        return Segment{{{x, a}}, {{x, b}}};
      });
}

void PixelLevels::add_smooth_contour(std::vector<Segment>& out) const {
  for (int j = 0; j <= height_; ++j)
    for (int i = 0; i <= width_ && out.size() <= kMostSegments; ++i) {
      const int x0 = std::max(i - 1, 0), x1 = std::min(i, width_ - 1);
      const int y0 = std::max(j - 1, 0), y1 = std::min(j, height_ - 1);
      const int inside = (at(x0, y0) > 0) + (at(x1, y0) > 0) + (at(x0, y1) > 0) + (at(x1, y1) > 0);
      if (inside == 0 || inside == 4) continue;
      const Vec2d low{{grid_line(i, width_), grid_line(j, height_)}};
      const Vec2d high{{grid_line(i + 1, width_), grid_line(j + 1, height_)}};
      const Vec2d step = (high - low) / double(kChords);
      for (int k = 0; k < kChords * kChords; ++k) {
        const double x = k % kChords, y = k / kChords;
        const Vec2d corner{{low[0] + x * step[0], low[1] + y * step[1]}};
        add_cell(corner, corner + step, out);
      }
    }
}

// Marching squares; the level in the middle decides between the two ways of a saddle.
void PixelLevels::add_cell(const Vec2d& low, const Vec2d& high, std::vector<Segment>& out) const {
  const Vec2d corner[4] = {low, {{high[0], low[1]}}, high, {{low[0], high[1]}}};
  double level[4];
  for (int k = 0; k < 4; ++k) level[k] = smooth(corner[k]);
  Vec2d cut[4];
  int count = 0;
  for (int k = 0; k < 4; ++k) {
    const int next = (k + 1) % 4;
    if ((level[k] > 0) != (level[next] > 0))
      cut[count++] = crossing(corner[k], level[k], corner[next], level[next]);
  }
  if (count == 2) out.push_back({cut[0], cut[1]});
  if (count == 4) {
    const bool joined = (smooth((low + high) * 0.5) > 0) == (level[0] > 0);
    out.push_back(joined ? Segment{cut[0], cut[1]} : Segment{cut[3], cut[0]});
    out.push_back(joined ? Segment{cut[2], cut[3]} : Segment{cut[1], cut[2]});
  }
}

// Where the region meets the edge of the picture.
void PixelLevels::add_picture_edges(std::vector<Segment>& out) const {
  const auto add_line = [&](int pixels, auto&& point) {
    for (int k = 0; k <= pixels && out.size() <= kMostSegments; ++k) {
      const Vec2d a = point(grid_line(k, pixels)), b = point(grid_line(k + 1, pixels));
      const double level_a = smooth(a), level_b = smooth(b);
      if (level_a > 0 && level_b > 0) out.push_back({a, b});
      if ((level_a > 0) != (level_b > 0))
        out.push_back({level_a > 0 ? a : b, crossing(a, level_a, b, level_b)});
    }
  };
  for (const double y : {0.0, double(height_)})
    add_line(width_, [y](double x) { return Vec2d{{x, y}}; });
  for (const double x : {0.0, double(width_)})
    add_line(height_, [x](double y) { return Vec2d{{x, y}}; });
}

}  // namespace firn

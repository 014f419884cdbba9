#include "render/outline.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace firn {

namespace {

constexpr Rgb8 kLineColor{88, 96, 108};
constexpr float kOpacity = 0.55f;
constexpr Rgb8 kMouthColor{32, 140, 90};
constexpr Rgb8 kSinkColor{200, 62, 50};
constexpr float kMarkOpacity = 0.85f;
constexpr float kHiddenShare = 0.35f;  // how much of a mark shines through what hides it

// How lines look.
struct Pen {
  Rgb8 color;
  float opacity;
  float hidden_share;  // of the opacity, behind things
};

class LinePainter {
 public:
  LinePainter(const Projection& projection, const VisibilityBuffer& buffer, int supersampling,
              Image& image)
      : projection_(projection), buffer_(buffer), n_(supersampling), image_(image) {
    width_ = std::max(1.1f, static_cast<float>(image.height) / 700.0f);
  }

  void draw_edges(const Shape& shape, const Vec3d& origin, const Pen& pen) {
    pen_ = pen;
    for (const OutlineEdge& edge : outline_edges(shape))
      draw((from_shape_frame(shape, edge.from) - origin).cast<float>(),
           (from_shape_frame(shape, edge.to) - origin).cast<float>());
  }

 private:
  void draw(Vec3f a, Vec3f b) {
    if (projection_.perspective && !clip_near(a, b)) return;
    const Spot from = projection_.project(a, 0), to = projection_.project(b, 0);
    const float scale = 1.0f / static_cast<float>(n_);
    const float ax = from.x * scale, ay = from.y * scale;
    const float dx = to.x * scale - ax, dy = to.y * scale - ay;
    const bool flat = std::abs(dx) >= std::abs(dy);  // steps along x, else along y
    const float length = flat ? dx : dy;
    if (std::abs(length) < 1e-3f) return;
    const auto size = static_cast<float>(flat ? image_.width : image_.height);
    const float start = flat ? ax : ay;
    const int first = static_cast<int>(std::clamp(std::min(start, start + length), 0.0f, size));
    const int last = static_cast<int>(std::clamp(std::max(start, start + length), 0.0f, size));
    // Distance from the line measured across the steps, times this, is the true distance.
    const float across = std::abs(length) / std::sqrt(dx * dx + dy * dy);
    for (int i = first; i < last; ++i) {
      const float t = (static_cast<float>(i) + 0.5f - start) / length;
      if (t < 0 || t > 1) continue;
      const float middle = flat ? ay + t * dy : ax + t * dx;
      if (std::abs(middle) < 1e6f)
        paint_across(i, middle, across, flat, depth_between(from.depth, to.depth, t));
    }
  }

  // Straight lines stay straight in the picture, but depth runs with the reciprocal.
  float depth_between(float a, float b, float t) const {
    return projection_.perspective ? 1 / ((1 - t) / a + t / b) : (1 - t) * a + t * b;
  }

  bool clip_near(Vec3f& a, Vec3f& b) const {
    float da = dot(a - projection_.eye, projection_.forward);
    float db = dot(b - projection_.eye, projection_.forward);
    const float nearest = 1e-3f * std::max(std::abs(da), std::abs(db));
    if (da < db) std::swap(a, b), std::swap(da, db);
    if (da <= nearest) return false;
    if (db < nearest) b = a + (b - a) * ((da - nearest) / (da - db));
    return true;
  }

  void paint_across(int i, float middle, float across, bool flat, float depth) {
    const int reach = 2 + static_cast<int>(width_);
    for (int k = -reach; k <= reach; ++k) {
      const int j = static_cast<int>(std::floor(middle)) + k;
      const int x = flat ? i : j, y = flat ? j : i;
      if (x < 0 || y < 0 || x >= image_.width || y >= image_.height) continue;
      const float distance = std::abs(static_cast<float>(j) + 0.5f - middle) * across;
      const float cover = std::clamp(0.5f * width_ + 0.5f - distance, 0.0f, 1.0f);
      if (cover > 0) blend(x, y, pen_.opacity * cover * shown(x, y, depth));
    }
  }

  // How much of the line is seen, by the pixel's samples that lie behind it.
  float shown(int x, int y, float depth) const {
    int behind = 0;
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        behind += buffer_.depth[buffer_.index(x * n_ + i, y * n_ + j)] > 0.998f * depth;
    const float share = static_cast<float>(behind) / static_cast<float>(n_ * n_);
    return share + (1 - share) * pen_.hidden_share;
  }

  void blend(int x, int y, float alpha) {
    std::uint8_t* to = image_.pixel(x, y);
    const float color[3] = {float(pen_.color.r), float(pen_.color.g), float(pen_.color.b)};
    for (int k = 0; k < 3; ++k)
      to[k] = static_cast<std::uint8_t>(std::lround(to[k] + alpha * (color[k] - to[k])));
  }

  const Projection& projection_;
  const VisibilityBuffer& buffer_;
  int n_;
  Image& image_;
  float width_;  // pixels
  Pen pen_{};
};

// The shape whose edges stand for a region.
Shape marked_shape(Shape shape) {
  shape.inside = false;
  if (!is_bounded(shape) || !outline_edges(shape).empty()) return shape;
  const Bounds box = bounding_box(shape);
  Shape around;
  around.center = (box.low + box.high) * 0.5;
  around.size = (box.high - box.low) * 0.5;
  return around;
}

}  // namespace

std::vector<RegionMark> region_marks(const SceneSettings& scene) {
  const int dimension = static_cast<int>(scene.dimension);
  std::vector<RegionMark> marks;
  for (const EmitterSettings& emitter : scene.emitters)
    marks.push_back({placed(emitter.shape, dimension), kMouthColor});
  for (const SinkSettings& sink : scene.sinks)
    marks.push_back({placed(sink.shape, dimension), kSinkColor});
  return marks;
}

std::vector<OutlineEdge> outline_edges(const Shape& shape) {
  std::vector<OutlineEdge> edges;
  const auto add_circle = [&](double radius, double height) {
    constexpr int kPieces = 96;
    const auto at = [&](int i) {
      const double angle = 2 * kPi * i / kPieces;
      return Vec3d{{radius * std::cos(angle), height, radius * std::sin(angle)}};
    };
    for (int i = 0; i < kPieces; ++i) edges.push_back({at(i), at(i + 1)});
  };
  if (shape.kind == ShapeKind::ball) add_circle(shape.size[0], 0);
  if (shape.kind == ShapeKind::cylinder)
    for (const double side : {-1.0, 1.0}) add_circle(shape.size[0], side * shape.size[1]);
  if (shape.kind == ShapeKind::box)
    for (int corner = 0; corner < 8; ++corner)
      for (int axis = 0; axis < 3; ++axis) {
        if (corner >> axis & 1) continue;
        Vec3d a;
        for (int k = 0; k < 3; ++k) a[k] = (corner >> k & 1) ? shape.size[k] : -shape.size[k];
        Vec3d b = a;
        b[axis] = -a[axis];
        edges.push_back({a, b});
      }
  return edges;
}

void draw_outlines(const std::vector<Shape>& colliders, const Vec3d& origin,
                   const Projection& projection, const VisibilityBuffer& buffer, int supersampling,
                   Image& image) {
  LinePainter painter(projection, buffer, supersampling, image);
  for (const Shape& shape : colliders) {
    if (!shape.inside || shape.kind == ShapeKind::plane) continue;
    painter.draw_edges(shape, origin, {kLineColor, kOpacity, 0});
  }
}

void draw_marks(const std::vector<RegionMark>& marks, const Vec3d& origin,
                const Projection& projection, const VisibilityBuffer& buffer, int supersampling,
                Image& image) {
  LinePainter painter(projection, buffer, supersampling, image);
  for (const RegionMark& mark : marks)
    painter.draw_edges(marked_shape(mark.shape), origin, {mark.color, kMarkOpacity, kHiddenShare});
}

}  // namespace firn

// The boundary of a region of pixels as segments. Lengths in pixels from the top left corner, y
// downwards.
#pragma once

#include <optional>
#include <vector>

#include "geometry/bitmap_field.h"

namespace firn {

struct Segment {
  Vec2d a, b;
};

// How far a picture is above the threshold: positive inside.
class PixelLevels {
 public:
  PixelLevels(const GrayImage& image, const BitmapRegion& region);

  int width() const { return width_; }
  int height() const { return height_; }
  float at(int x, int y) const { return level_[std::size_t(y) * width_ + x]; }
  bool any_inside() const;

  bool contains(const Vec2d& p) const;
  // Between pixel centres; the outermost pixels go on to the edge of the picture.
  double smooth(const Vec2d& p) const;

  // Nothing when there are more segments than a tree may hold.
  std::optional<std::vector<Segment>> contour() const;

 private:
  void add_pixel_edges(std::vector<Segment>& out) const;
  void add_smooth_contour(std::vector<Segment>& out) const;
  void add_cell(const Vec2d& low, const Vec2d& high, std::vector<Segment>& out) const;
  void add_picture_edges(std::vector<Segment>& out) const;

  int width_, height_;
  PixelFilter filter_;
  std::vector<float> level_;
};

}  // namespace firn

#include "render/legend.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "render/font.h"

namespace firn {

namespace {

// Three significant digits, in the shorter of plain and exponent form.
std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value == 0 ? 0.0 : value);
  return text;
}

class LegendPainter {
 public:
  explicit LegendPainter(Image& image) : image_(image) {
    scale_ = std::max(1, image.height / 360);
    margin_ = 8 * scale_;
    // The corner decides whether dark or light text can be read.
    const std::uint8_t* p =
        image.pixel(std::min(margin_, image.width - 1), std::max(image.height - 1 - margin_, 0));
    const bool dark = 2 * p[0] + 5 * p[1] + p[2] < 8 * 110;
    ink_ = dark ? Rgb8{235, 235, 235} : Rgb8{50, 54, 60};
  }

  void scale_bar(const Legend& legend) {
    const int bar_height = 70 * scale_, bar_width = 9 * scale_;
    const int bottom = image_.height - margin_, top = bottom - bar_height;
    for (int y = top; y < bottom; ++y) {
      const float t = static_cast<float>(bottom - 1 - y) / static_cast<float>(bar_height - 1);
      row(margin_, y, bar_width, scale_color(t, legend.map));
    }
    const int text_x = margin_ + bar_width + 4 * scale_;
    const auto label = [&](double share, int y) {
      draw_text(image_, text_x, y, short_number(legend.low + share * (legend.high - legend.low)),
                ink_, scale_);
    };
    label(1, top);
    label(0.5, (top + bottom - kGlyphHeight * scale_) / 2);
    label(0, bottom - kGlyphHeight * scale_);
    draw_text(image_, margin_, top - (kGlyphHeight + 5) * scale_, legend.title, ink_, scale_);
  }

  void swatches(const Legend& legend) {
    const int line = (kGlyphHeight + 4) * scale_, size = kGlyphHeight * scale_;
    int y = image_.height - margin_ - line * static_cast<int>(legend.entries.size());
    draw_text(image_, margin_, y - line, legend.title, ink_, scale_);
    for (const Legend::Entry& entry : legend.entries) {
      for (int k = 0; k < size; ++k) row(margin_, y + k, size, entry.color);
      draw_text(image_, margin_ + size + 4 * scale_, y, entry.label, ink_, scale_);
      y += line;
    }
  }

 private:
  void row(int x0, int y, int width, Rgb8 color) {
    if (y < 0 || y >= image_.height) return;
    for (int x = x0; x < std::min(x0 + width, image_.width); ++x) {
      std::uint8_t* to = image_.pixel(x, y);
      to[0] = color.r, to[1] = color.g, to[2] = color.b;
    }
  }

  Image& image_;
  int scale_, margin_;
  Rgb8 ink_;
};

}  // namespace

void draw_legend(Image& image, const Legend& legend) {
  if (image.width <= 0 || image.height <= 0) return;
  LegendPainter painter(image);
  if (legend.entries.empty())
    painter.scale_bar(legend);
  else
    painter.swatches(legend);
}

std::string title_with_unit(const std::string& quantity) {
  static constexpr const char* kUnits[][2] = {{"speed", "m/s"},
                                              {"velocity", "m/s"},
                                              {"vx", "m/s"},
                                              {"vy", "m/s"},
                                              {"vz", "m/s"},
                                              {"pressure", "Pa"},
                                              {"stress_max", "Pa"},
                                              {"stress_mid", "Pa"},
                                              {"stress_min", "Pa"},
                                              {"density", "kg/m^3"},
                                              {"mass", "kg"},
                                              {"volume", "m^3"},
                                              {"pressure_gradient", "Pa/m"}};
  // A component, or its absolute value, has the unit of its vector.
  std::string vector = quantity;
  if (vector.starts_with("abs_")) vector.erase(0, 4);
  if (vector.ends_with("_x") || vector.ends_with("_y") || vector.ends_with("_z"))
    vector.resize(vector.size() - 2);
  for (const auto& [name, unit] : kUnits)
    if (vector == name) return quantity + " (" + unit + ")";
  return quantity;
}

}  // namespace firn

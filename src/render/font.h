// A built-in 5 x 7 pixel font (printable ASCII that labels need), so that legends depend on
// nothing.
#pragma once

#include <string_view>

#include "base/image.h"
#include "render/color.h"

namespace firn {

constexpr int kGlyphWidth = 5;
constexpr int kGlyphHeight = 7;

int text_width(std::string_view text, int scale);

// Top left corner at (x, y); each font pixel becomes scale x scale pixels. Clips at the borders;
// characters without a glyph show as a box.
void draw_text(Image& image, int x, int y, std::string_view text, Rgb8 color, int scale);

}  // namespace firn

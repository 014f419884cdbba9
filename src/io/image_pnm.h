// PGM and PPM pictures in their binary forms (P5, P6), of up to 16 bits.
#pragma once

#include <string>
#include <string_view>

#include "io/image_file.h"

namespace firn {

inline bool is_pnm(std::string_view bytes) {
  return bytes.starts_with("P5") || bytes.starts_with("P6");
}

Result<Picture> parse_pnm(std::string_view bytes, const std::string& name, std::size_t most_pixels);

// Empty, or the line of the error.
std::string picture_size_fault(long width, long height, std::size_t most_pixels,
                               const std::string& name);

}  // namespace firn

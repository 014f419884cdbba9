// The readers of single picture formats, on bytes in memory; image_file.h chooses among them.
// `name` is what error lines call the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mesh_io/image_file.h"

namespace firn {

// Empty, or the line of the error.
std::string picture_size_fault(long width, long height, std::size_t most_pixels,
                               const std::string& name);

// Values as a file has them: rows from the top, 3 or 4 channels a pixel.
struct RawPicture {
  int width = 0, height = 0;
  int channels = 3;
  bool deep = false;  // 16 bits a value, the high byte first
  std::vector<std::uint8_t> bytes;
};
Picture scaled(const RawPicture& raw);

bool is_png(std::string_view bytes);
Result<RawPicture> decode_png(std::string_view bytes, const std::string& name,
                              std::size_t most_pixels);

bool is_jpeg(std::string_view bytes);
Result<RawPicture> decode_jpeg(std::string_view bytes, const std::string& name,
                               std::size_t most_pixels);

bool is_bmp(std::string_view bytes);
Result<RawPicture> decode_bmp(std::string_view bytes, const std::string& name,
                              std::size_t most_pixels);

// Files of this format do not say so; the header must make sense.
bool may_be_tga(std::string_view bytes);
Result<RawPicture> decode_tga(std::string_view bytes, const std::string& name,
                              std::size_t most_pixels);

// Binary PGM and PPM (P5, P6), of up to 16 bits.
bool is_pnm(std::string_view bytes);
Result<Picture> parse_pnm(std::string_view bytes, const std::string& name, std::size_t most_pixels);

}  // namespace firn

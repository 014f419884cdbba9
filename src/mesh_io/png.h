// PNG files, 8-bit RGB.
#pragma once

#include <filesystem>
#include <string>

#include "base/image.h"
#include "base/result.h"

namespace firn {

// The bytes of a file. An error says what is wrong without the file's name.
Result<std::string> encode_png(const Image& image);
Result<std::filesystem::path> write_png(const std::filesystem::path& path, const Image& image);
// Of deeper pictures the upper 8 bits; alpha is left out.
Result<Image> read_png(const std::filesystem::path& path);

}  // namespace firn

// PNG files, 8-bit RGB.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "io/image.h"

namespace firn {

Result<std::filesystem::path> write_png(const std::filesystem::path& path, const Image& image);
Result<Image> read_png(const std::filesystem::path& path);

}  // namespace firn

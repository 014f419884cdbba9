#include "io/png.h"

#include <algorithm>
#include <memory>
#include <string>

#include "io/atomic_file.h"

// Compiled in here with internal linkage, so that nothing else that brings stb can clash.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS (1 << 15)
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace firn {
namespace fs = std::filesystem;

Result<fs::path> write_png(const fs::path& path, const Image& image) {
  if (image.width <= 0 || image.height <= 0)
    return Result<fs::path>::failure(path.string() + ": an empty picture");
  std::string encoded;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<char*>(data),
                                               static_cast<std::size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &encoded, image.width, image.height, 3, image.rgb.data(),
                              3 * image.width))
    return Result<fs::path>::failure(path.string() + ": not enough memory for the picture");
  return write_whole_file(path, encoded);
}

Result<Image> read_png(const fs::path& path) {
  const Result<std::string> bytes = read_whole_file(path);
  if (!bytes) return bytes.errors();
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes->data()),
                            static_cast<int>(bytes->size()), &width, &height, &channels, 3),
      stbi_image_free);
  if (!pixels)
    return Result<Image>::failure(path.string() + ": not a PNG picture: " + stbi_failure_reason());
  Image image(width, height);
  std::copy_n(pixels.get(), image.rgb.size(), image.rgb.begin());
  return image;
}

}  // namespace firn

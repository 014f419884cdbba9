#include "mesh_io/png.h"

#include <new>
#include <string>

#include "mesh_io/atomic_file.h"
#include "mesh_io/image_formats.h"

namespace firn {
namespace fs = std::filesystem;

Result<fs::path> write_png(const fs::path& path, const Image& image) {
  if (image.width <= 0 || image.height <= 0)
    return Result<fs::path>::failure(path.string() + ": an empty picture");
  const Result<std::string> encoded = encode_png(image);
  if (!encoded) return Result<fs::path>::failure(path.string() + ": " + encoded.errors().front());
  return write_whole_file(path, *encoded);
}

Result<Image> read_png(const fs::path& path) {
  const Result<std::string> bytes = read_whole_file(path);
  if (!bytes) return bytes.errors();
  if (!is_png(*bytes)) return Result<Image>::failure(path.string() + ": not a PNG picture");
  try {
    const Result<RawPicture> raw = decode_png(*bytes, path.string(), kMostPixels);
    if (!raw) return raw.errors();
    Image image(raw->width, raw->height);
    const std::size_t step = raw->deep ? 2 : 1, pixel = step * std::size_t(raw->channels);
    for (std::size_t i = 0; i < image.rgb.size(); ++i)
      image.rgb[i] = raw->bytes[i / 3 * pixel + i % 3 * step];
    return image;
  } catch (const std::bad_alloc&) {
    return Result<Image>::failure(path.string() + ": not enough memory for the picture");
  }
}

}  // namespace firn

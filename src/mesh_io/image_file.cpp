#include "mesh_io/image_file.h"

#include <new>

#include "mesh_io/atomic_file.h"
#include "mesh_io/image_formats.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

Result<RawPicture> decode(std::string_view bytes, const std::string& name,
                          std::size_t most_pixels) {
  if (is_png(bytes)) return decode_png(bytes, name, most_pixels);
  if (is_jpeg(bytes)) return decode_jpeg(bytes, name, most_pixels);
  if (is_bmp(bytes)) return decode_bmp(bytes, name, most_pixels);
  if (may_be_tga(bytes)) return decode_tga(bytes, name, most_pixels);
  return Result<RawPicture>::failure(name +
                                     ": not a PNG, JPEG, BMP, TGA, PGM or PPM picture, or damaged");
}

}  // namespace

std::string picture_size_fault(long width, long height, std::size_t most_pixels,
                               const std::string& name) {
  if (width >= 1 && height >= 1 && width <= kMostPixelsAcross && height <= kMostPixelsAcross &&
      static_cast<std::size_t>(width * height) <= most_pixels)
    return "";
  return name + ": a picture of " + std::to_string(width) + " x " + std::to_string(height) +
         " pixels; at most 16384 across and 100 million in all";
}

Picture scaled(const RawPicture& raw) {
  const float scale = 1.0f / (raw.deep ? 65535.0f : 255.0f);
  const std::size_t count = std::size_t(raw.width) * std::size_t(raw.height);
  Picture picture{raw.width, raw.height, std::vector<float>(3 * count), {}};
  if (raw.channels == 4) picture.alpha.resize(count);
  const auto channels = static_cast<std::size_t>(raw.channels);
  const auto value = [&](std::size_t i) {
    const int number = raw.deep ? raw.bytes[2 * i] << 8 | raw.bytes[2 * i + 1] : raw.bytes[i];
    return static_cast<float>(number) * scale;
  };
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < 3; ++k) picture.rgb[3 * i + k] = value(channels * i + k);
    if (raw.channels == 4) picture.alpha[i] = value(channels * i + 3);
  }
  return picture;
}

Result<Picture> parse_image(std::string_view bytes, const std::string& name,
                            std::size_t most_pixels) {
  try {
    if (is_pnm(bytes)) return parse_pnm(bytes, name, most_pixels);
    const Result<RawPicture> raw = decode(bytes, name, most_pixels);
    if (!raw) return raw.errors();
    return scaled(*raw);
  } catch (const std::bad_alloc&) {
    return Result<Picture>::failure(name + ": not enough memory for the picture");
  }
}

Result<Picture> read_image(const fs::path& path) {
  const Result<std::string> bytes = read_whole_file(path);
  if (!bytes) return bytes.errors();
  return parse_image(*bytes, path.string());
}

GrayImage gray_of(const Picture& picture) {
  GrayImage gray{picture.width, picture.height, std::vector<float>(picture.rgb.size() / 3)};
  for (std::size_t i = 0; i < gray.value.size(); ++i) {
    const float* c = &picture.rgb[3 * i];
    // Written so that grey stays exactly what it is.
    gray.value[i] = c[0] + 0.7152f * (c[1] - c[0]) + 0.0722f * (c[2] - c[0]);
  }
  return gray;
}

}  // namespace firn

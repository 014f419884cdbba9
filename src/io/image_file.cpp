#include "io/image_file.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <new>

#include "io/atomic_file.h"
#include "io/image_pnm.h"
#include "io/text_scan.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS (1 << 15)
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace firn {
namespace fs = std::filesystem;

namespace {

// What stb decoded, freed at the end.
template <class Value>
using Pixels = std::unique_ptr<Value, void (*)(void*)>;

// Whether every Huffman table that a JPEG file defines has at most 256 codes: stb 2.27 writes
// beyond its own tables otherwise. Tables follow a marker ff c4 and a length of two bytes: for each
// one byte of its name, the numbers of codes of each of 16 lengths, and that many bytes.
bool huffman_tables_fit(std::string_view bytes) {
  const auto at = [&](std::size_t i) {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  for (std::size_t start = bytes.find("\xff\xc4"); start != std::string_view::npos;
       start = bytes.find("\xff\xc4", start + 1)) {
    const std::size_t end = start + 2 + std::size_t(at(start + 2) << 8 | at(start + 3));
    for (std::size_t table = start + 4; table < end;) {
      std::size_t codes = 0;
      for (std::size_t k = 1; k <= 16; ++k) codes += at(table + k);
      if (codes > 256) return false;
      table += 17 + codes;
    }
  }
  return true;
}

template <class Value>
Picture scaled(const Value* from, int width, int height, int channels) {
  constexpr float scale = 1.0f / static_cast<float>(std::numeric_limits<Value>::max());
  const std::size_t count = std::size_t(width) * std::size_t(height);
  Picture picture{width, height, std::vector<float>(3 * count), {}};
  if (channels == 4) picture.alpha.resize(count);
  for (std::size_t i = 0; i < count; ++i, from += channels) {
    for (int k = 0; k < 3; ++k) picture.rgb[3 * i + k] = static_cast<float>(from[k]) * scale;
    if (channels == 4) picture.alpha[i] = static_cast<float>(from[3]) * scale;
  }
  return picture;
}

Result<Picture> decode(const stbi_uc* bytes, int size, const std::string& name) {
  int width = 0, height = 0, in_file = 0;
  if (!stbi_info_from_memory(bytes, size, &width, &height, &in_file))
    return Result<Picture>::failure(name +
                                    ": not a picture: " + quoted_text(stbi_failure_reason()));
  const int channels = in_file == 2 || in_file == 4 ? 4 : 3;
  if (stbi_is_16_bit_from_memory(bytes, size)) {
    const Pixels<stbi_us> pixels(
        stbi_load_16_from_memory(bytes, size, &width, &height, &in_file, channels),
        stbi_image_free);
    if (pixels) return scaled(pixels.get(), width, height, channels);
  } else {
    const Pixels<stbi_uc> pixels(
        stbi_load_from_memory(bytes, size, &width, &height, &in_file, channels), stbi_image_free);
    if (pixels) return scaled(pixels.get(), width, height, channels);
  }
  return Result<Picture>::failure(name +
                                  ": a damaged picture: " + quoted_text(stbi_failure_reason()));
}

Result<Picture> parse_with_stb(std::string_view bytes, const std::string& name,
                               std::size_t most_pixels) {
  if (bytes.size() > std::size_t(std::numeric_limits<int>::max()))
    return Result<Picture>::failure(name + ": larger than 2 GB");
  if (bytes.starts_with('\xff') && !huffman_tables_fit(bytes))
    return Result<Picture>::failure(name + ": a damaged JPEG picture");
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, channels = 0;
  if (!stbi_info_from_memory(data, size, &width, &height, &channels))
    return Result<Picture>::failure(name +
                                    ": not a PNG, JPEG, BMP, TGA, PGM or PPM picture, or damaged");
  const std::string fault = picture_size_fault(width, height, most_pixels, name);
  if (!fault.empty()) return Result<Picture>::failure(fault);
  return decode(data, size, name);
}

}  // namespace

Result<Picture> parse_image(std::string_view bytes, const std::string& name,
                            std::size_t most_pixels) {
  try {
    return is_pnm(bytes) ? parse_pnm(bytes, name, most_pixels)
                         : parse_with_stb(bytes, name, most_pixels);
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

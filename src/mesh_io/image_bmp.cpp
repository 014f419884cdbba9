// BMP without compression: palettes of 1, 4 and 8 bits, and pixels of 16, 24 and 32 bits.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include "mesh_io/image_formats.h"

namespace firn {
namespace {

struct BmpHeader {
  std::size_t pixels = 0;   // where they begin in the file
  std::size_t palette = 0;  // where it begins
  std::size_t palette_entry = 4;
  std::size_t colors = 0;
  long width = 0, height = 0;
  bool from_top = false;
  unsigned bits = 0;
  std::uint32_t mask[4] = {0, 0, 0, 0};  // of red, green, blue, alpha
};

struct Bytes {
  std::string_view all;

  // Little-endian, 0 beyond the end.
  std::uint32_t number(std::size_t at, std::size_t size) const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size && at + i < all.size(); ++i)
      value |= std::uint32_t(static_cast<unsigned char>(all[at + i])) << (8 * i);
    return value;
  }
};

void default_masks(BmpHeader& header) {
  const std::uint32_t five[3] = {0x7c00, 0x03e0, 0x001f};
  const std::uint32_t eight[4] = {0xff0000, 0xff00, 0xff, 0xff000000};
  if (header.bits == 16) std::copy(five, five + 3, header.mask);
  if (header.bits == 32) std::copy(eight, eight + 4, header.mask);
}

// False where this is no BMP file that can be read.
bool read_header(const Bytes& file, BmpHeader& header) {
  const std::uint32_t size = file.number(14, 4);
  if (size != 12 && size != 40 && size != 52 && size != 56 && size != 108 && size != 124)
    return false;
  header.pixels = file.number(10, 4);
  header.palette = 14 + std::size_t(size);
  if (size == 12) {
    header.width = file.number(18, 2);
    header.height = file.number(20, 2);
    header.bits = file.number(24, 2);
    header.palette_entry = 3;
  } else {
    header.width = static_cast<std::int32_t>(file.number(18, 4));
    header.height = static_cast<std::int32_t>(file.number(22, 4));
    header.from_top = header.height < 0;
    header.height = std::labs(header.height);
    header.bits = file.number(28, 2);
  }
  const std::uint32_t compression = size == 12 ? 0 : file.number(30, 4);
  const std::uint32_t stated = size == 12 ? 0 : file.number(46, 4);
  if (header.bits <= 8) {
    const std::size_t most = std::size_t(1) << header.bits;
    header.colors = stated > 0 ? std::min<std::size_t>(stated, most) : most;
    return compression == 0 && (header.bits == 1 || header.bits == 4 || header.bits == 8);
  }
  default_masks(header);
  if (compression == 3 && header.bits != 24) {
    // Behind a header of 40 bytes, or within a longer one.
    for (std::size_t i = 0; i < 4; ++i)
      header.mask[i] = i < 3 || size >= 56 ? file.number(54 + 4 * i, 4) : 0;
    return (header.bits == 16 || header.bits == 32) && header.mask[0] && header.mask[1] &&
           header.mask[2];
  }
  return compression == 0 && (header.bits == 16 || header.bits == 24 || header.bits == 32);
}

// The bits under a mask, spread over 0 to 255.
std::uint8_t under(std::uint32_t mask, std::uint32_t value) {
  if (mask == 0) return 255;
  const int shift = std::countr_zero(mask);
  const std::uint64_t most = mask >> shift;
  return static_cast<std::uint8_t>((std::uint64_t((value & mask) >> shift) * 255 + most / 2) /
                                   most);
}

void read_pixel(const Bytes& file, const BmpHeader& header, std::size_t row, std::size_t x,
                std::uint8_t* to) {
  if (header.bits <= 8) {
    const std::size_t per_byte = 8 / header.bits;
    const unsigned shift = static_cast<unsigned>(8 - header.bits * (x % per_byte + 1));
    const std::uint32_t index =
        file.number(row + x / per_byte, 1) >> shift & ((1u << header.bits) - 1);
    const std::size_t at = header.palette + header.palette_entry * index;
    for (std::size_t k = 0; k < 3; ++k)
      to[k] = index < header.colors ? static_cast<std::uint8_t>(file.number(at + 2 - k, 1)) : 0;
    to[3] = 255;
    return;
  }
  const std::size_t size = header.bits / 8;
  const std::uint32_t value = file.number(row + size * x, size);
  for (std::size_t k = 0; k < 4; ++k)
    to[k] = header.bits == 24 ? static_cast<std::uint8_t>(k < 3 ? value >> (16 - 8 * k) : 255)
                              : under(header.mask[k], value);
}

// Many programs leave alpha at 0 everywhere and mean that there is none.
void drop_empty_alpha(RawPicture& raw) {
  const std::size_t pixels = raw.bytes.size() / 4;
  bool any = false, full = true;
  for (std::size_t i = 0; i < pixels; ++i) {
    any = any || raw.bytes[4 * i + 3] != 0;
    full = full && raw.bytes[4 * i + 3] == 255;
  }
  if (any && !full) return;
  for (std::size_t i = 0; i < pixels; ++i)
    for (std::size_t k = 0; k < 3; ++k) raw.bytes[3 * i + k] = raw.bytes[4 * i + k];
  raw.bytes.resize(3 * pixels);
  raw.channels = 3;
}

}  // namespace

bool is_bmp(std::string_view bytes) {
  return bytes.starts_with("BM");
}

Result<RawPicture> decode_bmp(std::string_view bytes, const std::string& name,
                              std::size_t most_pixels) {
  const Bytes file{bytes};
  BmpHeader header;
  if (!read_header(file, header))
    return Result<RawPicture>::failure(
        name + ": a BMP picture that is damaged or compressed; save it without compression");
  const std::string fault = picture_size_fault(header.width, header.height, most_pixels, name);
  if (!fault.empty()) return Result<RawPicture>::failure(fault);
  const auto width = static_cast<std::size_t>(header.width),
             height = static_cast<std::size_t>(header.height);
  const std::size_t row_bytes = (width * header.bits + 31) / 32 * 4;
  const std::size_t used = (width * header.bits + 7) / 8;
  if (header.pixels + row_bytes * (height - 1) + used > bytes.size())
    return Result<RawPicture>::failure(name + ": the file ends inside the picture");
  RawPicture raw{static_cast<int>(width), static_cast<int>(height), 4, false, {}};
  raw.bytes.resize(4 * width * height);
  for (std::size_t y = 0; y < height; ++y) {
    const std::size_t row = header.pixels + row_bytes * (header.from_top ? y : height - 1 - y);
    for (std::size_t x = 0; x < width; ++x)
      read_pixel(file, header, row, x, &raw.bytes[4 * (y * width + x)]);
  }
  drop_empty_alpha(raw);
  return raw;
}

}  // namespace firn

// TGA: palettes, colours and greys of 8 to 32 bits, plain or with runs of equal pixels.
#include "mesh_io/image_formats.h"

namespace firn {
namespace {

constexpr std::size_t kHeaderBytes = 18;

struct TgaHeader {
  unsigned kind = 0;  // 1 palette, 2 colour, 3 grey
  bool runs = false;
  std::size_t first_color = 0, colors = 0, color_bytes = 0, palette = 0;
  long width = 0, height = 0;
  std::size_t pixel_bytes = 0, pixels = 0;
  bool from_top = false, from_right = false;
};

unsigned byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}
unsigned short_at(std::string_view bytes, std::size_t at) {
  return byte_at(bytes, at) | byte_at(bytes, at + 1) << 8;
}

// False where the numbers make no sense.
bool read_header(std::string_view bytes, TgaHeader& header) {
  if (bytes.size() < kHeaderBytes) return false;
  const unsigned has_palette = byte_at(bytes, 1), type = byte_at(bytes, 2),
                 color_bits = byte_at(bytes, 7), bits = byte_at(bytes, 16),
                 descriptor = byte_at(bytes, 17);
  header.runs = type >= 9;
  header.kind = header.runs ? type - 8 : type;
  if (has_palette > 1 || header.kind < 1 || header.kind > 3) return false;
  header.first_color = short_at(bytes, 3);
  header.colors = has_palette ? short_at(bytes, 5) : 0;
  header.color_bytes = (color_bits + 7) / 8;
  header.width = short_at(bytes, 12);
  header.height = short_at(bytes, 14);
  header.pixel_bytes = (bits + 7) / 8;
  header.from_right = descriptor & 0x10;
  header.from_top = descriptor & 0x20;
  header.palette = kHeaderBytes + byte_at(bytes, 0);
  header.pixels = header.palette + header.colors * header.color_bytes;
  const auto is_color = [](unsigned n) { return n == 15 || n == 16 || n == 24 || n == 32; };
  if (header.width < 1 || header.height < 1) return false;
  if (header.kind == 1)
    return has_palette == 1 && header.colors > 0 && is_color(color_bits) &&
           (bits == 8 || bits == 16);
  return header.kind == 2 ? is_color(bits) : bits == 8 || bits == 16;
}

// Blue, green, red (and alpha), or five bits each in two bytes.
void put_color(std::string_view bytes, std::size_t at, std::size_t size, std::uint8_t* to) {
  to[3] = 255;
  if (size == 2) {
    const unsigned value = short_at(bytes, at);
    for (unsigned k = 0; k < 3; ++k)
      to[k] = static_cast<std::uint8_t>((value >> (10 - 5 * k) & 31) * 255 / 31);
    return;
  }
  for (std::size_t k = 0; k < 3; ++k) to[k] = static_cast<std::uint8_t>(byte_at(bytes, at + 2 - k));
  if (size == 4) to[3] = static_cast<std::uint8_t>(byte_at(bytes, at + 3));
}

void put_pixel(std::string_view bytes, const TgaHeader& header, std::size_t at, std::uint8_t* to) {
  if (header.kind == 3) {
    to[0] = to[1] = to[2] = static_cast<std::uint8_t>(byte_at(bytes, at));
    to[3] = static_cast<std::uint8_t>(header.pixel_bytes == 2 ? byte_at(bytes, at + 1) : 255);
  } else if (header.kind == 2) {
    put_color(bytes, at, header.pixel_bytes, to);
  } else {
    std::size_t index = header.pixel_bytes == 2 ? short_at(bytes, at) : byte_at(bytes, at);
    index = index < header.first_color ? 0 : index - header.first_color;
    if (index >= header.colors) index = 0;
    put_color(bytes, header.palette + index * header.color_bytes, header.color_bytes, to);
  }
}

// The places of the pixels in the file, in its order; false when it ends before.
bool find_pixels(std::string_view bytes, const TgaHeader& header,
                 std::vector<std::size_t>& places) {
  std::size_t at = header.pixels;
  const std::size_t count = places.size(), size = header.pixel_bytes;
  for (std::size_t i = 0; i < count;) {
    std::size_t length = count, stride = size;
    if (header.runs) {
      const unsigned packet = byte_at(bytes, at++);
      length = (packet & 0x7f) + 1;
      if (packet & 0x80) stride = 0;
    }
    for (; length > 0 && i < count; --length, ++i, at += stride) {
      if (at + size > bytes.size()) return false;
      places[i] = at;
    }
    if (stride == 0) at += size;
  }
  return true;
}

}  // namespace

bool may_be_tga(std::string_view bytes) {
  TgaHeader header;
  return read_header(bytes, header);
}

Result<RawPicture> decode_tga(std::string_view bytes, const std::string& name,
                              std::size_t most_pixels) {
  TgaHeader header;
  if (!read_header(bytes, header))
    return Result<RawPicture>::failure(name + ": the header of the picture is damaged");
  const std::string fault = picture_size_fault(header.width, header.height, most_pixels, name);
  if (!fault.empty()) return Result<RawPicture>::failure(fault);
  const auto width = static_cast<std::size_t>(header.width),
             height = static_cast<std::size_t>(header.height);
  const std::string cut = name + ": the file ends inside the picture";
  // Before anything is made for it: a run stands for 128 pixels at most.
  if (width * height / (header.runs ? 128 : 1) > bytes.size())
    return Result<RawPicture>::failure(cut);
  std::vector<std::size_t> places(width * height);
  if (!find_pixels(bytes, header, places)) return Result<RawPicture>::failure(cut);
  const bool alpha = (header.kind == 3 && header.pixel_bytes == 2) ||
                     (header.kind == 2 && header.pixel_bytes == 4) ||
                     (header.kind == 1 && header.color_bytes == 4);
  RawPicture raw{static_cast<int>(width), static_cast<int>(height), alpha ? 4 : 3, false, {}};
  const auto channels = static_cast<std::size_t>(raw.channels);
  raw.bytes.resize(channels * width * height);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::size_t x = i % width, y = i / width;
    const std::size_t to =
        (header.from_top ? y : height - 1 - y) * width + (header.from_right ? width - 1 - x : x);
    std::uint8_t color[4];
    put_pixel(bytes, header, places[i], color);
    for (std::size_t k = 0; k < channels; ++k) raw.bytes[channels * to + k] = color[k];
  }
  return raw;
}

}  // namespace firn

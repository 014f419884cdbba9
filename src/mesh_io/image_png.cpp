// PNG by libpng. It leaves a failed call by longjmp, which passes over destructors: functions that
// set a place to return to own nothing, and what they fill lies with their caller.
#include <png.h>

#include <csetjmp>
#include <cstring>

#include "mesh_io/image_formats.h"
#include "mesh_io/png.h"
#include "mesh_io/text_scan.h"

namespace firn {
namespace {

// Chunks beside the picture (texts, profiles) are not wanted: no more than this is unpacked, bytes.
constexpr png_alloc_size_t kMostOfAChunk = 4 << 20;
constexpr png_uint_32 kMostChunksKept = 128;

struct Stream {
  const char* next = nullptr;  // of what is read
  const char* end = nullptr;
  std::string* written = nullptr;
  bool out_of_memory = false;
  char message[128] = "";
};

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* stream = static_cast<Stream*>(png_get_error_ptr(png));
  std::strncpy(stream->message, message, sizeof(stream->message) - 1);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void take_bytes(png_structp png, png_bytep to, std::size_t size) {
  auto* stream = static_cast<Stream*>(png_get_io_ptr(png));
  if (static_cast<std::size_t>(stream->end - stream->next) < size)
    png_error(png, "the file ends inside the picture");
  std::memcpy(to, stream->next, size);
  stream->next += size;
}

// The reader's objects, freed at the end.
struct PngReader {
  Stream stream;
  png_structp png = nullptr;
  png_infop info = nullptr;

  explicit PngReader(std::string_view bytes) {
    stream.next = bytes.data();
    stream.end = bytes.data() + bytes.size();
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &stream, on_error, on_warning);
    if (png) info = png_create_info_struct(png);
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

// Everything up to the pixels; they come as RGB or RGBA of 8 or 16 bits.
bool read_header(PngReader& reader) {
  png_structp png = reader.png;
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, &reader.stream, take_bytes);
  // Larger ones get a message of ours.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(png, kMostOfAChunk);
  png_set_chunk_cache_max(png, kMostChunksKept);
  png_read_info(png, reader.info);
  return true;
}

bool choose_format(PngReader& reader) {
  png_structp png = reader.png;
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_expand(png);  // palettes, fewer than 8 bits, a transparent colour
  png_set_gray_to_rgb(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, reader.info);
  return true;
}

bool read_rows(PngReader& reader, png_bytep* rows) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_image(reader.png, rows);
  png_read_end(reader.png, nullptr);
  return true;
}

Result<RawPicture> damaged(const PngReader& reader, const std::string& name) {
  return Result<RawPicture>::failure(
      name + ": a damaged PNG picture: " + quoted_text(reader.stream.message));
}

// ---- writing

void append_bytes(png_structp png, png_bytep from, std::size_t size) {
  auto* stream = static_cast<Stream*>(png_get_io_ptr(png));
  try {
    stream->written->append(reinterpret_cast<const char*>(from), size);
    return;
  } catch (const std::exception&) {
    stream->out_of_memory = true;
  }
  png_error(png, "out of memory");
}

void flush_nothing(png_structp) {}

bool write_rows(png_structp png, png_infop info, Stream& stream, const Image& image) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, &stream, append_bytes, flush_nothing);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width),
               static_cast<png_uint_32>(image.height), 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (int y = 0; y < image.height; ++y) png_write_row(png, image.pixel(0, y));
  png_write_end(png, info);
  return true;
}

}  // namespace

bool is_png(std::string_view bytes) {
  return bytes.starts_with("\x89PNG\r\n\x1a\n");
}

Result<RawPicture> decode_png(std::string_view bytes, const std::string& name,
                              std::size_t most_pixels) {
  PngReader reader(bytes);
  if (!reader.info)
    return Result<RawPicture>::failure(name + ": not enough memory for the picture");
  if (!read_header(reader)) return damaged(reader, name);
  const png_uint_32 width = png_get_image_width(reader.png, reader.info),
                    height = png_get_image_height(reader.png, reader.info);
  const std::string fault = picture_size_fault(width, height, most_pixels, name);
  if (!fault.empty()) return Result<RawPicture>::failure(fault);
  if (!choose_format(reader)) return damaged(reader, name);
  RawPicture raw;
  raw.width = static_cast<int>(width);
  raw.height = static_cast<int>(height);
  raw.channels = png_get_channels(reader.png, reader.info);
  raw.deep = png_get_bit_depth(reader.png, reader.info) == 16;
  const std::size_t row_bytes = png_get_rowbytes(reader.png, reader.info);
  if ((raw.channels != 3 && raw.channels != 4) ||
      row_bytes != std::size_t(width) * std::size_t(raw.channels) * (raw.deep ? 2 : 1))
    return Result<RawPicture>::failure(name + ": a damaged PNG picture");
  raw.bytes.resize(row_bytes * height);
  std::vector<png_bytep> rows;
  for (png_uint_32 y = 0; y < height; ++y) rows.push_back(&raw.bytes[y * row_bytes]);
  if (!read_rows(reader, rows.data())) return damaged(reader, name);
  return raw;
}

Result<std::string> encode_png(const Image& image) {
  std::string bytes;
  Stream stream;
  stream.written = &bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &stream, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  const bool written = info && write_rows(png, info, stream, image);
  png_destroy_write_struct(&png, &info);
  if (written) return bytes;
  const bool no_room = !info || stream.out_of_memory;
  return Result<std::string>::failure(no_room ? "not enough memory for the picture"
                                              : "cannot be written as PNG");
}

}  // namespace firn

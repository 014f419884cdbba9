// JPEG by libjpeg. It leaves a failed call by longjmp, which passes over destructors: functions
// that set a place to return to own nothing, and what they fill lies with their caller.
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <limits>
// After cstdio and cstddef, whose names it needs.
#include <jpeglib.h>
// The numbers of its warnings.
#include <jerror.h>

#include "mesh_io/image_formats.h"
#include "mesh_io/text_scan.h"

namespace firn {
namespace {

// More than encoders make; a small file can ask for thousands, each of which decodes all pixels.
constexpr int kMostScans = 200;

struct JpegReader {
  jpeg_decompress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf place;
  char message[JMSG_LENGTH_MAX] = "";

  JpegReader() = default;
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;
  ~JpegReader() {
    if (jpeg.mem) jpeg_destroy_decompress(&jpeg);
  }
};

[[noreturn]] void leave(j_common_ptr common) {
  auto* reader = static_cast<JpegReader*>(common->client_data);
  common->err->format_message(common, reader->message);
  std::longjmp(reader->place, 1);
}

// Nothing is printed. Where pixels are lost the picture is damaged; what else libjpeg warns of
// (odd markers, bytes between them) does not touch them.
void on_message(j_common_ptr common, int level) {
  if (level >= 0) return;
  switch (common->err->msg_code) {
    case JWRN_JPEG_EOF:
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_MUST_RESYNC:
    case JWRN_NOT_SEQUENTIAL:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_TOO_MUCH_DATA:
      leave(common);
    default:
      ++common->err->num_warnings;
  }
}

void print_nothing(j_common_ptr) {}

void count_scans(j_common_ptr common) {
  auto* reader = static_cast<JpegReader*>(common->client_data);
  if (reader->jpeg.input_scan_number <= kMostScans) return;
  std::snprintf(reader->message, sizeof(reader->message), "more than %d scans", kMostScans);
  std::longjmp(reader->place, 1);
}

bool read_header(JpegReader& reader, const char* bytes, unsigned long size) {
  jpeg_decompress_struct& jpeg = reader.jpeg;
  jpeg.err = jpeg_std_error(&reader.errors);
  reader.errors.error_exit = leave;
  reader.errors.emit_message = on_message;
  reader.errors.output_message = print_nothing;
  jpeg.client_data = &reader;
  if (setjmp(reader.place)) return false;
  jpeg_create_decompress(&jpeg);
  jpeg.client_data = &reader;
  reader.progress.progress_monitor = count_scans;
  jpeg.progress = &reader.progress;
  jpeg_mem_src(&jpeg, reinterpret_cast<const unsigned char*>(bytes), size);
  jpeg_read_header(&jpeg, TRUE);
  // Grey and YCbCr become RGB; inks stay inks.
  const bool inks = jpeg.jpeg_color_space == JCS_CMYK || jpeg.jpeg_color_space == JCS_YCCK;
  jpeg.out_color_space = inks ? JCS_CMYK : JCS_RGB;
  jpeg_calc_output_dimensions(&jpeg);
  return true;
}

bool read_rows(JpegReader& reader, unsigned char* to, std::size_t row_bytes) {
  jpeg_decompress_struct& jpeg = reader.jpeg;
  if (setjmp(reader.place)) return false;
  jpeg_start_decompress(&jpeg);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = to + jpeg.output_scanline * row_bytes;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  return true;
}

Result<RawPicture> damaged(const JpegReader& reader, const std::string& name) {
  return Result<RawPicture>::failure(name +
                                     ": a damaged JPEG picture: " + quoted_text(reader.message));
}

// Cyan, magenta, yellow and black, as Adobe's programs store them: 255 is no ink.
void inks_to_rgb(RawPicture& raw) {
  const std::size_t pixels = raw.bytes.size() / 4;
  for (std::size_t i = 0; i < pixels; ++i) {
    const int black = raw.bytes[4 * i + 3];
    for (std::size_t k = 0; k < 3; ++k)
      raw.bytes[3 * i + k] = static_cast<std::uint8_t>((raw.bytes[4 * i + k] * black + 127) / 255);
  }
  raw.bytes.resize(3 * pixels);
  raw.channels = 3;
}

}  // namespace

bool is_jpeg(std::string_view bytes) {
  return bytes.starts_with("\xff\xd8\xff");
}

Result<RawPicture> decode_jpeg(std::string_view bytes, const std::string& name,
                               std::size_t most_pixels) {
  if (bytes.size() > std::size_t(std::numeric_limits<int>::max()))
    return Result<RawPicture>::failure(name + ": larger than 2 GB");
  JpegReader reader;
  if (!read_header(reader, bytes.data(), bytes.size())) return damaged(reader, name);
  const jpeg_decompress_struct& jpeg = reader.jpeg;
  const std::string fault =
      picture_size_fault(jpeg.image_width, jpeg.image_height, most_pixels, name);
  if (!fault.empty()) return Result<RawPicture>::failure(fault);
  RawPicture raw;
  raw.width = static_cast<int>(jpeg.output_width);
  raw.height = static_cast<int>(jpeg.output_height);
  raw.channels = jpeg.out_color_space == JCS_CMYK ? 4 : 3;
  const std::size_t row_bytes = std::size_t(raw.width) * std::size_t(raw.channels);
  raw.bytes.resize(row_bytes * std::size_t(raw.height));
  if (!read_rows(reader, raw.bytes.data(), row_bytes)) return damaged(reader, name);
  if (raw.channels == 4) inks_to_rgb(raw);
  return raw;
}

}  // namespace firn

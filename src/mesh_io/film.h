// Films: frames piped into ffmpeg (in yuv420p; H.264 is what every player shows).
#pragma once

#include <filesystem>
#include <memory>

#include "base/image.h"
#include "base/result.h"

namespace firn {

enum class FilmCodec { h264, hevc };

class FilmWriter {
 public:
  // Starts ffmpeg. An odd width or height loses its last column or row, as H.264 wants even sizes.
  static Result<FilmWriter> open(const std::filesystem::path& path, int width, int height,
                                 double fps, FilmCodec codec = FilmCodec::h264);
  FilmWriter(FilmWriter&&) noexcept;
  FilmWriter& operator=(FilmWriter&&) noexcept;
  ~FilmWriter();  // without finish: stops ffmpeg and removes what it wrote

  // False once ffmpeg has gone or the size is wrong; finish tells the reason.
  bool add(const Image& frame);

  // Waits for ffmpeg; the film has its final name only after this succeeds.
  Result<std::filesystem::path> finish();

 private:
  struct Process;
  explicit FilmWriter(std::unique_ptr<Process> process);
  std::unique_ptr<Process> process_;
};

}  // namespace firn

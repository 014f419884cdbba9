// A film that is written by a thread of its own, so that who draws the pictures never waits for
// ffmpeg.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/result.h"
#include "mesh_io/film.h"

namespace firn {

class FilmQueue {
 public:
  static Result<std::unique_ptr<FilmQueue>> open(const std::filesystem::path& path, int width,
                                                 int height, double fps);
  ~FilmQueue();  // closes it and waits: a window that goes leaves a film behind

  // Whether another picture may be added now.
  bool has_room() const;
  void add(Image picture);
  // No more pictures: the film is completed in the background.
  void close();
  // Once it is closed and complete: the path, or why there is none.
  std::optional<Result<std::filesystem::path>> outcome() const;
  std::int64_t added() const { return added_; }

 private:
  explicit FilmQueue(FilmWriter writer);
  void work();

  FilmWriter writer_;
  std::int64_t added_ = 0;
  bool closed_ = false;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Image> waiting_;
  std::optional<Result<std::filesystem::path>> outcome_;
  std::thread thread_;
};

}  // namespace firn

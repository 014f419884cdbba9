#include "session/film_queue.h"

namespace firn {
namespace {

constexpr std::size_t kMostWaiting = 4;

}  // namespace

Result<std::unique_ptr<FilmQueue>> FilmQueue::open(const std::filesystem::path& path, int width,
                                                   int height, double fps) {
  Result<FilmWriter> writer = FilmWriter::open(path, width, height, fps);
  if (!writer) return writer.errors();
  return std::unique_ptr<FilmQueue>(new FilmQueue(std::move(*writer)));
}

FilmQueue::FilmQueue(FilmWriter writer) : writer_(std::move(writer)) {
  thread_ = std::thread([this] { work(); });
}

FilmQueue::~FilmQueue() {
  close();
  thread_.join();
}

bool FilmQueue::has_room() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size() < kMostWaiting;
}

void FilmQueue::add(Image picture) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(picture));
  }
  ++added_;
  wake_.notify_all();
}

void FilmQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  wake_.notify_all();
}

std::optional<Result<std::filesystem::path>> FilmQueue::outcome() const {
  const std::lock_guard lock(mutex_);
  return outcome_;
}

void FilmQueue::work() {
  for (;;) {
    Image picture;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
      if (waiting_.empty()) break;
      picture = std::move(waiting_.front());
      waiting_.pop_front();
    }
    if (!writer_.add(picture)) break;
  }
  Result<std::filesystem::path> result = writer_.finish();
  const std::lock_guard lock(mutex_);
  outcome_.emplace(std::move(result));
}

}  // namespace firn

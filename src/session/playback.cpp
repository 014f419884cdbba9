#include "session/playback.h"

#include <algorithm>

#include "exec/parallel.h"
#include "frames/body_file.h"
#include "run/stats.h"
#include "scene_io/scene_reader.h"
#include "session/step_figures.h"

namespace firn {
namespace {

constexpr std::size_t kFramesKept = 12;

}  // namespace

Result<std::unique_ptr<Playback>> Playback::open(const std::filesystem::path& folder) {
  using Made = Result<std::unique_ptr<Playback>>;
  const RunFolder run{folder};
  Result<SceneSettings> scene = read_scene(run.scene().string());
  if (!scene) return scene.errors();
  std::vector<std::int64_t> numbers = frame_numbers(run);
  if (numbers.empty()) return Made::failure(run.frames().string() + ": no frames");
  return std::unique_ptr<Playback>(new Playback(run, std::move(*scene), std::move(numbers)));
}

Playback::Playback(RunFolder folder, SceneSettings scene, std::vector<std::int64_t> numbers)
    : folder_(std::move(folder)), scene_(std::move(scene)), numbers_(std::move(numbers)) {
  look_at_files();
  thread_ = std::thread([this] { work(); });
}

Playback::~Playback() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

bool Playback::has(std::int64_t number) const {
  return std::binary_search(numbers_.begin(), numbers_.end(), number);
}

std::size_t Playback::missing() const {
  return static_cast<std::size_t>(last() - first() + 1) - numbers_.size();
}

void Playback::look_again() {
  std::vector<std::int64_t> numbers = frame_numbers(folder_);
  if (!numbers.empty()) numbers_ = std::move(numbers);
  look_at_files();
}

void Playback::look_at_files() {
  has_grains_ = !grain_numbers(folder_).empty();
  figures_ = {};
  for (const FrameStats& stats : read_stats(folder_.stats())) {
    if (stats.steps == 0) continue;
    figures_.frames.push_back(stats.frame);
    figures_.solver.add(solver_figures(stats));
    figures_.stages.add(stage_figures(stats.phases, static_cast<double>(stats.steps)));
  }
}

void Playback::request(std::int64_t number, bool grains) {
  {
    const std::lock_guard lock(mutex_);
    if (wanted_ == Wanted{number, grains}) return;
    wanted_ = {number, grains};
  }
  wake_.notify_all();
}

std::shared_ptr<const PlaybackFrame> Playback::newest() const {
  const std::lock_guard lock(mutex_);
  return find(wanted_);
}

Playback::Kept Playback::find(const Wanted& wanted) const {
  for (const Kept& frame : cache_)
    if (wanted == Wanted{frame->number, frame->grains}) return frame;
  return nullptr;
}

void Playback::keep(Kept frame) {
  const std::lock_guard lock(mutex_);
  cache_.push_front(std::move(frame));
  // The frame that is looked at stays, however many were read since.
  while (cache_.size() > kFramesKept) {
    auto oldest = std::prev(cache_.end());
    if (*oldest == find(wanted_)) oldest = std::prev(oldest);
    cache_.erase(oldest);
  }
}

Playback::Kept Playback::read(const Wanted& wanted) const {
  auto frame = std::make_shared<PlaybackFrame>();
  frame->number = wanted.number;
  frame->grains = wanted.grains;
  Result<Frame> table =
      read_frame(wanted.grains ? folder_.grains(wanted.number) : folder_.frame(wanted.number));
  if (table)
    frame->points = std::move(*table);
  else
    frame->problem = table.errors().front();
  return frame;
}

void Playback::work() {
  const OwnThreadScope own;  // a simulation may have the pool
  std::unique_lock lock(mutex_);
  for (;;) {
    Wanted wanted;
    wake_.wait(lock, [&] {
      wanted = {};
      if (quit_ || wanted_.number < 0) return quit_;
      const Wanted next{wanted_.number + 1, wanted_.grains};
      if (!find(wanted_))
        wanted = wanted_;
      else if (!find(next))
        wanted = next;
      return wanted.number >= 0;
    });
    if (quit_) return;
    lock.unlock();
    Kept frame = read(wanted);
    keep(std::move(frame));
    lock.lock();
  }
}

}  // namespace firn

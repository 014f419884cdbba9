#include "run/run.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <utility>

#include "mesh_io/atomic_file.h"
#include "run/checkpoint.h"
#include "run/frame_check.h"
#include "run/frame_files.h"
#include "run/run_frames.h"
#include "run/run_log.h"
#include "run/run_resume.h"
#include "run/stats.h"
#include "scene_io/scene_assets.h"
#include "scene_io/scene_reader.h"
#include "scene_io/scene_writer.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Longer than any frame, and short enough for clocks that count nanoseconds.
constexpr double kLongestWait = 1e7;  // s

// Sets a flag after some seconds, unless destroyed before.
class Alarm {
 public:
  Alarm(double seconds, std::atomic<bool>& flag)
      : waiting_(std::async(std::launch::async, [this, seconds, &flag] {
          std::unique_lock lock(mutex_);
          const std::chrono::duration<double> delay(std::min(seconds, kLongestWait));
          if (!cancel_.wait_for(lock, delay, [this] { return cancelled_; })) flag = true;
        })) {}
  ~Alarm() {
    {
      std::lock_guard lock(mutex_);
      cancelled_ = true;
    }
    cancel_.notify_all();
    waiting_.wait();
  }

 private:
  std::mutex mutex_;
  std::condition_variable cancel_;
  bool cancelled_ = false;
  std::future<void> waiting_;
};

class Run {
 public:
  Run(const RunOptions& options, RunControl& control,
      const std::function<void(const RunProgress&)>& on_frame)
      : options_(options),
        scene_(options.scene),
        folder_{options.folder},
        control_(control),
        on_frame_(on_frame) {
    rebase_files(scene_, folder_.root);
  }

  RunReport run();

 private:
  // Both fail with errors; `prepare` before anything has been written.
  Errors prepare();
  Errors begin();
  Errors loop();

  Errors read_resume_point();
  Errors without_checkpoint() const;
  Errors missing_frames() const;
  Errors create_world();
  Errors write_frame();
  Errors write_scene_file() const;
  Errors finish_formats();
  Errors checkpoint();
  Result<FrameOutcome> advance();
  void tell_notes();
  void report_progress(const FrameStats& stats);
  RunReport ended(RunStatus status, Errors errors);

  bool is_complete() const { return world_->frame() >= scene_.frames; }

  const RunOptions& options_;
  SceneSettings scene_;
  RunFolder folder_;
  RunControl& control_;
  const std::function<void(const RunProgress&)>& on_frame_;

  Precision precision_ = usual_precision(scene_);
  std::optional<ResumePoint> resume_;
  std::unique_ptr<World> world_;
  std::optional<RunLog> log_;
  std::unique_ptr<FrameWriter> writer_;
  std::vector<std::string> notes_;
  std::int64_t first_frame_ = 0;
  Clock::time_point started_, last_checkpoint_;
};

RunReport Run::run() {
  Errors errors = prepare();
  if (!errors.empty()) return ended(RunStatus::refused, std::move(errors));
  errors = begin();
  if (errors.empty()) errors = loop();
  if (errors.empty() && is_complete()) errors = missing_frames();
  if (!errors.empty()) return ended(RunStatus::failed, std::move(errors));
  return ended(is_complete() ? RunStatus::finished : RunStatus::interrupted, {});
}

RunReport Run::ended(RunStatus status, Errors errors) {
  // A frame on its way shall not be lost with the run.
  if (writer_ && status == RunStatus::failed) writer_->finish();
  if (log_) {
    for (const std::string& error : errors) log_->line("error: " + error);
    if (status == RunStatus::finished) log_->line("finished");
    if (status == RunStatus::interrupted) log_->line("interrupted");
  }
  return {status, std::move(errors), world_ ? world_->frame() : 0, std::move(notes_)};
}

Errors Run::prepare() {
  Errors errors = check_run_folder(folder_, options_.existing);
  if (!errors.empty()) return errors;
  const bool exists = holds_run(folder_);
  if (!exists && options_.existing == ExistingRun::resume && options_.on_note)
    options_.on_note({"no run to resume is there: it starts at frame 0"});
  if (exists) {
    Result<RunLog> log = RunLog::open(folder_.log());
    if (!log) return log.errors();
    log_ = std::move(*log);
  }
  if (exists && options_.existing == ExistingRun::resume) {
    errors = read_resume_point();
    if (!errors.empty()) return errors;
  }
  if (options_.frames) scene_.frames = *options_.frames;
  if (options_.formats) scene_.output.formats = *options_.formats;
  const std::string format = format_problem(scene_.output.formats, scene_.dimension);
  if (!format.empty()) return {options_.scene_file + ": /output/formats: " + format};
  if (options_.precision) precision_ = *options_.precision;
  errors = create_world();
  if (!errors.empty() || exists) return errors;
  std::error_code error;
  std::filesystem::create_directories(folder_.root, error);
  if (error) return {folder_.root.string() + ": cannot create the folder: " + error.message()};
  Result<RunLog> log = RunLog::open(folder_.log());
  if (!log) return log.errors();
  log_ = std::move(*log);
  // Another program may have run here since the folder was looked at.
  if (options_.existing != ExistingRun::overwrite && fs::exists(folder_.scene(), error))
    return check_run_folder(folder_, ExistingRun::refuse);
  return {};
}

Errors Run::read_resume_point() {
  Result<std::optional<ResumePoint>> point = find_resume_point(folder_);
  if (!point) return point.errors();
  resume_ = std::move(*point);
  if (!resume_ || !resume_->checkpoint) {
    const Errors errors = without_checkpoint();
    if (!errors.empty() || !resume_) return errors;
  }
  const auto refused = [&](const std::string& difference, const fs::path& of) -> Errors {
    if (difference.empty()) return {};
    return {options_.scene_file + ": " + difference + " of " + of.string() +
            "; resume with the same scene, or start anew with --overwrite"};
  };
  Errors errors = refused(scene_difference(resume_->scene, scene_), folder_.root);
  if (errors.empty() && resume_->checkpoint) {
    // The file may have come from another run.
    const Result<SceneSettings> scene =
        parse_scene(resume_->checkpoint->scene, folder_.checkpoint().string());
    if (!scene) return scene.errors();
    errors = refused(scene_difference(*scene, scene_), folder_.checkpoint());
  }
  if (!errors.empty()) return errors;
  scene_.frames = resume_->scene.frames;
  scene_.output.formats = resume_->scene.output.formats;
  precision_ = resume_->precision().value_or(precision_);
  return {};
}

// A run that was killed early starts again by itself; what has frames to lose does not.
Errors Run::without_checkpoint() const {
  const std::vector<std::int64_t> frames = frame_numbers(folder_);
  if (!frames.empty() && frames.back() > 0)
    return {folder_.root.string() + ": has frames up to " + std::to_string(frames.back()) +
            ", but no checkpoint to continue from; start anew with --overwrite, or in another "
            "folder with --out"};
  if (options_.on_note) options_.on_note({"no checkpoint to resume from: it starts at frame 0"});
  return {};
}

// What lies before the checkpoint is not computed again, and may have been lost since.
Errors Run::missing_frames() const {
  if (!resume_ || !resume_->checkpoint) return {};
  const std::vector<std::int64_t> lost = lost_frames(folder_, first_frame_);
  if (lost.empty()) return {};
  return {folder_.root.string() + ": " + frame_list(lost) +
          " missing or cut off, and the checkpoint was made after that; to have all frames start "
          "anew with --overwrite"};
}

Errors Run::create_world() {
  const bool restoring = resume_ && resume_->checkpoint;
  Result<std::unique_ptr<World>> world =
      restoring ? World::restore(scene_, precision_, resume_->checkpoint->state, options_.device,
                                 options_.maker)
                : World::create(scene_, precision_, options_.device, options_.maker);
  if (world) {
    world_ = std::move(*world);
    first_frame_ = world_->frame();
    if (restoring) resume_->checkpoint->state = {};  // its memory is needed
    return {};
  }
  const std::string origin = restoring ? folder_.checkpoint().string() : options_.scene_file;
  Errors errors = world.errors();
  for (std::string& line : errors) line = origin + ": " + line;
  return errors;
}

Errors Run::begin() {
  started_ = last_checkpoint_ = Clock::now();
  const bool fresh = !resume_ || !resume_->checkpoint;
  if (!fresh && is_complete()) return finish_formats();
  tell_notes();
  Errors errors;
  if (fresh) {
    errors = remove_run(folder_);
    log_->clear();
  } else {
    errors = rewind_run(folder_, world_->frame());
  }
  if (!errors.empty()) return errors;
  log_->line(options_.program + ", " +
             (fresh ? "from the start" : "resumed at frame " + std::to_string(world_->frame())) +
             ", " + std::to_string(world_->size().particles) + " particles, to frame " +
             std::to_string(scene_.frames));
  std::error_code error;
  std::filesystem::create_directories(folder_.frames(), error);
  if (error) return {folder_.frames().string() + ": cannot create the folder: " + error.message()};
  errors = write_scene_file();
  if (!errors.empty()) return errors;
  Result<StatsFile> stats = StatsFile::open(folder_.stats());
  if (!stats) return stats.errors();
  writer_ = std::make_unique<FrameWriter>(folder_, std::move(*stats), scene_);
  return fresh ? write_frame() : add_missing_formats(folder_, scene_, notes_);
}

Errors Run::write_scene_file() const {
  const auto written = write_whole_file(folder_.scene(), write_scene(scene_));
  return written ? Errors{} : written.errors();
}

// A run that was complete already gets the formats that were asked for and that it lacks.
Errors Run::finish_formats() {
  if (!options_.formats) return {};
  Errors errors = add_missing_formats(folder_, scene_, notes_);
  return errors.empty() ? write_scene_file() : errors;
}

Errors Run::loop() {
  if (!writer_) return {};  // a run that was complete already
  while (!is_complete() && !control_.quit) {
    const Result<FrameOutcome> outcome = advance();
    tell_notes();
    if (!outcome) return outcome.errors();
    Errors errors;
    if (*outcome == FrameOutcome::done) errors = write_frame();
    const double interval = scene_.output.checkpoint_interval;
    if (errors.empty() && interval > 0 && seconds_since(last_checkpoint_) >= interval &&
        !is_complete() && !control_.quit)
      errors = checkpoint();
    if (!errors.empty()) return errors;
  }
  return checkpoint();
}

void Run::tell_notes() {
  for (const Note& note : world_->take_notes())
    if (options_.on_note) options_.on_note(note);
}

Result<FrameOutcome> Run::advance() {
  const double interval = scene_.output.checkpoint_interval;
  control_.pause = false;
  if (control_.quit) control_.pause = true;  // asked for between the two lines
  std::optional<Alarm> alarm;
  if (interval > 0) alarm.emplace(interval - seconds_since(last_checkpoint_), control_.pause);
  return world_->advance_frame(control_.pause, &control_.quit);
}

Errors Run::write_frame() {
  FrameStats stats = world_->statistics();
  Frame frame = world_->snapshot(writer_->fields_to_take());
  char time[40];
  std::snprintf(time, sizeof(time), "%.9g", world_->time());
  const std::map<std::string, std::string> metadata{{"scene", scene_.name},
                                                    {"dimension", std::to_string(scene_.dimension)},
                                                    {"frame", std::to_string(world_->frame())},
                                                    {"time", time}};
  frame.metadata.insert(metadata.begin(), metadata.end());
  std::optional<Frame> grains;
  if (scene_.grains) {
    grains = world_->grains(writer_->fields_to_take());
    grains->metadata = metadata;
    grains->metadata["per_particle"] = std::to_string(scene_.grains->per_particle);
  }
  Errors errors = writer_->submit(std::move(frame), std::move(grains), stats,
                                  static_cast<int>(scene_.dimension));
  if (errors.empty()) report_progress(stats);
  return errors;
}

void Run::report_progress(const FrameStats& stats) {
  if (!on_frame_) return;
  RunProgress progress;
  progress.frame = stats.frame;
  progress.frames = scene_.frames;
  progress.stats = stats;
  progress.elapsed = seconds_since(started_);
  const std::int64_t done = stats.frame - first_frame_;
  if (done > 0)
    progress.seconds_left = progress.elapsed / static_cast<double>(done) *
                            static_cast<double>(scene_.frames - stats.frame);
  if (stats.wall > 0)
    progress.particle_steps_per_second =
        static_cast<double>(stats.particles) * static_cast<double>(stats.steps) / stats.wall;
  on_frame_(progress);
}

// Frames first: whatever the checkpoint continues from must be there when it is.
Errors Run::checkpoint() {
  Errors errors = writer_->finish();
  if (!errors.empty()) return errors;
  const Result<std::filesystem::path> written = write_checkpoint(
      folder_.checkpoint(), {options_.program, write_scene(scene_), world_->save()});
  last_checkpoint_ = Clock::now();
  if (!written) return written.errors();
  log_->line("checkpoint at frame " + std::to_string(world_->frame()) + ", " +
             std::to_string(world_->total_steps()) + " steps");
  return {};
}

}  // namespace

RunReport run_into_folder(const RunOptions& options, RunControl& control,
                          const std::function<void(const RunProgress&)>& on_frame) {
  return Run(options, control, on_frame).run();
}

}  // namespace firn

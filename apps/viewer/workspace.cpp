#include "workspace.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "exec/parallel.h"
#include "frames/grain_files.h"
#include "frames/ply.h"
#include "render/camera.h"
#include "scene_io/scene_reader.h"
#include "session/step_figures.h"

namespace firn::viewer {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostLines = 500;
constexpr std::size_t kMostEnergies = 300;
constexpr double kEditInterval = 0.05;  // s between the edits of a number that is dragged

double time_of(const PointTable& table, double otherwise) {
  const auto found = table.metadata.find("time");
  return found == table.metadata.end() ? otherwise : std::strtod(found->second.c_str(), nullptr);
}

// "FILE: /pointer: what" as the pointer and the rest.
std::pair<std::string, std::string> split_error(const std::string& line) {
  const std::size_t at = line.find(": /");
  if (at == std::string::npos) return {};
  const std::size_t end = line.find(": ", at + 2);
  if (end == std::string::npos) return {};
  return {line.substr(at + 2, end - at - 2), line.substr(end + 2)};
}

// Of the first, the middle and the last frame; those that cannot be read say nothing.
std::vector<Vec3d> places_of(const Playback& run) {
  std::vector<Vec3d> places;
  for (const std::int64_t number : {run.first(), (run.first() + run.last()) / 2, run.last()}) {
    const Result<Frame> table = read_ply(run.folder().frame(number));
    if (!table || table->count == 0) continue;
    const std::vector<Vec3d> some = places_inside(*table, robust_bounds(*table));
    places.insert(places.end(), some.begin(), some.end());
  }
  return places;
}

}  // namespace

void Log::add(const std::string& line) {
  if (!lines_.empty() && lines_.back() == line) return;
  lines_.push_back(line);
  if (lines_.size() > kMostLines) lines_.erase(lines_.begin());
}

void Log::add(const Errors& errors) {
  for (const std::string& error : errors) add(error);
}

Workspace::Workspace(const SolverMaker* maker) : session(maker) {}
Workspace::~Workspace() = default;

Workspace::Opened Workspace::read(const std::string& path) {
  const OwnThreadScope own;  // a simulation may have the pool
  Opened opened;
  opened.path = path;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    Result<std::unique_ptr<Playback>> run = Playback::open(path);
    if (!run) {
      opened.errors = run.errors();
      return opened;
    }
    opened.run = std::move(*run);
    opened.places = places_of(*opened.run);
    return opened;
  }
  Result<SceneSettings> scene = read_scene(path);
  if (scene)
    opened.scene = std::move(*scene);
  else
    opened.errors = scene.errors();
  return opened;
}

void Workspace::open(const std::string& path) {
  if (opening_.valid()) return log.add(path + ": wait until the other one is open");
  opening_ = std::async(std::launch::async, [path] { return read(path); });
}

void Workspace::open_new() {
  Opened opened;
  opened.scene = new_scene();
  begin(std::move(opened));
}

void Workspace::begin(Opened opened) {
  if (!opened.errors.empty()) {
    set_errors(opened.errors);
    log.add(opened.errors);
    return;
  }
  ++opened_;
  places_ = std::move(opened.places);
  set_errors({});
  solver_history.clear();
  stage_history.clear();
  for (auto& series : energies) series.clear();
  session_frame.reset();
  played_.reset();
  playback_problem.clear();
  playback = std::move(opened.run);
  control = PlaybackControl{};
  wants_grains_ = false;
  if (playback) {
    session.pause();
    document.set(playback->scene(), playback->folder().scene());
    control.position = static_cast<double>(playback->first());
    if (const double speed = playback->scene().view.speed; speed > 0) control.speed = speed;
    log.add("opened the run " + opened.path);
    if (playback->missing() > 0)
      log.add(opened.path + ": " + std::to_string(playback->missing()) + " frames are missing");
    return;
  }
  document.set(std::move(*opened.scene), opened.path);
  session.open(document.scene(), document.label());
  if (!opened.path.empty()) log.add("opened " + opened.path);
}

bool Workspace::save(const fs::path& path) {
  const Result<fs::path> written = document.save(path);
  log.add(written ? "saved " + written->string() : written.errors().front());
  return written.ok();
}

void Workspace::simulate_this() {
  if (!playback) return;
  Opened opened;
  opened.path = document.path().string();
  opened.scene = document.scene();
  begin(std::move(opened));
}

void Workspace::set_errors(Errors errors) {
  errors_ = std::move(errors);
  by_pointer_.clear();
  for (const std::string& line : errors_) {
    const auto [pointer, what] = split_error(line);
    if (!pointer.empty()) by_pointer_[pointer] = what;
  }
}

void Workspace::update(double seconds) {
  since_edit_ += seconds;
  if (opening_.valid() && opening_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    begin(opening_.get());
  const SessionState before = status.state;
  status = session.status();
  if (playback) {
    if (control.playing) control.position += seconds * control.speed * playback->scene().fps;
    const double first = static_cast<double>(playback->first());
    const double last = static_cast<double>(playback->last());
    if (control.position > last + 0.999) {
      control.position = control.loop ? first : last;
      control.playing = control.playing && control.loop;
    }
    control.position = std::clamp(control.position, first, last + 0.999);
    return;
  }
  if (status.state == SessionState::failed && before != SessionState::failed)
    log.add(status.errors);
  if (status.edit == seen_edit_) {
    if (status.errors != errors_ && !is_opening() && !status.errors.empty())
      set_errors(status.errors);
    if (status.errors.empty() && status.state == SessionState::playing) set_errors({});
    return;
  }
  seen_edit_ = status.edit;
  set_errors(status.errors);
  log.add(status.words);
  // Defaults that were filled in, unless the user is ahead already.
  if (status.errors.empty() && status.edit == last_edit_ && status.scene)
    document.adopt(*status.scene);
  // What has not begun to move follows every edit.
  const bool at_start = session_frame && session_frame->total_steps == 0;
  if (status.waits_for_reset && (at_start || status.state == SessionState::failed) &&
      status.state != SessionState::playing)
    session.reset();
}

void Workspace::send_edits(bool typing, bool busy) {
  if (!document.is_changing() || typing) return;
  const bool complete = !busy;
  if (complete) document.complete_change();
  if (playback) return;
  if (!complete && since_edit_ < kEditInterval) return;
  since_edit_ = 0;
  last_edit_ = session.edit(document.scene());
}

void Workspace::undo() {
  document.undo();
  if (!playback) last_edit_ = session.edit(document.scene());
}

void Workspace::redo() {
  document.redo();
  if (!playback) last_edit_ = session.edit(document.scene());
}

void Workspace::note_frame(const SessionFrame& frame) {
  if (!frame.phases.empty()) {  // of steps that were made since the picture before
    stage_history.add(stage_figures(frame.phases, 1));
    solver_history.add(solver_figures(frame.stats));
  }
  const double values[3] = {frame.stats.kinetic, frame.stats.elastic,
                            frame.stats.gravity_potential};
  if (frame.total_steps == 0)
    for (auto& series : energies) series.clear();
  for (int i = 0; i < 3; ++i) {
    energies[i].push_back(static_cast<float>(values[i]));
    if (energies[i].size() > kMostEnergies) energies[i].erase(energies[i].begin());
  }
}

std::optional<Shown> Workspace::next_frame() {
  if (playback) {
    playback->request(static_cast<std::int64_t>(std::floor(control.position)), shows_grains());
    const auto frame = playback->newest();
    if (!frame || frame == played_) return {};
    played_ = frame;
    if (!frame->problem.empty()) log.add(frame->problem);
    playback_problem = frame->problem;
    const double time = static_cast<double>(frame->number) / playback->scene().fps;
    Shown shown{{frame, &frame->points}, frame->number, time_of(frame->points, time)};
    shown.readable = frame->problem.empty();
    if (frame->grains) shown.per_particle = grains_per_particle(frame->points);
    shown.number = ++shown_;
    return shown;
  }
  const auto frame = session.take();
  if (!frame) return {};
  session_frame = frame;
  note_frame(*frame);
  Shown shown{{frame, &frame->points}, frame->stats.frame, frame->stats.time, frame->ends_frame};
  shown.per_particle = frame->per_particle;
  shown.number = ++shown_;
  return shown;
}

void Workspace::show_grains(bool shown) {
  wants_grains_ = shown;
  if (!shown || playback || document.scene().grains) return;
  document.scene().grains.emplace();
  document.touch();
}

void Workspace::keep_real_time(bool kept) {
  document.scene().view.speed = kept ? 1 : 0;
  document.touch();
}

double Workspace::played_pace() const {
  const bool plays = !playback && status.state == SessionState::playing && session_frame;
  return plays ? session_frame->pace : 0;
}

bool Workspace::falls_behind() const {
  constexpr double kEnough = 0.97;
  return played_pace() > 0 && played_pace() < kEnough * pace_.speed;
}

void Workspace::set_pace(const SessionPace& wanted) {
  const bool same = wanted.steps == pace_.steps && wanted.speed == pace_.speed &&
                    wanted.every_frame == pace_.every_frame && wanted.grains == pace_.grains &&
                    wanted.fields == pace_.fields;
  if (same) return;
  pace_ = wanted;
  session.set_pace(pace_);
}

}  // namespace firn::viewer

#include "session/session.h"

#include <utility>

namespace firn {

Session::Session(const SolverMaker* maker) : runner_(maker), thread_([this] { work(); }) {}

Session::~Session() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    interrupted_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Session::post(std::function<void()> run) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back({std::move(run)});
    interrupted_ = true;
  }
  wake_.notify_all();
}

void Session::open(SceneSettings scene, std::string label) {
  post([this, scene = std::move(scene), label = std::move(label)] {
    playing_ = false;
    set_state(SessionState::busy);
    Errors errors = runner_.open(scene, label);
    {
      const std::lock_guard lock(mutex_);
      newest_.reset();
      taken_ = true;
      status_.words.clear();
    }
    after_change(std::move(errors));
  });
}

void Session::play() {
  post([this] { begin_playing({}); });
}

void Session::play_until(std::int64_t frame) {
  post([this, frame] {
    if (runner_.frame() < frame) begin_playing(frame);
  });
}

void Session::begin_playing(std::optional<std::int64_t> until) {
  if (!runner_.has_world()) return;
  playing_ = true;
  until_ = until;
  begin_pace();
  waiting_for_taker_ = pace_.every_frame;  // the picture at hand counts too
  set_state(SessionState::playing);
}

void Session::pause() {
  post([this] {
    if (!playing_) return;
    playing_ = false;
    publish();
    set_state(SessionState::paused);
  });
}

void Session::step() {
  post([this] {
    if (!runner_.has_world()) return;
    playing_ = false;
    const Result<bool> done = runner_.step(&quit_);
    if (!done) return fail(done.errors());
    publish();
    set_state(SessionState::paused);
  });
}

void Session::step_frame() {
  post([this] { begin_playing(runner_.frame() + 1); });
}

void Session::reset() {
  post([this] { run_reset(); });
}

void Session::stop() {
  post([this] {
    playing_ = false;
    run_reset();
  });
}

void Session::run_reset() {
  const bool goes_on = playing_;
  set_state(SessionState::busy);
  Errors errors = runner_.reset();
  const bool fine = errors.empty();
  after_change(std::move(errors));
  if (goes_on && fine) begin_playing(until_);
}

std::uint64_t Session::edit(SceneSettings scene) {
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = ++edits_;
    // An edit replaces one that still waits.
    if (!commands_.empty() && commands_.back().is_edit) commands_.pop_back();
    commands_.push_back(
        {[this, scene = std::move(scene), number] { run_edit(scene, number); }, true});
    interrupted_ = true;
  }
  wake_.notify_all();
  return number;
}

void Session::run_edit(const SceneSettings& scene, std::uint64_t number) {
  const EditReport report = runner_.edit(scene);
  // What is shown while nothing moves follows: bodies may stand elsewhere now.
  if (report.errors.empty() && report.verdict.concerns_world && !playing_) publish();
  const std::lock_guard lock(mutex_);
  status_.edit = number;
  status_.words = report.words;
  status_.effect = report.verdict.effect;
  if (status_.state != SessionState::failed || !report.errors.empty())
    status_.errors = report.errors;
  if (!report.errors.empty()) return;
  status_.waits_for_reset = report.verdict.effect == EditEffect::at_reset;
  status_.scene = std::make_shared<const SceneSettings>(runner_.edited_scene());
}

void Session::set_force(const InteractiveForce& hand) {
  post([this, hand] { runner_.set_force(hand); });
}

void Session::set_pace(SessionPace pace) {
  post([this, pace = std::move(pace)] {
    const bool shows_other = pace.fields != pace_.fields || pace.grains != pace_.grains;
    pace_ = pace;
    begin_pace();
    if (shows_other && !playing_) publish();
  });
}

void Session::set_device(Device device) {
  post([this, device] {
    const Errors errors = runner_.set_device(device);
    const std::lock_guard lock(mutex_);
    status_.device = runner_.device();
    if (!errors.empty()) status_.words = errors.front();
  });
}

SessionStatus Session::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

std::shared_ptr<const SessionFrame> Session::take() {
  std::shared_ptr<const SessionFrame> frame;
  {
    const std::lock_guard lock(mutex_);
    if (taken_) return nullptr;
    taken_ = true;
    frame = newest_;
  }
  wake_.notify_all();
  return frame;
}

void Session::wait_until_idle() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] {
    return commands_.empty() && !working_ && status_.state != SessionState::playing;
  });
}

void Session::set_state(SessionState state) {
  const std::lock_guard lock(mutex_);
  status_.state = state;
}

// The picture stays that of the last good state.
void Session::fail(Errors errors) {
  playing_ = false;
  const std::lock_guard lock(mutex_);
  status_.state = SessionState::failed;
  status_.errors = std::move(errors);
}

void Session::after_change(Errors errors) {
  if (!errors.empty()) {
    fail(std::move(errors));
  } else {
    publish();
    set_state(SessionState::paused);
    const std::lock_guard lock(mutex_);
    status_.errors.clear();
    if (status_.waits_for_reset) status_.words = "everything edited is in effect";
    status_.waits_for_reset = false;
  }
  const std::lock_guard lock(mutex_);
  status_.scene = std::make_shared<const SceneSettings>(runner_.edited_scene());
}

}  // namespace firn

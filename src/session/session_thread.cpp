// What the thread of a session does.
#include <algorithm>
#include <chrono>

#include "session/session.h"

namespace firn {

using Clock = std::chrono::steady_clock;

namespace {
constexpr double kLongestWait = 1e6;  // s; clocks count nanoseconds
// What a simulation is late by more than this it does not make up for: it would run faster than it
// is to, after something took long.
constexpr double kMostLate = 0.1;  // s

double seconds_of(Clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}
}  // namespace

void Session::work() {
  std::deque<Command> commands;
  while (next(commands)) {
    for (const Command& command : commands) command.run();
    if (playing_ && !waiting_for_taker_) advance();
  }
}

bool Session::next(std::deque<Command>& commands) {
  commands.clear();
  std::unique_lock lock(mutex_);
  working_ = false;
  idle_.notify_all();
  wake_.wait(lock, [this] {
    waiting_for_taker_ = waiting_for_taker_ && !taken_;
    return quit_ || !commands_.empty() || (playing_ && !waiting_for_taker_);
  });
  working_ = true;
  commands.swap(commands_);
  interrupted_ = quit_.load();
  return !quit_;
}

// One step, or on a device all up to the next picture where that is a frame; and a picture when it
// is time for one.
void Session::advance() {
  const bool whole_frame = runner_.device() != Device::cpu && pace_.steps == 0;
  const Result<bool> ended =
      whole_frame ? runner_.run_frame(interrupted_, &quit_) : runner_.step(&quit_);
  if (!ended) return fail(ended.errors());
  for (Note& note : runner_.take_notes()) {
    const std::lock_guard lock(mutex_);
    status_.words = std::move(note.line);
  }
  ++steps_since_picture_;
  const bool reached = until_ && *ended && runner_.frame() >= *until_;
  const bool due = *ended || (pace_.steps > 0 && steps_since_picture_ >= pace_.steps);
  if (reached || (*ended && pace_.every_frame) || (due && may_publish())) publish();
  if (*ended && pace_.every_frame) waiting_for_taker_ = !reached;
  if (reached) {
    playing_ = false;
    set_state(SessionState::paused);
  } else if (due) {
    hold_pace();
    meter_.note(seconds_of(Clock::now()), runner_.time());
  }
}

// A picture that nobody looked at makes another one a waste.
bool Session::may_publish() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

void Session::publish() {
  std::shared_ptr<const SessionFrame> frame =
      runner_.picture(pace_.fields, pace_.grains, playing_ ? meter_.pace() : 0);
  steps_since_picture_ = 0;
  if (!frame) return;
  const std::lock_guard lock(mutex_);
  newest_ = std::move(frame);
  taken_ = false;
}

// The clock counts from here on.
void Session::begin_pace() {
  played_from_ = Clock::now();
  time_from_ = runner_.time();
  meter_.begin(seconds_of(played_from_), time_from_);
}

// Waits while the simulation is ahead of the clock; a command ends the wait.
void Session::hold_pace() {
  if (!(pace_.speed > 0)) return;
  const std::chrono::duration<double> due(
      std::min((runner_.time() - time_from_) / pace_.speed, kLongestWait));
  const auto until = played_from_ + std::chrono::duration_cast<Clock::duration>(due);
  if (std::chrono::duration<double>(Clock::now() - until).count() > kMostLate) {
    played_from_ = Clock::now();
    time_from_ = runner_.time();
    return;
  }
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, until, [this] { return quit_ || !commands_.empty(); });
}

}  // namespace firn

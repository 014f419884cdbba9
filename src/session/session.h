// A simulation in a thread of its own, steered from another one. No call waits for a step: commands
// are noted, and the newest picture of the particles is handed over by swapping a pointer.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "session/pace_meter.h"
#include "session/runner.h"

namespace firn {

enum class SessionState { empty, busy, paused, playing, failed };

// How fast a simulation plays, and what it shows.
struct SessionPace {
  std::int64_t steps = 0;    // between pictures; 0: one picture a frame
  double speed = 0;          // simulated seconds a second, at most; 0: as fast as it goes
  bool every_frame = false;  // waits until each frame was taken: for recordings
  bool grains = false;       // fine grains in place of particles, where the scene has them
  std::vector<std::string> fields = {"velocity", "id", "material", "color", "volume"};
};

struct SessionStatus {
  SessionState state = SessionState::empty;
  Errors errors;      // why it failed, or what is wrong with the edited scene
  std::string words;  // what the newest edit did
  EditEffect effect = EditEffect::none;
  bool waits_for_reset = false;                // something edited is not in effect yet
  std::uint64_t edit = 0;                      // number of the newest edit that was looked at
  std::shared_ptr<const SceneSettings> scene;  // as edited, with defaults filled in
  Device device = Device::cpu;
};

class Session {
 public:
  // With the solvers of scenes, or with another where its maker is given.
  explicit Session(const SolverMaker* maker = nullptr);
  ~Session();  // waits for the step at hand
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // A new scene, paused at its start. The label is its path.
  void open(SceneSettings scene, std::string label);
  void play();
  void play_until(std::int64_t frame);  // and pause exactly there
  void pause();
  void step();        // one time step
  void step_frame();  // to the next frame
  void reset();       // to the start, with the scene as edited; goes on playing if it did
  void stop();        // pauses and resets
  // The scene as edited; the number of the edit, which the status tells once it was looked at.
  std::uint64_t edit(SceneSettings scene);
  void set_force(const InteractiveForce& hand);
  void set_pace(SessionPace pace);
  // Goes on there as it stands; the status tells where it is, and in words why it stayed.
  void set_device(Device device);

  SessionStatus status() const;
  // The newest picture, when there is one that was not taken yet; else null.
  std::shared_ptr<const SessionFrame> take();
  // Waits until the session rests: paused, failed or empty, with every command carried out.
  void wait_until_idle();

 private:
  struct Command {
    std::function<void()> run;
    bool is_edit = false;
  };
  void post(std::function<void()> run);
  void work();
  // Sleeps until there is something to do; false when the session ends.
  bool next(std::deque<Command>& commands);
  void advance();
  void run_reset();
  void run_edit(const SceneSettings& scene, std::uint64_t number);
  void begin_playing(std::optional<std::int64_t> until);
  void set_state(SessionState state);
  void fail(Errors errors);
  void after_change(Errors errors);
  void publish();
  bool may_publish() const;
  void begin_pace();
  void hold_pace();

  // Shared, under the mutex.
  mutable std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::deque<Command> commands_;
  std::uint64_t edits_ = 0;
  SessionStatus status_;
  std::shared_ptr<const SessionFrame> newest_;
  bool taken_ = true;
  std::atomic<bool> quit_{false};
  bool working_ = false;
  std::atomic<bool> interrupted_{false};  // a command waits

  // Of the thread alone.
  Runner runner_;
  SessionPace pace_;
  bool playing_ = false;
  std::optional<std::int64_t> until_;
  std::int64_t steps_since_picture_ = 0;
  bool waiting_for_taker_ = false;
  std::chrono::steady_clock::time_point played_from_;
  double time_from_ = 0;  // s, simulated, at played_from_
  PaceMeter meter_;

  std::thread thread_;
};

}  // namespace firn

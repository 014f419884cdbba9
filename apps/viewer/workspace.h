// What the window works on: a scene with its simulation, or a run that is played back. Knows
// nothing of windows and pictures.
#pragma once

#include <future>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "document.h"
#include "session/batch.h"
#include "session/playback.h"
#include "session/series_history.h"
#include "session/session.h"

namespace firn::viewer {

// Particles on their way to the screen.
struct Shown {
  std::shared_ptr<const Frame> points;
  std::int64_t frame = 0;
  double time = 0;           // s
  bool ends_frame = true;    // stands exactly at a frame
  bool readable = true;      // false: the file of the frame is missing or damaged
  double per_particle = 0;   // > 0: fine grains, so many made of a particle
  std::uint64_t number = 0;  // grows from one to the next
};

// How a run is played back.
struct PlaybackControl {
  bool playing = false, loop = true;
  double position = 0;  // frames
  double speed = 1;     // times real time
};

class Log {
 public:
  void add(const std::string& line);
  void add(const Errors& errors);
  const std::vector<std::string>& lines() const { return lines_; }
  void clear() { lines_.clear(); }

 private:
  std::vector<std::string> lines_;
};

class Workspace {
 public:
  explicit Workspace(const SolverMaker* maker = nullptr);
  ~Workspace();

  // A scene file or the folder of a run; read in the background.
  void open(const std::string& path);
  void open_new();
  bool is_opening() const { return opening_.valid(); }
  // Of the scene or run that is open: whoever frames it looks for another number.
  std::uint64_t opened() const { return opened_; }
  bool save(const std::filesystem::path& path);
  // The scene of a run that is played back becomes one to simulate.
  void simulate_this();

  bool plays_back() const { return playback != nullptr; }
  // Where particles are at the beginning, in the middle and at the end of a run that is played
  // back, some of them; of a scene none are known. m
  const std::vector<Vec3d>& places() const { return places_; }
  // Once a picture. `seconds` since the one before.
  void update(double seconds);
  // Sends what was edited to the simulation. `typing`: a text field is being filled in; `busy`:
  // some widget is held.
  void send_edits(bool typing, bool busy);
  void undo();
  void redo();
  // The next particles to show, or none that are new.
  std::optional<Shown> next_frame();

  // Fine grains in place of particles. A scene that has none gets them; a run has them or not.
  bool shows_grains() const { return wants_grains_ && may_show_grains(); }
  bool may_show_grains() const { return !playback || playback->has_grains(); }
  void show_grains(bool shown);

  // At the pace of the clock where the scene is fast enough for that (/view/speed), or as fast as
  // it goes.
  bool keeps_real_time() const { return document.scene().view.speed == 1; }
  void keep_real_time(bool kept);
  // Simulated seconds a second of the clock while a scene plays; 0: it does not, or not known yet.
  double played_pace() const;
  bool falls_behind() const;  // it plays slower than it is to

  void set_pace(const SessionPace& wanted);
  const SessionPace& pace() const { return pace_; }

  // Of what is open, by JSON pointer; and all of them.
  const std::map<std::string, std::string>& errors_by_pointer() const { return by_pointer_; }
  const Errors& errors() const { return errors_; }

  Document document;
  Session session;
  SessionStatus status;                               // as of this picture
  std::shared_ptr<const SessionFrame> session_frame;  // the newest taken
  std::unique_ptr<Playback> playback;
  PlaybackControl control;
  std::string playback_problem;  // of the frame at hand
  std::unique_ptr<Batch> batch;
  SeriesHistory solver_history, stage_history;  // of the scene, by picture
  std::vector<float> energies[3];               // kinetic, elastic, gravity potential by picture, J
  Log log;

 private:
  struct Opened {
    std::string path;
    Errors errors;
    std::optional<SceneSettings> scene;
    std::unique_ptr<Playback> run;
    std::vector<Vec3d> places;
  };
  static Opened read(const std::string& path);
  void begin(Opened opened);
  void set_errors(Errors errors);
  void note_frame(const SessionFrame& frame);

  std::future<Opened> opening_;
  std::uint64_t opened_ = 0;
  std::vector<Vec3d> places_;
  std::uint64_t shown_ = 0;
  std::shared_ptr<const PlaybackFrame> played_;
  SessionPace pace_;
  bool wants_grains_ = false;
  Errors errors_;
  std::map<std::string, std::string> by_pointer_;
  std::uint64_t last_edit_ = 0, seen_edit_ = 0;
  double since_edit_ = 1;  // s
};

}  // namespace firn::viewer

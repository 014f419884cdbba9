// Films and stills of what the window shows.
#pragma once

#include <memory>
#include <string>

#include "session/film_queue.h"
#include "viewport.h"
#include "workspace.h"

namespace firn::viewer {

struct RecordForm {
  std::string film = "film.mp4", still = "still.png";
  int size[2] = {1280, 720};       // pixels
  std::int64_t from = 0, to = 60;  // frames
  double speed = 1;                // times real time
  bool legend = true;
};

class Recorder {
 public:
  Recorder(Workspace& workspace, Viewport& viewport) : workspace_(workspace), viewport_(viewport) {}

  void save_still(const RecordForm& form);
  // Goes back to where the film begins, if need be, and takes every frame from there.
  void start(const RecordForm& form);
  // The film ends with what was taken.
  void finish();
  // Once a picture, after the viewport's update.
  void update();

  bool recording() const { return film_ != nullptr; }
  // No further frame may come before the one shown was taken.
  bool holds_frames() const;
  // Frames taken, and how many there will be.
  std::int64_t taken() const { return taken_; }
  std::int64_t total() const { return form_.to - form_.from + 1; }
  const std::string& words() const { return words_; }

 private:
  bool is_due() const;
  void add_frame();
  void end(const std::string& words);

  Workspace& workspace_;
  Viewport& viewport_;
  RecordForm form_;
  std::unique_ptr<FilmQueue> film_;
  bool closing_ = false;
  std::uint64_t last_shown_ = 0;  // number of the newest picture that was looked at
  std::int64_t taken_ = 0;
  std::int64_t expected_ = 0;  // frame of a run that comes next
  SessionPace pace_before_;
  std::string words_;
};

}  // namespace firn::viewer

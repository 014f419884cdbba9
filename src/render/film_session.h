// A film in the making: takes the frames of a run as they come, and writes those of the film.
#pragma once

#include <optional>

#include "mesh_io/film.h"
#include "render/frame_painter.h"

namespace firn {

// One picture of a frame with all that belongs to it: colliders in their places, the legend.
Result<Image> paint_frame(FramePainter& painter, const Frame& frame, const SceneSettings& settings,
                          const Survey& survey, const Camera& camera);

// The camera turned about the vertical line through its target; in flat scenes about the picture's
// middle. Degrees.
Camera turned_camera(const Camera& camera, double angle, int dimension);

class FilmSession {
 public:
  // `total`: how many frames of the run will come, as far as known; turntables need it.
  static Result<FilmSession> open(const SceneSettings& settings, const Survey& survey,
                                  const RenderRunOptions& options, FramePainter& painter,
                                  std::int64_t total);

  // The next frame of the run. Errors: the frame cannot be drawn (a warning, the film goes on).
  Errors add(Frame frame);
  bool is_broken() const { return broken_; }       // the encoder has gone; finish tells why
  std::int64_t frames() const { return frames_; }  // of the film, so far

  // Ends the film, also one that was not to end yet: it can be played.
  Result<std::filesystem::path> finish();

 private:
  FilmSession(const SceneSettings& settings, const Survey& survey, const RenderRunOptions& options,
              FramePainter& painter, FilmWriter film, std::int64_t total);

  // Pictures of the film that lie before the run's frame number `end`.
  Errors paint_until(double end);
  Errors paint_picture();
  Result<Image> picture_at(double place, const Camera& camera);

  const SceneSettings& settings_;
  const Survey& survey_;
  const RenderRunOptions& options_;
  FramePainter& painter_;
  FilmWriter film_;
  std::int64_t total_;
  double step_;           // frames of the run a picture
  bool between_ = false;  // pictures may lie between frames
  bool broken_ = false;
  std::int64_t frames_ = 0;
  std::int64_t taken_ = 0;  // frames of the run
  std::optional<Frame> before_, newest_;
};

}  // namespace firn

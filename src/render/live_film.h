// A film that is made while the run is computed.
#pragma once

#include <optional>

#include "frames/run_folder.h"
#include "render/film_session.h"

namespace firn {

// Draws the frames of a run as their files become complete. What must be the same in all pictures
// is decided from the first frame and what stands around it.
class LiveFilm {
 public:
  LiveFilm(RunFolder folder, SceneSettings settings, RenderRunOptions options,
           FramePainter& painter);

  // Frames up to this number are complete. Errors end the film.
  Errors advance(std::int64_t complete);
  // The rest, and the end of the film.
  Result<RenderReport> finish(std::int64_t complete);

 private:
  Errors begin(const PointTable& first);

  RunFolder folder_;
  SceneSettings settings_;
  RenderRunOptions options_;
  FramePainter& painter_;
  std::optional<Survey> survey_;
  std::optional<FilmSession> film_;
  std::int64_t next_;
  std::vector<std::string> warnings_;
};

}  // namespace firn

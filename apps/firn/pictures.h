// From the frames of a run to pictures: camera, colours and sizes that hold for all of its frames.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/image.h"
#include "io/run_folder.h"
#include "render/splatter.h"
#include "scene/settings.h"

namespace firn::cli {

struct PictureOptions {
  int width = 1280, height = 720;
  std::string camera;    // empty: the scene's, or one that frames the particles
  std::string color_by;  // empty: as the scene says
};

class PictureMaker {
 public:
  // Looks at a few of the frames to choose what the scene leaves open.
  static Result<PictureMaker> create(const SceneSettings& scene, const RunFolder& folder,
                                     const std::vector<std::int64_t>& frames,
                                     const PictureOptions& options);

  Result<Image> picture(std::int64_t frame) const;

 private:
  struct Samples {
    std::optional<Bounds> box;
    std::vector<Vec3d> places;
    std::optional<ValueRange> values;
  };
  static Result<Samples> look_at_frames(const RunFolder& folder,
                                        const std::vector<std::int64_t>& frames,
                                        const std::string& color_by);

  RunFolder folder_;
  RenderScene scene_;
  RenderOptions options_;
  Camera camera_;
  ColorChoice color_;
  double radius_ = 0;
};

}  // namespace firn::cli

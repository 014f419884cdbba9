// Pictures and films of a finished run: frames from disk, colours, camera and legend decided once
// for all of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "mesh_io/film.h"
#include "scene/settings.h"

namespace firn {

struct RenderRunOptions {
  std::filesystem::path output;  // .png: one picture; .mp4: a film of all frames
  std::int64_t frame = -1;       // number of the frame of a picture; -1: the last
  int width = 1280, height = 720;
  std::string camera;                 // empty: the scene's own, else automatic; or a name
  std::string color_by;               // empty: as the scene says
  double low = 0, high = 0;           // range of the colours; equal: automatic
  std::optional<ColorMap> color_map;  // none: as the scene says
  double fps = 0;                     // of a film; 0: the scene's, at most 60
  double speed = 0;                   // simulated seconds a second of film; 0: one picture a frame
  std::int64_t first = 0, last = -1;  // numbers of the frames of a film; -1: to the end
  double turntable = 0;               // degrees that the camera turns through a film
  int motion_blur = 1;                // pictures that one of the film is the mean of
  FilmCodec codec = FilmCodec::h264;
  int supersampling = 2;
  bool legend = true;
};

class FramePainter;

struct RenderReport {
  std::filesystem::path output;
  std::int64_t frames = 0;   // pictures made
  bool interrupted = false;  // a film that ends early, but can be played
  std::vector<std::string> warnings;
};

// Called before each frame with frames done and in all; false stops: a film then ends with what
// has been drawn.
using RenderProgress = std::function<bool(std::int64_t done, std::int64_t total)>;

// What is wrong with the options, or "".
std::string options_problem(const RenderRunOptions& options);

// 12 for frame_0012.ply or grains_0012.ply; -1 when the name has no number.
std::int64_t frame_number(const std::filesystem::path& path);

// frames/frame_NNNN.ply of a run folder, by number.
std::vector<std::filesystem::path> frame_files(const std::filesystem::path& run_folder);

// Frames that cannot be read are left out with a warning; it is an error when none can, or not the
// one that was asked for.
Result<RenderReport> render_run(const std::vector<std::filesystem::path>& frames,
                                const SceneSettings& scene, const RenderRunOptions& options,
                                FramePainter& painter, const RenderProgress& progress = {});

}  // namespace firn

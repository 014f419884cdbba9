#include "run/upsample.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "frames/ply.h"
#include "grains/grain_cloud.h"
#include "run/coarse_frames.h"
#include "run/frame_check.h"
#include "run/frame_files.h"
#include "scene/check_grains.h"
#include "scene/defaults.h"
#include "scene/line_text.h"
#include "scene/periodic.h"
#include "sim/fine_grains.h"
#include "sim/obstacles.h"

namespace firn {
namespace {

UpsampleOutcome refused(const std::string& line) {
  return {true, {line}, {}};
}

// What can be said from names and headers; "": nothing.
std::string folder_problem(const UpsampleOptions& options,
                           const std::vector<std::int64_t>& numbers) {
  const RunFolder& folder = options.folder;
  const std::string frames = folder.frames().string();
  if (numbers.empty()) return frames + ": no frames";
  if (!options.overwrite && !grain_numbers(folder).empty())
    return frames + ": has grains already; replace them with --overwrite";
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (numbers[i] != numbers[i - 1] + 1)
      return frames + ": frame " + std::to_string(numbers[i - 1] + 1) +
             " is missing; grains need all frames";
  for (const std::int64_t number : numbers)
    if (!is_whole_frame(folder.frame(number)))
      return folder.frame(number).string() + ": is damaged or cut off; run the scene again";
  return "";
}

std::string memory_problem(const UpsampleOptions& options, std::size_t particles) {
  constexpr double kMostGrains = 4e9;  // ids have 32 bits
  const double grains = double(particles) * double(options.scene.grains->per_particle);
  const double most = std::floor(std::min(kMostGrains, options.memory / bytes_per_grain()));
  if (grains <= most) return "";
  return options.folder.root.string() + ": " + grouped(grains) + " grains take " +
         gibibytes(grains * bytes_per_grain()) + " of memory; this machine has room for " +
         grouped(most) + ", so choose fewer with --per-particle";
}

// Also says what is wrong with it.
template <int D>
Result<CoarseState<D>> read_state(const UpsampleOptions& options, std::int64_t number) {
  const std::filesystem::path path = options.folder.frame(number);
  const Result<Frame> frame = read_ply(path);
  if (!frame) return frame.errors();
  return coarse_state_of<D>(*frame, options.scene, double(number) / options.scene.fps,
                            path.string());
}

template <int D>
class Upsampler {
 public:
  Upsampler(const UpsampleOptions& options, const CoarseState<D>& first)
      : options_(options),
        gravity_(options.scene.gravity),
        obstacles_(runtime_colliders(options.scene)) {
    const SceneSettings& scene = options.scene;
    for (int a = 0; a < D; ++a) {
      const PeriodInBlocks period = periods_in_blocks(scene)[a];
      periods_[a] = {period.first, period.count};
    }
    for (const float spacing : first.spacing) widest_ = std::max(widest_, double(spacing));
    for (const EmitterSettings& emitter : scene.emitters)
      widest_ = std::max(widest_, particle_spacing(scene, emitter.sampling));
    if (!(widest_ > 0)) widest_ = scene.grid.spacing;
    cloud_ = std::make_unique<GrainCloud<D>>(grain_settings(scene), scene.grid.spacing, widest_,
                                             periods_, grain_species(scene));
    obstacles_.set_step(first.time, 1e-9);
  }

  bool start(const CoarseState<D>& first) { return cloud_->start(first, obstacles_); }
  // False: more grains than can be numbered.
  bool follow(const CoarseState<D>& from, const CoarseState<D>& to);
  Errors write(std::int64_t number) const;
  std::size_t size() const { return cloud_->size(); }

 private:
  static constexpr double kLongestWay = 0.4;  // of particles between two places, spacings
  static constexpr int kMostPlaces = 256;

  const UpsampleOptions& options_;
  VaryingField gravity_;
  ColliderSet obstacles_;
  typename BlockTopology<D>::Periods periods_{};
  double widest_ = 0;  // m
  std::unique_ptr<GrainCloud<D>> cloud_;
};

template <int D>
bool Upsampler<D>::follow(const CoarseState<D>& from, const CoarseState<D>& to) {
  double fastest2 = 0;
  for (const CoarseState<D>* state : {&from, &to})
    for (const Vec<float, D>& v : state->velocity) fastest2 = std::max(fastest2, double(dot(v, v)));
  const double way = std::sqrt(fastest2) * (to.time - from.time);
  const int places = static_cast<int>(
      std::clamp(std::ceil(way / (kLongestWay * widest_)), 1.0, double(kMostPlaces)));
  GrainSurroundings around;
  around.obstacles = &obstacles_;
  around.gravity = [this](const Vec3d& x, double t) { return gravity_.at(x, t); };
  const double cell = options_.scene.grid.spacing;
  CoarseState<D> last = from;
  for (int k = 1; k <= places; ++k) {
    CoarseState<D> next = between(from, to, double(k) / places, periods_, cell);
    if (!cloud_->advance(last, next, around)) return false;
    std::vector<Shape> sinks;
    for (const SinkSettings& sink : options_.scene.sinks)
      if (next.time >= sink.start && next.time < sink.stop) sinks.push_back(placed(sink.shape, D));
    cloud_->remove_inside(sinks);
    last = std::move(next);
  }
  return true;
}

template <int D>
Errors Upsampler<D>::write(std::int64_t number) const {
  const OutputSettings& output = options_.scene.output;
  Frame grains(cloud_->table(fields_to_take(output.fields, output.formats)));
  char time[40];
  std::snprintf(time, sizeof(time), "%.9g", double(number) / options_.scene.fps);
  grains.metadata = {{"scene", options_.scene.name},
                     {"dimension", std::to_string(D)},
                     {"frame", std::to_string(number)},
                     {"time", time},
                     {"per_particle", std::to_string(options_.scene.grains->per_particle)}};
  return write_grain_files(options_.folder, number, grain_formats(options_.scene), grains);
}

Errors remove_grains(const RunFolder& folder) {
  Errors errors;
  std::error_code error;
  std::filesystem::remove(folder.grain_collection(), error);
  for (const std::string& format : frame_format_names())
    for (const std::int64_t number : grain_numbers(folder, format))
      if (!std::filesystem::remove(folder.grains(number, format), error) && error)
        errors.push_back(folder.grains(number, format).string() +
                         ": cannot remove: " + error.message());
  return errors;
}

template <int D>
UpsampleOutcome upsample(const UpsampleOptions& options, const std::vector<std::int64_t>& numbers,
                         const UpsampleProgress& progress) {
  const auto total = static_cast<std::int64_t>(numbers.size());
  Result<CoarseState<D>> state = read_state<D>(options, numbers.front());
  if (!state) return {true, state.errors(), {}};
  if (const std::string problem = memory_problem(options, state->size()); !problem.empty())
    return refused(problem);
  if (Errors errors = remove_grains(options.folder); !errors.empty()) return {false, errors, {}};
  Upsampler<D> grains(options, *state);
  UpsampleReport report;
  bool fits = grains.start(*state);
  for (std::int64_t i = 0; i < total && fits; ++i) {
    if (i > 0) {
      Result<CoarseState<D>> next = read_state<D>(options, numbers[i]);
      if (!next) return {true, next.errors(), report};
      if (const std::string problem = memory_problem(options, next->size()); !problem.empty())
        return {true, {problem}, report};
      fits = grains.follow(*state, *next);
      state = std::move(next);
    }
    if (Errors errors = grains.write(numbers[i]); !errors.empty()) return {false, errors, report};
    report = {i + 1, grains.size(), false};
    if (progress && !progress(i + 1, total, grains.size())) {
      report.stopped = i + 1 < total;
      break;
    }
  }
  if (!fits)
    return {true,
            {options.folder.root.string() + ": more grains than can be numbered; choose fewer with "
                                            "--per-particle"},
            report};
  return {false, {}, report};
}

}  // namespace

UpsampleOutcome upsample_run(const UpsampleOptions& options, const UpsampleProgress& progress) {
  const std::vector<std::int64_t> numbers = frame_numbers(options.folder);
  if (const std::string problem = folder_problem(options, numbers); !problem.empty())
    return refused(problem);
  return options.scene.dimension == 2 ? upsample<2>(options, numbers, progress)
                                      : upsample<3>(options, numbers, progress);
}

}  // namespace firn

#include "render/render_run.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "io/film.h"
#include "io/ply.h"
#include "io/png.h"
#include "render/survey.h"
#include "scene/collider_place.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

using Report = Result<RenderReport>;

// 12 for frame_0012.ply; -1 when the name has no number.
std::int64_t frame_number(const fs::path& path) {
  const std::string stem = path.stem().string();
  const std::size_t at = stem.find_last_not_of("0123456789") + 1;
  std::int64_t number = -1;
  std::from_chars(stem.data() + at, stem.data() + stem.size(), number);
  return number;
}

// Reads frames; what cannot be read becomes a warning, once.
class FrameReader {
 public:
  explicit FrameReader(const std::vector<fs::path>& paths)
      : paths_(paths), failed_(paths.size(), false) {}

  std::optional<PointTable> read(std::size_t i) {
    if (failed_[i]) return std::nullopt;
    Result<PointTable> table = read_ply(paths_[i]);
    if (table && table->count > 0 && !(table->has("x") && table->has("y")))
      table = Result<PointTable>::failure(paths_[i].string() + ": no positions x and y");
    if (table) return std::move(*table);
    failed_[i] = true;
    warnings_.push_back("frame skipped: " + table.errors().front());
    return std::nullopt;
  }

  // The first, a middle and the last readable frame.
  std::vector<PointTable> samples() {
    std::vector<PointTable> tables;
    std::size_t first = 0, last = paths_.size();
    while (first < last && tables.empty()) take(first++, tables);
    while (last > first && tables.size() < 2) take(--last, tables);
    if (last > first + 1) take((first + last) / 2, tables);
    return tables;
  }
  std::vector<std::string>& warnings() { return warnings_; }

 private:
  void take(std::size_t i, std::vector<PointTable>& tables) {
    if (auto table = read(i)) tables.push_back(std::move(*table));
  }

  const std::vector<fs::path>& paths_;
  std::vector<bool> failed_;
  std::vector<std::string> warnings_;
};

// Time of a frame as it says itself, s.
double time_of(const PointTable& table) {
  const auto found = table.metadata.find("time");
  return found == table.metadata.end() ? 0 : std::strtod(found->second.c_str(), nullptr);
}

Result<Image> draw(const PointTable& table, const SceneSettings& settings, const Survey& survey,
                   const RenderRunOptions& options) {
  const Result<PointCloud> cloud =
      make_point_cloud(table, center_of(*survey.scene.bounds), survey.radius, survey.colors);
  if (!cloud) return cloud.errors();
  const RenderOptions picture{options.width, options.height, options.supersampling, true};
  RenderScene scene = survey.scene;
  if (survey.colliders_move) scene.colliders = shown_colliders(settings, time_of(table));
  Image image = render_points(*cloud, scene, survey.camera, picture);
  if (survey.legend) draw_legend(image, *survey.legend);
  return image;
}

Report render_still(FrameReader& reader, const std::vector<fs::path>& frames,
                    const SceneSettings& scene, const Survey& survey,
                    const RenderRunOptions& options, const RenderProgress& progress) {
  std::optional<PointTable> table;
  if (options.frame < 0) {
    for (std::size_t i = frames.size(); i > 0 && !table; --i) table = reader.read(i - 1);
  } else {
    for (std::size_t i = 0; i < frames.size() && !table; ++i)
      if (frame_number(frames[i]) == options.frame) table = reader.read(i);
  }
  if (!table) {
    Errors errors = reader.warnings();
    errors.push_back("no readable frame " + std::to_string(options.frame) + "; the run has " +
                     std::to_string(frame_number(frames.front())) + " to " +
                     std::to_string(frame_number(frames.back())));
    return errors;
  }
  if (progress && !progress(0, 1)) return Report::failure("rendering stopped");
  const Result<Image> image = draw(*table, scene, survey, options);
  if (!image) return image.errors();
  const Result<fs::path> written = write_png(options.output, *image);
  if (!written) return written.errors();
  return RenderReport{*written, 1, reader.warnings()};
}

Report render_film(FrameReader& reader, const std::vector<fs::path>& frames,
                   const SceneSettings& scene, const Survey& survey,
                   const RenderRunOptions& options, double fps, const RenderProgress& progress) {
  Result<FilmWriter> film = FilmWriter::open(options.output, options.width, options.height, fps);
  if (!film) return film.errors();
  RenderReport report;
  const auto total = static_cast<std::int64_t>(frames.size());
  bool good = true;
  for (std::int64_t i = 0; i < total && good; ++i) {
    if (progress && !progress(i, total)) return Report::failure("rendering stopped");
    const std::optional<PointTable> table = reader.read(static_cast<std::size_t>(i));
    if (!table) continue;
    const Result<Image> image = draw(*table, scene, survey, options);
    if (!image) {
      reader.warnings().push_back("frame skipped: " + frames[static_cast<std::size_t>(i)].string() +
                                  ": " + image.errors().front());
      continue;
    }
    good = film->add(*image);
    ++report.frames;
  }
  const Result<fs::path> written = film->finish();
  if (!written) return written.errors();
  report.output = *written;
  report.warnings = reader.warnings();
  return report;
}

std::string options_problem(const RenderRunOptions& options) {
  constexpr int kLargest = 16384;
  if (options.width < 2 || options.height < 2 || options.width > kLargest ||
      options.height > kLargest)
    return "a picture has 2 to " + std::to_string(kLargest) + " pixels a side";
  if (options.supersampling < 1 || options.supersampling > 4) return "supersampling is 1 to 4";
  const std::string extension = options.output.extension().string();
  if (extension != ".png" && extension != ".mp4")
    return options.output.string() + ": the name must end in .png or .mp4";
  return "";
}

}  // namespace

std::vector<fs::path> frame_files(const fs::path& run_folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(run_folder / "frames", error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("frame_") && name.ends_with(".ply") && frame_number(it->path()) >= 0)
      files.push_back(it->path());
  }
  std::sort(files.begin(), files.end(),
            [](const fs::path& a, const fs::path& b) { return frame_number(a) < frame_number(b); });
  return files;
}

Result<RenderReport> render_run(const std::vector<fs::path>& frames, const SceneSettings& scene,
                                const RenderRunOptions& given, const RenderProgress& progress) {
  RenderRunOptions options = given;
  if (const std::string problem = options_problem(options); !problem.empty())
    return Report::failure(problem);
  if (frames.empty()) return Report::failure("the run has no frames to draw");
  const bool film = options.output.extension() == ".mp4";
  if (film) options.width -= options.width % 2, options.height -= options.height % 2;
  FrameReader reader(frames);
  const std::vector<PointTable> samples = reader.samples();
  if (samples.empty()) {
    Errors errors = reader.warnings();
    errors.push_back("no frame of the run can be read");
    return errors;
  }
  const Result<Survey> survey = survey_run(samples, scene, options);
  if (!survey) return survey.errors();
  if (!film) return render_still(reader, frames, scene, *survey, options, progress);
  // Runs with more frames a second than players show become slow motion.
  const double fps = options.fps > 0 ? options.fps : std::clamp(scene.fps, 1.0, 60.0);
  return render_film(reader, frames, scene, *survey, options, fps, progress);
}

}  // namespace firn

#include "render/render_run.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "frames/body_file.h"
#include "mesh_io/png.h"
#include "render/film_session.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

using Report = Result<RenderReport>;

// Reads frames; what cannot be read becomes a warning, once.
class FrameReader {
 public:
  explicit FrameReader(const std::vector<fs::path>& paths)
      : paths_(paths), failed_(paths.size(), false) {}

  std::optional<Frame> read(std::size_t i) {
    if (failed_[i]) return std::nullopt;
    std::vector<std::string> notes;
    Result<Frame> table = read_frame(paths_[i], &notes);
    for (std::string& note : notes)
      if (std::find(warnings_.begin(), warnings_.end(), note) == warnings_.end())
        warnings_.push_back(std::move(note));
    if (table && table->count > 0 && !(table->has("x") && table->has("y")))
      table = Result<Frame>::failure(paths_[i].string() + ": no positions x and y");
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
    if (auto table = read(i)) tables.push_back(PointTable(std::move(*table)));
  }

  const std::vector<fs::path>& paths_;
  std::vector<bool> failed_;
  std::vector<std::string> warnings_;
};

Report render_still(FrameReader& reader, const std::vector<fs::path>& frames,
                    const SceneSettings& scene, const Survey& survey,
                    const RenderRunOptions& options, const RenderProgress& progress,
                    FramePainter& painter) {
  std::optional<Frame> table;
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
  const Result<Image> image = paint_frame(painter, *table, scene, survey, survey.camera);
  if (!image) return image.errors();
  const Result<fs::path> written = write_png(options.output, *image);
  if (!written) return written.errors();
  return RenderReport{*written, 1, false, reader.warnings()};
}

Report render_film(FrameReader& reader, const std::vector<fs::path>& frames,
                   const SceneSettings& scene, const Survey& survey,
                   const RenderRunOptions& options, const RenderProgress& progress,
                   FramePainter& painter) {
  const auto total = static_cast<std::int64_t>(frames.size());
  Result<FilmSession> film = FilmSession::open(scene, survey, options, painter, total);
  if (!film) return film.errors();
  RenderReport report;
  for (std::int64_t i = 0; i < total && !film->is_broken(); ++i) {
    if (progress && !progress(i, total)) {
      report.interrupted = true;
      break;
    }
    std::optional<Frame> table = reader.read(static_cast<std::size_t>(i));
    if (!table) continue;
    const Errors errors = film->add(std::move(*table));
    if (!errors.empty())
      reader.warnings().push_back("frame skipped: " + frames[static_cast<std::size_t>(i)].string() +
                                  ": " + errors.front());
  }
  if (report.interrupted && film->frames() == 0) return Report::failure("rendering stopped");
  const Result<fs::path> written = film->finish();
  if (!written) return written.errors();
  report.frames = film->frames();
  report.output = *written;
  report.warnings = reader.warnings();
  return report;
}

// Those from the first to the last number.
std::vector<fs::path> frames_between(const std::vector<fs::path>& frames, std::int64_t first,
                                     std::int64_t last) {
  std::vector<fs::path> kept;
  for (const fs::path& frame : frames)
    if (frame_number(frame) >= first && (last < 0 || frame_number(frame) <= last))
      kept.push_back(frame);
  return kept;
}

}  // namespace

std::int64_t frame_number(const fs::path& path) {
  const std::string stem = path.stem().string();
  const std::size_t at = stem.find_last_not_of("0123456789") + 1;
  std::int64_t number = -1;
  std::from_chars(stem.data() + at, stem.data() + stem.size(), number);
  return number;
}

std::string options_problem(const RenderRunOptions& options) {
  constexpr int kLargest = 16384;
  if (options.width < 1 || options.height < 1 || options.width > kLargest ||
      options.height > kLargest)
    return "a picture has 1 to " + std::to_string(kLargest) + " pixels a side";
  if (options.supersampling < 1 || options.supersampling > 4) return "supersampling is 1 to 4";
  const std::string extension = options.output.extension().string();
  if (extension != ".png" && extension != ".mp4")
    return options.output.string() + ": the name must end in .png or .mp4";
  if (extension == ".mp4" && (options.width < 2 || options.height < 2))
    return options.output.string() + ": a film needs at least 2x2 pixels";
  if (options.motion_blur < 1 || options.motion_blur > 256) return "motion blur is of 1 to 256";
  return "";
}

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

Result<RenderReport> render_run(const std::vector<fs::path>& all, const SceneSettings& scene,
                                const RenderRunOptions& given, FramePainter& painter,
                                const RenderProgress& progress) {
  RenderRunOptions options = given;
  if (const std::string problem = options_problem(options); !problem.empty())
    return Report::failure(problem);
  const bool film = options.output.extension() == ".mp4";
  const std::vector<fs::path> frames =
      film ? frames_between(all, options.first, options.last) : all;
  if (frames.empty())
    return Report::failure(all.empty() ? "the run has no frames to draw"
                                       : "the run has no frames between those asked for");
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
  return (film ? render_film : render_still)(reader, frames, scene, *survey, options, progress,
                                             painter);
}

}  // namespace firn

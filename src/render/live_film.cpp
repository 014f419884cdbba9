#include "render/live_film.h"

#include "frames/body_file.h"
#include "render/preview.h"

namespace firn {

LiveFilm::LiveFilm(RunFolder folder, SceneSettings settings, RenderRunOptions options,
                   FramePainter& painter)
    : folder_(std::move(folder)),
      settings_(std::move(settings)),
      options_(std::move(options)),
      painter_(painter),
      next_(options_.first) {
  options_.width -= options_.width % 2;
  options_.height -= options_.height % 2;
}

Errors LiveFilm::begin(const PointTable& first) {
  Result<Survey> survey =
      survey_run({first}, settings_, options_, landmarks_at_start(settings_, first));
  if (!survey) return survey.errors();
  survey_ = std::move(*survey);
  const std::int64_t end = options_.last < 0 ? settings_.frames : options_.last;
  Result<FilmSession> film =
      FilmSession::open(settings_, *survey_, options_, painter_, end - options_.first + 1);
  if (!film) return film.errors();
  film_.emplace(std::move(*film));
  return {};
}

Errors LiveFilm::advance(std::int64_t complete) {
  for (; next_ <= complete && (options_.last < 0 || next_ <= options_.last); ++next_) {
    Result<Frame> table = read_frame(folder_.frame(next_), &warnings_);
    if (!table) {
      warnings_.push_back("frame skipped: " + table.errors().front());
      continue;
    }
    if (!film_)
      if (Errors errors = begin(*table); !errors.empty()) return errors;
    const Errors errors = film_->add(std::move(*table));
    if (!errors.empty()) warnings_.push_back("frame skipped: " + errors.front());
    if (film_->is_broken()) return film_->finish().errors();
  }
  return {};
}

Result<RenderReport> LiveFilm::finish(std::int64_t complete) {
  if (const Errors errors = advance(complete); !errors.empty()) return errors;
  if (!film_) return Result<RenderReport>::failure("there are no frames to draw");
  const Result<std::filesystem::path> written = film_->finish();
  if (!written) return written.errors();
  return RenderReport{*written, film_->frames(), false, warnings_};
}

}  // namespace firn

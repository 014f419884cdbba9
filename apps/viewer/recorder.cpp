#include "recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "mesh_io/png.h"

namespace firn::viewer {
namespace {

constexpr int kSmallestFilm = 16, kLargestFilm = 8192;  // pixels a side

RecordForm with_valid_size(RecordForm form) {
  for (int& side : form.size) side = std::clamp(side, kSmallestFilm, kLargestFilm);
  return form;
}

}  // namespace

void Recorder::save_still(const RecordForm& form) {
  const RecordForm valid = with_valid_size(form);
  const Result<Image> image = viewport_.picture(valid.size[0], valid.size[1], valid.legend);
  if (!image) {
    words_ = image.errors().front();
  } else {
    const auto written = write_png(valid.still, *image);
    words_ = written ? "saved " + written->string() : written.errors().front();
  }
  workspace_.log.add(words_);
}

void Recorder::start(const RecordForm& form) {
  form_ = with_valid_size(form);
  form_.to = std::max(form_.from, form_.to);
  for (int& side : form_.size) side -= side % 2;
  const double fps = std::clamp(workspace_.document.scene().fps * form_.speed, 1.0, 240.0);
  Result<std::unique_ptr<FilmQueue>> film =
      FilmQueue::open(form_.film, form_.size[0], form_.size[1], fps);
  if (!film) {
    words_ = film.errors().front();
    workspace_.log.add(words_);
    return;
  }
  film_ = std::move(*film);
  closing_ = false;
  taken_ = 0;
  words_ = "recording";
  last_shown_ = viewport_.shown() ? viewport_.shown()->number : 0;
  if (workspace_.plays_back()) {
    workspace_.control.playing = false;
    form_.from = std::max(form_.from, workspace_.playback->first());
    form_.to = std::clamp(form_.to, form_.from, workspace_.playback->last());
    expected_ = form_.from;
    workspace_.control.position = static_cast<double>(expected_);
    last_shown_ = 0;
    return;
  }
  pace_before_ = workspace_.pace();
  SessionPace pace = pace_before_;
  pace.every_frame = true;
  pace.steps = 0;
  pace.speed = 0;
  workspace_.set_pace(pace);
  workspace_.session.stop();
  workspace_.session.play_until(form_.to);
}

void Recorder::finish() {
  if (!film_ || closing_) return;
  closing_ = true;
  film_->close();
  words_ = "completing the film";
  if (workspace_.plays_back()) return;
  SessionPace pace = workspace_.pace();
  pace.every_frame = pace_before_.every_frame;
  pace.steps = pace_before_.steps;
  workspace_.set_pace(pace);
  workspace_.session.pause();
}

bool Recorder::is_due() const {
  const auto& shown = viewport_.shown();
  return shown && shown->number > last_shown_;
}

bool Recorder::holds_frames() const {
  return film_ && !closing_ && is_due();
}

void Recorder::add_frame() {
  const Shown& shown = *viewport_.shown();
  last_shown_ = shown.number;
  if (workspace_.plays_back() && shown.frame != expected_) return;  // of before the start
  const bool wanted = shown.ends_frame && shown.frame >= form_.from && shown.frame <= form_.to;
  if (wanted && shown.readable) {
    Result<Image> image = viewport_.picture(form_.size[0], form_.size[1], form_.legend);
    if (!image) return end(image.errors().front());
    film_->add(std::move(*image));
    ++taken_;
  }
  if (shown.frame >= form_.to) return finish();
  if (!workspace_.plays_back()) return;
  expected_ = shown.frame + 1;
  workspace_.control.position = static_cast<double>(expected_);
}

void Recorder::end(const std::string& words) {
  film_.reset();
  words_ = words;
  workspace_.log.add(words_);
}

void Recorder::update() {
  if (!film_) return;
  if (const auto outcome = film_->outcome()) {
    finish();
    return end(*outcome ? fmt::format("{}: {} frames", (*outcome)->string(), taken_)
                        : outcome->errors().front());
  }
  if (closing_) return;
  if (is_due() && viewport_.ready() && film_->has_room()) add_frame();
  // A run that failed leaves the film as far as it came.
  if (workspace_.status.state == SessionState::failed && !workspace_.plays_back()) finish();
}

}  // namespace firn::viewer

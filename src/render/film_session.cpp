#include "render/film_session.h"

#include <algorithm>
#include <cmath>

#include "render/frame_blend.h"
#include "scene/collider_place.h"
#include "scene/rotation.h"

namespace firn {

namespace {

constexpr double kFastest = 60;   // pictures a second that players show
constexpr double kShutter = 0.5;  // share of a picture's time that motion blur covers

// Pictures a second of the film, and frames of the run a picture. Without a speed every frame
// becomes a picture: runs with more frames a second than players show are slow motion.
struct Pace {
  double fps, step;
};
Pace pace_of(const SceneSettings& settings, const RenderRunOptions& options) {
  const double fps = options.fps > 0 ? options.fps : std::clamp(settings.fps, 1.0, kFastest);
  if (!(options.speed > 0)) return {fps, 1};
  return {fps, options.speed * settings.fps / fps};
}

// The mean of pictures in linear light.
class PictureMean {
 public:
  void add(const Image& image) {
    if (sum_.empty()) sum_.resize(image.rgb.size(), 0.0f);
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += linear_from_srgb(image.rgb[i]);
    ++count_;
  }
  Image take(int width, int height) const {
    Image image(width, height);
    const float scale = 1 / static_cast<float>(count_);
    for (std::size_t i = 0; i < sum_.size(); ++i) image.rgb[i] = srgb_from_linear(scale * sum_[i]);
    return image;
  }

 private:
  std::vector<float> sum_;
  int count_ = 0;
};

}  // namespace

Camera turned_camera(const Camera& camera, double angle, int dimension) {
  Camera turned = camera;
  const Vec3d axis = dimension == 2 ? Vec3d{{0, 0, 1}} : Vec3d{{0, 1, 0}};
  const Mat<double, 3> rotation = rotation_about(axis, angle);
  turned.eye = camera.target + rotation * (camera.eye - camera.target);
  turned.up = rotation * camera.up;
  return turned;
}

Result<Image> paint_frame(FramePainter& painter, const Frame& frame, const SceneSettings& settings,
                          const Survey& survey, const Camera& camera) {
  RenderScene scene = survey.scene;
  if (survey.colliders_move || !frame.bodies.empty())
    scene.colliders = shown_colliders(settings, frame_time(frame), frame.bodies);
  Result<Image> image = painter.paint(frame, survey, scene, camera);
  if (image && survey.legend) draw_legend(*image, *survey.legend);
  return image;
}

FilmSession::FilmSession(const SceneSettings& settings, const Survey& survey,
                         const RenderRunOptions& options, FramePainter& painter, FilmWriter film,
                         std::int64_t total)
    : settings_(settings),
      survey_(survey),
      options_(options),
      painter_(painter),
      film_(std::move(film)),
      total_(total),
      step_(pace_of(settings, options).step),
      between_(step_ != 1 || options.motion_blur > 1) {}

Result<FilmSession> FilmSession::open(const SceneSettings& settings, const Survey& survey,
                                      const RenderRunOptions& options, FramePainter& painter,
                                      std::int64_t total) {
  Result<FilmWriter> film = FilmWriter::open(options.output, options.width, options.height,
                                             pace_of(settings, options).fps, options.codec);
  if (!film) return film.errors();
  return FilmSession(settings, survey, options, painter, std::move(*film), total);
}

Errors FilmSession::add(Frame frame) {
  before_ = std::move(newest_);
  newest_ = std::move(frame);
  ++taken_;
  // What lies between this frame and the next has to wait for the next.
  return paint_until(static_cast<double>(between_ ? taken_ - 1 : taken_) - 1e-9);
}

Errors FilmSession::paint_until(double end) {
  Errors errors;
  while (!broken_ && static_cast<double>(frames_) * step_ < end) {
    errors = paint_picture();
    if (!errors.empty()) break;
  }
  return errors;
}

Errors FilmSession::paint_picture() {
  const double place = static_cast<double>(frames_) * step_;
  const double whole = std::max(static_cast<double>(total_) / step_, 1.0);
  const Camera camera =
      options_.turntable == 0
          ? survey_.camera
          : turned_camera(survey_.camera, options_.turntable * static_cast<double>(frames_) / whole,
                          survey_.scene.dimension);
  ++frames_;
  const int samples = std::max(options_.motion_blur, 1);
  PictureMean mean;
  for (int k = 0; k < samples; ++k) {
    const Result<Image> image = picture_at(place + kShutter * step_ * k / samples, camera);
    if (!image) {
      --frames_;
      total_ -= 1;
      return image.errors();
    }
    if (samples == 1) {
      broken_ = !film_.add(*image);
      return {};
    }
    mean.add(*image);
  }
  broken_ = !film_.add(mean.take(options_.width, options_.height));
  return {};
}

Result<Image> FilmSession::picture_at(double place, const Camera& camera) {
  const double share = place - static_cast<double>(taken_ - 2);
  if (!between_ || !before_ || share >= 1)
    return paint_frame(painter_, *newest_, settings_, survey_, camera);
  return paint_frame(painter_, blend_frames(*before_, *newest_, std::max(share, 0.0)), settings_,
                     survey_, camera);
}

Result<std::filesystem::path> FilmSession::finish() {
  if (newest_ && between_) {
    const Errors errors = paint_until(static_cast<double>(taken_) - 1 + 1e-9);
    if (!errors.empty() && frames_ == 0) return errors;
  }
  return film_.finish();
}

}  // namespace firn

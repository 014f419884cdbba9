#include "viewport.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "frames/grain_files.h"
#include "render/preview.h"
#include "render/projection.h"
#include "scene/collider_place.h"
#include "scene/defaults.h"
#include "scene/line_text.h"
#include "scene/particle_sets.h"
#include "scene/shape_settings.h"

namespace firn::viewer {
namespace {

constexpr double kSlow = 0.05;    // s
constexpr int kSmallestView = 8;  // pixels a side worth drawing

bool same(const Camera& a, const Camera& b) {
  return a.eye == b.eye && a.target == b.target && a.field_of_view == b.field_of_view &&
         a.ortho_height == b.ortho_height;
}

void add_once(std::vector<std::string>& list, const std::string& entry) {
  if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
}

}  // namespace

bool Viewport::ensure_renderer() {
  if (tried_) return renderer_ != nullptr;
  tried_ = true;
  Result<std::unique_ptr<Renderer>> made = Renderer::create();
  if (made)
    renderer_ = std::move(*made);
  else
    problem_ = made.errors().front();
  return renderer_ != nullptr;
}

std::vector<std::string> Viewport::wanted_fields() const {
  const SceneSettings& scene = workspace_.document.scene();
  std::vector<std::string> fields = SessionPace{}.fields;
  const Look look = look_of(scene);
  if (uses_style(look, PointStyle::icosahedra)) fields.push_back("F");
  if (!look.group_of_object.empty()) add_once(fields, "id");
  for (const std::string& field : color_fields(scene)) add_once(fields, field);
  // All that slices may need, so that another field or species is shown from what is there.
  if (slice.shown)
    for (const char* name : {"mass", "pressure", "phi", "species"}) add_once(fields, name);
  return fields;
}

GridSliceOptions Viewport::slice_options() const {
  const SceneSettings& scene = workspace_.document.scene();
  const auto& quantities = grid_quantity_names();
  const std::vector<std::string> species = species_names(scene);
  const bool chosen = slice.species > 0 && slice.species <= static_cast<int>(species.size());
  GridSliceOptions options;
  options.field = grid_field_name(
      quantities[std::clamp(slice.field, 0, static_cast<int>(quantities.size()) - 1)], slice.part);
  options.species =
      slice_species(scene, options.field, chosen ? species[slice.species - 1] : std::string());
  options.axis = slice.axis;
  options.position = slice.position;
  options.spacing = scene.grid.spacing;
  options.kernel = scene.mpm.kernel;
  options.dimension = static_cast<int>(scene.dimension);
  return options;
}

SceneSettings Viewport::drawn_scene() const {
  const SceneSettings& scene = workspace_.document.scene();
  return shown_->per_particle > 0 ? finer_scene(scene, shown_->per_particle) : scene;
}

// Camera, colours and radius from the particles at hand.
void Viewport::survey() {
  const SceneSettings scene = drawn_scene();
  const bool is_new = opened_ != workspace_.opened();
  RenderRunOptions options;
  options.width = width_;
  options.height = height_;
  const std::vector<Vec3d> around = landmarks_of(scene, *shown_->points);
  Result<Survey> made = survey_run({*shown_->points}, scene, options, around);
  if (!made) {
    words_ = made.errors().front();
    made = survey_run({*shown_->points}, in_own_colors(scene), options, around);
    if (!made) return;
  }
  const bool other_colors = !survey_ || survey_->colors.by != made->colors.by;
  const Bounds before = survey_ ? *survey_->scene.bounds : *made->scene.bounds;
  survey_ = std::move(*made);
  survey_->scene.marks = region_marks(scene);
  // A scene that spread stays in its light and shadow.
  if (!is_new) survey_->scene.bounds = united(before, *survey_->scene.bounds);
  if (is_new || other_colors || scene.view.color_range) colors_ = survey_->colors;
  colors_.map = survey_->colors.map;
  colors_.parts = survey_->colors.parts;
  if (is_new) {
    origin_ = center_of(*survey_->scene.bounds);
    size_ = std::max(1e-6, diagonal_of(*survey_->scene.bounds));
    hand_radius = 0.12 * size_;
    slice.position = origin_[slice.axis];
    slice.species = 0;
    frame_again_ = true;
  }
  if (frame_again_) {
    place_camera(survey_->camera);
    placed_from_.clear();
  }
  frame_again_ = false;
  opened_ = workspace_.opened();
  surveyed_ = workspace_.document.revision();
  surveyed_grains_ = shown_->per_particle;
}

// What will be seen: the rest of a run, or where the particles of a scene may go (the colliders
// around, the floor below).
std::vector<Vec3d> Viewport::landmarks_of(const SceneSettings& scene,
                                          const PointTable& points) const {
  if (!workspace_.places().empty()) return workspace_.places();
  return landmarks_at_start(scene, points);
}

void Viewport::place_camera(const Camera& place) {
  camera.set(place);
  placed_ = camera.camera();
}

void Viewport::frame_scene(const std::string& from) {
  if (!shown_) return;
  RenderRunOptions options;
  options.camera = from;
  options.width = width_;
  options.height = height_;
  const SceneSettings scene = in_own_colors(drawn_scene());
  const Result<Survey> made = survey_run({*shown_->points}, scene, options);
  if (made) place_camera(made->camera);
  placed_from_ = from;
}

double Viewport::share_in_sight() const {
  if (!shown_ || shown_->points->count == 0) return 1;
  const Projection projection = make_projection(camera.camera(), origin_, width_, height_);
  const std::vector<Vec3d> places = places_inside(*shown_->points, robust_bounds(*shown_->points));
  std::size_t seen = 0;
  for (const Vec3d& place : places) {
    const Spot spot = projection.project((place - origin_).cast<float>(), 0);
    seen += (spot.depth > 0 || !projection.perspective) && spot.x >= 0 && spot.y >= 0 &&
            spot.x < static_cast<float>(width_) && spot.y < static_cast<float>(height_);
  }
  return places.empty() ? 1 : static_cast<double>(seen) / static_cast<double>(places.size());
}

// A camera of the scene's own stays where it is, and so does one that somebody has moved.
void Viewport::follow() {
  constexpr double kEnough = 0.9;
  const bool own = placed_from_.empty() && workspace_.document.scene().view.camera;
  if (own || !placed_ || !same(*placed_, camera.camera()) || share_in_sight() >= kEnough) return;
  frame_scene(placed_from_);
}

void Viewport::fit_colors() {
  colors_.low = colors_.high = 0;
  for (ColorPart& part : colors_.parts)
    if (part.fits) part.low = part.high = 0;
  make_again_ = true;
}

FrameRequest Viewport::request_for(std::shared_ptr<const Frame> points) const {
  const SceneSettings& scene = workspace_.document.scene();
  FrameRequest request;
  request.points = std::move(points);
  request.options.origin = origin_;
  request.options.radius = survey_ ? survey_->radius : 0.01;
  request.options.colors = colors_;
  choose_parts(look_of(scene), request.options);
  const std::string& by = colors_.by;
  request.fit_colors = by != "color" && !is_categorical(by) && !scene.view.color_range;
  if (!slice.shown) return request;
  SliceRequest cut;
  cut.options = slice_options();
  cut.alone = slice.alone;
  cut.map = scene.view.color_map;
  if (slice.own_range) cut.low = slice.low, cut.high = slice.high;
  request.slice = cut;
  return request;
}

void Viewport::update(const std::function<bool()>& held) {
  if (!ensure_renderer()) return;
  if (const std::unique_ptr<MadeFrame> made = maker_.take(); made && making_) {
    words_ = printable(made->problem);
    renderer_->upload(made->data);
    renderer_->upload_slice(made->slice);
    slice_title_ = made->slice ? made->slice_title : std::string();
    slice_low_ = made->slice_low;
    slice_high_ = made->slice_high;
    colors_ = made->colors.by == colors_.by ? made->colors : colors_;
    shown_ = std::move(making_);
    making_.reset();
    follow();
    if (drawn_) drawn_->number = 0;
  }
  if (maker_.busy()) return;
  SessionPace pace = workspace_.pace();
  pace.fields = wanted_fields();
  pace.grains = workspace_.shows_grains();
  pace.speed = pace.every_frame ? 0 : workspace_.document.scene().view.speed;
  workspace_.set_pace(pace);
  const bool other_revision = made_ != workspace_.document.revision();
  const bool waits = held() || (rest_ > 0 && !pace.every_frame);
  std::optional<Shown> next = waits ? std::nullopt : workspace_.next_frame();
  const bool again = !next && shown_ && (other_revision || make_again_);
  if (!next && !again) return;
  if (again) next = shown_;
  const bool other_kind = shown_ && shown_->per_particle != next->per_particle;
  if (!shown_ || other_kind || opened_ != workspace_.opened()) shown_ = next;
  if (opened_ != workspace_.opened() || surveyed_ != workspace_.document.revision() ||
      surveyed_grains_ != next->per_particle)
    survey();
  made_ = workspace_.document.revision();
  make_again_ = false;
  making_ = next;
  maker_.make(request_for(next->points));
}

bool Viewport::needs_redraw(int width, int height) {
  return !drawn_ || drawn_->width != width || drawn_->height != height || !shown_ ||
         drawn_->number != shown_->number || drawn_->revision != workspace_.document.revision() ||
         !same(drawn_->camera, camera.camera());
}

void Viewport::redraw(int width, int height) {
  const SceneSettings& scene = workspace_.document.scene();
  survey_->scene.colliders = shown_colliders(scene, shown_->time, shown_->points->bodies);
  renderer_->draw(survey_->scene, look_of(scene), {camera.camera(), width, height, 1});
  drawn_ = Drawn{width, height, shown_->number, workspace_.document.revision(), camera.camera()};
}

Result<Image> Viewport::picture(int width, int height, bool legend) {
  using Made = Result<Image>;
  if (!renderer_) return Made::failure(problem_);
  if (!shown_ || !survey_) return Made::failure("there is nothing to draw yet");
  const SceneSettings& scene = workspace_.document.scene();
  survey_->scene.colliders = shown_colliders(scene, shown_->time, shown_->points->bodies);
  renderer_->draw(survey_->scene, look_of(scene), {camera.camera(), width, height, 2});
  drawn_.reset();  // the texture is another one now
  Image image = renderer_->read();
  if (legend && survey_->legend) {
    Legend key = *survey_->legend;
    key.low = legend_scale(colors_).low;
    key.high = legend_scale(colors_).high;
    draw_legend(image, key);
  }
  return image;
}

void Viewport::draw(Items& items, double seconds) {
  const ImVec2 size = ImGui::GetContentRegionAvail();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const int width = static_cast<int>(size.x), height = static_cast<int>(size.y);
  if (width < kSmallestView || height < kSmallestView) return;
  width_ = width;
  height_ = height;
  if (!problem_.empty()) return ImGui::TextWrapped("%s", problem_.c_str());
  if (!renderer_ || !shown_ || !survey_) {
    ImGui::TextDisabled(workspace_.is_opening() ? "opening ..." : "nothing to show yet");
    return;
  }
  // Where drawing is slow (OpenGL on the CPU) half of the time is left to the rest of the window.
  rest_ = drew_ && seconds > kSlow ? seconds : rest_ - seconds;
  drew_ = needs_redraw(width, height);
  if (drew_) redraw(width, height);
  ImGui::InvisibleButton("scene", size,
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight |
                             ImGuiButtonFlags_MouseButtonMiddle);
  items.note("view");
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  const auto texture =
      reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(renderer_->texture()));
  ImGui::GetWindowDrawList()->AddImage(texture, corner, end, ImVec2(0, 1), ImVec2(1, 0));
  use_mouse(corner, size);
  if (ImGui::IsWindowHovered() || ImGui::IsWindowFocused()) use_keys(seconds);
  draw_legends(corner, size);
  draw_hand(corner, size);
}

}  // namespace firn::viewer

// The picture of the scene: what is drawn, from where, and what the mouse does in it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "draw/renderer.h"
#include "frame_maker.h"
#include "items.h"
#include "orbit_camera.h"
#include "render/survey.h"
#include "workspace.h"

namespace firn::viewer {

enum class Tool { camera, pull, push };

// A slice through the grid, laid into the picture.
struct SliceForm {
  bool shown = false, alone = true;  // alone: without the particles
  int field = 0;                     // of grid_quantity_names()
  int part = 0;                      // of vector_part_names()
  int species = 0;                   // of the scene, from 1 on; 0: as usual for the field
  int axis = 2;
  double position = 0;  // m
  bool own_range = false;
  double low = 0, high = 1;
};

class Viewport {
 public:
  explicit Viewport(Workspace& workspace) : workspace_(workspace) {}

  // Takes over particles that are ready and asks for the next ones, unless those are to be held.
  void update(const std::function<bool()>& held);
  // The picture in the window that ImGui is filling, with its mouse and keys.
  void draw(Items& items, double seconds);
  // For films and stills.
  Result<Image> picture(int width, int height, bool legend);

  const std::optional<Shown>& shown() const { return shown_; }
  bool ready() const { return !maker_.busy(); }
  // Why nothing can be drawn; "": it can.
  const std::string& problem() const { return problem_; }
  const std::string& words() const { return words_; }  // what could not be shown as asked for

  // Everything in sight, from a named place (render/camera.h); "": as the scene says. Until the
  // camera is touched it follows the particles when they leave the picture.
  void frame_scene(const std::string& from = "");
  // Share of the particles shown that lie in the picture; 1 when there are none.
  double share_in_sight() const;
  void make_again() { make_again_ = true; }
  // Colours by what is there now.
  void fit_colors();

  OrbitCamera camera;
  Tool tool = Tool::camera;
  SliceForm slice;
  double hand_radius = 0.1;  // m
  double fly_speed = 1;      // times the size of the scene a second

 private:
  bool ensure_renderer();
  SceneSettings drawn_scene() const;  // with particles as fine as those shown
  void survey();
  std::vector<Vec3d> landmarks_of(const SceneSettings& scene, const PointTable& points) const;
  void place_camera(const Camera& place);
  void follow();
  bool needs_redraw(int width, int height);
  void redraw(int width, int height);
  void use_mouse(const ImVec2& corner, const ImVec2& size);
  void use_keys(double seconds);
  void move_hand(const Ray& ray, const ImVec2& pixel, double seconds);
  void draw_legends(const ImVec2& corner, const ImVec2& size) const;
  void draw_hand(const ImVec2& corner, const ImVec2& size) const;
  std::vector<std::string> wanted_fields() const;
  GridSliceOptions slice_options() const;
  FrameRequest request_for(std::shared_ptr<const Frame> points) const;

  Workspace& workspace_;
  std::unique_ptr<Renderer> renderer_;
  bool tried_ = false;
  std::string problem_, words_;
  FrameMaker maker_;
  std::optional<Shown> shown_, making_;
  std::optional<Survey> survey_;
  double size_ = 1;  // m, of what the survey saw
  Vec3d origin_{{0, 0, 0}};
  ColorChoice colors_;
  double slice_low_ = 0, slice_high_ = 0;
  std::string slice_title_;  // of the one that is drawn; "": none is

  std::uint64_t opened_ = 0;      // what the survey is of
  std::uint64_t surveyed_ = 0;    // revision
  double surveyed_grains_ = 0;    // Shown::per_particle
  std::uint64_t made_ = 0;        // revision of the newest frame asked for
  bool frame_again_ = true;       // the camera is to be placed
  std::optional<Camera> placed_;  // as it was placed; another one: somebody has touched it
  std::string placed_from_;       // the name of that place
  bool make_again_ = false;
  // What the texture shows.
  struct Drawn {
    int width = 0, height = 0;
    std::uint64_t number = 0, revision = 0;
    Camera camera;
  };
  std::optional<Drawn> drawn_;
  bool drew_ = false;                // in the newest picture of the window
  double rest_ = 0;                  // s; before the next particles are taken
  int width_ = 1280, height_ = 720;  // pixels of the picture in the window

  InteractiveForce hand_;
  bool holding_ = false;
  double hold_distance_ = 1;  // m from the eye
  ImVec2 hand_pixel_{0, 0};
};

}  // namespace firn::viewer

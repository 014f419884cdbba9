// The camera as a user moves it: around a point, sideways, closer, or through the scene.
#pragma once

#include "base/vec.h"
#include "render/camera.h"
#include "scene/settings.h"

namespace firn::viewer {

// A line of sight.
struct Ray {
  Vec3d origin, direction;  // direction has length 1
};

class OrbitCamera {
 public:
  void set(const Camera& camera);
  void set(const CameraSettings& settings, bool flat);
  Camera camera() const;
  // As a scene file states it; a flat scene's distance sets the size of the view.
  CameraSettings settings() const;

  // By fractions of the picture's height; moving the mouse to the right turns the scene to the
  // right.
  void orbit(double right, double up);
  void pan(double right, double up);
  void zoom(double steps);  // above 0: closer
  // In metres along the line of sight, to the right and up; eye and target move.
  void fly(double forward, double right, double up);

  // Through a place of the picture: 0..1 from the left and from the top.
  Ray ray(double x, double y, double aspect) const;
  // Metres that the height of the picture shows at a distance from the eye.
  double height_at(double distance) const;
  double distance() const { return distance_; }
  bool flat() const { return flat_; }

 private:
  struct Basis {
    Vec3d forward, right, up;
  };
  Basis basis() const;

  Vec3d target_{{0, 0, 0}};
  double yaw_ = 0.6, pitch_ = 0.3;  // radians; where the eye stands as seen from the target
  double distance_ = 3;             // m; flat: only the height below counts
  double field_of_view_ = 40;       // degrees
  bool flat_ = false;
  double flat_height_ = 2;  // m
};

}  // namespace firn::viewer

#include "orbit_camera.h"

#include <algorithm>
#include <cmath>

namespace firn::viewer {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kRadian = kPi / 180;
constexpr double kMostPitch = 89.0 * kRadian;  // beyond it up and down change places

double length(const Vec3d& a) {
  return std::sqrt(dot(a, a));
}

double tan_of_half(double degrees) {
  return std::tan(0.5 * degrees * kRadian);
}

}  // namespace

void OrbitCamera::set(const Camera& camera) {
  const Vec3d arm = camera.eye - camera.target;
  target_ = camera.target;
  distance_ = std::max(length(arm), 1e-6);
  yaw_ = std::atan2(arm[0], arm[2]);
  pitch_ = std::asin(std::clamp(arm[1] / distance_, -1.0, 1.0));
  pitch_ = std::clamp(pitch_, -kMostPitch, kMostPitch);
  field_of_view_ = camera.field_of_view;
  flat_ = camera.ortho_height > 0;
  if (flat_) flat_height_ = camera.ortho_height;
}

void OrbitCamera::set(const CameraSettings& settings, bool flat) {
  Camera camera{settings.eye, settings.target, {{0, 1, 0}}, settings.field_of_view, 0};
  if (flat)
    camera.ortho_height =
        2 * length(settings.eye - settings.target) * tan_of_half(settings.field_of_view);
  set(camera);
}

OrbitCamera::Basis OrbitCamera::basis() const {
  if (flat_) return {{{0, 0, -1}}, {{1, 0, 0}}, {{0, 1, 0}}};
  const Vec3d forward{
      {-std::cos(pitch_) * std::sin(yaw_), -std::sin(pitch_), -std::cos(pitch_) * std::cos(yaw_)}};
  const Vec3d right{{std::cos(yaw_), 0, -std::sin(yaw_)}};
  return {forward, right, cross(right, forward)};
}

Camera OrbitCamera::camera() const {
  const Basis b = basis();
  if (flat_) return {target_ - b.forward, target_, {{0, 1, 0}}, field_of_view_, flat_height_};
  return {target_ - b.forward * distance_, target_, {{0, 1, 0}}, field_of_view_, 0};
}

CameraSettings OrbitCamera::settings() const {
  const double away = flat_ ? 0.5 * flat_height_ / tan_of_half(field_of_view_) : distance_;
  return {target_ - basis().forward * away, target_, field_of_view_};
}

double OrbitCamera::height_at(double distance) const {
  return flat_ ? flat_height_ : 2 * distance * tan_of_half(field_of_view_);
}

void OrbitCamera::orbit(double right, double up) {
  if (flat_) return pan(right, up);
  yaw_ = std::remainder(yaw_ - right * kPi, 2 * kPi);
  pitch_ = std::clamp(pitch_ - up * kPi, -kMostPitch, kMostPitch);
}

void OrbitCamera::pan(double right, double up) {
  const Basis b = basis();
  const double height = height_at(distance_);
  target_ = target_ - b.right * (right * height) - b.up * (up * height);
}

void OrbitCamera::zoom(double steps) {
  const double factor = std::pow(0.9, std::clamp(steps, -20.0, 20.0));
  distance_ = std::clamp(distance_ * factor, 1e-4, 1e6);
  flat_height_ = std::clamp(flat_height_ * factor, 1e-4, 1e6);
}

void OrbitCamera::fly(double forward, double right, double up) {
  const Basis b = basis();
  if (flat_) {
    target_ = target_ + b.right * right + b.up * forward;
    return;
  }
  target_ = target_ + b.forward * forward + b.right * right + Vec3d{{0, up, 0}};
}

Ray OrbitCamera::ray(double x, double y, double aspect) const {
  const Basis b = basis();
  const double across = (2 * x - 1) * aspect, along = 1 - 2 * y;
  if (flat_) {
    const double half = 0.5 * flat_height_;
    return {target_ - b.forward + b.right * (across * half) + b.up * (along * half), b.forward};
  }
  const double half = tan_of_half(field_of_view_);
  const Vec3d d = b.forward + b.right * (across * half) + b.up * (along * half);
  return {target_ - b.forward * distance_, d * (1 / length(d))};
}

}  // namespace firn::viewer

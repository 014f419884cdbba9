// Mouse and keys in the picture, and what is drawn over it.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "viewport.h"

namespace firn::viewer {
namespace {

ImU32 color_of(const Rgb8& c) {
  return IM_COL32(c.r, c.g, c.b, 255);
}

bool key_held(char letter) {
  return ImGui::IsKeyDown(letter);  // backends number letter keys by their capitals
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

float key_width(const Legend& legend) {
  constexpr float kLeast = 11;  // lines of text
  return std::max(kLeast * ImGui::GetTextLineHeight(), ImGui::CalcTextSize(legend.title.c_str()).x);
}

// What the colours mean, its lower left corner given.
void draw_key(const Legend& legend, const ImVec2& low) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float line = ImGui::GetTextLineHeight();
  const float width = key_width(legend), left = low.x;
  const float rows =
      legend.entries.empty() ? 3.2f : 1.4f + static_cast<float>(legend.entries.size());
  float y = low.y - line * rows;
  list->AddRectFilled(ImVec2(left - line / 2, y - line / 2), ImVec2(left + width + line / 2, low.y),
                      IM_COL32(255, 255, 255, 190), 4);
  const ImU32 ink = IM_COL32(20, 20, 20, 255);
  list->AddText(ImVec2(left, y), ink, legend.title.c_str());
  y += 1.2f * line;
  for (const Legend::Entry& entry : legend.entries) {
    list->AddRectFilled(ImVec2(left, y + 2), ImVec2(left + line - 4, y + line - 2),
                        color_of(entry.color));
    list->AddText(ImVec2(left + 1.4f * line, y), ink, entry.label.c_str());
    y += line;
  }
  if (!legend.entries.empty()) return;
  constexpr int kPieces = 48;
  for (int i = 0; i < kPieces; ++i) {
    const float from = left + width * static_cast<float>(i) / kPieces;
    const float t = (static_cast<float>(i) + 0.5f) / kPieces;
    list->AddRectFilled(ImVec2(from, y), ImVec2(from + width / kPieces + 1, y + 0.7f * line),
                        color_of(scale_color(t, legend.map)));
  }
  y += 0.8f * line;
  const std::string high = short_number(legend.high);
  list->AddText(ImVec2(left, y), ink, short_number(legend.low).c_str());
  list->AddText(ImVec2(left + width - ImGui::CalcTextSize(high.c_str()).x, y), ink, high.c_str());
}

}  // namespace

void Viewport::use_mouse(const ImVec2& corner, const ImVec2& size) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool active = ImGui::IsItemActive();
  const double right = io.MouseDelta.x / size.y, up = -io.MouseDelta.y / size.y;
  const double x = (io.MousePos.x - corner.x) / size.x, y = (io.MousePos.y - corner.y) / size.y;
  if (ImGui::IsItemHovered() && io.MouseWheel != 0) camera.zoom(io.MouseWheel);
  const bool left = active && ImGui::IsMouseDown(ImGuiMouseButton_Left);
  const bool sideways =
      active && (ImGui::IsMouseDown(ImGuiMouseButton_Middle) ||
                 ImGui::IsMouseDown(ImGuiMouseButton_Right) || (left && io.KeyShift));
  const bool by_hand = tool != Tool::camera && !workspace_.plays_back();
  if (sideways) {
    camera.pan(right, up);
  } else if (left && !by_hand) {
    camera.orbit(right, up);
  } else if (left) {
    const ImVec2 pixel(static_cast<float>(x * size.x), static_cast<float>(y * size.y));
    move_hand(camera.ray(x, y, size.x / size.y), pixel, io.DeltaTime);
    hand_pixel_ = io.MousePos;
    return;
  }
  hand_pixel_ = io.MousePos;
  if (!holding_) return;
  holding_ = false;
  hand_.kind = ForceKind::none;
  workspace_.session.set_force(hand_);
}

// The hand stays as far from the eye as what was touched first.
void Viewport::move_hand(const Ray& ray, const ImVec2& pixel, double seconds) {
  if (!holding_) {
    const auto picked = renderer_->pick(static_cast<int>(pixel.x), static_cast<int>(pixel.y));
    hold_distance_ = picked ? dot(picked->position - ray.origin, ray.direction)
                            : dot(camera.camera().target - ray.origin, ray.direction);
  }
  Vec3d center = ray.origin + ray.direction * hold_distance_;
  if (camera.flat()) center[2] = 0;
  const bool moved = holding_ && seconds > 0;
  // A mouse jumps from picture to picture; half of the last velocity smooths that.
  const Vec3d velocity = moved ? (center - hand_.center) * (1 / seconds) : Vec3d{{0, 0, 0}};
  hand_.velocity = hand_.velocity * (moved ? 0.5 : 0.0) + velocity * 0.5;
  hand_.center = center;
  hand_.kind = tool == Tool::pull ? ForceKind::pull : ForceKind::push;
  hand_.radius = hand_radius;
  holding_ = true;
  workspace_.session.set_force(hand_);
}

void Viewport::use_keys(double seconds) {
  if (ImGui::GetIO().WantTextInput || ImGui::GetIO().KeyCtrl) return;
  const double step = fly_speed * size_ * 0.5 * std::min(seconds, 0.1);
  const double forward = (key_held('W') ? step : 0) - (key_held('S') ? step : 0);
  const double right = (key_held('D') ? step : 0) - (key_held('A') ? step : 0);
  const double up = (key_held('E') ? step : 0) - (key_held('Q') ? step : 0);
  if (forward != 0 || right != 0 || up != 0) camera.fly(forward, right, up);
}

void Viewport::draw_hand(const ImVec2& corner, const ImVec2& size) const {
  const bool over = hand_pixel_.x >= corner.x && hand_pixel_.x < corner.x + size.x &&
                    hand_pixel_.y >= corner.y && hand_pixel_.y < corner.y + size.y;
  if (tool == Tool::camera || workspace_.plays_back() || !over) return;
  const double distance = holding_ ? hold_distance_ : camera.distance();
  const float radius = static_cast<float>(hand_radius / camera.height_at(distance)) * size.y;
  const ImU32 color = tool == Tool::pull ? IM_COL32(30, 110, 220, 220) : IM_COL32(220, 90, 30, 220);
  ImGui::GetWindowDrawList()->AddCircle(hand_pixel_, radius, color, 48, holding_ ? 3.0f : 1.5f);
}

void Viewport::draw_legends(const ImVec2& corner, const ImVec2& size) const {
  const float line = ImGui::GetTextLineHeight();
  const float bottom = corner.y + size.y - line;
  const bool particles_drawn = slice_title_.empty() || !slice.alone;
  if (survey_->legend && workspace_.document.scene().view.legend && particles_drawn) {
    Legend legend = *survey_->legend;
    legend.low = legend_scale(colors_).low;
    legend.high = legend_scale(colors_).high;
    legend.map = legend_scale(colors_).map;
    draw_key(legend, ImVec2(corner.x + line, bottom));
  }
  if (slice_title_.empty()) return;
  const Legend legend{"grid: " + slice_title_,
                      slice_low_,
                      slice_high_,
                      {},
                      workspace_.document.scene().view.color_map};
  const float left = std::max(line, size.x - key_width(legend) - line);
  draw_key(legend, ImVec2(corner.x + left, bottom));
}

}  // namespace firn::viewer

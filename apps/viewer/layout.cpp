#include "layout.h"

#include <imgui_internal.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mesh_io/atomic_file.h"

namespace firn::viewer {
namespace {

constexpr float kUsualSizes[3] = {26, 24, 13};  // times the font's size
constexpr float kBorder = 5;                    // pixels
constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                                    ImGuiWindowFlags_NoBringToFrontOnFocus |
                                    ImGuiWindowFlags_NoSavedSettings;

void next_window(const ImVec2& low, const ImVec2& high) {
  ImGui::SetNextWindowPos(low);
  ImGui::SetNextWindowSize(ImVec2(std::max(1.0f, high.x - low.x), std::max(1.0f, high.y - low.y)));
}

}  // namespace

Layout::Layout(std::vector<Panel> panels, std::filesystem::path file)
    : panels_(std::move(panels)), file_(std::move(file)) {
  reset();
  load();
}

void Layout::reset() {
  for (Panel& panel : panels_) panel.place = panel.usual;
  for (int i = 0; i < 3; ++i) areas_[i] = Area{static_cast<Place>(i), kUsualSizes[i]};
}

void Layout::load() {
  if (file_.empty()) return;
  const Result<std::string> text = read_whole_file(file_);
  if (!text) return;
  // A file that is no longer understood is as good as none.
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object()) return;
  for (Area& area : areas_) {
    const auto size = json.find(kPlaceNames[static_cast<int>(area.place)]);
    if (size != json.end() && size->is_number())
      area.size = std::clamp(size->get<float>(), 4.0f, 200.0f);
  }
  const auto places = json.find("panels");
  if (places == json.end() || !places->is_object()) return;
  for (Panel& panel : panels_) {
    const auto found = places->find(panel.name);
    if (found == places->end() || !found->is_string()) continue;
    for (int i = 0; i < 5; ++i)
      if (*found == kPlaceNames[i]) panel.place = static_cast<Place>(i);
  }
}

void Layout::save() const {
  if (file_.empty()) return;
  nlohmann::json json;
  for (const Area& area : areas_) json[kPlaceNames[static_cast<int>(area.place)]] = area.size;
  for (const Panel& panel : panels_)
    json["panels"][panel.name] = kPlaceNames[static_cast<int>(panel.place)];
  // A layout that cannot be kept is no reason to bother anyone.
  (void)write_whole_file(file_, json.dump(2) + "\n");
}

bool Layout::has_panels(Place place) const {
  return std::any_of(panels_.begin(), panels_.end(),
                     [&](const Panel& panel) { return panel.place == place; });
}

void Layout::show(const std::string& name) {
  for (Panel& panel : panels_)
    if (panel.name == name && panel.place == Place::hidden) panel.place = panel.usual;
  to_front_ = name;
}

void Layout::move(const std::string& name, Place place) {
  for (Panel& panel : panels_)
    if (panel.name == name) panel.place = place;
  to_front_ = name;
  save();
}

Place Layout::place_of(const std::string& name) const {
  for (const Panel& panel : panels_)
    if (panel.name == name) return panel.place;
  return Place::hidden;
}

// Left and right reach from bar to bar; the bottom lies between them. The picture keeps a share.
void Layout::place_areas(float top, float bottom) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float font = ImGui::GetFontSize();
  const auto size_of = [&](Place place, float whole, float share) {
    return has_panels(place) ? std::min(area(place).size * font, whole * share) : 0.0f;
  };
  const float low_y = top, high_y = std::max(top, display.y - bottom);
  const float left = size_of(Place::left, display.x, 0.38f);
  const float right = display.x - size_of(Place::right, display.x, 0.34f);
  const float low = high_y - size_of(Place::bottom, high_y - low_y, 0.5f);
  area(Place::left).low = ImVec2(0, low_y);
  area(Place::left).high = ImVec2(left, high_y);
  area(Place::right).low = ImVec2(right, low_y);
  area(Place::right).high = ImVec2(display.x, high_y);
  area(Place::bottom).low = ImVec2(left, low);
  area(Place::bottom).high = ImVec2(right, high_y);
  center_low_ = ImVec2(left, low_y);
  center_high_ = ImVec2(right, low);
}

void Layout::draw(Items& items, float top, float bottom, const std::function<void()>& draw_center) {
  place_areas(top, bottom);
  draw_center_window(draw_center);
  for (Area& each : areas_)
    if (has_panels(each.place)) {
      draw_area(items, each);
      draw_border(each);
    }
  draw_floating(items);
  to_front_.clear();
}

void Layout::draw_center_window(const std::function<void()>& draw_center) {
  next_window(center_low_, center_high_);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const bool open =
      ImGui::Begin("##center", nullptr,
                   kFixed | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  if (open) draw_center();
  take_drop(Place::floating);
  ImGui::End();
}

void Layout::draw_panel(Panel& panel) {
  ImGui::BeginChild("panel");
  panel.draw();
  ImGui::EndChild();
}

void Layout::draw_area(Items& items, Area& each) {
  next_window(each.low, each.high);
  const std::string id = std::string("##") + kPlaceNames[static_cast<int>(each.place)];
  const bool open = ImGui::Begin(id.c_str(), nullptr, kFixed | ImGuiWindowFlags_NoScrollbar);
  if (open && ImGui::BeginTabBar("tabs", ImGuiTabBarFlags_FittingPolicyScroll)) {
    for (Panel& panel : panels_) {
      if (panel.place != each.place) continue;
      const bool front = panel.name == to_front_;
      const bool shown = ImGui::BeginTabItem(panel.name.c_str(), nullptr,
                                             front ? ImGuiTabItemFlags_SetSelected : 0);
      items.note("tab/" + panel.name);
      if (ImGui::BeginDragDropSource()) {
        const Panel* dragged = &panel;
        ImGui::SetDragDropPayload("panel", &dragged, sizeof dragged);
        ImGui::TextUnformatted(panel.name.c_str());
        ImGui::EndDragDropSource();
      }
      if (!shown) continue;
      draw_panel(panel);
      ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
  }
  take_drop(each.place);
  ImGui::End();
}

// A tab that is let go over this window moves there.
void Layout::take_drop(Place place) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  if (!ImGui::BeginDragDropTargetCustom(window->InnerRect, window->GetID("drop"))) return;
  if (const ImGuiPayload* payload = ImGui::AcceptDragDropPayload("panel")) {
    const Panel* dragged = *static_cast<const Panel* const*>(payload->Data);
    move(dragged->name, place);
  }
  ImGui::EndDragDropTarget();
}

void Layout::draw_border(Area& each) {
  ImVec2 low = each.low, high = each.high;
  const bool upright = each.place != Place::bottom;
  if (each.place == Place::left) low.x = high.x - kBorder;
  if (each.place == Place::right) high.x = low.x + kBorder;
  if (each.place == Place::bottom) high.y = low.y + kBorder;
  next_window(low, high);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  const std::string id = std::string("##border_") + kPlaceNames[static_cast<int>(each.place)];
  ImGui::Begin(id.c_str(), nullptr,
               (kFixed | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoBackground) &
                   ~ImGuiWindowFlags_NoBringToFrontOnFocus);
  ImGui::InvisibleButton("border",
                         ImVec2(std::max(1.0f, high.x - low.x), std::max(1.0f, high.y - low.y)));
  if (ImGui::IsItemHovered() || ImGui::IsItemActive())
    ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActive()) {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const float change = each.place == Place::left    ? moved.x
                         : each.place == Place::right ? -moved.x
                                                      : -moved.y;
    each.size = std::clamp(each.size + change / ImGui::GetFontSize(), 4.0f, 200.0f);
  }
  if (ImGui::IsItemDeactivated()) save();
  ImGui::End();
  ImGui::PopStyleVar(3);
}

void Layout::draw_floating(Items& items) {
  const float font = ImGui::GetFontSize();
  float offset = 2 * font;
  for (Panel& panel : panels_) {
    if (panel.place != Place::floating) continue;
    ImGui::SetNextWindowPos(ImVec2(center_low_.x + offset, center_low_.y + offset),
                            ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(ImVec2(24 * font, 26 * font), ImGuiCond_FirstUseEver);
    offset += 2 * font;
    if (panel.name == to_front_) ImGui::SetNextWindowFocus();
    bool open = true;
    if (ImGui::Begin(panel.name.c_str(), &open)) draw_panel(panel);
    items.note("tab/" + panel.name);
    ImGui::End();
    if (!open) move(panel.name, Place::hidden);
  }
}

void Layout::draw_menu(Items& items) {
  for (Panel& panel : panels_) {
    if (!ImGui::BeginMenu(panel.name.c_str())) continue;
    for (int i = 0; i < 5; ++i) {
      if (ImGui::MenuItem(kPlaceNames[i], nullptr, static_cast<int>(panel.place) == i))
        move(panel.name, static_cast<Place>(i));
      items.note("menu/" + panel.name + "/" + kPlaceNames[i]);
    }
    ImGui::EndMenu();
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Reset layout")) {
    reset();
    save();
  }
  items.note("menu/Reset layout");
}

}  // namespace firn::viewer

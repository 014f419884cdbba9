// Panels around the picture: at its left, right or bottom as tabs, or floating. A tab can be
// dragged to another place; the borders between them too. Where everything is, is remembered.
#pragma once

#include <imgui.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "items.h"

namespace firn::viewer {

enum class Place { left, right, bottom, floating, hidden };
inline constexpr const char* kPlaceNames[] = {"left", "right", "bottom", "floating", "hidden"};

struct Panel {
  std::string name;
  Place usual = Place::left;
  std::function<void()> draw;
  Place place = Place::left;
};

class Layout {
 public:
  // `file`: where it is remembered; empty: nowhere.
  Layout(std::vector<Panel> panels, std::filesystem::path file);

  // Everything between the bars at the top and at the bottom, whose heights are given.
  void draw(Items& items, float top, float bottom, const std::function<void()>& draw_center);
  // The menu that says where each panel is.
  void draw_menu(Items& items);

  void show(const std::string& name);  // brings a panel to the front, wherever it is
  void move(const std::string& name, Place place);
  Place place_of(const std::string& name) const;
  void reset();
  void save() const;

 private:
  struct Area {
    Place place;
    float size = 300;  // across, in units of the font's size
    ImVec2 low{0, 0}, high{0, 0};
  };
  void load();
  Area& area(Place place) { return areas_[static_cast<int>(place)]; }
  bool has_panels(Place place) const;
  void place_areas(float top, float bottom);
  void draw_area(Items& items, Area& area);
  void draw_border(Area& area);
  void draw_floating(Items& items);
  void draw_center_window(const std::function<void()>& draw_center);
  void take_drop(Place place);
  void draw_panel(Panel& panel);

  std::vector<Panel> panels_;
  std::filesystem::path file_;
  Area areas_[3];
  ImVec2 center_low_{0, 0}, center_high_{0, 0};
  std::string to_front_;
};

}  // namespace firn::viewer

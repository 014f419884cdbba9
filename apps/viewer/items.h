// Where the named widgets of the newest picture lie. Error lines lead to their fields through it,
// and tests find what to click.
#pragma once

#include <imgui.h>

#include <map>
#include <string>

namespace firn::viewer {

struct Item {
  ImVec2 low, high;      // corners, pixels of the window
  bool visible = false;  // not scrolled or clipped away
};

class Items {
 public:
  // Forgets what is older than the picture that begins now.
  void begin_frame();
  // The widget just drawn. The one that is looked for is scrolled to.
  void note(const std::string& path);
  const Item* find(const std::string& path) const;
  const std::map<std::string, Item>& all() const { return items_; }

  // What is being typed into a field whose value changes only when it is complete.
  std::string& draft(const std::string& path) { return drafts_[path]; }

  // Leads the user to a field: parents open, the view scrolls there.
  void go_to(const std::string& path);
  bool leads_into(const std::string& path) const;  // whether what is looked for lies in there
  const std::string& target() const { return target_; }

 private:
  std::map<std::string, Item> items_, drawn_;
  std::map<std::string, std::string> drafts_;
  std::string target_;
  int pictures_left_ = 0;  // how long it is looked for: parents need a picture each to open
};

}  // namespace firn::viewer

#include "items.h"

#include <algorithm>

namespace firn::viewer {

void Items::begin_frame() {
  items_.swap(drawn_);
  drawn_.clear();
  if (pictures_left_ > 0 && --pictures_left_ == 0) target_.clear();
}

void Items::note(const std::string& path) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImVec2 middle((low.x + high.x) / 2, (low.y + high.y) / 2);
  drawn_[path] = {low, high, ImGui::IsItemVisible() && ImGui::IsRectVisible(middle, middle)};
  if (path != target_) return;
  ImGui::SetScrollHereY(0.4f);
  pictures_left_ = std::min(pictures_left_, 3);
}

const Item* Items::find(const std::string& path) const {
  const auto found = items_.find(path);
  return found == items_.end() ? nullptr : &found->second;
}

void Items::go_to(const std::string& path) {
  target_ = path;
  pictures_left_ = 60;
}

bool Items::leads_into(const std::string& path) const {
  return target_.size() > path.size() && target_.starts_with(path) && target_[path.size()] == '/';
}

}  // namespace firn::viewer

// Lists of settings: entries that fold, move, and come and go.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "items.h"
#include "scene/solver_settings.h"

namespace firn::viewer {

enum class EntryAction { none, up, down, duplicate, remove };

// The head of an entry, with its buttons; true when it is open (a TreePop is then due).
bool entry_head(Items& items, const std::string& path, const std::string& label, bool may_remove,
                EntryAction& action);
bool add_button(Items& items, const std::string& path);
// The name of an entry of a dictionary; true when another one was typed that may be had.
bool rename_row(Items& items, const std::string& path, std::string& name,
                const std::vector<std::string>& others);

// A name that none of the others has: "snow", "snow_2", "snow_3".
std::string unique_name(const std::string& wanted, const std::vector<std::string>& others);

template <class T>
class ListEditor {
 public:
  // `named`: a dictionary, whose entries must have names.
  ListEditor(Items& items, std::string path, std::vector<T>& list, std::size_t least, bool named)
      : items_(items), path_(std::move(path)), list_(list), least_(least), named_(named) {}

  // draw_entry(index, key) draws the inside of an entry.
  template <class DrawEntry>
  void draw(DrawEntry draw_entry) {
    EntryAction action = EntryAction::none;
    std::size_t place = 0;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      EntryAction asked = EntryAction::none;
      const std::string key = named_ ? name_of(list_[i]) : std::to_string(i);
      ImGui::PushID(static_cast<int>(i));
      if (entry_head(items_, path_ + "/" + key, label_of(i), list_.size() > least_, asked)) {
        if (named_) rename(i, path_ + "/" + key);
        draw_entry(i, key);
        ImGui::TreePop();
      }
      ImGui::PopID();
      if (asked != EntryAction::none) action = asked, place = i;
    }
    if (action != EntryAction::none) carry_out(action, place);
    if (add_button(items_, path_ + "/+")) {
      T entry{};
      if (named_) set_name(entry, unique_name(singular(), names()));
      list_.push_back(std::move(entry));
      changed_ = true;
    }
  }
  bool changed() const { return changed_; }
  // Where each entry went, -1 when it was removed; empty: all stayed.
  const std::vector<int>& moved() const { return moved_; }

 private:
  static std::string name_of(const T& entry) {
    if constexpr (requires { entry.name; })
      return entry.name;
    else
      return "";
  }
  static void set_name(T& entry, const std::string& name) {
    if constexpr (requires { entry.name; }) entry.name = name;
  }
  // "material" for /materials.
  std::string singular() const {
    const std::string last = path_.substr(path_.rfind('/') + 1);
    return last.ends_with('s') ? last.substr(0, last.size() - 1) : last;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const T& entry : list_) all.push_back(name_of(entry));
    return all;
  }
  // Its name, or the species that it is of or acts between; else its number.
  std::string label_of(std::size_t i) const {
    const T& entry = list_[i];
    std::string label = name_of(entry);
    if constexpr (requires { entry.solid + entry.fluid; })
      if (!entry.solid.empty() || !entry.fluid.empty()) label = entry.solid + " - " + entry.fluid;
    if (label.empty()) label = std::to_string(i);
    if constexpr (requires { entry.species.empty(); })
      if (!entry.species.empty() && entry.species != kDefaultSpecies)
        label += " (" + entry.species + ")";
    return label;
  }
  void rename(std::size_t i, const std::string& path) {
    std::vector<std::string> others = names();
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    std::string name = name_of(list_[i]);
    if (!rename_row(items_, path, name, others)) return;
    set_name(list_[i], name);
    changed_ = true;
  }
  void carry_out(EntryAction action, std::size_t i) {
    moved_.resize(list_.size());
    std::iota(moved_.begin(), moved_.end(), 0);
    const auto at = list_.begin() + static_cast<std::ptrdiff_t>(i);
    if (action == EntryAction::up && i > 0) {
      std::swap(list_[i], list_[i - 1]);
      std::swap(moved_[i], moved_[i - 1]);
    }
    if (action == EntryAction::down && i + 1 < list_.size()) {
      std::swap(list_[i], list_[i + 1]);
      std::swap(moved_[i], moved_[i + 1]);
    }
    if (action == EntryAction::duplicate) {
      T copy = list_[i];
      if (!name_of(copy).empty()) set_name(copy, unique_name(name_of(copy), names()));
      list_.insert(at + 1, std::move(copy));
      for (std::size_t k = i + 1; k < moved_.size(); ++k) ++moved_[k];
    }
    if (action == EntryAction::remove) {
      list_.erase(at);
      moved_[i] = -1;
      for (std::size_t k = i + 1; k < moved_.size(); ++k) --moved_[k];
    }
    changed_ = true;
  }

  Items& items_;
  std::string path_;
  std::vector<T>& list_;
  std::size_t least_;
  bool named_;
  bool changed_ = false;
  std::vector<int> moved_;
};

}  // namespace firn::viewer

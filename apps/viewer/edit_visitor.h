// The visitor that draws an editor of settings: one row of widgets for each property, whatever the
// settings are. See base/describe.h for what a visitor offers.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/describe_parts.h"
#include "edit_list.h"
#include "edit_widgets.h"
#include "items.h"
#include "scene/settings.h"
#include "scene/varied_settings.h"

namespace firn::viewer {

// What the visitors of one picture share.
struct EditContext {
  Items& items;
  std::function<bool(const std::string& key)> shows;           // of the keys at the top
  const std::map<std::string, std::string>* errors = nullptr;  // by JSON pointer
  int dimension = 3;
  std::map<std::string, std::vector<std::string>> dictionary_keys = {};
  std::map<std::string, std::vector<std::string>> own_names = {};
  bool changed = false;
  // Of a dictionary: where its entries went, for those that refer to them.
  std::string moved_in = {};
  std::vector<int> moved = {};
};

class EditVisitor : public PassesOverText {
 public:
  EditVisitor(EditContext& context, std::string path) : context_(context), path_(std::move(path)) {}

  void number(const char* name, double& value, const NumberInfo& info) {
    row(name, tip_of(info), [&] { return edit_number("##v", value, info); });
  }
  void integer(const char* name, std::int64_t& value, const IntegerInfo& info) {
    row(name, tip_of(info), [&] { return edit_integer("##v", value, info); });
  }
  void flag(const char* name, bool& value, const char* meaning) {
    row(name, meaning, [&] { return ImGui::Checkbox("##v", &value); });
  }
  void text(const char* name, std::string& value, const char* meaning) {
    row(name, meaning, [&] { return edit_text("##v", value); });
  }
  void natural(const char* name, std::uint64_t& value, const char* meaning) {
    row(name, meaning, [&] { return edit_natural("##v", value); });
  }
  void natural(const char* name, std::optional<std::uint64_t>& value, const char* meaning) {
    optional_row(name, meaning, value, std::uint64_t(1),
                 [&] { return edit_natural("##v", *value); });
  }
  void words(const char* name, std::vector<std::string>& value,
             const std::vector<std::string>& names, const char* meaning,
             const char* own = nullptr) {
    row(name, meaning, [&] { return edit_words("##v", value, with_own_names(names, own)); });
  }
  void names(const char* name, std::vector<std::string>& value, std::size_t most,
             const char* meaning) {
    row(name, meaning, [&] { return edit_names("##v", value, most); });
    context_.own_names[name] = value;
  }
  template <class OnRead>
  void word(const char* name, std::string& value, const std::vector<std::string>& names,
            const char* meaning, OnRead on_read, const char* own = nullptr) {
    row(name, meaning, [&] {
      if (!edit_word("##v", value, with_own_names(names, own))) return false;
      if (!value.empty()) on_read();
      return true;
    });
  }
  template <class E, class Names>
  void choice(const char* name, E& value, const Names& names, const char* meaning) {
    row(name, meaning, [&] {
      int index = static_cast<int>(value);
      if (!edit_choice("##v", index, {std::begin(names), std::end(names)})) return false;
      value = static_cast<E>(index);
      return true;
    });
  }
  template <class E>
  void choice(const char* name, E& value, std::initializer_list<const char*> names,
              const char* meaning) {
    choice<E, std::initializer_list<const char*>>(name, value, names, meaning);
  }

  void dimension(int d) { context_.dimension = d; }
  void vector(const char* name, Vec3d& value, const NumberInfo& info) {
    row(name, tip_of(info), [&] { return edit_vector("##v", value, context_.dimension, info); });
  }
  void vector(const char* name, std::optional<Vec3d>& value, const NumberInfo& info) {
    optional_row(name, tip_of(info), value, Vec3d{{0, 0, 0}},
                 [&] { return edit_vector("##v", *value, context_.dimension, info); });
  }
  void rotation(const char* name, Vec3d& value, const NumberInfo& info) {
    row(name, tip_of(info), [&] {
      return context_.dimension == 2 ? edit_number("##v", value[2], info)
                                     : edit_vector("##v", value, 3, info);
    });
  }
  void rotation(const char* name, RotationSettings& value, const NumberInfo& info);
  void corners(const char*, const char*, Vec3d&, Vec3d&, const NumberInfo&) {}
  void interval(const char* name, std::optional<Interval>& value, const NumberInfo& info);
  void color(const char* name, Vec3d& value, const char* meaning) {
    row(name, meaning, [&] { return edit_color("##v", value); });
  }
  void color(const char* name, std::optional<Vec3d>& value, const char* meaning) {
    optional_row(name, meaning, value, Vec3d{{0.8, 0.8, 0.8}},
                 [&] { return edit_color("##v", *value); });
  }
  void varying(const char* name, NumberOrExpression& value, const NumberInfo& info,
               const std::vector<std::string>& variables) {
    row(name, tip_of(info), [&] { return edit_varying("##v", value, info, variables); });
  }
  void parameter(const char* name, NumberOrExpression& value, const NumberInfo& info) {
    varying(name, value, info, parameter_variables(context_.own_names["scalars"]));
  }
  void varying_vector(const char* name, VaryingVector& value, const NumberInfo& info,
                      const std::vector<std::string>& variables);
  void varying_rotation(const char* name, VaryingVector& value, const NumberInfo& info,
                        const std::vector<std::string>& variables);
  void expressions(const char* name, std::vector<InitialField>& fields, const char* meaning);
  void reference(const char* name, int& index, const char* dictionary, const char* meaning) {
    row(name, meaning,
        [&] { return edit_choice("##v", index, context_.dictionary_keys[dictionary]); });
  }

  template <class T>
  void object(const char* name, T& value, const char* meaning) {
    const Group group(*this, name, meaning, nullptr);
    if (group.open()) visit(name, value);
  }
  template <class T>
  void object(const char* name, std::optional<T>& value, const char* meaning) {
    bool given = value.has_value();
    const Group group(*this, name, meaning, &given);
    if (given && !value) value.emplace();
    if (!given) value.reset();
    if (group.open() && value) visit(name, *value);
  }

  template <class T>
  void list(const char* name, std::vector<T>& value, const ListInfo& info) {
    const Group group(*this, name, info.meaning, nullptr, count_of(value));
    if (group.open()) edit_entries(name, value, info, false);
  }
  template <class T>
  void dictionary(const char* name, std::vector<T>& value, const ListInfo& info) {
    std::vector<std::string> keys;
    for (const T& entry : value) keys.push_back(entry.name);
    context_.dictionary_keys[name] = std::move(keys);
    if (!shown(name)) return;
    if (path_.empty()) return edit_entries(name, value, info, true);  // a panel of its own
    const Group group(*this, name, info.meaning, nullptr, count_of(value));
    if (group.open()) edit_entries(name, value, info, true);
  }
  template <class E, class Body>
  void typed(const char* name, E& value, const TypedInfo& info, Body body) {
    const Group group(*this, name, info.meaning, nullptr);
    if (!group.open()) return;
    EditVisitor inner(context_, child(name));
    inner.choice("type", value, info.names, info.meaning);
    body(inner, value);
  }
  template <class Body>
  void alternatives(const char* name, int& index, const AlternativesInfo& info, Body body) {
    row(name, info.meaning, [&] { return edit_choice("##v", index, info.names); });
    body(*this, index);
  }

 private:
  // A foldable part: a tree node, with a box to tick where it may be absent.
  class Group {
   public:
    Group(EditVisitor& visitor, const char* name, const char* meaning, bool* given,
          const std::string& suffix = "");
    ~Group();
    bool open() const { return open_; }

   private:
    bool open_ = false;
    bool shown_ = false;
  };

  template <class T>
  static std::string count_of(const std::vector<T>& list) {
    return " (" + std::to_string(list.size()) + ")";
  }
  bool shown(const char* name) const { return !path_.empty() || context_.shows(name); }
  std::string child(const std::string& name) const { return path_ + "/" + name; }
  std::vector<std::string> with_own_names(std::vector<std::string> names, const char* own) const;
  void begin_row(const char* name, const std::string& tip);
  void end_row(const char* name, const std::string& tip, bool changed);

  template <class Widget>
  void row(const char* name, const std::string& tip, Widget widget) {
    if (!shown(name)) return;
    begin_row(name, tip);
    const bool changed = widget();
    end_row(name, tip, changed);
  }

  template <class T, class Widget>
  void optional_row(const char* name, const std::string& tip, std::optional<T>& value,
                    const T& start, Widget widget) {
    row(name, tip, [&] {
      bool given = value.has_value();
      bool changed = ImGui::Checkbox("##given", &given);
      if (changed) value = given ? std::optional<T>(start) : std::nullopt;
      ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
      ImGui::SetNextItemWidth(-FLT_MIN);
      if (value)
        changed |= widget();
      else
        ImGui::TextDisabled("not given");
      return changed;
    });
  }

  template <class T>
  void visit(const std::string& name, T& value) {
    EditVisitor inner(context_, child(name));
    value.describe(inner);
  }

  template <class T>
  void edit_entries(const char* name, std::vector<T>& value, const ListInfo& info, bool named) {
    ListEditor<T> editor(context_.items, child(name), value, info.min_size, named);
    editor.draw([&](std::size_t i, const std::string& key) {
      EditVisitor inner(context_, child(name) + "/" + key);
      value[i].describe(inner);
    });
    context_.changed |= editor.changed();
    if (!named || editor.moved().empty()) return;
    context_.moved_in = name;
    context_.moved = editor.moved();
  }

  EditContext& context_;
  std::string path_;
};

// The parts of a scene that `shows` names, as rows of widgets; true when something was changed.
// References follow the entries of a dictionary; those to one that was removed then name the first.
bool edit_scene(SceneSettings& scene, Items& items,
                const std::map<std::string, std::string>& errors,
                const std::function<bool(const std::string& key)>& shows);

}  // namespace firn::viewer

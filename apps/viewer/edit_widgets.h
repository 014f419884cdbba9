// Widgets for single values of settings. Each fills the rest of its line and returns whether the
// value changed; `id` is what ImGui calls it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "base/vec.h"
#include "scene/varying.h"

namespace firn::viewer {

inline constexpr float kLabelShare = 0.46f;  // of the width of a row

// "distance of ...", its unit and its range, for tooltips.
std::string tip_of(const NumberInfo& info);
std::string tip_of(const IntegerInfo& info);

// "youngs_modulus" as "youngs modulus".
std::string shown_name(const std::string& name);

// A tip for the widget just drawn.
void show_tip(const std::string& tip);

// Dragged, or typed after a double click. A value outside its range is "not given" and shown so;
// the menu of the right button gives up a value.
bool edit_number(const char* id, double& value, const NumberInfo& info);
bool edit_integer(const char* id, std::int64_t& value, const IntegerInfo& info);
bool edit_natural(const char* id, std::uint64_t& value);
bool edit_text(const char* id, std::string& value);
bool edit_choice(const char* id, int& index, const std::vector<std::string>& names);
// One of the names, or none of them.
bool edit_word(const char* id, std::string& value, const std::vector<std::string>& names);
// Any of the names.
bool edit_words(const char* id, std::vector<std::string>& value,
                const std::vector<std::string>& names);
bool edit_names(const char* id, std::vector<std::string>& value, std::size_t most);
bool edit_vector(const char* id, Vec3d& value, int components, const NumberInfo& info);
bool edit_color(const char* id, Vec3d& value);
// A number, or an expression after a click on "f"; what is wrong with the latter stands below.
bool edit_varying(const char* id, NumberOrExpression& value, const NumberInfo& info,
                  const std::vector<std::string>& variables);

}  // namespace firn::viewer

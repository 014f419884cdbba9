#include "edit_widgets.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

namespace firn::viewer {
namespace {

// A value to begin with where none was given.
double start_value(const NumberInfo& info) {
  if (info.contains(1)) return 1;
  const double middle = 0.5 * (info.min + info.max);
  if (info.contains(middle)) return middle;
  return info.contains(info.min + 1) ? info.min + 1 : info.max - 1;
}

// The nearest number of the range.
double into_range(double x, const NumberInfo& info) {
  x = std::clamp(x, info.min, info.max);
  if (info.contains(x)) return x;
  return x <= info.min ? std::nextafter(info.min, INFINITY) : std::nextafter(info.max, -INFINITY);
}

std::string number_format(const NumberInfo& info) {
  std::string format = "%.7g";
  for (const char* c = info.unit; *c; ++c) {
    if (c == info.unit) format += ' ';
    format += *c == '%' ? std::string("%%") : std::string(1, *c);
  }
  return format;
}

bool drag(const char* id, double& value, const NumberInfo& info) {
  const float speed = static_cast<float>(std::max(std::abs(value) * 0.005, 1e-3));
  double edited = value;
  if (!ImGui::DragScalar(id, ImGuiDataType_Double, &edited, speed, nullptr, nullptr,
                         number_format(info).c_str(), ImGuiSliderFlags_NoRoundToFormat))
    return false;
  if (std::isnan(edited)) return false;
  edited = into_range(edited, info);
  const bool changed = edited != value;
  value = edited;
  return changed;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

float share_of_line(int components) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = ImGui::GetContentRegionAvail().x;
  return std::max(
      1.0f, (width - gap * static_cast<float>(components - 1)) / static_cast<float>(components));
}

}  // namespace

std::string tip_of(const NumberInfo& info) {
  std::string tip = info.meaning;
  if (*info.unit) tip += fmt::format("\nunit: {}", info.unit);
  const bool low = std::isfinite(info.min), high = std::isfinite(info.max);
  if (low) tip += fmt::format("\n{} {:g}", info.above_min ? "above" : "at least", info.min);
  if (high) tip += fmt::format("\n{} {:g}", info.below_max ? "below" : "at most", info.max);
  return tip + "\ndrag to change, double-click to type";
}

std::string tip_of(const IntegerInfo& info) {
  std::string tip = info.meaning;
  if (info.min > INT64_MIN) tip += fmt::format("\nat least {}", info.min);
  if (info.max < INT64_MAX) tip += fmt::format("\nat most {}", info.max);
  return tip + "\ndrag to change, double-click to type";
}

std::string shown_name(const std::string& name) {
  std::string shown = name;
  std::replace(shown.begin(), shown.end(), '_', ' ');
  return shown;
}

void show_tip(const std::string& tip) {
  if (tip.empty() || !ImGui::IsItemHovered()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 28);
  ImGui::TextUnformatted(tip.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool edit_number(const char* id, double& value, const NumberInfo& info) {
  bool changed = false;
  ImGui::PushID(id);
  if (!info.contains(value)) {
    if (ImGui::Button("not given", ImVec2(ImGui::CalcItemWidth(), 0))) {
      value = start_value(info);
      changed = true;
    }
  } else {
    changed = drag("##number", value, info);
    if (!info.contains(NAN) && ImGui::BeginPopupContextItem("menu")) {
      if (ImGui::MenuItem("not given: use the default")) {
        value = NAN;
        changed = true;
      }
      ImGui::EndPopup();
    }
  }
  ImGui::PopID();
  return changed;
}

bool edit_integer(const char* id, std::int64_t& value, const IntegerInfo& info) {
  std::int64_t edited = value;
  if (!ImGui::DragScalar(id, ImGuiDataType_S64, &edited, 0.2f)) return false;
  edited = std::clamp(edited, info.min, info.max);
  const bool changed = edited != value;
  value = edited;
  return changed;
}

bool edit_natural(const char* id, std::uint64_t& value) {
  return ImGui::InputScalar(id, ImGuiDataType_U64, &value);
}

bool edit_text(const char* id, std::string& value) {
  return ImGui::InputText(id, &value);
}

bool edit_choice(const char* id, int& index, const std::vector<std::string>& names) {
  const bool known = index >= 0 && index < static_cast<int>(names.size());
  if (!ImGui::BeginCombo(id, known ? names[index].c_str() : "")) return false;
  bool changed = false;
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    ImGui::PushID(i);  // names may be alike, or empty
    if (ImGui::Selectable(names[i].c_str(), i == index)) {
      changed = i != index;
      index = i;
    }
    if (i == index) ImGui::SetItemDefaultFocus();
    ImGui::PopID();
  }
  ImGui::EndCombo();
  return changed;
}

bool edit_word(const char* id, std::string& value, const std::vector<std::string>& names) {
  std::vector<std::string> all{"none"};
  all.insert(all.end(), names.begin(), names.end());
  const auto found = std::find(names.begin(), names.end(), value);
  int index =
      value.empty() || found == names.end() ? 0 : static_cast<int>(found - names.begin()) + 1;
  if (!edit_choice(id, index, all)) return false;
  value = index == 0 ? "" : all[index];
  return true;
}

bool edit_words(const char* id, std::vector<std::string>& value,
                const std::vector<std::string>& names) {
  if (!ImGui::BeginCombo(id, joined(value).c_str())) return false;
  bool changed = false;
  for (const std::string& name : names) {
    const auto found = std::find(value.begin(), value.end(), name);
    bool chosen = found != value.end();
    if (!ImGui::Checkbox(name.c_str(), &chosen)) continue;
    changed = true;
    if (chosen)
      value.push_back(name);
    else
      value.erase(found);
  }
  ImGui::EndCombo();
  return changed;
}

bool edit_names(const char* id, std::vector<std::string>& value, std::size_t most) {
  std::string text = joined(value);
  if (!ImGui::InputTextWithHint(id, "names, with commas between", &text)) return false;
  value.clear();
  std::string name;
  for (const char c : text + ",") {
    if (c == ',') {
      if (!name.empty() && value.size() < most) value.push_back(name);
      name.clear();
    } else if (c != ' ') {
      name += c;
    }
  }
  return true;
}

bool edit_vector(const char* id, Vec3d& value, int components, const NumberInfo& info) {
  bool changed = false;
  NumberInfo plain = info;
  plain.unit = "";  // there is no room for three of them
  const float width = share_of_line(components);
  ImGui::BeginGroup();
  ImGui::PushID(id);
  for (int i = 0; i < components; ++i) {
    if (i > 0) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    ImGui::PushID(i);
    ImGui::SetNextItemWidth(width);
    changed |= drag("##component", value[i], plain);
    ImGui::PopID();
  }
  ImGui::PopID();
  ImGui::EndGroup();
  return changed;
}

bool edit_color(const char* id, Vec3d& value) {
  float rgb[3];
  for (int i = 0; i < 3; ++i) rgb[i] = static_cast<float>(value[i]);
  if (!ImGui::ColorEdit3(id, rgb, ImGuiColorEditFlags_DisplayHex)) return false;
  // Eight bits a channel, as the file shows it.
  for (int i = 0; i < 3; ++i) value[i] = std::round(std::clamp(rgb[i], 0.0f, 1.0f) * 255.0) / 255;
  return true;
}

bool edit_varying(const char* id, NumberOrExpression& value, const NumberInfo& info,
                  const std::vector<std::string>& variables) {
  bool changed = false;
  ImGui::PushID(id);
  ImGui::BeginGroup();
  const float line = ImGui::CalcItemWidth();
  const float button = ImGui::GetFrameHeight();
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  if (ImGui::Button(value.is_constant() ? "f" : "1", ImVec2(button, 0))) {
    value.expression = value.is_constant() ? fmt::format("{:.9g}", value.value) : "";
    changed = true;
  }
  show_tip(value.is_constant() ? "an expression in " + joined(variables) + " instead"
                               : "a plain number instead");
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(std::max(1.0f, line - button - gap));
  if (value.is_constant()) {
    changed |= edit_number("##value", value.value, info);
  } else {
    changed |= edit_text("##expression", value.expression);
    // An expression that was wiped out is a number again.
    const std::string problem =
        value.is_constant() ? "" : expression_problem(value.expression, variables);
    if (!problem.empty()) {
      ImGui::PushTextWrapPos(0);
      ImGui::TextColored(ImVec4(0.9f, 0.25f, 0.2f, 1), "%s", problem.c_str());
      ImGui::PopTextWrapPos();
    }
  }
  ImGui::EndGroup();
  ImGui::PopID();
  return changed;
}

}  // namespace firn::viewer

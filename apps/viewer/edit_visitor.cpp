#include "edit_visitor.h"

#include <imgui.h>
#include <imgui_internal.h>

#include "references.h"

namespace firn::viewer {
namespace {

float rest_of_line() {
  return -FLT_MIN;
}

}  // namespace

EditVisitor::Group::Group(EditVisitor& visitor, const char* name, const char* meaning, bool* given,
                          const std::string& suffix) {
  shown_ = visitor.shown(name);
  if (!shown_) return;
  const std::string path = visitor.child(name);
  Items& items = visitor.context_.items;
  ImGui::PushID(name);
  if (given) {
    visitor.context_.changed |= ImGui::Checkbox("##given", given);
    items.note(path + "?");
    show_tip(meaning);
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  }
  if (items.leads_into(path)) ImGui::SetNextItemOpen(true);
  const std::string_view which(name);
  const bool unfold =
      which == "shape" || which == "look" || (visitor.path_.empty() && which != "output");
  const ImGuiTreeNodeFlags flags = unfold ? ImGuiTreeNodeFlags_DefaultOpen : 0;
  ImGui::BeginDisabled(given && !*given);
  open_ = ImGui::TreeNodeEx("group", flags, "%s%s", shown_name(name).c_str(), suffix.c_str());
  ImGui::EndDisabled();
  items.note(path);
  show_tip(meaning);
}

EditVisitor::Group::~Group() {
  if (open_) ImGui::TreePop();
  if (shown_) ImGui::PopID();
}

void EditVisitor::begin_row(const char* name, const std::string& tip) {
  ImGui::PushID(name);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(shown_name(name).c_str());
  show_tip(tip);
  ImGui::SameLine(ImGui::GetContentRegionMax().x * kLabelShare);
  ImGui::SetNextItemWidth(rest_of_line());
}

void EditVisitor::end_row(const char* name, const std::string& tip, bool changed) {
  context_.changed |= changed;
  context_.items.note(child(name));
  show_tip(tip);
  ImGui::PopID();
  if (context_.errors == nullptr) return;
  const auto error = context_.errors->find(child(name));
  if (error == context_.errors->end()) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextColored(ImVec4(0.9f, 0.25f, 0.2f, 1), "%s", error->second.c_str());
  ImGui::PopTextWrapPos();
}

std::vector<std::string> EditVisitor::with_own_names(std::vector<std::string> names,
                                                     const char* own) const {
  if (own == nullptr) return names;
  const auto found = context_.own_names.find(own);
  if (found != context_.own_names.end())
    names.insert(names.end(), found->second.begin(), found->second.end());
  return names;
}

void EditVisitor::rotation(const char* name, RotationSettings& value, const NumberInfo& info) {
  if (context_.dimension == 2) {
    value.about_axis = false;
    return rotation(name, value.angles, info);
  }
  row(name, tip_of(info), [&] {
    bool changed = ImGui::Checkbox("axis", &value.about_axis);
    if (!value.about_axis) return edit_vector("##angles", value.angles, 3, info) || changed;
    changed |= edit_vector("##axis", value.axis, 3, {"axis"});
    ImGui::SetNextItemWidth(rest_of_line());
    return edit_number("##angle", value.angle, info) || changed;
  });
}

void EditVisitor::interval(const char* name, std::optional<Interval>& value,
                           const NumberInfo& info) {
  optional_row(name, tip_of(info), value, Interval{0, 1}, [&] {
    Vec3d ends{{value->low, value->high, 0}};
    if (!edit_vector("##v", ends, 2, info)) return false;
    value = Interval{ends[0], ends[1]};
    return true;
  });
}

void EditVisitor::varying_vector(const char* name, VaryingVector& value, const NumberInfo& info,
                                 const std::vector<std::string>& variables) {
  row(name, tip_of(info), [&] {
    bool changed = false;
    ImGui::BeginGroup();
    for (int i = 0; i < context_.dimension; ++i) {
      ImGui::PushID(i);
      ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
      changed |= edit_varying("##v", value[i], info, variables);
      context_.items.note(child(name) + "/" + std::to_string(i));
      ImGui::PopID();
    }
    ImGui::EndGroup();
    return changed;
  });
}

void EditVisitor::varying_rotation(const char* name, VaryingVector& value, const NumberInfo& info,
                                   const std::vector<std::string>& variables) {
  if (context_.dimension == 3) return varying_vector(name, value, info, variables);
  varying(name, value[2], info, variables);
}

void EditVisitor::expressions(const char* name, std::vector<InitialField>& fields,
                              const char* meaning) {
  const Group group(*this, name, meaning, nullptr, count_of(fields));
  if (!group.open()) return;
  int removed = -1;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string path = child(name) + "/" + std::to_string(i);
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SmallButton("x")) removed = static_cast<int>(i);
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionMax().x * kLabelShare - ImGui::GetCursorPosX());
    context_.changed |= edit_text("##name", fields[i].name);
    context_.items.note(path + "/name");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    context_.changed |= edit_varying("##v", fields[i].value, {}, space_variables());
    context_.items.note(path + "/value");
    ImGui::PopID();
  }
  if (removed >= 0) fields.erase(fields.begin() + removed);
  const bool added = add_button(context_.items, child(name) + "/+");
  if (added) fields.push_back({"stiffness_scale", NumberOrExpression(1)});
  context_.changed |= added || removed >= 0;
}

bool edit_scene(SceneSettings& scene, Items& items,
                const std::map<std::string, std::string>& errors,
                const std::function<bool(const std::string& key)>& shows) {
  EditContext context{items, shows, &errors};
  EditVisitor visitor(context, "");
  scene.describe(visitor);
  if (!context.moved.empty())
    for_each_reference(scene, context.moved_in, [&](int& index) {
      const bool known = index >= 0 && index < static_cast<int>(context.moved.size());
      index = known ? std::max(0, context.moved[index]) : 0;
    });
  return context.changed;
}

}  // namespace firn::viewer

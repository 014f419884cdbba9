#include "edit_list.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "edit_widgets.h"

namespace firn::viewer {

bool entry_head(Items& items, const std::string& path, const std::string& label, bool may_remove,
                EntryAction& action) {
  if (items.leads_into(path)) ImGui::SetNextItemOpen(true);
  const bool open =
      ImGui::TreeNodeEx("entry", ImGuiTreeNodeFlags_AllowItemOverlap, "%s", label.c_str());
  items.note(path);
  struct Button {
    const char *label, *tip, *name;
    EntryAction action;
  };
  const Button buttons[] = {{"^", "move up", "up", EntryAction::up},
                            {"v", "move down", "down", EntryAction::down},
                            {"+", "duplicate", "duplicate", EntryAction::duplicate},
                            {"x", "delete", "delete", EntryAction::remove}};
  const float width = ImGui::GetFontSize() * 1.3f;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float count = static_cast<float>(std::size(buttons));
  ImGui::SameLine(ImGui::GetContentRegionMax().x - count * (width + gap));
  for (const Button& button : buttons) {
    if (&button != buttons) ImGui::SameLine(0, gap);
    const bool disabled = button.action == EntryAction::remove && !may_remove;
    ImGui::BeginDisabled(disabled);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
    if (ImGui::Button(button.label, ImVec2(width, 0))) action = button.action;
    ImGui::PopStyleVar();
    ImGui::EndDisabled();
    show_tip(button.tip);
    items.note(path + "/" + button.name);
  }
  return open;
}

bool add_button(Items& items, const std::string& path) {
  const bool clicked = ImGui::Button("Add");
  items.note(path);
  return clicked;
}

bool rename_row(Items& items, const std::string& path, std::string& name,
                const std::vector<std::string>& others) {
  const std::string field = path + "/rename";
  std::string& draft = items.draft(field);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("name");
  ImGui::SameLine(ImGui::GetContentRegionMax().x * kLabelShare);
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::GetActiveID() != ImGui::GetID("##rename")) draft = name;
  ImGui::InputText("##rename", &draft);
  const bool complete = ImGui::IsItemDeactivatedAfterEdit();
  items.note(field);
  const bool taken = std::find(others.begin(), others.end(), draft) != others.end();
  if (taken) ImGui::TextColored(ImVec4(0.9f, 0.25f, 0.2f, 1), "that name is taken");
  if (!complete || taken || draft.empty() || draft == name) return false;
  name = draft;
  return true;
}

std::string unique_name(const std::string& wanted, const std::vector<std::string>& others) {
  const auto is_taken = [&](const std::string& name) {
    return std::find(others.begin(), others.end(), name) != others.end();
  };
  if (!is_taken(wanted)) return wanted;
  // "snow_2" is followed by "snow_3".
  std::string stem = wanted;
  while (!stem.empty() && std::isdigit(static_cast<unsigned char>(stem.back()))) stem.pop_back();
  if (stem.size() == wanted.size() || stem.empty() || stem.back() != '_') stem = wanted + "_";
  for (int i = 2;; ++i)
    if (const std::string name = stem + std::to_string(i); !is_taken(name)) return name;
}

}  // namespace firn::viewer

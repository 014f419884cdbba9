#include "file_dialog.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cfloat>

#include "run/existing_run.h"

namespace firn::viewer {
namespace fs = std::filesystem;

void FileDialog::open(const std::string& title, const fs::path& start, bool saving,
                      std::function<void(const fs::path&)> chosen) {
  title_ = title;
  saving_ = saving;
  chosen_ = std::move(chosen);
  std::error_code error;
  fs::path folder = start.empty() ? fs::current_path(error) : fs::absolute(start, error);
  typed_.clear();
  if (!fs::is_directory(folder, error)) {
    typed_ = folder.string();
    folder = folder.parent_path();
  }
  const std::string kept = typed_;
  go_to(folder);
  typed_ = kept.empty() ? typed_ : kept;
  open_ = opening_ = true;
}

void FileDialog::go_to(const fs::path& folder) {
  folder_ = folder.lexically_normal();
  typed_ = (folder_ / "").string();
  list();
}

void FileDialog::list() {
  entries_.clear();
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    const bool folder = it->is_directory(ignored);
    if (name.starts_with('.') || (!folder && it->path().extension() != ".json")) continue;
    entries_.push_back({name, folder, folder && holds_run(RunFolder{it->path()})});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return std::make_pair(!a.folder, a.name) < std::make_pair(!b.folder, b.name);
  });
}

void FileDialog::accept() {
  fs::path path = typed_;
  if (saving_ && path.extension() != ".json") path += ".json";
  open_ = false;
  ImGui::CloseCurrentPopup();
  chosen_(path);
}

void FileDialog::draw(Items& items) {
  if (opening_) ImGui::OpenPopup(title_.c_str());
  opening_ = false;
  const float font = ImGui::GetFontSize();
  ImGui::SetNextWindowSize(ImVec2(38 * font, 28 * font), ImGuiCond_Appearing);
  if (!ImGui::BeginPopupModal(title_.c_str(), &open_)) return;
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool entered = ImGui::InputText("##path", &typed_, ImGuiInputTextFlags_EnterReturnsTrue);
  items.note("dialog/path");
  ImGui::BeginChild("list", ImVec2(0, -2 * ImGui::GetFrameHeight()), true);
  fs::path next;
  if (ImGui::Selectable("..", false, ImGuiSelectableFlags_DontClosePopups))
    next = folder_.lexically_normal().parent_path().parent_path();
  for (const Entry& entry : entries_) {
    const std::string label = entry.run      ? entry.name + "   (a run)"
                              : entry.folder ? entry.name + "/"
                                             : entry.name;
    const bool clicked = ImGui::Selectable(
        label.c_str(), false,
        ImGuiSelectableFlags_DontClosePopups | ImGuiSelectableFlags_AllowDoubleClick);
    items.note("dialog/" + entry.name);
    if (!clicked) continue;
    if (entry.folder && !entry.run)
      next = folder_ / entry.name / "";
    else
      typed_ = (folder_ / entry.name).string();
  }
  ImGui::EndChild();
  const bool accepted = ImGui::Button(saving_ ? "Save" : "Open");
  items.note("dialog/ok");
  ImGui::SameLine();
  const bool cancelled = ImGui::Button("Cancel");
  if (!next.empty()) go_to(next);
  if (accepted || entered) accept();
  if (cancelled) {
    open_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

}  // namespace firn::viewer

// Menus, the bar of tools, the line of numbers below, and small windows.
#include <fmt/format.h>
#include <imgui.h>

#include "app.h"
#include "edit_widgets.h"

namespace firn::viewer {
namespace {

constexpr ImGuiWindowFlags kBar = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoScrollbar |
                                  ImGuiWindowFlags_NoSavedSettings |
                                  ImGuiWindowFlags_NoBringToFrontOnFocus;

bool menu_item(Items& items, const char* name, const char* key = nullptr, bool enabled = true) {
  const bool clicked = ImGui::MenuItem(name, key, false, enabled);
  items.note(std::string("menu/") + name);
  return clicked;
}

// 12345678 as "12.3 M".
std::string short_count(double number) {
  if (number >= 1e9) return fmt::format("{:.3g} G", 1e-9 * number);
  if (number >= 1e6) return fmt::format("{:.3g} M", 1e-6 * number);
  if (number >= 1e4) return fmt::format("{:.3g} k", 1e-3 * number);
  return fmt::format("{:.0f}", number);
}

const char* state_word(SessionState state) {
  switch (state) {
    case SessionState::empty:
      return "nothing open";
    case SessionState::busy:
      return "preparing";
    case SessionState::paused:
      return "paused";
    case SessionState::playing:
      return "playing";
    case SessionState::failed:
      return "stopped by an error";
  }
  return "";
}

std::string run_text(const Workspace& work, const std::optional<Shown>& shown) {
  if (!shown) return "reading ...";
  if (!work.playback_problem.empty()) return work.playback_problem;
  return fmt::format("frame {} of {}   t = {:.4g} s   {} {}", shown->frame, work.playback->last(),
                     shown->time, short_count(static_cast<double>(shown->points->count)),
                     shown->per_particle > 0 ? "grains" : "particles");
}

std::string session_text(const Workspace& work) {
  std::string text = state_word(work.status.state);
  if (const auto& frame = work.session_frame) {
    const FrameStats& stats = frame->stats;
    const double particles = static_cast<double>(stats.particles);
    text += fmt::format(
        "   {} particles   frame {}   step {}   t = {:.4g} s   dt = {:.3g} s   {:.3g} steps/s   "
        "{} particle-steps/s   E = {:.4g} J",
        short_count(particles), stats.frame, frame->total_steps, stats.time, frame->dt,
        frame->steps_per_second, short_count(particles * frame->steps_per_second),
        stats.kinetic + stats.elastic +
            (stats.has_gravity_potential ? stats.gravity_potential : 0));
    if (stats.fine_grains)
      text += fmt::format("   {} grains", short_count(static_cast<double>(*stats.fine_grains)));
    if (stats.solves)
      text += fmt::format("   {} Newton, {} Krylov", stats.solves->newton_iterations,
                          stats.solves->krylov_iterations);
    if (stats.grains)
      text += fmt::format("   {} iterations, density {:+.2g} %", stats.grains->iterations,
                          100 * stats.grains->mean_density_error);
  }
  return text;
}

}  // namespace

void App::draw_file_menu() {
  if (menu_item(items_, "New", "Ctrl+N")) work_.open_new();
  if (menu_item(items_, "Open ...", "Ctrl+O")) ask_open();
  const bool shipped = ImGui::BeginMenu("Shipped scenes", !options_.shipped.empty());
  if (shipped) {
    for (const SceneEntry& entry : options_.shipped) {
      if (menu_item(items_, entry.name.c_str())) work_.open(entry.path);
      show_tip(entry.description);
    }
    ImGui::EndMenu();
  } else {
    items_.note("menu/Shipped scenes");
  }
  ImGui::Separator();
  if (menu_item(items_, "Save", "Ctrl+S")) save();
  if (menu_item(items_, "Save as ...", "Ctrl+Shift+S")) ask_save();
  ImGui::Separator();
  if (menu_item(items_, "Quit", "Ctrl+Q")) request_close();
}

void App::draw_edit_menu() {
  if (menu_item(items_, "Undo", "Ctrl+Z", work_.document.can_undo())) work_.undo();
  if (menu_item(items_, "Redo", "Ctrl+Y", work_.document.can_redo())) work_.redo();
}

void App::draw_menu_bar() {
  if (!ImGui::BeginMainMenuBar()) return;
  const auto menu = [&](const char* name, auto&& body) {
    const bool open = ImGui::BeginMenu(name);
    // Open menus are windows of their own, so that the title's place is noted while closed.
    if (!open) items_.note(std::string("menu/") + name);
    if (!open) return;
    body();
    ImGui::EndMenu();
  };
  menu("File", [&] { draw_file_menu(); });
  menu("Edit", [&] { draw_edit_menu(); });
  menu("View", [&] { layout_->draw_menu(items_); });
  menu("Help", [&] {
    if (menu_item(items_, "Keys and mouse", "F1")) show_help_ = true;
  });
  const std::filesystem::path path = work_.plays_back()
                                         ? work_.playback->folder().root
                                         : std::filesystem::path(work_.document.label());
  ImGui::TextDisabled("%s%s", path.filename().string().c_str(),
                      work_.document.modified() ? " (changed)" : "");
  show_tip(path.string());
  ImGui::EndMainMenuBar();
}

void App::draw_toolbar(float height) {
  ImGui::SetNextWindowPos(ImVec2(0, ImGui::GetFrameHeight()));
  ImGui::SetNextWindowSize(ImVec2(ImGui::GetIO().DisplaySize.x, height));
  ImGui::Begin("##toolbar", nullptr, kBar);
  draw_transport(context_, "toolbar");
  if (!work_.plays_back()) {
    const struct {
      const char *label, *tip;
      Tool tool;
    } tools[] = {{"Camera", "the mouse moves the camera (1)", Tool::camera},
                 {"Drag", "the mouse drags particles along (2)", Tool::pull},
                 {"Push", "the mouse pushes with a ball (3)", Tool::push}};
    ImGui::SameLine(0, 2 * ImGui::GetFontSize());
    for (const auto& each : tools) {
      if (ImGui::RadioButton(each.label, view_.tool == each.tool)) view_.tool = each.tool;
      items_.note(std::string("toolbar/") + each.label);
      show_tip(each.tip);
      ImGui::SameLine();
    }
    ImGui::SameLine(0, 2 * ImGui::GetFontSize());
    draw_pace(context_);
  }
  ImGui::SameLine(0, 2 * ImGui::GetFontSize());
  draw_grains_switch(context_);
  const std::string& words = view_.words().empty() ? work_.status.words : view_.words();
  ImGui::SameLine(0, 2 * ImGui::GetFontSize());
  if (!work_.plays_back() || !view_.words().empty()) ImGui::TextDisabled("%s", words.c_str());
  ImGui::End();
}

void App::draw_status_bar(float height) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, display.y - height));
  ImGui::SetNextWindowSize(ImVec2(display.x, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(8, 3));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin("##status", nullptr, kBar);
  const std::string text =
      work_.plays_back() ? run_text(work_, view_.shown()) : session_text(work_);
  ImGui::TextUnformatted(text.c_str());
  items_.note("status");
  ImGui::End();
  ImGui::PopStyleVar(2);
}

void App::draw_help() {
  if (!show_help_) return;
  ImGui::SetNextWindowSize(ImVec2(34 * ImGui::GetFontSize(), 0), ImGuiCond_Appearing);
  if (ImGui::Begin("Keys and mouse", &show_help_)) {
    const char* const rows[][2] = {
        {"space", "play, pause"},
        {"right arrow", "next frame"},
        {".", "one time step"},
        {"R", "reset: back to the start, with all edits"},
        {"T", "at the pace of the clock, or as fast as it goes"},
        {"G", "fine grains in place of particles"},
        {"F", "show the whole scene"},
        {"1, 2, 3", "mouse moves the camera, drags particles, pushes with a ball"},
        {"drag, right drag, wheel", "around, sideways, closer"},
        {"W A S D Q E", "fly, while the mouse is over the picture"},
        {"Ctrl+Z, Ctrl+Y", "undo, redo an edit of the scene"},
        {"Ctrl+N, O, S, Q", "new, open, save, quit"},
        {"numbers", "drag to change, double-click to type; right click: use the default"},
        {"tabs", "drag them to another side, or onto the picture to let them float"}};
    for (const auto& row : rows) {
      ImGui::TextUnformatted(row[0]);
      ImGui::SameLine(12 * ImGui::GetFontSize());
      ImGui::TextWrapped("%s", row[1]);
    }
  }
  ImGui::End();
}

void App::draw_close_question() {
  constexpr const char* kTitle = "The scene has changed";
  if (asks_to_close_) ImGui::OpenPopup(kTitle);
  asks_to_close_ = false;
  if (!ImGui::BeginPopupModal(kTitle, nullptr, ImGuiWindowFlags_AlwaysAutoResize)) return;
  ImGui::TextUnformatted("Close without saving it?");
  if (named_button(items_, "close/discard", "Close")) closing_ = true;
  ImGui::SameLine();
  if (named_button(items_, "close/save", "Save ...")) {
    ImGui::CloseCurrentPopup();
    save();
  }
  ImGui::SameLine();
  if (named_button(items_, "close/cancel", "Go on")) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace firn::viewer

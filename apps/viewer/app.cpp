#include "app.h"

#include <imgui.h>

#include <algorithm>

#include "keys.h"

namespace firn::viewer {

App::App(AppOptions options)
    : options_(std::move(options)),
      work_(options_.maker),
      view_(work_),
      recorder_(work_, view_),
      context_{work_, view_, recorder_, items_, options_.shipped} {
  const auto& folder = options_.config_folder;
  layout_ =
      std::make_unique<Layout>(make_panels(), folder.empty() ? folder : folder / "layout.json");
  if (options_.device != Device::cpu) work_.session.set_device(options_.device);
}

App::~App() {
  recorder_.finish();  // a film that is cut short can be played
  layout_->save();
}

std::vector<Panel> App::make_panels() {
  PanelContext& c = context_;
  return {{"Scene", Place::left, [&c] { draw_scene_panel(c); }},
          {"Materials", Place::left, [&c] { draw_materials_panel(c); }},
          {"Simulation", Place::left, [&c] { draw_simulation_panel(c); }},
          {"Look", Place::right, [&c] { draw_look_panel(c); }},
          {"Camera", Place::right, [&c] { draw_camera_panel(c); }},
          {"Recording", Place::right, [&c] { draw_recording_panel(c); }},
          {"Timeline", Place::bottom, [&c] { draw_timeline_panel(c); }},
          {"Graphs", Place::bottom, [&c] { draw_graphs_panel(c); }},
          {"Benchmark", Place::bottom, [&c] { draw_benchmark_panel(c); }},
          {"Log", Place::bottom, [this] { draw_log_panel(context_, *layout_); }}};
}

void App::frame() {
  const ImGuiIO& io = ImGui::GetIO();
  items_.begin_frame();
  work_.update(io.DeltaTime);
  view_.update([this] { return recorder_.holds_frames(); });
  recorder_.update();
  if (opened_ != work_.opened()) {
    opened_ = work_.opened();
    context_.record.to =
        work_.plays_back() ? work_.playback->last() : work_.document.scene().frames;
    if (work_.plays_back()) layout_->show("Timeline");
  }
  if (work_.errors().size() > errors_seen_) layout_->show("Log");
  errors_seen_ = work_.errors().size();
  use_keys();
  draw_menu_bar();
  const float bar = ImGui::GetFrameHeight();
  const float tools = bar + 2 * ImGui::GetStyle().WindowPadding.y;
  draw_toolbar(tools);
  draw_status_bar(bar);
  layout_->draw(items_, bar + tools, bar, [&] { view_.draw(items_, io.DeltaTime); });
  dialog_.draw(items_);
  draw_help();
  draw_close_question();
  work_.send_edits(io.WantTextInput, ImGui::IsAnyItemActive());
}

void App::request_close() {
  if (!work_.document.modified() || work_.plays_back()) closing_ = true;
  asks_to_close_ = !closing_;
}

void App::ask_open() {
  dialog_.open("Open a scene or a run", work_.document.path().parent_path(), false,
               [this](const std::filesystem::path& path) { work_.open(path.string()); });
}

void App::ask_save() {
  std::filesystem::path start = work_.document.path();
  if (start.empty()) start = work_.document.scene().name + ".json";
  dialog_.open("Save the scene as", start, true,
               [this](const std::filesystem::path& path) { work_.save(path); });
}

void App::save() {
  if (work_.document.path().empty() || work_.plays_back()) return ask_save();
  work_.save(work_.document.path());
}

void App::use_control_keys() {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsKeyPressed('S', false)) io.KeyShift ? ask_save() : save();
  if (ImGui::IsKeyPressed('O', false)) ask_open();
  if (ImGui::IsKeyPressed('N', false)) work_.open_new();
  if (ImGui::IsKeyPressed('Z', false)) work_.undo();
  if (ImGui::IsKeyPressed('Y', false)) work_.redo();
  if (ImGui::IsKeyPressed('Q', false)) request_close();
}

void App::use_keys() {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsKeyPressed(kKeyF1, false)) show_help_ = !show_help_;
  if (io.WantTextInput || dialog_.is_open()) return;
  if (io.KeyCtrl) return use_control_keys();
  const bool run = work_.plays_back();
  const auto pressed = [](int key) { return ImGui::IsKeyPressed(key, false); };
  if (pressed(kKeySpace)) {
    if (run)
      work_.control.playing = !work_.control.playing;
    else
      work_.status.state == SessionState::playing ? work_.session.pause() : work_.session.play();
  }
  if (pressed('F')) view_.frame_scene();
  if (pressed('1')) view_.tool = Tool::camera;
  if (pressed('2')) view_.tool = Tool::pull;
  if (pressed('3')) view_.tool = Tool::push;
  if (pressed('G') && work_.may_show_grains()) work_.show_grains(!work_.shows_grains());
  if (ImGui::IsKeyPressed(kKeyRight))
    run ? void(work_.control.position += 1) : work_.session.step_frame();
  if (run && ImGui::IsKeyPressed(kKeyLeft)) work_.control.position -= 1;
  if (run) return;
  if (ImGui::IsKeyPressed(kKeyPeriod)) work_.session.step();
  if (pressed('R')) work_.session.reset();
  if (pressed('T')) work_.keep_real_time(!work_.keeps_real_time());
}

}  // namespace firn::viewer

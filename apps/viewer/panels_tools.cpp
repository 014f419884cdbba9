// Panels around the scene: camera, recording, timeline, log.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "edit_list.h"
#include "edit_widgets.h"
#include "layout.h"
#include "panels.h"

namespace firn::viewer {
namespace {

void draw_energies(const Workspace& work) {
  static const char* const kNames[3] = {"kinetic", "elastic", "gravity"};
  const float width = (ImGui::GetContentRegionAvail().x - 16) / 3;
  for (int i = 0; i < 3; ++i) {
    const std::vector<float>& series = work.energies[i];
    if (i > 0) ImGui::SameLine();
    const std::string text =
        fmt::format("{} energy: {:.4g} J", kNames[i], series.empty() ? 0.0f : series.back());
    ImGui::PlotLines(fmt::format("##energy{}", i).c_str(), series.data(),
                     static_cast<int>(series.size()), 0, text.c_str(), FLT_MAX, FLT_MAX,
                     ImVec2(width, std::max(30.0f, ImGui::GetContentRegionAvail().y - 4)));
  }
}

void draw_run_timeline(PanelContext& c) {
  const Playback& run = *c.work.playback;
  PlaybackControl& control = c.work.control;
  draw_transport(c, "timeline");
  ImGui::SameLine();
  ImGui::Checkbox("loop", &control.loop);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
  float speed = static_cast<float>(control.speed);
  if (ImGui::DragFloat("##speed", &speed, 0.01f, 0.01f, 100, "%.2f x real time"))
    control.speed = std::clamp(speed, 0.01f, 100.0f);
  std::int64_t frame = static_cast<std::int64_t>(std::floor(control.position));
  const std::int64_t first = run.first(), last = run.last();
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (ImGui::SliderScalar("##frame", ImGuiDataType_S64, &frame, &first, &last, "frame %lld")) {
    control.position = static_cast<double>(std::clamp(frame, first, last));
    control.playing = false;
  }
  c.items.note("timeline/frame");
  if (named_button(c.items, "timeline/look again", "Look for new frames"))
    c.work.playback->look_again();
  ImGui::SameLine();
  const bool simulates = named_button(c.items, "timeline/simulate", "Simulate this scene");
  if (!c.work.playback_problem.empty())
    ImGui::TextColored(ImVec4(0.9f, 0.25f, 0.2f, 1), "%s", c.work.playback_problem.c_str());
  else if (run.missing() > 0)
    ImGui::TextDisabled("%zu frames between the first and the last are missing", run.missing());
  if (simulates) c.work.simulate_this();
}

}  // namespace

void draw_transport(PanelContext& c, const std::string& path) {
  Workspace& work = c.work;
  if (work.plays_back()) {
    PlaybackControl& control = work.control;
    if (named_button(c.items, path + "/play", control.playing ? "Pause" : "Play"))
      control.playing = !control.playing;
    ImGui::SameLine();
    if (named_button(c.items, path + "/back", "<")) control.position -= 1;
    ImGui::SameLine();
    if (named_button(c.items, path + "/step", ">")) control.position += 1;
    return;
  }
  const bool playing = work.status.state == SessionState::playing;
  if (named_button(c.items, path + "/play", playing ? "Pause" : "Play"))
    playing ? work.session.pause() : work.session.play();
  show_tip("space");
  ImGui::SameLine();
  if (named_button(c.items, path + "/step", "Step")) work.session.step();
  show_tip("one time step (.)");
  ImGui::SameLine();
  if (named_button(c.items, path + "/frame", "Frame")) work.session.step_frame();
  show_tip("to the next frame (right arrow)");
  ImGui::SameLine();
  if (named_button(c.items, path + "/reset", work.status.waits_for_reset ? "Reset *" : "Reset"))
    work.session.reset();
  show_tip(work.status.waits_for_reset ? "edits wait for it (R)" : "back to the start (R)");
}

void draw_pace(PanelContext& c) {
  Workspace& work = c.work;
  bool kept = work.keeps_real_time();
  if (ImGui::Checkbox("Real time", &kept)) work.keep_real_time(kept);
  c.items.note("toolbar/real time");
  show_tip("a simulated second takes a second, where the scene is fast enough (T)");
  const double pace = work.played_pace();
  if (!(pace > 0)) return;
  ImGui::SameLine();
  const std::string text = fmt::format("{:.2g} x", pace);
  if (work.falls_behind())
    ImGui::TextColored(ImVec4(0.9f, 0.25f, 0.2f, 1), "%s", text.c_str());
  else
    ImGui::TextDisabled("%s", text.c_str());
  c.items.note("toolbar/pace");
  show_tip("simulated seconds a second of the clock");
}

void draw_grains_switch(PanelContext& c) {
  Workspace& work = c.work;
  const bool may = work.may_show_grains();
  bool shown = work.shows_grains();
  ImGui::BeginDisabled(!may);
  if (ImGui::Checkbox("Grains", &shown)) work.show_grains(shown);
  ImGui::EndDisabled();
  c.items.note("toolbar/grains");
  show_tip(may ? "fine grains in place of particles, as the section grains says (G)"
               : "the run has no grains; make them with firn upsample");
}

void draw_camera_panel(PanelContext& c) {
  const bool flat = c.work.document.scene().dimension == 2;
  ViewSettings& view = c.work.document.scene().view;
  ImGui::TextDisabled("drag: %s, shift or right: sideways", flat ? "sideways" : "around");
  ImGui::TextDisabled("wheel: closer, W A S D Q E: fly");
  if (named_button(c.items, "camera/all", "Show all (F)")) c.view.frame_scene();
  if (!flat)
    for (const std::string& name : camera_names()) {
      ImGui::SameLine();
      if (named_button(c.items, "camera/" + name, shown_name(name).c_str()))
        c.view.frame_scene(name);
    }
  begin_labelled("fly speed");
  edit_number("##fly", c.view.fly_speed, {"", "sizes/s", 0.01, 100});
  begin_labelled("hand radius");
  edit_number("##hand", c.view.hand_radius, {"", "m", 1e-6, 1e6});
  ImGui::Separator();
  ImGui::TextUnformatted("Views of this scene");
  if (named_button(c.items, "camera/own", "Use for pictures")) {
    view.camera = c.view.camera.settings();
    c.work.document.touch();
  }
  show_tip("films and stills of firn render look from here");
  ImGui::SetNextItemWidth(9 * ImGui::GetFontSize());
  ImGui::InputText("##name", &c.view_name);
  c.items.note("camera/name");
  ImGui::SameLine();
  if (named_button(c.items, "camera/save", "Save view")) {
    std::vector<std::string> names;
    for (const NamedCameraSettings& camera : view.cameras) names.push_back(camera.name);
    NamedCameraSettings camera;
    static_cast<CameraSettings&>(camera) = c.view.camera.settings();
    camera.name = unique_name(c.view_name.empty() ? "view" : c.view_name, names);
    view.cameras.push_back(camera);
    c.work.document.touch();
  }
  int removed = -1;
  for (std::size_t i = 0; i < view.cameras.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SmallButton("x")) removed = static_cast<int>(i);
    ImGui::SameLine();
    if (ImGui::Selectable(view.cameras[i].name.c_str())) c.view.camera.set(view.cameras[i], flat);
    c.items.note("camera/views/" + view.cameras[i].name);
    ImGui::PopID();
  }
  if (removed < 0) return;
  view.cameras.erase(view.cameras.begin() + removed);
  c.work.document.touch();
}

void draw_recording_panel(PanelContext& c) {
  RecordForm& form = c.record;
  begin_labelled("size");
  ImGui::InputInt2("##size", form.size);
  c.items.note("recording/size");
  begin_labelled("legend");
  ImGui::Checkbox("##legend", &form.legend);
  ImGui::Separator();
  begin_labelled("still");
  ImGui::InputText("##still", &form.still);
  c.items.note("recording/still");
  if (named_button(c.items, "recording/save", "Save a still")) c.recorder.save_still(form);
  ImGui::Separator();
  begin_labelled("film");
  ImGui::InputText("##film", &form.film);
  c.items.note("recording/film");
  begin_labelled("from frame");
  edit_integer("##from", form.from, {"", 0, kMaxFrames});
  begin_labelled("to frame");
  edit_integer("##to", form.to, {"", 0, kMaxFrames});
  c.items.note("recording/to");
  begin_labelled("speed");
  edit_number("##speed", form.speed, {"", "x real time", 0.01, 100});
  if (!c.recorder.recording()) {
    if (named_button(c.items, "recording/start", "Record a film")) c.recorder.start(form);
    show_tip("simulates from the start, or goes through the run");
  } else {
    if (named_button(c.items, "recording/stop", "Finish")) c.recorder.finish();
    ImGui::SameLine();
    const float done = static_cast<float>(c.recorder.taken()) /
                       static_cast<float>(std::max<std::int64_t>(1, c.recorder.total()));
    ImGui::ProgressBar(done);
  }
  ImGui::TextWrapped("%s", c.recorder.words().c_str());
}

void draw_timeline_panel(PanelContext& c) {
  if (c.work.plays_back()) return draw_run_timeline(c);
  if (const auto& frame = c.work.session_frame) {
    const std::int64_t frames = std::max<std::int64_t>(1, c.work.document.scene().frames);
    ImGui::ProgressBar(std::min(1.0f, static_cast<float>(frame->stats.time) *
                                          static_cast<float>(c.work.document.scene().fps) /
                                          static_cast<float>(frames)),
                       ImVec2(-FLT_MIN, 0),
                       fmt::format("frame {} of {}", frame->stats.frame, frames).c_str());
  }
  draw_energies(c.work);
}

void draw_log_panel(PanelContext& c, Layout& layout) {
  for (const std::string& error : c.work.errors()) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0.9f, 0.25f, 0.2f, 1));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(error.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    const std::size_t at = error.find(": /");
    if (at == std::string::npos) continue;
    const std::string pointer = error.substr(at + 2, error.find(": ", at + 2) - at - 2);
    ImGui::PushID(error.c_str());
    if (ImGui::SmallButton("go there")) {
      layout.show(panel_of(pointer));
      c.items.go_to(pointer);
    }
    ImGui::PopID();
  }
  if (!c.work.errors().empty()) ImGui::Separator();
  for (auto line = c.work.log.lines().rbegin(); line != c.work.log.lines().rend(); ++line)
    ImGui::TextWrapped("%s", line->c_str());
}

}  // namespace firn::viewer

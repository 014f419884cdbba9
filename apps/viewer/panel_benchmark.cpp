// The benchmark panel: how fast the scene runs, and batches of scenes.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>

#include "edit_widgets.h"
#include "panels.h"

namespace firn::viewer {
namespace {

void draw_batch_results(const Batch& batch) {
  if (!ImGui::BeginTable("results", 4, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp))
    return;
  for (const char* head : {"scene", "particles", "ms/step", "M particle-steps/s"})
    ImGui::TableSetupColumn(head);
  ImGui::TableHeadersRow();
  for (const BatchResult& result : batch.results()) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(std::filesystem::path(result.scene).stem().string().c_str());
    if (!result.error.empty()) {
      show_tip(result.error);
      ImGui::TableNextColumn();
      ImGui::TextDisabled("failed");
      continue;
    }
    ImGui::TableNextColumn();
    ImGui::Text("%zu", result.particles);
    ImGui::TableNextColumn();
    ImGui::Text("%.3f",
                1e3 * result.seconds / std::max<double>(1, static_cast<double>(result.steps)));
    ImGui::TableNextColumn();
    ImGui::Text("%.2f", 1e-6 * result.particle_steps_per_second());
  }
  ImGui::EndTable();
}

void choose_batch_scenes(PanelContext& c) {
  if (!ImGui::BeginCombo("##scenes", fmt::format("{} chosen", c.batch.scenes.size()).c_str(),
                         ImGuiComboFlags_HeightLarge))
    return;
  for (const SceneEntry& entry : c.shipped) {
    const auto found = std::find(c.batch.scenes.begin(), c.batch.scenes.end(), entry.path);
    bool chosen = found != c.batch.scenes.end();
    if (ImGui::Checkbox(entry.name.c_str(), &chosen)) {
      if (chosen)
        c.batch.scenes.push_back(entry.path);
      else
        c.batch.scenes.erase(found);
    }
    c.items.note("batch/scenes/" + entry.name);
  }
  ImGui::EndCombo();
}

void draw_batch(PanelContext& c) {
  begin_labelled("scenes");
  choose_batch_scenes(c);
  c.items.note("batch/scenes");
  begin_labelled("steps each");
  int steps = static_cast<int>(c.batch.steps);
  if (ImGui::InputInt("##batch_steps", &steps)) c.batch.steps = std::clamp(steps, 1, 1'000'000);
  c.items.note("batch/steps");
  begin_labelled("results");
  ImGui::InputText("##output", &c.batch.output);
  show_tip("a file that ends in .json or .csv");
  const bool runs = c.work.batch && !c.work.batch->done();
  if (runs) {
    if (named_button(c.items, "batch/stop", "Stop")) c.work.batch->cancel();
  } else {
    ImGui::BeginDisabled(c.batch.scenes.empty());
    if (named_button(c.items, "batch/run", "Run the batch")) {
      c.work.session.pause();
      c.work.batch = std::make_unique<Batch>(c.batch.scenes, c.batch.steps, c.batch.output);
    }
    ImGui::EndDisabled();
  }
  if (!c.work.batch) return;
  ImGui::TextWrapped("%s", c.work.batch->words().c_str());
  draw_batch_results(*c.work.batch);
}

}  // namespace

void draw_benchmark_panel(PanelContext& c) {
  if (ImGui::CollapsingHeader("Batch of scenes")) draw_batch(c);
  c.items.note("benchmark/batch");
  if (const auto& frame = c.work.session_frame) {
    const double particles = static_cast<double>(frame->stats.particles);
    ImGui::Text("%.4g steps/s, %.4g million particle-steps/s", frame->steps_per_second,
                1e-6 * particles * frame->steps_per_second);
  }
}

}  // namespace firn::viewer

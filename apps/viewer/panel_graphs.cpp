// The panel of graphs: what the solver did in each step and how long its stages took, of the scene
// that runs or of the run that is played back.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>

#include "edit_widgets.h"
#include "panels.h"

namespace firn::viewer {
namespace {

constexpr float kNarrowest = 15;  // of a graph with its title, letters

// A line across the graph just drawn, at a value of its series.
void draw_mark(std::size_t at, std::size_t count) {
  if (count < 2) return;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float pad = ImGui::GetStyle().FramePadding.x;
  const float x =
      low.x + pad +
      (high.x - low.x - 2 * pad) * static_cast<float>(at) / static_cast<float>(count - 1);
  ImGui::GetWindowDrawList()->AddLine(ImVec2(x, low.y), ImVec2(x, high.y),
                                      ImGui::GetColorU32(ImGuiCol_PlotLinesHovered));
}

// Each with its newest value, or that at the mark; the tip over it says its mean.
void draw_series(PanelContext& c, const std::string& path, const SeriesHistory& history,
                 const std::optional<std::size_t>& mark) {
  const float room = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
  const int in_a_row = std::max(1, static_cast<int>(room / (kNarrowest * ImGui::GetFontSize())));
  const float width = (room + gap) / static_cast<float>(in_a_row) - gap;
  const ImVec2 size(std::max(1.0f, width), 2.6f * ImGui::GetFontSize());
  int column = 0;
  for (const SeriesHistory::Series& series : history.series()) {
    const std::size_t last = series.values.size() - 1;
    const std::string text =
        fmt::format("{}: {:.3g}", series.name, series.values[std::min(mark.value_or(last), last)]);
    if (column++ % in_a_row > 0) ImGui::SameLine();
    const auto [least, most] = std::minmax_element(series.values.begin(), series.values.end());
    ImGui::PlotLines(("##" + series.name).c_str(), series.values.data(),
                     static_cast<int>(series.values.size()), 0, text.c_str(),
                     std::min(0.0f, *least), std::max(*most, FLT_MIN), size);
    c.items.note(path + "/" + series.name);
    if (mark) draw_mark(*mark, series.values.size());
    show_tip(fmt::format("mean {:.3g}", series.mean()));
  }
}

// Where the frame shown stands in the figures of its run.
std::optional<std::size_t> mark_of(const std::vector<std::int64_t>& frames, std::int64_t shown) {
  const auto found = std::lower_bound(frames.begin(), frames.end(), shown);
  if (found == frames.end() || *found != shown) return {};
  return static_cast<std::size_t>(found - frames.begin());
}

}  // namespace

void draw_graphs_panel(PanelContext& c) {
  const Workspace& work = c.work;
  const RunFigures* run = work.playback ? &work.playback->figures() : nullptr;
  const SeriesHistory& solver = run ? run->solver : work.solver_history;
  const SeriesHistory& stages = run ? run->stages : work.stage_history;
  if (stages.series().empty()) {
    ImGui::TextDisabled(run ? "the run has no stats.jsonl, or no steps in it"
                            : "graphs show while it plays");
    return;
  }
  std::optional<std::size_t> mark;
  if (run && c.view.shown()) mark = mark_of(run->frames, c.view.shown()->frame);
  draw_series(c, "graphs", solver, mark);
  if (!solver.series().empty()) ImGui::TextDisabled("time a step of each stage");
  draw_series(c, "graphs", stages, mark);
}

}  // namespace firn::viewer

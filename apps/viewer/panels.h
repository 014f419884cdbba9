// The panels of the window, one function each: they fill the window or tab that is open.
#pragma once

#include <string>
#include <vector>

#include "items.h"
#include "recorder.h"
#include "viewport.h"
#include "workspace.h"

namespace firn::viewer {

class Layout;

// A scene that ships with the program.
struct SceneEntry {
  std::string name, path, description;
};

// What the benchmark panel asks for.
struct BatchForm {
  std::vector<std::string> scenes;
  std::int64_t steps = 200;
  std::string output = "benchmark.json";
};

struct PanelContext {
  Workspace& work;
  Viewport& view;
  Recorder& recorder;
  Items& items;
  const std::vector<SceneEntry>& shipped;
  RecordForm record = {};
  BatchForm batch = {};
  std::string view_name = "view";
};

void draw_scene_panel(PanelContext& c);
void draw_materials_panel(PanelContext& c);
void draw_simulation_panel(PanelContext& c);
void draw_look_panel(PanelContext& c);
void draw_camera_panel(PanelContext& c);
void draw_benchmark_panel(PanelContext& c);
void draw_graphs_panel(PanelContext& c);
void draw_recording_panel(PanelContext& c);
void draw_timeline_panel(PanelContext& c);
void draw_log_panel(PanelContext& c, Layout& layout);

// Play, pause, steps and reset, or those of a run.
void draw_transport(PanelContext& c, const std::string& path);

// Whether fine grains are shown in place of particles, and for a scene its pace.
void draw_grains_switch(PanelContext& c);
void draw_pace(PanelContext& c);

// A button that tests and messages find by its path.
bool named_button(Items& items, const std::string& path, const char* label);
// Aligned with the rows of settings.
void begin_labelled(const char* label);

// The panel that edits a property of the scene, by its JSON pointer.
const char* panel_of(const std::string& pointer);

}  // namespace firn::viewer

// The interactive program: one call draws one picture of its interface. Where events come from and
// where the picture goes is the business of others (a window, or a test).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "exec/parallel.h"
#include "file_dialog.h"
#include "items.h"
#include "layout.h"
#include "panels.h"
#include "recorder.h"
#include "viewport.h"
#include "workspace.h"

namespace firn::viewer {

struct AppOptions {
  std::filesystem::path config_folder;  // for what is remembered; empty: nothing is
  std::vector<SceneEntry> shipped;
  Device device = Device::cpu;         // to simulate on
  const SolverMaker* maker = nullptr;  // none: that of the scene's solver
};

class App {
 public:
  // Needs a context of ImGui. That of OpenGL is needed from the first frame on, to the end.
  explicit App(AppOptions options);
  ~App();

  void open(const std::string& path) { work_.open(path); }
  void open_new() { work_.open_new(); }
  // Between ImGui::NewFrame and ImGui::Render.
  void frame();
  bool wants_to_close() const { return closing_; }
  // Asks first when something is not saved.
  void request_close();

  // For tests.
  Items& items() { return items_; }
  Workspace& workspace() { return work_; }
  Viewport& viewport() { return view_; }
  Recorder& recorder() { return recorder_; }
  Layout& layout() { return *layout_; }
  PanelContext& forms() { return context_; }

 private:
  void draw_menu_bar();
  void draw_file_menu();
  void draw_edit_menu();
  void draw_toolbar(float height);
  void draw_status_bar(float height);
  void draw_help();
  void draw_close_question();
  void use_keys();
  void use_control_keys();
  void ask_open();
  void save();
  void ask_save();
  std::vector<Panel> make_panels();

  OwnThreadScope own_thread_;  // loops of this thread leave the pool to the simulation
  AppOptions options_;
  Items items_;
  Workspace work_;
  Viewport view_;
  Recorder recorder_;
  PanelContext context_;
  std::unique_ptr<Layout> layout_;
  FileDialog dialog_;
  bool show_help_ = false, asks_to_close_ = false, closing_ = false;
  std::size_t errors_seen_ = 0;
  std::uint64_t opened_ = 0;
};

// Fonts, colours and keys, the same for windows and tests. `scale`: of the display.
void set_up_style(float scale);

}  // namespace firn::viewer

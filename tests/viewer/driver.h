// Drives the interface without a display: a context of OpenGL through EGL, and events that go
// straight into ImGui.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app.h"
#include "base/image.h"
#include "draw/gl_context.h"

namespace firn::viewer {

class Driver {
 public:
  Driver(int width, int height, AppOptions options = {});
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // Whether there is OpenGL at all; without it nothing else may be called.
  bool works() const { return app_ != nullptr; }
  const std::string& problem() const { return problem_; }
  App& app() { return *app_; }
  Workspace& work() { return app_->workspace(); }

  void resize(int width, int height);
  // Runs the interface; only pictures are also painted, which takes long without a GPU.
  void frame(int count = 1);
  // Draws until something comes true; false after some seconds.
  bool wait_for(const std::function<bool()>& condition, double seconds = 20);
  bool open(const std::string& path);

  // Each finds a widget by its path, scrolls to it if need be, and fails a test when there is none.
  void click(const std::string& path);
  void double_click(const std::string& path);
  void drag(const std::string& path, float dx, float dy);
  // Into a text field, or into a number after a double click.
  void type(const std::string& path, const std::string& text, bool is_number = false);
  // A button of a menu: menu("File", "New").
  void menu(const std::string& title, const std::string& item);
  void press(int key, bool control = false);
  void move_mouse(float x, float y);
  void hold_button(bool down, int button = 0);

  Image picture();
  void screenshot(const std::filesystem::path& path);

 private:
  const Item* look_up(const std::string& path);
  bool move_to(const std::string& path);

  std::string problem_;
  std::unique_ptr<GlContext> context_;
  std::unique_ptr<App> app_;
  int width_, height_;
  unsigned framebuffer_ = 0, texture_ = 0;
};

}  // namespace firn::viewer

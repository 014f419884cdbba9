#include "window.h"

#include <epoxy/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "draw/driver_check.h"
#include "draw/driver_trial.h"

namespace firn::viewer {
namespace {

constexpr double kShortestFrame = 1.0 / 60;  // s; where nothing waits for the display

std::string last_glfw_error() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text ? text : "no reason given";
}

// GLFW, a window and ImGui's two backends, released in the other order.
class Window {
 public:
  // One that is not `visible` is for a trial of the driver.
  Errors open(bool visible) {
    if (!glfwInit())
      return {"no window can be opened (" + last_glfw_error() +
              "); firn render draws without a display"};
    initialized_ = true;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
    window_ = visible ? glfwCreateWindow(1440, 900, "Firn", nullptr, nullptr)
                      : glfwCreateWindow(64, 64, "Firn", nullptr, nullptr);
    if (!window_)
      return {"no window with OpenGL 3.3 can be opened (" + last_glfw_error() +
              "); firn render draws without a display"};
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(1);
    float scale = 1, ignored = 1;
    glfwGetWindowContentScale(window_, &scale, &ignored);
    ImGui::CreateContext();
    set_up_style(scale);
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init("#version 330");
    return {};
  }
  ~Window() {
    if (window_ && ImGui::GetCurrentContext()) {
      ImGui_ImplOpenGL3_Shutdown();
      ImGui_ImplGlfw_Shutdown();
      ImGui::DestroyContext();
    }
    if (window_) glfwDestroyWindow(window_);
    if (initialized_) glfwTerminate();
  }
  GLFWwindow* handle() const { return window_; }

 private:
  GLFWwindow* window_ = nullptr;
  bool initialized_ = false;
};

void draw_frame(GLFWwindow* window, const std::function<void()>& fill) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  fill();
  ImGui::Render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(window, &width, &height);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, width, height);
  glClearColor(0.1f, 0.1f, 0.11f, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window);
}

}  // namespace

void answer_window_check() {
  Window window;
  const auto make = [&]() -> Errors {
    const Errors errors = window.open(false);
    if (errors.empty()) ImGui::GetIO().IniFilename = nullptr;
    return errors;
  };
  const auto draw = [&]() -> Errors {
    const Errors errors = try_renderer();
    if (!errors.empty()) return errors;
    // ImGui has shaders of its own.
    draw_frame(window.handle(), [] { ImGui::TextUnformatted("Firn"); });
    glFinish();
    return {};
  };
  answer_driver_check(make, draw);
}

std::filesystem::path user_config_folder() {
  std::filesystem::path folder;
  if (const char* given = std::getenv("XDG_CONFIG_HOME"); given && *given)
    folder = given;
  else if (const char* home = std::getenv("HOME"); home && *home)
    folder = std::filesystem::path(home) / ".config";
  if (folder.empty()) return {};
  folder /= "firn";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  return error ? std::filesystem::path() : folder;
}

Errors run_window(const std::string& path, AppOptions options,
                  const std::function<bool()>& is_over) {
  // Before the window: ImGui keeps the pointer and writes the file when it goes.
  const std::string ini =
      options.config_folder.empty() ? "" : (options.config_folder / "imgui.ini").string();
  Window window;
  const Errors errors = window.open(true);
  if (!errors.empty()) return errors;
  ImGui::GetIO().IniFilename = ini.empty() ? nullptr : ini.c_str();
  App app(std::move(options));
  if (path.empty())
    app.open_new();
  else
    app.open(path);
  using Clock = std::chrono::steady_clock;
  while (!app.wants_to_close() && !is_over()) {
    const auto start = Clock::now();
    glfwPollEvents();
    if (glfwWindowShouldClose(window.handle())) {
      glfwSetWindowShouldClose(window.handle(), GLFW_FALSE);
      app.request_close();
    }
    draw_frame(window.handle(), [&] { app.frame(); });
    std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(
                                              std::chrono::duration<double>(kShortestFrame)));
  }
  return {};
}

}  // namespace firn::viewer

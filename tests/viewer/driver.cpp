#include "driver.h"

#include <backends/imgui_impl_opengl3.h>
#include <epoxy/gl.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "../opengl/driver.h"
#include "keys.h"
#include "mesh_io/png.h"

namespace firn::viewer {

Driver::Driver(int width, int height, AppOptions options) : width_(width), height_(height) {
  problem_ = test::opengl_problem();
  if (!problem_.empty()) return;
  Result<std::unique_ptr<GlContext>> context = GlContext::create();
  if (!context) {
    problem_ = context.errors().front();
    return;
  }
  context_ = std::move(*context);
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  set_up_style(1);
  map_keys(ImGui::GetIO());
  ImGui_ImplOpenGL3_Init("#version 330");
  resize(width, height);
  app_ = std::make_unique<App>(std::move(options));
}

Driver::~Driver() {
  if (!context_) return;
  app_.reset();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext();
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &texture_);
}

void Driver::resize(int width, int height) {
  width_ = width;
  height_ = height;
  if (!framebuffer_) glGenFramebuffers(1, &framebuffer_);
  if (!texture_) glGenTextures(1, &texture_);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
}

void Driver::frame(int count) {
  ImGuiIO& io = ImGui::GetIO();
  for (int i = 0; i < count; ++i) {
    io.DisplaySize = ImVec2(static_cast<float>(width_), static_cast<float>(height_));
    io.DeltaTime = 1.0f / 60;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    app_->frame();
    ImGui::Render();
  }
}

bool Driver::wait_for(const std::function<bool()>& condition, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

bool Driver::open(const std::string& path) {
  const std::uint64_t before = work().opened();
  app_->open(path);
  if (!wait_for([&] { return !work().is_opening(); })) return false;
  return wait_for([&] {
    return !work().errors().empty() ||
           (work().opened() > before && app_->viewport().shown() && app_->viewport().ready());
  });
}

const Item* Driver::look_up(const std::string& path) {
  const Item* item = app_->items().find(path);
  if (item && item->visible) return item;
  app_->items().go_to(path);
  for (int i = 0; i < 40; ++i) {
    frame();
    item = app_->items().find(path);
    if (item && item->visible) break;
  }
  frame(4);  // the scroll comes to rest
  item = app_->items().find(path);
  return item && item->visible ? item : nullptr;
}

bool Driver::move_to(const std::string& path) {
  const Item* item = look_up(path);
  EXPECT_NE(item, nullptr) << "no widget " << path;
  if (!item) return false;
  move_mouse((item->low.x + item->high.x) / 2, (item->low.y + item->high.y) / 2);
  return true;
}

void Driver::move_mouse(float x, float y) {
  ImGui::GetIO().MousePos = ImVec2(x, y);
  frame(2);
}

void Driver::hold_button(bool down, int button) {
  ImGui::GetIO().MouseDown[button] = down;
  frame();
}

void Driver::click(const std::string& path) {
  frame(20);  // not the second half of a double click
  if (!move_to(path)) return;
  hold_button(true);
  hold_button(false);
  frame(2);
}

void Driver::double_click(const std::string& path) {
  frame(20);
  if (!move_to(path)) return;
  for (int i = 0; i < 2; ++i) {
    hold_button(true);
    hold_button(false);
  }
  frame(2);
}

void Driver::drag(const std::string& path, float dx, float dy) {
  frame(20);
  if (!move_to(path)) return;
  const ImVec2 start = ImGui::GetIO().MousePos;
  hold_button(true);
  for (int i = 1; i <= 8; ++i)
    move_mouse(start.x + dx * static_cast<float>(i) / 8, start.y + dy * static_cast<float>(i) / 8);
  hold_button(false);
  frame(2);
}

void Driver::press(int key, bool control) {
  ImGuiIO& io = ImGui::GetIO();
  io.KeyCtrl = control;
  io.KeysDown[key] = true;
  frame();
  io.KeysDown[key] = false;
  io.KeyCtrl = false;
  frame();
}

void Driver::type(const std::string& path, const std::string& text, bool is_number) {
  is_number ? double_click(path) : click(path);
  press('A', true);
  for (const char c : text) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    frame();
  }
  press(kKeyEnter);
  frame(2);
}

void Driver::menu(const std::string& title, const std::string& item) {
  click("menu/" + title);
  click("menu/" + item);
}

Image Driver::picture() {
  frame();
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glViewport(0, 0, width_, height_);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  Image image(width_, height_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  const auto row = static_cast<std::ptrdiff_t>(3) * width_;
  for (int y = 0; y < height_ / 2; ++y)
    std::swap_ranges(image.rgb.begin() + y * row, image.rgb.begin() + (y + 1) * row,
                     image.rgb.begin() + (height_ - 1 - y) * row);
  return image;
}

void Driver::screenshot(const std::filesystem::path& path) {
  EXPECT_TRUE(write_png(path, picture()).ok());
}

}  // namespace firn::viewer

#include <imgui.h>

#include <filesystem>

#include "app.h"

namespace firn::viewer {

void set_up_style(float scale) {
  constexpr const char* kFont = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
  constexpr float kFontSize = 15;  // pixels
  ImGuiIO& io = ImGui::GetIO();
  std::error_code ignored;
  if (std::filesystem::exists(kFont, ignored)) {
    io.Fonts->AddFontFromFileTTF(kFont, kFontSize * scale);
  } else {
    ImFontConfig config;
    config.SizePixels = 13 * scale;
    io.Fonts->AddFontDefault(&config);
  }
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui::StyleColorsDark();
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 0;
  style.FrameRounding = 3;
  style.GrabRounding = 3;
  style.TabRounding = 3;
  style.FramePadding = ImVec2(6, 3);
  style.ItemSpacing = ImVec2(7, 4);
  style.WindowBorderSize = 1;
  style.IndentSpacing = 14;
  style.Colors[ImGuiCol_WindowBg] = ImVec4(0.13f, 0.14f, 0.16f, 1);
  style.Colors[ImGuiCol_PopupBg] = ImVec4(0.16f, 0.17f, 0.19f, 1);
  style.ScaleAllSizes(scale);
}

}  // namespace firn::viewer

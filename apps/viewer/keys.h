// Keys as GLFW numbers them; letters are their capitals. Whoever feeds events from elsewhere uses
// the same numbers.
#pragma once

#include <imgui.h>

namespace firn::viewer {

inline constexpr int kKeySpace = 32, kKeyPeriod = 46, kKeyEscape = 256, kKeyEnter = 257,
                     kKeyTab = 258, kKeyBackspace = 259, kKeyInsert = 260, kKeyDelete = 261,
                     kKeyRight = 262, kKeyLeft = 263, kKeyDown = 264, kKeyUp = 265,
                     kKeyPageUp = 266, kKeyPageDown = 267, kKeyHome = 268, kKeyEnd = 269,
                     kKeyF1 = 290, kKeyPadEnter = 335;

// Tells ImGui about these numbers; its GLFW backend does so itself.
inline void map_keys(ImGuiIO& io) {
  const int numbers[ImGuiKey_COUNT] = {
      kKeyTab,      kKeyLeft,  kKeyRight,  kKeyUp,       kKeyDown,   kKeyPageUp,
      kKeyPageDown, kKeyHome,  kKeyEnd,    kKeyInsert,   kKeyDelete, kKeyBackspace,
      kKeySpace,    kKeyEnter, kKeyEscape, kKeyPadEnter, 'A',        'C',
      'V',          'X',       'Y',        'Z'};
  for (int i = 0; i < ImGuiKey_COUNT; ++i) io.KeyMap[i] = numbers[i];
}

}  // namespace firn::viewer

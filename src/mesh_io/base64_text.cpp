#include "mesh_io/base64_text.h"

#include <cstdint>

namespace firn {
namespace {

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' || c == '-' ? 62 : (c == '/' || c == '_' ? 63 : -1);
}

}  // namespace

bool decode_base64(std::string_view text, std::string& out) {
  std::uint32_t bits = 0;
  int held = 0;
  out.reserve(out.size() + text.size() / 4 * 3 + 3);
  for (const char c : text) {
    if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
    if (c == '=') {  // what is left of a group are bits without a meaning
      held = 0;
      continue;
    }
    const int value = base64_value(c);
    if (value < 0) return false;
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xffffffu;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xff);
  }
  return true;
}

}  // namespace firn

// Fuzz target of packs. The corpus lacks the header, whose checksum would catch every change: it is
// added here, so that the checks behind it are reached.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pack/world_pack.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  const auto pack = firn::decode_pack(firn::sealed_pack(content));
  if (!pack) {
    firn::require(pack.errors().front().find('\n') == std::string::npos, "an error of two lines");
    return -1;
  }
  const std::string bytes = firn::encode_pack(*pack);
  const auto again = firn::decode_pack(bytes);
  firn::require(again.ok(), "a pack that was read is not read again");
  firn::require(firn::encode_pack(*again) == bytes, "encoding is not the inverse of decoding");
  return 0;
}

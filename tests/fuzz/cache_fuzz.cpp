// Fuzz target of cache files. The corpus lacks the hash at the end, which would catch nearly every
// change: it is added here, so that the checks behind it are reached.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "mesh_io/field_file.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  firn::Digest key{};
  if (size >= 8 + sizeof(key)) std::memcpy(&key, bytes.data() + 8, sizeof(key));
  firn::require(!firn::decode_field(bytes, key), "a file without hash is taken");
  const firn::Digest digest = firn::digest_of(bytes);
  bytes.append(reinterpret_cast<const char*>(&digest), sizeof(digest));
  const auto stored = firn::decode_field(bytes, key);
  if (!stored) return -1;
  const firn::DistanceFieldView view = stored->field.view();
  const firn::Bounds& box = stored->field.bounds();
  for (int k = 0; k <= 20; ++k)
    for (const firn::Vec3d& p :
         {box.low + (box.high - box.low) * (k / 10.0 - 0.5),
          view.origin + firn::Vec3d::fill(view.spacing * (8 * k - 20.5)), firn::Vec3d::zero()})
      firn::field_distance(view, p);
  const std::string again = firn::encode_field(stored->field, stored->warnings, key);
  firn::require(again == bytes, "encoding is not the inverse of decoding");
  return 0;
}

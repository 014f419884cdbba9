// Distance fields as bytes, for the cache: a header, the arrays, and a hash over all of it. Only
// for the machine that wrote them: numbers are stored as they lie in memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/distance_field.h"

namespace firn {

// Two independent 64-bit hashes.
using Digest = std::array<std::uint64_t, 2>;

// Of bytes, continuing from `start`. Against accidents, not against malice.
Digest digest_of(std::string_view bytes, Digest start = {0x243f6a8885a308d3u, 0x13198a2e03707344u});

struct StoredField {
  DistanceField field;
  std::vector<std::string> warnings;
};

// `key` tells what the field was made of.
std::string encode_field(const DistanceField& field, const std::vector<std::string>& warnings,
                         const Digest& key);

// Nothing when the bytes are damaged, of another version or machine, or made of something else.
std::optional<StoredField> decode_field(std::string_view bytes, const Digest& key);

}  // namespace firn

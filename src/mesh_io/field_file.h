// Distance fields as bytes, for the cache: a header, the arrays, and a hash over all of it. Only
// for the machine that wrote them: numbers are stored as they lie in memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "geometry/distance_field.h"

namespace firn {

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

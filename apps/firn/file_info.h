// What a file of ours holds, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"

namespace firn::cli {

using Json = nlohmann::ordered_json;

// A frame, a checkpoint, the folder of a run (its checkpoint), a pack, or a scene.
Result<Json> file_info(const std::string& file);

}  // namespace firn::cli

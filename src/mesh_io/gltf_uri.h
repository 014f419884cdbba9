// What a uri in a glTF file stands for.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "mesh_io/text_scan.h"

namespace firn {

// The bytes of a data URI or of a file in `folder` or below; links that lead out of it do not
// count. Empty, or what is wrong.
std::string load_uri(std::string_view uri, const std::filesystem::path& folder, std::string& out);

// The size of a regular file, checked before it is read: at most 2 GB. Empty, or what is wrong.
std::string file_size_fault(const std::filesystem::path& path);

}  // namespace firn

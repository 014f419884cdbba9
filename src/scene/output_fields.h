// Names of the particle quantities that frames can carry and that can colour a picture.
#pragma once

#include <string>
#include <vector>

namespace firn {

std::vector<std::string> output_field_names();
std::vector<std::string> color_by_names();
// What a point probe can average.
std::vector<std::string> probe_field_names();
// Files that a frame can be written as; PLY, which pictures are drawn from, always is.
std::vector<std::string> frame_format_names();

}  // namespace firn

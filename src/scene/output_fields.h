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

// The fields of frames, followed by those that their formats need besides.
std::vector<std::string> fields_to_take(const std::vector<std::string>& fields,
                                        const std::vector<std::string>& formats);
// Columns that are taken for formats alone and do not belong to the frame.
std::vector<std::string> columns_for_formats(const std::vector<std::string>& fields,
                                             const std::vector<std::string>& formats);

// The values 0, 1, 2 of yield_case.
std::vector<std::string> yield_case_names();

// Why particles of this dimension do not have a field; "" when they do.
std::string field_problem(const std::string& field, int dimension);

// Why a scene of this dimension cannot be written in these formats; "" when it can.
std::string format_problem(const std::vector<std::string>& formats, int dimension);

}  // namespace firn

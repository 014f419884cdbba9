// Suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace firn {

// The name closest to `wrong` in single-letter edits, or "" when none is close.
std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names);

// `; did you mean "x"?`, or `; choose from "a", "b"` when nothing is close.
std::string suggestion(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace firn

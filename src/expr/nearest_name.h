// "Did you mean": the nearest of a list of names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace firn {

// The name with the fewest typing errors (inserted, dropped, changed or swapped letters) away from
// `word`; empty when none is near enough to be meant.
std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

}  // namespace firn

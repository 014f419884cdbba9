// Pieces of one-line messages, safe for any name that a file may hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace firn {

// Control characters made visible, long texts cut.
std::string printable(std::string_view text);

// The same in quotation marks.
std::string in_quotes(std::string_view text);

// A key as a piece of a JSON pointer: '~' and '/' escaped.
std::string pointer_piece(std::string_view key);

// `; did you mean "x"?`, or `; choose from "a", "b"` when no name is close to the wrong one.
std::string suggestion(std::string_view wrong, const std::vector<std::string>& names);
std::string choices(const std::vector<std::string>& names);

// Four digits at most.
std::string short_number(double x);

// 1,234,567; beyond what anyone reads digit by digit, 1.2e+30.
std::string grouped(double x);

std::string gibibytes(double bytes);

}  // namespace firn

#include "scene/nearest_name.h"

#include <algorithm>
#include <cctype>

namespace firn {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Edits (insert, delete, replace, swap neighbours) that turn a into b, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before(width), above(width), row(width);
  for (std::size_t j = 0; j < width; ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view wrong, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 100;  // longer words are no typing mistakes
  if (wrong.size() > kLongest) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    const std::size_t distance = edit_distance(wrong, name);
    if (distance < best_distance && distance < name.size()) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view wrong, const std::vector<std::string>& names) {
  const std::string near = nearest_name(wrong, names);
  if (!near.empty()) return "; did you mean \"" + near + "\"?";
  if (names.empty()) return "";
  constexpr std::size_t kListed = 24;
  std::string line = names.size() == 1 ? "; the only one is " : "; choose from ";
  for (std::size_t i = 0; i < std::min(names.size(), kListed); ++i)
    line += (i > 0 ? ", \"" : "\"") + names[i] + "\"";
  return names.size() > kListed ? line + ", ..." : line;
}

}  // namespace firn

#include "expr/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace firn {
namespace {

std::string lower(std::string_view text) {
  std::string r(text);
  for (char& c : r) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return r;
}

// Edit distance with swaps of neighbours, row by row.
std::size_t typing_errors(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 64;  // nobody mistypes a name into a paragraph
  if (word.size() > kLongest) return "";
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& name : names) {
    if (name.size() > kLongest) continue;
    const std::size_t errors = typing_errors(lower(word), lower(name));
    // One letter is no typing error of another: nobody who wrote q meant x.
    if (word.size() == 1 && name.size() == 1 && errors > 0) continue;
    if (errors < fewest) {
      fewest = errors;
      best = name;
    }
  }
  return best;
}

}  // namespace firn

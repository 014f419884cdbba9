#include "mutate.h"

#include <algorithm>
#include <cctype>

namespace firn {
namespace {

constexpr std::size_t kLongestInput = 20'000;
constexpr std::size_t kLargestPool = 2'000;

struct Range {
  std::size_t begin = 0, end = 0;
};

bool is_bare(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.';
}

// Quoted words, bare words and numbers, and single marks.
std::vector<Range> split_tokens(const std::string& text) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == '"') {
      while (end < text.size() && text[end] != '"') ++end;
      end = std::min(end + 1, text.size());
    } else if (is_bare(text[i])) {
      while (end < text.size() && is_bare(text[end])) ++end;
    }
    if (!std::isspace(static_cast<unsigned char>(text[i]))) ranges.push_back({i, end});
    i = end;
  }
  return ranges;
}

}  // namespace

Mutator::Mutator(std::vector<std::string> seeds, std::uint64_t seed)
    : pool_(std::move(seeds)),
      tokens_{"0",    "-1",   "1e999", "1e308", "-1e308", "1e-308", "18446744073709551616",
              "null", "true", "false", "NaN",   "{}",     "[]",     "\"\"",
              "\"#ff0000\"", "\"x*y+z\"", "\"1/(x-x)\"", "2", "3", "[0,0]", "[0,0,1]"},
      random_(seed, 0) {
  for (const std::string& text : pool_)
    for (const Range& r : split_tokens(text)) tokens_.push_back(text.substr(r.begin, r.end - r.begin));
  std::sort(tokens_.begin(), tokens_.end());
  tokens_.erase(std::unique(tokens_.begin(), tokens_.end()), tokens_.end());
}

void Mutator::mutate_bytes(std::string& text) {
  const std::size_t at = below(text.size());
  switch (below(4)) {
    case 0:
      text[at] = static_cast<char>(random_.next());
      break;
    case 1:
      text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 2:
      text.insert(at, 1, "{}[],:\"\\-0e.#/~"[below(15)]);
      break;
    default:
      text.erase(at, 1);
  }
}

void Mutator::mutate_range(std::string& text) {
  const std::size_t at = below(text.size());
  const std::size_t length = 1 + below(std::min<std::size_t>(text.size() - at, 200));
  switch (below(4)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(below(text.size()), text.substr(at, length));
      break;
    case 2:
      text.resize(at);
      break;
    default: {
      const std::string& other = pool_[below(pool_.size())];
      if (!other.empty()) text.replace(at, length, other.substr(below(other.size()), length));
    }
  }
}

void Mutator::mutate_token(std::string& text) {
  const std::vector<Range> ranges = split_tokens(text);
  if (ranges.empty()) return;
  const Range r = ranges[below(ranges.size())];
  const std::string& token = tokens_[below(tokens_.size())];
  switch (below(4)) {
    case 0:
      text.erase(r.begin, r.end - r.begin);
      break;
    case 1:
      text.insert(r.begin, token);
      break;
    default:
      text.replace(r.begin, r.end - r.begin, token);
  }
}

std::string Mutator::next() {
  std::string text = pool_[below(pool_.size())];
  const std::size_t count = 1 + below(4);
  for (std::size_t i = 0; i < count && !text.empty(); ++i) {
    // Token mutations keep most of the syntax, and so reach the checks behind it.
    const std::size_t kind = below(8);
    if (kind == 0)
      mutate_bytes(text);
    else if (kind == 1)
      mutate_range(text);
    else
      mutate_token(text);
  }
  if (text.size() > kLongestInput) text.resize(kLongestInput);
  return text;
}

void Mutator::keep(std::string input) {
  if (pool_.size() < kLargestPool)
    pool_.push_back(std::move(input));
  else
    pool_[below(pool_.size())] = std::move(input);
}

}  // namespace firn

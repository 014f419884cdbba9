#include "mutate.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace firn {
namespace {

constexpr std::size_t kLongestInput = 20'000;
constexpr std::size_t kLargestPool = 2'000;

enum class TokenKind { key, value, mark };

struct Token {
  std::size_t begin, end;
  TokenKind kind;
};

bool is_bare(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.';
}

bool is_number(char first) {
  return std::isdigit(static_cast<unsigned char>(first)) || first == '-';
}

std::size_t token_end(const std::string& text, std::size_t begin) {
  std::size_t end = begin + 1;
  if (text[begin] == '"') {
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (is_bare(text[begin]))
    while (end < text.size() && is_bare(text[end])) ++end;
  return end;
}

// The text as JSON tokens: a string becomes a key when a colon follows.
std::vector<Token> split_tokens(const std::string& text) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = token_end(text, i);
    if (text[i] == ':' && !tokens.empty()) tokens.back().kind = TokenKind::key;
    if (!std::isspace(static_cast<unsigned char>(text[i]))) {
      const bool plain = text[i] == '"' || is_bare(text[i]);
      tokens.push_back({i, end, plain ? TokenKind::value : TokenKind::mark});
    }
    i = end;
  }
  return tokens;
}

void sort_unique(std::vector<std::string>& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

}  // namespace

Mutator::Mutator(std::vector<std::string> seeds, std::uint64_t seed, bool binary)
    : pool_(std::move(seeds)),
      keys_{"\"\"", "\"a/b~c\"", "\"\\u0000\""},
      values_{"0",
              "-1",
              "1e999",
              "1e308",
              "-1e308",
              "1e-308",
              "1e9",
              "1e-9",
              "null",
              "true",
              "false",
              "2",
              "3",
              "0.5",
              "NaN",
              "{}",
              "[]",
              "[0,0]",
              "[0,0,1]",
              "[1,2,3]",
              "\"\"",
              "1e400",
              "18446744073709551616",
              "\"#ff0000\"",
              "\"x*y+z\"",
              "\"1/(x-x)\""},
      seeds_(pool_.size()),
      binary_(binary),
      random_(seed, 0) {
  for (const std::string& text : pool_)
    for (const Token& t : split_tokens(text))
      if (t.kind != TokenKind::mark)
        (t.kind == TokenKind::key ? keys_ : values_)
            .push_back(text.substr(t.begin, t.end - t.begin));
  sort_unique(keys_);
  sort_unique(values_);
  for (const std::string& value : values_)
    if (is_number(value[0])) numbers_.push_back(value);
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

// Changes that keep the syntax: another key or value, or one more member before a key.
void Mutator::mutate_token(std::string& text) {
  std::vector<Token> tokens = split_tokens(text);
  std::erase_if(tokens, [](const Token& t) { return t.kind == TokenKind::mark; });
  if (tokens.empty()) return;
  const Token t = tokens[below(tokens.size())];
  if (t.kind == TokenKind::value && is_number(text[t.begin]) && below(4) > 0)
    text.replace(t.begin, t.end - t.begin, pick(numbers_));
  else if (t.kind == TokenKind::value)
    text.replace(t.begin, t.end - t.begin, pick(values_));
  else if (below(2) == 0)
    text.replace(t.begin, t.end - t.begin, pick(keys_));
  else
    text.insert(t.begin, pick(keys_) + ": " + pick(values_) + ", ");
}

// Counts, sizes and offsets at their limits, in either byte order.
void Mutator::mutate_integer(std::string& text) {
  constexpr std::uint32_t kLimits[] = {0,          1,          2,          0x7f,       0xff,
                                       0xffff,     0x10000,    0x7fffffff, 0x80000000, 0xffffffff,
                                       0x40000000, 0x20000001, 0x15555556, 0x7f800000, 0x7fc00000};
  const std::size_t size = std::size_t(1) << below(3), at = below(text.size());
  std::uint32_t value = kLimits[below(std::size(kLimits))];
  const bool swap = below(2) == 0;
  for (std::size_t i = 0; i < size; ++i, value >>= 8) {
    const std::size_t place = at + (swap ? size - 1 - i : i);
    if (place < text.size()) text[place] = static_cast<char>(value & 0xff);
  }
}

void Mutator::mutate_any(std::string& text) {
  // Most mutations of text keep the syntax, and so reach the checks behind it.
  const std::size_t kind = below(16);
  if (binary_ && kind >= 2 && kind < 6)
    mutate_bytes(text);
  else if (binary_ && kind >= 6 && kind < 9)
    mutate_integer(text);
  else if (kind == 0)
    mutate_bytes(text);
  else if (kind == 1)
    mutate_range(text);
  else
    mutate_token(text);
}

std::string Mutator::next() {
  // Half of the inputs start from the seeds, since most kept ones have errors already.
  std::string text = pool_[below(below(2) == 0 ? seeds_ : pool_.size())];
  const std::size_t count = below(2) == 0 ? 1 : 1 + below(3);
  for (std::size_t i = 0; i < count && !text.empty(); ++i) mutate_any(text);
  if (text.size() > kLongestInput) text.resize(kLongestInput);
  return text;
}

void Mutator::keep(std::string input) {
  if (pool_.size() < kLargestPool)
    pool_.push_back(std::move(input));
  else
    pool_[seeds_ + below(pool_.size() - seeds_)] = std::move(input);
}

}  // namespace firn

// Deterministic mutations of text, for fuzzing without a fuzzing engine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace firn {

class Mutator {
 public:
  // `seeds` are the inputs to start from; their keys and plain values serve
  // as replacements for others.
  // Binary mutations know nothing of the syntax for the most part.
  Mutator(std::vector<std::string> seeds, std::uint64_t seed, bool binary = false);

  // The next input: a seed, or a kept one, after a few mutations.
  std::string next();

  // Adds an input that later ones may start from.
  void keep(std::string input);

 private:
  std::size_t below(std::size_t n) { return random_.next_below(static_cast<std::uint32_t>(n)); }
  void mutate_bytes(std::string& text);
  void mutate_range(std::string& text);
  void mutate_integer(std::string& text);
  void mutate_token(std::string& text);
  void mutate_any(std::string& text);
  const std::string& pick(const std::vector<std::string>& words) {
    return words[below(words.size())];
  }

  std::vector<std::string> pool_;
  std::vector<std::string> keys_;    // strings before a colon
  std::vector<std::string> values_;  // other strings, numbers and bare words
  std::vector<std::string> numbers_;
  std::size_t seeds_;  // the first of the pool
  bool binary_;
  RandomStream random_;
};

}  // namespace firn

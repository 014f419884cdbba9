// Yes or no by number, kept once found: a hash table that grows.
#pragma once

#include <cstdint>
#include <vector>

namespace firn {

class KnownAnswers {
 public:
  // find() is called where the answer is not known yet. Numbers are below 2^31 - 1.
  template <class Find>
  bool of(std::uint32_t what, Find&& find) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    std::uint32_t& slot = slot_of(what);
    if (slot == kEmpty) {
      slot = 2 * what + (find() ? 1 : 0);
      ++count_;
    }
    return slot % 2 == 1;
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffffu;

  std::uint32_t& slot_of(std::uint32_t what) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t k = (what * 0x9e3779b1u >> 7) & mask;
    while (slots_[k] != kEmpty && slots_[k] / 2 != what) k = (k + 1) & mask;
    return slots_[k];
  }
  void grow() {
    std::vector<std::uint32_t> before(slots_.empty() ? 16 : 2 * slots_.size(), kEmpty);
    before.swap(slots_);
    for (const std::uint32_t answer : before)
      if (answer != kEmpty) slot_of(answer / 2) = answer;
  }

  std::vector<std::uint32_t> slots_;  // as many as a power of two, half of them empty at least
  std::size_t count_ = 0;
};

}  // namespace firn

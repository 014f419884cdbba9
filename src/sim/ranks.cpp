#include "sim/ranks.h"

#include <algorithm>
#include <limits>

#include "exec/parallel.h"

namespace firn {
namespace {

using Ranks = std::vector<std::vector<std::uint32_t>>;
constexpr std::int64_t kGrain = 32768;

template <class Body>
void for_ids(const std::vector<IdList>& lists, Body&& body) {
  for (std::size_t l = 0; l < lists.size(); ++l)
    parallel_for("ranks", static_cast<std::int64_t>(lists[l].count), kGrain,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i)
                     body(l, static_cast<std::size_t>(i), lists[l].ids[i]);
                 });
}

void sort_ranks(const std::vector<IdList>& lists, Ranks& ranks) {
  struct Entry {
    std::uint64_t id;
    std::uint32_t list, index;
  };
  std::vector<Entry> entries;
  for (std::size_t l = 0; l < lists.size(); ++l)
    for (std::size_t i = 0; i < lists[l].count; ++i)
      entries.push_back(
          {lists[l].ids[i], static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(i)});
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.id < b.id; });
  for (std::size_t rank = 0; rank < entries.size(); ++rank)
    ranks[entries[rank].list][entries[rank].index] = static_cast<std::uint32_t>(rank);
}

// False when an id occurs twice.
bool count_ranks(const std::vector<IdList>& lists, std::uint64_t lowest, std::size_t range,
                 std::size_t count, Ranks& ranks) {
  std::vector<unsigned char> there(range);  // threads write different bytes
  for_ids(lists, [&](std::size_t, std::size_t, std::uint64_t id) { there[id - lowest] = 1; });
  std::vector<std::uint32_t> rank(range);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < range; ++i) {
    rank[i] = next;
    next += there[i];
  }
  if (next != count) return false;
  for_ids(lists,
          [&](std::size_t l, std::size_t i, std::uint64_t id) { ranks[l][i] = rank[id - lowest]; });
  return true;
}

}  // namespace

Ranks ranks_by_id(const std::vector<IdList>& lists) {
  Ranks ranks(lists.size());
  std::size_t count = 0;
  std::uint64_t lowest = std::numeric_limits<std::uint64_t>::max(), highest = 0;
  for (std::size_t l = 0; l < lists.size(); ++l) {
    ranks[l].resize(lists[l].count);
    count += lists[l].count;
    for (std::size_t i = 0; i < lists[l].count; ++i) {
      lowest = std::min(lowest, lists[l].ids[i]);
      highest = std::max(highest, lists[l].ids[i]);
    }
  }
  if (count == 0) return ranks;
  const bool dense = highest - lowest < 4 * static_cast<std::uint64_t>(count);
  if (!dense || !count_ranks(lists, lowest, highest - lowest + 1, count, ranks))
    sort_ranks(lists, ranks);
  return ranks;
}

}  // namespace firn

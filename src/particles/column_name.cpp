#include "particles/column_name.h"

#include <algorithm>
#include <deque>
#include <mutex>

namespace firn {
namespace {

// Texts stay where they are, whatever is added.
struct Registry {
  std::mutex lock;
  std::deque<std::string> texts;
};
Registry& registry() {
  static Registry names;
  return names;
}

}  // namespace

ColumnName::ColumnName(const char* text) {
  Registry& names = registry();
  const std::lock_guard guard(names.lock);
  const auto found = std::find(names.texts.begin(), names.texts.end(), text);
  number_ = static_cast<int>(found - names.texts.begin());
  if (found == names.texts.end()) names.texts.emplace_back(text);
}

const std::string& ColumnName::text() const {
  Registry& names = registry();
  const std::lock_guard guard(names.lock);
  return names.texts[number_];
}

}  // namespace firn

// The tags of an XML file one after the other. No entities: what VTK writes has none that matter.
#pragma once

#include <string_view>

namespace firn {

class XmlTags {
 public:
  explicit XmlTags(std::string_view text) : rest_(text) {}

  // Goes to the next tag; comments and declarations are passed over. False at the end.
  bool next() {
    for (;;) {
      const std::size_t begin = rest_.find('<');
      if (begin == std::string_view::npos) return false;
      rest_.remove_prefix(begin + 1);
      const bool is_comment = rest_.starts_with("!--");
      const std::size_t end = is_comment ? rest_.find("-->") : end_of_tag();
      if (end == std::string_view::npos) return false;
      tag_ = rest_.substr(0, end);
      rest_.remove_prefix(end + (is_comment ? 3 : 1));
      if (!is_comment && !tag_.starts_with('?') && !tag_.starts_with('!')) return true;
    }
  }

  // "/Name" of an end tag.
  std::string_view name() const { return tag_.substr(0, tag_.find_first_of(" \t\r\n/", 1)); }

  // Empty when the tag does not have it.
  std::string_view attribute(std::string_view name) const {
    constexpr std::string_view kBlanks = " \t\r\n";
    std::size_t at = tag_.find_first_of(kBlanks);
    while (at < tag_.size()) {
      at = tag_.find_first_not_of(kBlanks, at);
      const std::size_t equals = tag_.find('=', at);
      if (equals == std::string_view::npos) break;
      const std::size_t open = tag_.find_first_of("\"'", equals);
      if (open == std::string_view::npos) break;
      const std::size_t close = tag_.find(tag_[open], open + 1);
      if (close == std::string_view::npos) break;
      std::string_view key = tag_.substr(at, equals - at);
      key = key.substr(0, key.find_first_of(kBlanks));
      if (key == name) return tag_.substr(open + 1, close - open - 1);
      at = close + 1;
    }
    return {};
  }

  // What stands between this tag and the next one.
  std::string_view text() const { return rest_.substr(0, rest_.find('<')); }
  // All that stands behind this tag.
  std::string_view rest() const { return rest_; }

 private:
  std::size_t end_of_tag() const {
    char quote = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (quote != 0)
        quote = c == quote ? '\0' : quote;
      else if (c == '"' || c == '\'')
        quote = c;
      else if (c == '>')
        return i;
    }
    return std::string_view::npos;
  }

  std::string_view rest_, tag_;
};

}  // namespace firn

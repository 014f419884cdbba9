// When an edit of a key reaches the world that runs the scene, as the settings themselves say
// (`edits` of base/describe.h).
#pragma once

#include <string>
#include <vector>

#include "base/describe_parts.h"
#include "scene/line_text.h"
#include "scene/settings.h"

namespace firn {

// Follows the pieces of a JSON pointer through the settings. What lies below a value (a component
// of a vector), or is not there, goes with the last key that is.
class EditRule : public VisitsKeys<EditRule> {
 public:
  explicit EditRule(const std::vector<std::string>& pieces) : pieces_(pieces) {}

  Edits found() const { return found_; }

  void edits(Edits now) { now_ = now; }
  bool key(const std::string& name) {
    if (depth_ >= pieces_.size() || pieces_[depth_] != pointer_piece(name)) return false;
    found_ = now_;
    return true;
  }
  template <class T>
  void object(const char* name, T& value, const char*) {
    if (key(name)) below([&] { value.describe(*this); });
  }
  template <class T>
  void object(const char* name, std::optional<T>& value, const char*) {
    if (key(name) && value) below([&] { value->describe(*this); });
  }
  template <class T>
  void list(const char* name, std::vector<T>& value, const ListInfo&) {
    if (!key(name)) return;
    below([&] {
      for (std::size_t i = 0; i < value.size(); ++i)
        if (key(std::to_string(i))) below([&] { value[i].describe(*this); });
    });
  }
  template <class T>
  void dictionary(const char* name, std::vector<T>& value, const ListInfo&) {
    if (!key(name)) return;
    below([&] {
      for (T& entry : value)
        if (key(entry.name)) below([&] { entry.describe(*this); });
    });
  }
  template <class E, class Body>
  void typed(const char* name, E& value, const TypedInfo&, Body body) {
    if (!key(name)) return;
    below([&] {
      key("type");
      body(*this, value);
    });
  }
  template <class Body>
  void alternatives(const char* name, int& index, const AlternativesInfo&, Body body) {
    key(name);
    body(*this, index);
  }

 private:
  // What is said about keys holds to the end of their object.
  template <class Work>
  void below(Work work) {
    const Edits before = now_;
    ++depth_;
    work();
    --depth_;
    now_ = before;
  }

  const std::vector<std::string>& pieces_;
  std::size_t depth_ = 0;
  Edits now_ = Edits::at_reset, found_ = Edits::at_reset;
};

}  // namespace firn

// Finds what refers to the entries of a dictionary, wherever in the settings it stands.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe_parts.h"
#include "scene/settings.h"

namespace firn::viewer {

class ReferenceVisitor : public VisitsKeys<ReferenceVisitor> {
 public:
  ReferenceVisitor(std::string_view dictionary, const std::function<void(int&)>& work)
      : dictionary_(dictionary), work_(work) {}

  void reference(const char*, int& index, const char* dictionary, const char*) {
    if (dictionary_ == dictionary) work_(index);
  }
  template <class T>
  void object(const char*, T& value, const char*) {
    value.describe(*this);
  }
  template <class T>
  void object(const char*, std::optional<T>& value, const char*) {
    if (value) value->describe(*this);
  }
  template <class T>
  void list(const char*, std::vector<T>& value, const ListInfo&) {
    for (T& entry : value) entry.describe(*this);
  }
  template <class T>
  void dictionary(const char*, std::vector<T>& value, const ListInfo&) {
    for (T& entry : value) entry.describe(*this);
  }
  template <class E, class Body>
  void typed(const char*, E& value, const TypedInfo&, Body body) {
    body(*this, value);
  }
  template <class Body>
  void alternatives(const char*, int& index, const AlternativesInfo&, Body body) {
    body(*this, index);
  }

  void key(const char*) {}  // everything else refers to nothing

 private:
  std::string_view dictionary_;
  const std::function<void(int&)>& work_;
};

inline void for_each_reference(SceneSettings& scene, std::string_view dictionary,
                               const std::function<void(int&)>& work) {
  ReferenceVisitor visitor(dictionary, work);
  scene.describe(visitor);
}

}  // namespace firn::viewer

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

class ReferenceVisitor : public PassesOverText {
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
  template <class Body>
  void typed(const char*, int& index, const AlternativesInfo&, Body body) {
    body(*this, index);
  }
  template <class Body>
  void alternatives(const char*, int& index, const AlternativesInfo&, Body body) {
    body(*this, index);
  }

  // Everything else refers to nothing.
  void number(const char*, double&, const NumberInfo&) {}
  void integer(const char*, std::int64_t&, const IntegerInfo&) {}
  void flag(const char*, bool&, const char*) {}
  void text(const char*, std::string&, const char*) {}
  template <class N>
  void natural(const char*, N&, const char*) {}
  void words(const char*, std::vector<std::string>&, const std::vector<std::string>&, const char*,
             const char* = nullptr) {}
  void names(const char*, std::vector<std::string>&, std::size_t, const char*) {}
  template <class OnRead>
  void word(const char*, std::string&, const std::vector<std::string>&, const char*, OnRead,
            const char* = nullptr) {}
  template <class E, class Names>
  void choice(const char*, E&, const Names&, const char*) {}
  template <class E>
  void choice(const char*, E&, std::initializer_list<const char*>, const char*) {}
  void dimension(int) {}
  template <class V>
  void vector(const char*, V&, const NumberInfo&) {}
  template <class V>
  void rotation(const char*, V&, const NumberInfo&) {}
  void corners(const char*, const char*, Vec3d&, Vec3d&, const NumberInfo&) {}
  template <class V>
  void interval(const char*, V&, const NumberInfo&) {}
  template <class V>
  void color(const char*, V&, const char*) {}
  template <class V>
  void varying(const char*, V&, const NumberInfo&, const std::vector<std::string>&) {}
  template <class V>
  void varying_vector(const char*, V&, const NumberInfo&, const std::vector<std::string>&) {}
  template <class V>
  void varying_rotation(const char*, V&, const NumberInfo&, const std::vector<std::string>&) {}
  template <class V>
  void expressions(const char*, V&, const char*) {}

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

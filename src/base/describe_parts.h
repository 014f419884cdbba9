// What visitors of settings (base/describe.h) share.
#pragma once

#include <initializer_list>
#include <optional>

#include "base/describe.h"
#include "base/describe_scene.h"
#include "base/vec.h"

namespace firn {

// What a visitor passes over unless it reads text or watches edits: other ways to write a value,
// notes for other programs, which keys must or must not be given, and when edits take effect.
struct PassesOverText {
  template <class Body>
  void also_here(const char*, const char*, bool, Body) {}
  void reserved(const char*, const char*) {}
  void edits(Edits) {}
  template <class Set>
  void shorthand(const char*, const char*, const NumberInfo&, Set) {}
  void hint(const char*, const char*) {}
  template <class... Names>
  void require(Names...) {}
  void conflict(const char*, const char*) {}
};

// For visitors to which one value is like another: each becomes Own::key(name). What has keys of
// its own (objects, lists, dictionaries, alternatives) is theirs.
template <class Own>
struct VisitsKeys : PassesOverText {
  void number(const char* name, double&, const NumberInfo&) { key(name); }
  void integer(const char* name, std::int64_t&, const IntegerInfo&) { key(name); }
  void flag(const char* name, bool&, const char*) { key(name); }
  void text(const char* name, std::string&, const char*) { key(name); }
  template <class N>
  void natural(const char* name, N&, const char*) {
    key(name);
  }
  void words(const char* name, std::vector<std::string>&, const std::vector<std::string>&,
             const char*, const char* = nullptr) {
    key(name);
  }
  void names(const char* name, std::vector<std::string>&, std::size_t, const char*) { key(name); }
  template <class OnRead>
  void word(const char* name, std::string&, const std::vector<std::string>&, const char*, OnRead,
            const char* = nullptr) {
    key(name);
  }
  template <class E, class Names>
  void choice(const char* name, E&, const Names&, const char*) {
    key(name);
  }
  template <class E>
  void choice(const char* name, E&, std::initializer_list<const char*>, const char*) {
    key(name);
  }
  void dimension(int) {}
  template <class T>
  void vector(const char* name, T&, const NumberInfo&) {
    key(name);
  }
  template <class T>
  void rotation(const char* name, T&, const NumberInfo&) {
    key(name);
  }
  void corners(const char*, const char*, Vec3d&, Vec3d&, const NumberInfo&) {}
  template <class T>
  void interval(const char* name, T&, const NumberInfo&) {
    key(name);
  }
  template <class T>
  void color(const char* name, T&, const char*) {
    key(name);
  }
  template <class T>
  void varying(const char* name, T&, const NumberInfo&, const std::vector<std::string>&) {
    key(name);
  }
  template <class T>
  void varying_vector(const char* name, T&, const NumberInfo&, const std::vector<std::string>&) {
    key(name);
  }
  template <class T>
  void varying_rotation(const char* name, T&, const NumberInfo&, const std::vector<std::string>&) {
    key(name);
  }
  template <class T>
  void parameter(const char* name, T&, const NumberInfo&) {
    key(name);
  }
  template <class T>
  void expressions(const char* name, T&, const char*) {
    key(name);
  }
  void reference(const char* name, int&, const char*, const char*) { key(name); }

 private:
  void key(const char* name) { static_cast<Own*>(this)->key(name); }
};

}  // namespace firn

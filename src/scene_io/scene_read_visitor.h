// The visitor that fills settings from a JSON object and notes everything wrong with it. One
// ObjectReader reads one object of the file; nested objects get readers of their own. Its functions
// are in scene_read_object (keys), _values (numbers, vectors, colours), _words (names and types)
// and _varying (expressions).
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/describe.h"
#include "base/describe_scene.h"
#include "base/vec.h"
#include "scene/settings.h"
#include "scene_io/scene_document.h"

namespace firn {

// What all readers of one file share.
class ReadContext {
 public:
  // `set` are the pointers of values that were set from outside, after the file was written.
  explicit ReadContext(std::string label, std::vector<std::string> set = {})
      : label_(std::move(label)), set_(std::move(set)) {}
  void add_error(const std::string& pointer, const std::string& what);
  Errors take_errors();
  bool has_errors() const { return count_ > 0; }
  bool was_set(const std::string& pointer) const {
    return std::find(set_.begin(), set_.end(), pointer) != set_.end();
  }

  int dimension = 3;
  std::map<std::string, std::vector<std::string>> dictionary_keys;

 private:
  std::string label_;
  std::vector<std::string> set_;
  Errors errors_;
  std::size_t count_ = 0;
};

// "must be between 0 and 1, found 2", or "" when the value is in the range.
std::string range_problem(const NumberInfo& info, double value);

class ObjectReader {
 public:
  // Reads all of `value`, an object, into `target`.
  template <class T>
  static void read(const Json& value, const std::string& pointer, ReadContext& context, T& target) {
    if (!value.is_object()) return context.add_error(pointer, expected("an object", value));
    ObjectReader reader(value, pointer, context);
    target.describe(reader);
    reader.finish();
  }

  void number(const char* name, double& value, const NumberInfo& info);
  void integer(const char* name, std::int64_t& value, const IntegerInfo& info);
  void flag(const char* name, bool& value, const char* meaning);
  void text(const char* name, std::string& value, const char* meaning);
  void natural(const char* name, std::uint64_t& value, const char* meaning);
  void natural(const char* name, std::optional<std::uint64_t>& value, const char* meaning);
  void words(const char* name, std::vector<std::string>& value,
             const std::vector<std::string>& names, const char* meaning, const char* own = nullptr);
  void names(const char* name, std::vector<std::string>& value, std::size_t max,
             const char* meaning);
  void dimension(int d) { context_.dimension = d; }
  void vector(const char* name, Vec3d& value, const NumberInfo& info);
  void vector(const char* name, std::optional<Vec3d>& value, const NumberInfo& info);
  void rotation(const char* name, Vec3d& value, const NumberInfo& info);
  void rotation(const char* name, RotationSettings& value, const NumberInfo& info);
  void varying_rotation(const char* name, VaryingVector& value, const NumberInfo& info,
                        const std::vector<std::string>& variables);
  void corners(const char* low, const char* high, Vec3d& size, Vec3d& center,
               const NumberInfo& info);
  void interval(const char* name, std::optional<Interval>& value, const NumberInfo& info);
  void color(const char* name, Vec3d& value, const char* meaning);
  void color(const char* name, std::optional<Vec3d>& value, const char* meaning);
  void varying(const char* name, NumberOrExpression& value, const NumberInfo& info,
               const std::vector<std::string>& variables);
  void varying_vector(const char* name, VaryingVector& value, const NumberInfo& info,
                      const std::vector<std::string>& variables);
  void parameter(const char* name, NumberOrExpression& value, const NumberInfo& info);
  void expressions(const char* name, std::vector<InitialField>& fields, const char* meaning);
  void reference(const char* name, int& index, const char* dictionary, const char* meaning);
  void hint(const char* name, const char* meaning);
  void conflict(const char* a, const char* b);

  template <class... Names>
  void require(Names... names) {
    (required_.push_back(names), ...);
  }

  template <class E, class Names>
  void choice(const char* name, E& value, const Names& names, const char*) {
    const std::vector<std::string> list(std::begin(names), std::end(names));
    if (const auto found = find_word(name, list)) value = static_cast<E>(*found);
  }
  template <class E>
  void choice(const char* name, E& value, std::initializer_list<const char*> names,
              const char* meaning) {
    choice<E, std::initializer_list<const char*>>(name, value, names, meaning);
  }

  template <class OnRead>
  void word(const char* name, std::string& value, const std::vector<std::string>& names,
            const char*, OnRead on_read, const char* own = nullptr) {
    const std::vector<std::string> known = with_own_names(names, own);
    const auto found = find_word(name, known);
    if (!found) return;
    value = known[*found];
    on_read();
  }

  template <class Set>
  void shorthand(const char* name, const char* replaced, const NumberInfo& info, Set set) {
    const Json* json = find(name);
    if (json == nullptr) return;
    replaced_.push_back(replaced);
    conflict(name, replaced);
    double value = 0;
    if (!take_number(*json, child(name), info, value)) return;
    const std::string problem = set(value);
    if (!problem.empty()) context_.add_error(child(name), problem);
  }

  template <class T>
  void object(const char* name, T& value, const char*) {
    if (const Json* json = find(name)) read(*json, child(name), context_, value);
  }
  template <class T>
  void object(const char* name, std::optional<T>& value, const char* meaning) {
    if (find(name) == nullptr) return;
    value.emplace();
    object(name, *value, meaning);
  }

  template <class T>
  void list(const char* name, std::vector<T>& value, const ListInfo& info) {
    const Json* json = find(name);
    if (json == nullptr || !check_list(*json, child(name), info)) return;
    value.clear();
    value.resize(json->size());
    for (std::size_t i = 0; i < json->size(); ++i)
      read((*json)[i], child(name) + "/" + std::to_string(i), context_, value[i]);
  }

  template <class T>
  void dictionary(const char* name, std::vector<T>& value, const ListInfo& info) {
    const Json* json = find(name);
    if (json == nullptr || !check_dictionary(*json, child(name), info)) return;
    value.clear();
    value.resize(json->size());
    std::size_t i = 0;
    for (const auto& [key, member] : json->items()) {
      value[i].name = key;
      context_.dictionary_keys[name].push_back(key);
      read(member, child(name) + "/" + pointer_piece(key), context_, value[i++]);
    }
  }

  template <class E, class Body>
  void typed(const char* name, E& value, const TypedInfo& info, Body body) {
    const Json* json = find(name);
    if (json == nullptr) return;
    if (!json->is_object()) {
      if (const auto found = take_type(*json, child(name), name, info))
        value = static_cast<E>(*found);
      return;
    }
    ObjectReader inner(*json, child(name), context_);
    const Json* type = inner.find("type");
    const auto found = type != nullptr ? take_type(*type, inner.child("type"), name, info)
                                       : static_cast<int>(value);
    inner.keys_known_ = found.has_value();  // which keys belong there depends on the type
    if (found) value = static_cast<E>(*found);
    if (found) body(inner, value);
    inner.finish();
  }
  template <class Body>
  void also_here(const char* typed, const char* type, bool chosen, Body body) {
    ObjectReader here(object_, pointer_, context_);
    here.beside_ = typed;
    body(here);
    take_keys(here, type, chosen);
  }
  void reserved(const char* name, const char* problem);
  void edits(Edits) {}

  template <class Body>
  void alternatives(const char* name, int& index, const AlternativesInfo& info, Body body) {
    const auto chosen = find_alternative(name, info);
    if (!chosen) {
      keys_known_ = false;  // which keys belong here depends on the choice
      return;
    }
    index = *chosen;
    body(*this, index);
  }

 private:
  ObjectReader(const Json& object, std::string pointer, ReadContext& context)
      : object_(object), pointer_(std::move(pointer)), context_(context) {}

  static std::string expected(const char* what, const Json& found);
  static std::string found_text(const Json& json);
  // The member of that name, or null; either way the key counts as known.
  const Json* find(const char* name);
  bool given(const std::string& name) const { return object_.contains(name); }
  std::string child(const std::string& name) const { return pointer_ + "/" + pointer_piece(name); }
  bool take_number(const Json& json, const std::string& pointer, const NumberInfo& info,
                   double& value);
  bool take_varying(const Json& json, const std::string& pointer, const NumberInfo& info,
                    const std::vector<std::string>& variables, NumberOrExpression& value);
  // Whether the list has as many entries as the scene has dimensions (2D: or a third that is 0).
  bool check_components(const Json& json, const std::string& pointer);
  bool take_vector(const Json& json, const std::string& pointer, const NumberInfo& info,
                   Vec3d& value);
  void take_rotation(const Json& json, const std::string& pointer, const NumberInfo& info,
                     Vec3d& value);
  bool check_list(const Json& json, const std::string& pointer, const ListInfo& info);
  bool check_dictionary(const Json& json, const std::string& pointer, const ListInfo& info);
  std::vector<std::string> with_own_names(std::vector<std::string> names, const char* own) const;
  std::optional<std::size_t> find_word(const char* name, const std::vector<std::string>& names);
  // The index of the type that the word names; `name` is what there are types of.
  std::optional<int> take_type(const Json& word, const std::string& pointer, const char* name,
                               const TypedInfo& info);
  // Adds the keys that `here` read of an object beside it, and says which contradict that object.
  void take_keys(const ObjectReader& here, const char* type, bool chosen);
  // Of a key that the object beside has too: whether that one's value holds.
  bool yields(const std::string& name) const;
  const Json* value_beside(const std::string& name) const;
  std::optional<int> find_alternative(const char* name, const AlternativesInfo& info);
  void finish();

  const Json& object_;
  std::string pointer_;
  ReadContext& context_;
  std::vector<std::string> known_;  // every key that may stand here
  std::vector<std::string> required_;
  std::vector<std::string> replaced_;
  bool keys_known_ = true;
  const char* beside_ = nullptr;  // the object whose keys are read here
};

}  // namespace firn

#include "scene_io/scene_schema.h"

#include <map>
#include <optional>

#include "base/describe_scene.h"
#include "scene/settings.h"
#include "scene_io/scene_description.h"

namespace firn {
namespace {

// What a key means, with its unit in parentheses.
struct Meaning {
  Meaning(const char* words) : text(words) {}
  Meaning(std::string words) : text(std::move(words)) {}

  std::string text, unit;
};

Meaning operator+(Meaning meaning, const std::string& more) {
  meaning.text += more;
  return meaning;
}

Meaning with_unit(const char* words, const char* unit) {
  Meaning meaning(words);
  meaning.unit = unit;
  return *unit == 0 ? meaning : meaning + " (" + unit + ")";
}

Json number_schema(const NumberInfo& info) {
  Json schema{{"type", "number"}};
  if (std::isfinite(info.min)) schema[info.above_min ? "exclusiveMinimum" : "minimum"] = info.min;
  if (std::isfinite(info.max)) schema[info.below_max ? "exclusiveMaximum" : "maximum"] = info.max;
  return schema;
}

// One of the names, or of those that the file itself gives in the list `own`.
Json word_schema(const std::vector<std::string>& names, const char* own) {
  if (own == nullptr) return {{"enum", names}};
  const std::string meaning = std::string("or one of ") + own;
  return {{"anyOf", {{{"enum", names}}, {{"type", "string"}, {"description", meaning}}}}};
}

Json varying_schema(const NumberInfo& info) {
  return {{"oneOf", {number_schema(info), {{"type", "string"}}}}};
}

Meaning varying_meaning(const NumberInfo& info, const std::vector<std::string>& variables) {
  std::string names;
  for (const std::string& name : variables) names += (names.empty() ? "" : ", ") + name;
  return with_unit(info.meaning, info.unit) + "; numbers or expressions in " + names;
}

Json varying_value(const NumberOrExpression& value) {
  return value.is_constant() ? Json(value.value) : Json(value.expression);
}

Json vector_schema(const Json& component, int shortest) {
  return {{"type", "array"}, {"items", component}, {"minItems", shortest}, {"maxItems", 3}};
}

Json color_schema() {
  const Json hex{{"type", "string"}, {"pattern", "^#[0-9a-fA-F]{6}$"}};
  return {{"oneOf", {hex, vector_schema(number_schema({"", "", 0, 1}), 3)}}};
}

Json components(const Vec3d& value) {
  return Json::array({value[0], value[1], value[2]});
}

// The visitor that turns a description into the schema of one object. Runs on a scratch copy of
// the settings, whose values are the defaults.
class ObjectSchema {
 public:
  static constexpr bool kSeesAllKeys = true;

  // A type that names its schema stands in the definitions once, also where it contains itself.
  template <class T>
  static Json of(T& value) {
    if constexpr (requires { T::kSchemaName; }) {
      if (!definitions.contains(T::kSchemaName)) {
        definitions[T::kSchemaName] = nullptr;
        definitions[T::kSchemaName] = described(value);
      }
      return {{"$ref", std::string("#/$defs/") + T::kSchemaName}};
    }
    return described(value);
  }
  template <class T>
  static Json described(T& value) {
    ObjectSchema visitor;
    value.describe(visitor);
    return visitor.schema();
  }
  static inline thread_local Json definitions = Json::object();

  void number(const char* name, double value, const NumberInfo& info) {
    Json& schema = add(name, number_schema(info), with_unit(info.meaning, info.unit));
    if (info.contains(value)) schema["default"] = value;
  }
  void integer(const char* name, std::int64_t value, const IntegerInfo& info) {
    add(name, {{"type", "integer"}, {"minimum", info.min}, {"maximum", info.max}}, info.meaning,
        value);
  }
  void flag(const char* name, bool value, const char* meaning) {
    add(name, {{"type", "boolean"}}, meaning, value);
  }
  void text(const char* name, const std::string&, const char* meaning) {
    add(name, {{"type", "string"}}, meaning);
  }
  void natural(const char* name, const std::optional<std::uint64_t>& value, const char* meaning) {
    Json& schema = add(name, {{"type", "integer"}, {"minimum", 0}}, meaning);
    if (value) schema["default"] = *value;
  }
  template <class OnRead>
  void word(const char* name, const std::string& value, const std::vector<std::string>& names,
            const char* meaning, OnRead, const char* own = nullptr) {
    if (names.empty()) return;
    Json& schema = add(name, word_schema(names, own), meaning);
    if (!value.empty()) schema["default"] = value;
  }
  void words(const char* name, const std::vector<std::string>& value,
             const std::vector<std::string>& names, const char* meaning,
             const char* own = nullptr) {
    add(name, {{"type", "array"}, {"items", word_schema(names, own)}, {"uniqueItems", true}},
        meaning, value);
  }
  void names(const char* name, const std::vector<std::string>& value, std::size_t max,
             const char* meaning) {
    const Json identifier{{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}};
    add(name, {{"type", "array"}, {"items", identifier}, {"maxItems", max}, {"uniqueItems", true}},
        meaning, value);
  }
  template <class E, class Names>
  void choice(const char* name, E value, const Names& names, const char* meaning) {
    const std::vector<std::string> list(std::begin(names), std::end(names));
    add(name, {{"enum", list}}, meaning, list[static_cast<std::size_t>(value)]);
  }
  template <class E>
  void choice(const char* name, E value, std::initializer_list<const char*> names,
              const char* meaning) {
    choice<E, std::initializer_list<const char*>>(name, value, names, meaning);
  }

  void dimension(int) {}
  void vector(const char* name, const Vec3d& value, const NumberInfo& info) {
    add(name, vector_schema(number_schema(info), 2), with_unit(info.meaning, info.unit),
        components(value));
  }
  void rotation(const char* name, const Vec3d& value, const NumberInfo& info) {
    const Json number = number_schema(info);
    add(name, {{"oneOf", {number, vector_schema(number, 3)}}},
        with_unit(info.meaning, info.unit) + "; in 2D one number", components(value));
  }
  void vector(const char* name, const std::optional<Vec3d>&, const NumberInfo& info) {
    add(name, vector_schema(number_schema(info), 2), with_unit(info.meaning, info.unit));
  }
  void rotation(const char* name, const RotationSettings& value, const NumberInfo& info) {
    const Json number = number_schema(info);
    const Json about{{"type", "object"},
                     {"properties", {{"axis", vector_schema(number, 3)}, {"angle", number}}},
                     {"required", {"axis", "angle"}},
                     {"additionalProperties", false}};
    add(name, {{"oneOf", {number, vector_schema(number, 3), about}}},
        with_unit(info.meaning, info.unit) + "; in 2D one number", components(value.angles));
  }
  void varying_rotation(const char* name, const VaryingVector&, const NumberInfo& info,
                        const std::vector<std::string>& variables) {
    const Json one = varying_schema(info);
    add(name, {{"oneOf", {one, vector_schema(one, 3)}}},
        varying_meaning(info, variables) + "; in 2D one");
  }
  void corners(const char* low, const char* high, const Vec3d&, const Vec3d&,
               const NumberInfo& info) {
    for (const char* name : {low, high})
      add(name, vector_schema(number_schema(info), 2), with_unit(info.meaning, info.unit));
    for (const char* name : {low, high})
      for (const char* other : {"size", "center"}) conflict(name, other);
    replacements_["size"] = {low, high};
  }
  void interval(const char* name, const std::optional<Interval>&, const NumberInfo& info) {
    add(name, {{"type", "array"}, {"items", number_schema(info)}, {"minItems", 2}, {"maxItems", 2}},
        with_unit(info.meaning, info.unit));
  }
  void color(const char* name, const Vec3d& value, const char* meaning) {
    add(name, color_schema(), meaning, components(value));
  }
  void color(const char* name, const std::optional<Vec3d>&, const char* meaning) {
    add(name, color_schema(), meaning);
  }
  void varying(const char* name, const NumberOrExpression& value, const NumberInfo& info,
               const std::vector<std::string>& variables) {
    Json& schema = add(name, varying_schema(info), varying_meaning(info, variables));
    if (!value.is_constant() || info.contains(value.value))
      schema["default"] = varying_value(value);
  }
  void parameter(const char* name, const NumberOrExpression& value, const NumberInfo& info) {
    Json& schema = add(name, varying_schema(info), with_unit(info.meaning, info.unit));
    if (info.contains(value.value)) schema["default"] = varying_value(value);
  }
  void varying_vector(const char* name, const VaryingVector& value, const NumberInfo& info,
                      const std::vector<std::string>& variables) {
    add(name, vector_schema(varying_schema(info), 2), varying_meaning(info, variables),
        Json::array({varying_value(value[0]), varying_value(value[1]), varying_value(value[2])}));
  }
  void expressions(const char* name, const std::vector<InitialField>&, const char* meaning) {
    add(name, {{"type", "object"}, {"additionalProperties", {{"type", {"number", "string"}}}}},
        meaning);
  }

  template <class T>
  void object(const char* name, T& value, const char* meaning) {
    add(name, of(value), meaning);
  }
  template <class T>
  void object(const char* name, std::optional<T>&, const char* meaning) {
    T value;
    object(name, value, meaning);
  }
  template <class T>
  void list(const char* name, std::vector<T>&, const ListInfo& info) {
    T entry;
    add(name, {{"type", "array"}, {"items", of(entry)}, {"minItems", info.min_size}}, info.meaning);
  }
  template <class T>
  void dictionary(const char* name, std::vector<T>&, const ListInfo& info) {
    T entry;
    add(name,
        {{"type", "object"}, {"additionalProperties", of(entry)}, {"minProperties", info.min_size}},
        info.meaning);
  }
  void reference(const char* name, int, const char*, const char* meaning) {
    add(name, {{"type", "string"}}, meaning);
  }
  template <class Body>
  void alternatives(const char* name, int, const AlternativesInfo& info, Body body) {
    for (int i = 0; i < static_cast<int>(info.names.size()); ++i) {
      std::vector<std::string> words{info.names[i]};
      for (const Alias& alias : info.aliases)
        if (alias.index == i) words.push_back(alias.name);
      ObjectSchema variant;
      variant.add(name, {{"enum", words}}, info.meaning);
      body(variant, i);
      variants_.push_back(std::move(variant));
    }
  }
  // Where the object names no type it is of the usual one.
  template <class E, class Body>
  void typed(const char* name, E value, const TypedInfo& info, Body body) {
    const int usual = static_cast<int>(value);
    ObjectSchema object;
    object.alternatives("type", usual, {info.names, info.meaning},
                        [&](ObjectSchema& v, int i) { body(v, static_cast<E>(i)); });
    for (std::size_t i = 0; i < object.variants_.size(); ++i)
      if (static_cast<int>(i) != usual) object.variants_[i].require("type");
    add(name, {{"oneOf", {{{"enum", info.names}}, object.schema()}}},
        std::string(info.meaning) + ", as a word or with keys of its own", info.names[usual]);
  }
  template <class Body>
  void also_here(const char* typed, const char*, bool, Body body) {
    ObjectSchema here;
    body(here);
    for (auto& [key, member] : here.properties_.items()) {
      const std::string meaning = member.value("description", "");
      member["description"] = meaning + " (as in " + typed + ")";
      properties_[key] = member;
    }
  }
  void reserved(const char*, const char*) {}
  void edits(Edits) {}
  template <class Set>
  void shorthand(const char* name, const char* replaced, const NumberInfo& info, Set) {
    add(name, number_schema(info), with_unit(info.meaning, info.unit));
    conflict(name, replaced);
    replacements_[replaced] = {name};
  }
  void hint(const char* name, const char* meaning) { add(name, {{"type", "string"}}, meaning); }
  template <class... Names>
  void require(Names... names) {
    (required_.push_back(names), ...);
  }
  // A key that need not be given where the other is.
  void replaced_by(const char* name, const char* other) { replacements_[name] = {other}; }
  void conflict(const char* a, const char* b) { conflicts_.push_back({a, b}); }

 private:
  Json& add(const std::string& name, Json schema, const Meaning& meaning) {
    if (!meaning.text.empty()) schema["description"] = meaning.text;
    if (!meaning.unit.empty()) schema["unit"] = meaning.unit;
    return properties_[name] = std::move(schema);
  }
  void add(const std::string& name, Json schema, const Meaning& meaning, Json preset) {
    add(name, std::move(schema), meaning)["default"] = std::move(preset);
  }

  // Keys that stand beside the alternatives belong to each of them.
  void merge(const ObjectSchema& common) {
    for (const auto& [key, value] : common.properties_.items()) properties_[key] = value;
    required_.insert(required_.end(), common.required_.begin(), common.required_.end());
  }

  Json schema() const {
    if (!variants_.empty()) {
      Json list = Json::array();
      for (ObjectSchema variant : variants_) {
        variant.merge(*this);
        list.push_back(variant.schema());
      }
      return {{"type", "object"}, {"oneOf", std::move(list)}};
    }
    Json schema{{"type", "object"}, {"properties", properties_}, {"additionalProperties", false}};
    Json needed = Json::array(), rules = Json::array();
    for (const std::string& name : required_) {
      const auto other = replacements_.find(name);
      if (other == replacements_.end())
        needed.push_back(name);
      else
        rules.push_back(
            {{"anyOf", {{{"required", Json::array({name})}}, {{"required", other->second}}}}});
    }
    for (const auto& pair : conflicts_) rules.push_back({{"not", {{"required", pair}}}});
    if (!needed.empty()) schema["required"] = std::move(needed);
    if (!rules.empty()) schema["allOf"] = std::move(rules);
    return schema;
  }

  Json properties_ = Json::object();
  std::vector<std::string> required_;
  std::vector<std::vector<std::string>> conflicts_;
  std::map<std::string, std::vector<std::string>> replacements_;
  std::vector<ObjectSchema> variants_;
};

// What editors and validators read: the unit is part of the meaning already.
void drop_units(Json& schema) {
  schema.erase("unit");
  for (const char* key : {"properties", "$defs"})
    if (schema.contains(key))
      for (Json& member : schema[key]) drop_units(member);
  for (const char* key : {"items", "additionalProperties"})
    if (schema.contains(key) && schema[key].is_object()) drop_units(schema[key]);
  if (schema.contains("oneOf"))
    for (Json& variant : schema["oneOf"]) drop_units(variant);
}

}  // namespace

Json scene_description() {
  SceneSettings defaults;
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "Firn scene"},
              {"description", "SI units, angles in degrees, y is up"}};
  schema.update(ObjectSchema::of(defaults));
  schema["$defs"] = ObjectSchema::definitions;
  return schema;
}

std::string scene_schema() {
  Json schema = scene_description();
  drop_units(schema);
  return readable(schema);
}

}  // namespace firn

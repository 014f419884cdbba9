#include "scene_io/scene_writer.h"

#include <map>
#include <optional>

#include "base/describe_parts.h"
#include "scene/defaults.h"
#include "scene_io/scene_document.h"

namespace firn {
namespace {

struct WriteContext {
  int dimension = 3;
  std::map<std::string, std::vector<std::string>> dictionary_keys;
};

// The visitor that writes settings into a JSON object.
class ObjectWriter : public PassesOverText {
 public:
  explicit ObjectWriter(WriteContext& context) : context_(context) {}

  template <class T>
  static Json written(WriteContext& context, T& value) {
    ObjectWriter writer(context);
    value.describe(writer);
    return std::move(writer.object_);
  }

  void number(const char* name, double value, const NumberInfo& info) {
    if (info.contains(value)) object_[name] = value;
  }
  void integer(const char* name, std::int64_t value, const IntegerInfo&) { object_[name] = value; }
  void flag(const char* name, bool value, const char*) { object_[name] = value; }
  void text(const char* name, const std::string& value, const char*) { object_[name] = value; }
  void natural(const char* name, const std::optional<std::uint64_t>& value, const char*) {
    if (value) object_[name] = *value;
  }
  template <class OnRead>
  void word(const char* name, const std::string& value, const std::vector<std::string>&,
            const char*, OnRead, const char* = nullptr) {
    if (!value.empty()) object_[name] = value;
  }
  void words(const char* name, const std::vector<std::string>& value,
             const std::vector<std::string>&, const char*, const char* = nullptr) {
    object_[name] = value;
  }
  void names(const char* name, const std::vector<std::string>& value, std::size_t, const char*) {
    object_[name] = value;
  }
  template <class E, class Names>
  void choice(const char* name, E value, const Names& names, const char*) {
    object_[name] = std::begin(names)[static_cast<int>(value)];
  }
  template <class E>
  void choice(const char* name, E value, std::initializer_list<const char*> names, const char*) {
    object_[name] = names.begin()[static_cast<int>(value)];
  }

  void dimension(int d) { context_.dimension = d; }
  void vector(const char* name, const Vec3d& value, const NumberInfo&) {
    object_[name] = components(value, context_.dimension);
  }
  void rotation(const char* name, const Vec3d& value, const NumberInfo&) {
    object_[name] = context_.dimension == 2 ? Json(value[2]) : components(value, 3);
  }
  void vector(const char* name, const std::optional<Vec3d>& value, const NumberInfo& info) {
    if (value) vector(name, *value, info);
  }
  void rotation(const char* name, const RotationSettings& value, const NumberInfo& info) {
    if (!value.about_axis) return rotation(name, value.angles, info);
    object_[name] = {{"axis", components(value.axis, 3)}, {"angle", value.angle}};
  }
  void varying_rotation(const char* name, const VaryingVector& value, const NumberInfo& info,
                        const std::vector<std::string>& variables) {
    if (context_.dimension == 3) return varying_vector(name, value, info, variables);
    object_[name] = written(value[2]);
  }
  void corners(const char*, const char*, const Vec3d&, const Vec3d&, const NumberInfo&) {}
  void interval(const char* name, const std::optional<Interval>& value, const NumberInfo&) {
    if (value) object_[name] = Json::array({value->low, value->high});
  }
  void color(const char* name, const Vec3d& value, const char*) {
    object_[name] = components(value, 3);
  }
  void color(const char* name, const std::optional<Vec3d>& value, const char* meaning) {
    if (value) color(name, *value, meaning);
  }
  void varying(const char* name, const NumberOrExpression& value, const NumberInfo& info,
               const std::vector<std::string>&) {
    if (!value.is_constant() || info.contains(value.value)) object_[name] = written(value);
  }
  void parameter(const char* name, const NumberOrExpression& value, const NumberInfo& info) {
    varying(name, value, info, {});
  }
  void varying_vector(const char* name, const VaryingVector& value, const NumberInfo&,
                      const std::vector<std::string>&) {
    Json list = Json::array();
    for (int i = 0; i < context_.dimension; ++i) list.push_back(written(value[i]));
    object_[name] = std::move(list);
  }
  void expressions(const char* name, const std::vector<InitialField>& fields, const char*) {
    Json members = Json::object();
    for (const auto& [key, value] : fields) members[key] = written(value);
    object_[name] = std::move(members);
  }

  template <class T>
  void object(const char* name, T& value, const char*) {
    object_[name] = written(context_, value);
  }
  template <class T>
  void object(const char* name, std::optional<T>& value, const char*) {
    if (value) object_[name] = written(context_, *value);
  }
  template <class T>
  void list(const char* name, std::vector<T>& value, const ListInfo&) {
    Json entries = Json::array();
    for (T& entry : value) entries.push_back(written(context_, entry));
    object_[name] = std::move(entries);
  }
  template <class T>
  void dictionary(const char* name, std::vector<T>& value, const ListInfo&) {
    Json members = Json::object();
    for (T& entry : value) {
      members[entry.name] = written(context_, entry);
      context_.dictionary_keys[name].push_back(entry.name);
    }
    object_[name] = std::move(members);
  }
  void reference(const char* name, int index, const char* dictionary, const char*) {
    const std::vector<std::string>& keys = context_.dictionary_keys[dictionary];
    if (index >= 0 && index < static_cast<int>(keys.size())) object_[name] = keys[index];
  }
  template <class E, class Body>
  void typed(const char* name, E value, const TypedInfo& info, Body body) {
    ObjectWriter inner(context_);
    inner.object_["type"] = info.names[static_cast<std::size_t>(value)];
    body(inner, value);
    object_[name] = std::move(inner.object_);
  }
  template <class Body>
  void alternatives(const char* name, int index, const AlternativesInfo& info, Body body) {
    object_[name] = info.names[index];
    body(*this, index);
  }

 private:
  static Json written(const NumberOrExpression& value) {
    return value.is_constant() ? Json(value.value) : Json(value.expression);
  }
  static Json components(const Vec3d& value, int count) {
    Json list = Json::array();
    for (int i = 0; i < count; ++i) list.push_back(value[i]);
    return list;
  }

  WriteContext& context_;
  Json object_ = Json::object();
};

}  // namespace

std::string write_scene(const SceneSettings& scene) {
  SceneSettings complete = scene;
  fill_defaults(complete);
  WriteContext context;
  return readable(ObjectWriter::written(context, complete));
}

}  // namespace firn

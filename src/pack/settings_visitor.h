// The visitor that writes settings to bytes or reads them back: one class for both ways, so that
// they cannot differ. Every value stands behind its key, in the order of describe(): a file whose
// keys are others was written by another version. What is read is held to the ranges that describe
// it, where a value may also be the default that stands for "not given".
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/bytes.h"
#include "base/describe_parts.h"
#include "scene/settings.h"
#include "scene/varied_settings.h"

namespace firn {

using ShapeAssets = std::vector<std::shared_ptr<const ShapeAsset>>;

template <class Bytes>
class SettingsVisitor : public PassesOverText {
 public:
  // Shapes refer to `assets`; on writing, those that they have are added to it.
  SettingsVisitor(Bytes& bytes, ShapeAssets& assets) : bytes_(bytes), assets_(assets) {}

  // What is wrong with what was read; "" when nothing is.
  const std::string& problem() const { return problem_; }

  void number(const char* name, double& value, const NumberInfo& info) {
    key(name);
    take_number(value, info);
  }
  void integer(const char* name, std::int64_t& value, const IntegerInfo& info) {
    key(name);
    bytes_.value(value);
    expect(value >= info.min && value <= info.max);
  }
  void flag(const char* name, bool& value, const char*) {
    key(name);
    take_flag(value);
  }
  void text(const char* name, std::string& value, const char*) {
    key(name);
    bytes_.list(value);
  }
  void natural(const char* name, std::uint64_t& value, const char*) {
    key(name);
    bytes_.value(value);
  }
  void natural(const char* name, std::optional<std::uint64_t>& value, const char*) {
    key(name);
    if (take_presence(value)) bytes_.value(*value);
  }
  template <class OnRead>
  void word(const char* name, std::string& value, const std::vector<std::string>& names,
            const char*, OnRead on_read, const char* own = nullptr) {
    key(name);
    bytes_.list(value);
    if (!reads() || value.empty()) return;
    expect(is_known(value, names, own));
    if (problem_.empty()) on_read();
  }
  void words(const char* name, std::vector<std::string>& value,
             const std::vector<std::string>& names, const char*, const char* own = nullptr) {
    key(name);
    take_entries(value, [&](std::string& entry) {
      bytes_.list(entry);
      expect(is_known(entry, names, own));
    });
  }
  void names(const char* name, std::vector<std::string>& value, std::size_t max, const char*) {
    key(name);
    take_entries(value, [&](std::string& entry) { bytes_.list(entry); });
    expect(value.size() <= max);
    dictionaries_[name] = value;
  }
  template <class E, class Names>
  void choice(const char* name, E& value, const Names& names, const char*) {
    const auto count = std::distance(std::begin(names), std::end(names));
    value = static_cast<E>(take_index(name, static_cast<int>(value), static_cast<int>(count)));
  }
  template <class E>
  void choice(const char* name, E& value, std::initializer_list<const char*> names,
              const char* meaning) {
    choice<E, std::initializer_list<const char*>>(name, value, names, meaning);
  }

  void dimension(int d) { dimension_ = d; }
  void vector(const char* name, Vec3d& value, const NumberInfo& info) {
    key(name);
    take_vector(value, info);
  }
  void vector(const char* name, std::optional<Vec3d>& value, const NumberInfo& info) {
    key(name);
    if (take_presence(value)) take_vector(*value, info);
  }
  void rotation(const char* name, Vec3d& value, const NumberInfo& info) {
    vector(name, value, info);
  }
  void rotation(const char* name, RotationSettings& value, const NumberInfo& info) {
    key(name);
    take_vector(value.angles, info);
    take_flag(value.about_axis);
    take_vector(value.axis, {});
    take_number(value.angle, {});
  }
  void corners(const char*, const char*, const Vec3d&, const Vec3d&, const NumberInfo&) {}
  void interval(const char* name, std::optional<Interval>& value, const NumberInfo& info) {
    key(name);
    if (!take_presence(value)) return;
    take_number(value->low, info);
    take_number(value->high, info);
    expect(value->low < value->high);
  }
  void color(const char* name, Vec3d& value, const char*) {
    key(name);
    take_vector(value, {"", "", 0, 1});
  }
  void color(const char* name, std::optional<Vec3d>& value, const char*) {
    key(name);
    if (take_presence(value)) take_vector(*value, {"", "", 0, 1});
  }
  void varying(const char* name, NumberOrExpression& value, const NumberInfo& info,
               const std::vector<std::string>& variables) {
    key(name);
    take_varying(value, info, variables);
  }
  void parameter(const char* name, NumberOrExpression& value, const NumberInfo& info) {
    key(name);
    take_varying(value, info, parameter_variables(dictionaries_["scalars"]));
  }
  void varying_vector(const char* name, VaryingVector& value, const NumberInfo& info,
                      const std::vector<std::string>& variables) {
    key(name);
    for (NumberOrExpression& component : value) take_varying(component, info, variables);
  }
  void varying_rotation(const char* name, VaryingVector& value, const NumberInfo& info,
                        const std::vector<std::string>& variables) {
    varying_vector(name, value, info, variables);
  }
  void expressions(const char* name, std::vector<InitialField>& fields, const char*) {
    key(name);
    take_entries(fields, [&](InitialField& field) {
      bytes_.list(field.name);
      take_varying(field.value, {}, space_variables());
    });
  }

  template <class T>
  void object(const char* name, T& value, const char*) {
    key(name);
    take_object(value);
  }
  template <class T>
  void object(const char* name, std::optional<T>& value, const char*) {
    key(name);
    if (take_presence(value)) take_object(*value);
  }
  template <class T>
  void list(const char* name, std::vector<T>& value, const ListInfo& info) {
    key(name);
    take_entries(value, [&](T& entry) { take_object(entry); });
    expect(value.size() >= info.min_size);
  }
  template <class T>
  void dictionary(const char* name, std::vector<T>& value, const ListInfo& info) {
    key(name);
    take_entries(value, [&](T& entry) {
      bytes_.list(entry.name);
      take_object(entry);
      dictionaries_[name].push_back(entry.name);
    });
    expect(value.size() >= info.min_size);
  }
  void reference(const char* name, int& index, const char* dictionary, const char*) {
    index = take_index(name, index, static_cast<int>(dictionaries_[dictionary].size()));
  }
  template <class E, class Body>
  void typed(const char* name, E& value, const TypedInfo& info, Body body) {
    const int count = static_cast<int>(info.names.size());
    value = static_cast<E>(take_index(name, static_cast<int>(value), count));
    if (fine()) body(*this, value);
  }
  template <class Body>
  void alternatives(const char* name, int& index, const AlternativesInfo& info, Body body) {
    index = take_index(name, index, static_cast<int>(info.names.size()));
    if (fine()) body(*this, index);
  }

 private:
  static constexpr int kMostDepth = 64;  // of settings within settings
  static constexpr bool reads() { return Bytes::kReads; }
  bool fine() const { return bytes_.fine() && problem_.empty(); }

  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }
  // After the value at hand was read: what is wrong carries its key.
  void expect(bool good) {
    if (reads() && !good) fail(std::string("its setting ") + key_ + " is damaged");
  }
  void key(const char* name) {
    key_ = name;
    std::string found = name;
    bytes_.list(found);
    if (reads() && found != name)
      fail("its settings are those of another version of firn; pack the scene again");
  }

  void take_number(double& value, const NumberInfo& info) {
    const double usual = value;
    bytes_.value(value);
    expect((std::isfinite(value) && info.contains(value)) || value == usual ||
           (std::isnan(value) && std::isnan(usual)));
  }
  // What a vector of a flat scene has besides its two components is held to no range.
  void take_vector(Vec3d& value, const NumberInfo& info) {
    for (int i = 0; i < 3; ++i) take_number(value[i], i < dimension_ ? info : NumberInfo{});
  }
  void take_flag(bool& value) {
    std::uint8_t bit = value;
    bytes_.value(bit);
    expect(bit <= 1);
    value = bit != 0;
  }
  template <class T>
  bool take_presence(std::optional<T>& value) {
    bool present = value.has_value();
    take_flag(present);
    if (reads() && present && fine()) value.emplace();
    return value.has_value();
  }
  int take_index(const char* name, int index, int count) {
    key(name);
    std::int32_t stored = index;
    bytes_.value(stored);
    const bool good = stored >= 0 && stored < count;
    expect(good);
    return good || !reads() ? stored : index;
  }
  void take_varying(NumberOrExpression& value, const NumberInfo& info,
                    const std::vector<std::string>& variables) {
    take_number(value.value, info);
    bytes_.list(value.expression);
    if (reads() && fine() && !value.is_constant())
      expect(expression_problem(value.expression, variables).empty());
  }
  // Entries come one by one: a wrong count allocates nothing.
  template <class T, class Take>
  void take_entries(std::vector<T>& entries, Take take) {
    std::uint64_t count = entries.size();
    bytes_.value(count);
    if (reads()) entries.clear();
    for (std::uint64_t i = 0; i < count && fine(); ++i) {
      if (reads()) entries.emplace_back();
      take(entries[i]);
    }
  }
  template <class T>
  void take_object(T& value) {
    if (!fine()) return;
    if (++depth_ > kMostDepth) return fail("its settings are nested too deeply");
    value.describe(*this);
    if constexpr (std::is_base_of_v<ShapeSettings, T>) take_asset(value);
    --depth_;
  }
  // -1: none.
  void take_asset(ShapeSettings& shape) {
    std::int32_t index = -1;
    if (!reads() && shape.asset && shape.asset->field) {
      const auto found = std::find(assets_.begin(), assets_.end(), shape.asset);
      index = static_cast<std::int32_t>(found - assets_.begin());
      if (found == assets_.end()) assets_.push_back(shape.asset);
    }
    bytes_.value(index);
    if (!reads()) return;
    const bool good = index >= -1 && index < static_cast<std::int64_t>(assets_.size());
    expect(good);
    if (good && index >= 0) shape.asset = assets_[index];
  }
  bool is_known(const std::string& word, const std::vector<std::string>& names, const char* own) {
    const auto in = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), word) != list.end();
    };
    return in(names) || (own != nullptr && in(dictionaries_[own]));
  }

  Bytes& bytes_;
  ShapeAssets& assets_;
  std::map<std::string, std::vector<std::string>> dictionaries_;
  std::string problem_;
  const char* key_ = "";
  int dimension_ = 3;
  int depth_ = 0;
};

}  // namespace firn

#include "scene_io/scene_read_visitor.h"

#include <charconv>

namespace firn {
namespace {

constexpr std::size_t kMaxErrorLines = 100;
constexpr std::uint64_t kMaxNatural = std::uint64_t(1) << 53;  // exact in every JSON reader

std::string number_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value).ptr;
  return std::string(buffer, end);
}

std::string with_unit(const std::string& number, const char* unit) {
  return *unit == 0 ? number : number + " " + unit;
}

// "must be greater than 0 m", "must be at least 0", "must be between 0 and 1".
std::string range_text(const NumberInfo& info) {
  const std::string low = number_text(info.min), high = number_text(info.max);
  const bool has_low = std::isfinite(info.min), has_high = std::isfinite(info.max);
  std::string text = "must be ";
  if (has_low && has_high && !info.above_min && !info.below_max)
    return text + "between " + low + " and " + with_unit(high, info.unit);
  if (has_low)
    text += (info.above_min ? "greater than " : "at least ") +
            (has_high ? low : with_unit(low, info.unit));
  if (has_low && has_high) text += " and ";
  if (has_high) text += (info.below_max ? "less than " : "at most ") + with_unit(high, info.unit);
  return text;
}

std::string found_text(const Json& json) {
  if (json.is_string()) return in_quotes(json.get_ref<const std::string&>());
  if (json.is_object()) return "an object";
  if (json.is_array()) return "a list of " + std::to_string(json.size());
  return json.dump();
}

bool whole_number(const Json& json, std::int64_t& value) {
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) return false;
  if (json.is_number_integer()) {
    value = json.get<std::int64_t>();
    return true;
  }
  if (!json.is_number_float()) return false;
  const double x = json.get<double>();
  if (x != std::floor(x) || std::abs(x) > static_cast<double>(kMaxNatural)) return false;
  value = static_cast<std::int64_t>(x);
  return true;
}

bool hex_color(const std::string& text, Vec3d& rgb) {
  unsigned value = 0;
  const char* begin = text.data() + 1;
  if (text.size() != 7 || text[0] != '#') return false;
  const auto [end, error] = std::from_chars(begin, begin + 6, value, 16);
  if (error != std::errc() || end != begin + 6) return false;
  for (int i = 0; i < 3; ++i) rgb[i] = ((value >> (16 - 8 * i)) & 0xff) / 255.0;
  return true;
}

}  // namespace

std::string range_problem(const NumberInfo& info, double value) {
  return info.contains(value) ? "" : range_text(info) + ", found " + number_text(value);
}

void ReadContext::add_error(const std::string& pointer, const std::string& what) {
  if (++count_ <= kMaxErrorLines)
    errors_.push_back(label_ + ": " + (pointer.empty() ? "/" : pointer) + ": " + what);
}

Errors ReadContext::take_errors() {
  if (count_ > kMaxErrorLines)
    errors_.push_back(label_ + ": and " + std::to_string(count_ - kMaxErrorLines) + " more errors");
  return std::move(errors_);
}

std::string ObjectReader::expected(const char* what, const Json& found) {
  return std::string("expected ") + what + ", found " + found_text(found);
}

const Json* ObjectReader::find(const char* name) {
  if (std::find(known_.begin(), known_.end(), name) == known_.end()) known_.push_back(name);
  const auto member = object_.find(name);
  return member == object_.end() ? nullptr : &*member;
}

bool ObjectReader::take_number(const Json& json, const std::string& pointer, const NumberInfo& info,
                               double& value) {
  if (!json.is_number()) {
    const std::string what = *info.unit == 0 ? "a number" : std::string("a number in ") + info.unit;
    context_.add_error(pointer, expected(what.c_str(), json));
    return false;
  }
  const double x = json.get<double>();
  if (!info.contains(x)) {
    context_.add_error(pointer, range_problem(info, x));
    return false;
  }
  value = x;
  return true;
}

void ObjectReader::number(const char* name, double& value, const NumberInfo& info) {
  if (const Json* json = find(name)) take_number(*json, child(name), info, value);
}

void ObjectReader::integer(const char* name, std::int64_t& value, const IntegerInfo& info) {
  const Json* json = find(name);
  if (json == nullptr) return;
  std::int64_t x = 0;
  if (!whole_number(*json, x))
    return context_.add_error(child(name), expected("a whole number", *json));
  if (x >= info.min && x <= info.max) {
    value = x;
    return;
  }
  const std::string low = std::to_string(info.min), high = std::to_string(info.max);
  context_.add_error(
      child(name),
      (info.min == info.max ? "must be " + low : "must be between " + low + " and " + high) +
          ", found " + std::to_string(x));
}

void ObjectReader::flag(const char* name, bool& value, const char*) {
  const Json* json = find(name);
  if (json == nullptr) return;
  if (json->is_boolean())
    value = json->get<bool>();
  else
    context_.add_error(child(name), expected("true or false", *json));
}

void ObjectReader::text(const char* name, std::string& value, const char*) {
  const Json* json = find(name);
  if (json == nullptr) return;
  if (json->is_string())
    value = json->get<std::string>();
  else
    context_.add_error(child(name), expected("a string", *json));
}

void ObjectReader::hint(const char* name, const char* meaning) {
  std::string unused;
  text(name, unused, meaning);
}

void ObjectReader::natural(const char* name, std::uint64_t& value, const char*) {
  const Json* json = find(name);
  if (json == nullptr) return;
  std::int64_t x = 0;
  if (whole_number(*json, x) && x >= 0 && static_cast<std::uint64_t>(x) <= kMaxNatural)
    value = static_cast<std::uint64_t>(x);
  else
    context_.add_error(child(name), expected("a whole number from 0 to 2^53", *json));
}

void ObjectReader::natural(const char* name, std::optional<std::uint64_t>& value,
                           const char* meaning) {
  if (find(name) == nullptr) return;
  natural(name, value.emplace(), meaning);
}

std::optional<std::size_t> ObjectReader::find_word(const char* name,
                                                   const std::vector<std::string>& names) {
  const Json* json = find(name);
  if (json == nullptr) return std::nullopt;
  if (!json->is_string()) {
    context_.add_error(child(name), expected("a string", *json));
    return std::nullopt;
  }
  const std::string& word = json->get_ref<const std::string&>();
  const auto found = std::find(names.begin(), names.end(), word);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string none = names.empty() ? "; there are none here" : suggestion(word, names);
  context_.add_error(child(name), std::string("no ") + name + " " + in_quotes(word) + none);
  return std::nullopt;
}

std::optional<int> ObjectReader::find_alternative(const char* name, const AlternativesInfo& info) {
  const Json* json = find(name);
  if (json != nullptr && json->is_string()) {
    for (const Alias& alias : info.aliases) {
      if (json->get_ref<const std::string&>() != alias.name) continue;
      if (context_.dimension == alias.dimension) return alias.index;
      context_.add_error(child(name),
                         in_quotes(alias.name) + " is for " + std::to_string(alias.dimension) +
                             "D scenes; did you mean " + in_quotes(info.names[alias.index]) + "?");
      return std::nullopt;
    }
  }
  const auto found = find_word(name, info.names);
  return found ? std::optional<int>(static_cast<int>(*found)) : std::nullopt;
}

std::vector<std::string> ObjectReader::with_own_names(std::vector<std::string> names,
                                                      const char* own) const {
  if (own == nullptr) return names;
  const auto found = context_.dictionary_keys.find(own);
  if (found != context_.dictionary_keys.end())
    names.insert(names.end(), found->second.begin(), found->second.end());
  return names;
}

void ObjectReader::words(const char* name, std::vector<std::string>& value,
                         const std::vector<std::string>& fixed_names, const char*,
                         const char* own) {
  const std::vector<std::string> names = with_own_names(fixed_names, own);
  const Json* json = find(name);
  if (json == nullptr || !check_list(*json, child(name), {})) return;
  value.clear();
  for (std::size_t i = 0; i < json->size(); ++i) {
    const std::string pointer = child(name) + "/" + std::to_string(i);
    if (!(*json)[i].is_string()) {
      context_.add_error(pointer, expected("a string", (*json)[i]));
      continue;
    }
    const std::string& word = (*json)[i].get_ref<const std::string&>();
    if (std::find(names.begin(), names.end(), word) == names.end())
      context_.add_error(pointer, "no field " + in_quotes(word) + suggestion(word, names));
    else if (std::find(value.begin(), value.end(), word) != value.end())
      context_.add_error(pointer, in_quotes(word) + " is given twice");
    else
      value.push_back(word);
  }
}

bool ObjectReader::check_components(const Json& json, const std::string& pointer) {
  const int d = context_.dimension;
  const std::size_t size = json.is_array() ? json.size() : 0;
  const bool flat = d == 2 && size == 3 && json[2].is_number() && json[2].get<double>() == 0;
  if (d == 2 && size == 3 && !flat) {
    context_.add_error(pointer, "a 2D scene has no z: expected 2 numbers, found 3");
    return false;
  }
  if (size != static_cast<std::size_t>(d) && !flat) {
    const std::string what = "a list of " + std::to_string(d) + " numbers";
    context_.add_error(pointer, expected(what.c_str(), json));
    return false;
  }
  return true;
}

bool ObjectReader::take_vector(const Json& json, const std::string& pointer, const NumberInfo& info,
                               Vec3d& value) {
  if (!check_components(json, pointer)) return false;
  Vec3d result{{0, 0, 0}};
  bool good = true;
  for (int i = 0; i < context_.dimension; ++i)
    good &= take_number(json[i], pointer + "/" + std::to_string(i), info, result[i]);
  if (good) value = result;
  return good;
}

void ObjectReader::vector(const char* name, Vec3d& value, const NumberInfo& info) {
  if (const Json* json = find(name)) take_vector(*json, child(name), info, value);
}

void ObjectReader::vector(const char* name, std::optional<Vec3d>& value, const NumberInfo& info) {
  const Json* json = find(name);
  Vec3d result{};
  if (json != nullptr && take_vector(*json, child(name), info, result)) value = result;
}

void ObjectReader::take_rotation(const Json& json, const std::string& pointer,
                                 const NumberInfo& info, Vec3d& value) {
  if (context_.dimension == 3) {
    take_vector(json, pointer, info, value);
  } else if (json.is_number()) {
    take_number(json, pointer, info, value[2]);
  } else {
    const std::string what = std::string("one number in ") + info.unit + ", about z, in a 2D scene";
    context_.add_error(pointer, expected(what.c_str(), json));
  }
}

void ObjectReader::rotation(const char* name, Vec3d& value, const NumberInfo& info) {
  if (const Json* json = find(name)) take_rotation(*json, child(name), info, value);
}

void ObjectReader::rotation(const char* name, RotationSettings& value, const NumberInfo& info) {
  const Json* json = find(name);
  if (json == nullptr) return;
  value = {};
  if (!json->is_object()) return take_rotation(*json, child(name), info, value.angles);
  if (context_.dimension == 2)
    return context_.add_error(child(name), "a 2D scene has no axes: give one number, about z");
  value.about_axis = true;
  ObjectReader reader(*json, child(name), context_);
  reader.require("axis", "angle");
  reader.vector("axis", value.axis, {});
  reader.number("angle", value.angle, {"", info.unit});
  reader.finish();
  const double length2 = dot(value.axis, value.axis);
  if (!(length2 > 1e-200 && std::isfinite(length2)))
    context_.add_error(child(name) + "/axis", "has no direction");
}

void ObjectReader::corners(const char* low, const char* high, Vec3d& size, Vec3d& center,
                           const NumberInfo& info) {
  const Json* low_json = find(low);
  const Json* high_json = find(high);
  if (low_json == nullptr && high_json == nullptr) return;
  replaced_.push_back("size");
  for (const char* corner : {low, high})
    if (!given(corner)) context_.add_error(pointer_, "missing " + in_quotes(corner));
  for (const char* other : {"size", "center"}) conflict(given(low) ? low : high, other);
  if (low_json == nullptr || high_json == nullptr) return;
  Vec3d a{}, b{};
  const bool good_low = take_vector(*low_json, child(low), info, a);
  if (!take_vector(*high_json, child(high), info, b) || !good_low) return;
  size = center = Vec3d::zero();
  for (int i = 0; i < context_.dimension; ++i) {
    if (!(b[i] > a[i]))
      context_.add_error(child(high) + "/" + std::to_string(i),
                         "must be greater than " + with_unit(number_text(a[i]), info.unit) +
                             ", the value in " + in_quotes(low) + ", found " + number_text(b[i]));
    size[i] = b[i] - a[i];
    center[i] = 0.5 * (a[i] + b[i]);
  }
}

void ObjectReader::interval(const char* name, std::optional<Interval>& value,
                            const NumberInfo& info) {
  const Json* json = find(name);
  if (json == nullptr) return;
  if (!json->is_array() || json->size() != 2)
    return context_.add_error(child(name), expected("a list of 2 numbers, low and high", *json));
  Interval read;
  const bool good = take_number((*json)[0], child(name) + "/0", info, read.low);
  if (!take_number((*json)[1], child(name) + "/1", info, read.high) || !good) return;
  if (!(read.high > read.low))
    return context_.add_error(child(name) + "/1", "must be greater than " + number_text(read.low) +
                                                      ", found " + number_text(read.high));
  value = read;
}

void ObjectReader::color(const char* name, Vec3d& value, const char*) {
  const Json* json = find(name);
  if (json == nullptr) return;
  Vec3d rgb{};
  if (json->is_string() && hex_color(json->get_ref<const std::string&>(), rgb)) {
    value = rgb;
    return;
  }
  if (!json->is_array() || json->size() != 3)
    return context_.add_error(child(name),
                              expected("a colour, \"#rrggbb\" or three numbers", *json));
  bool good = true;
  for (int i = 0; i < 3; ++i)
    good &= take_number((*json)[i], child(name) + "/" + std::to_string(i), {"", "", 0, 1}, rgb[i]);
  if (good) value = rgb;
}

void ObjectReader::color(const char* name, std::optional<Vec3d>& value, const char* meaning) {
  if (!given(name)) return;
  Vec3d rgb{};
  color(name, rgb, meaning);
  value = rgb;
}

void ObjectReader::reference(const char* name, int& index, const char* dictionary, const char*) {
  index = -1;
  const auto found = find_word(name, context_.dictionary_keys[dictionary]);
  if (found) index = static_cast<int>(*found);
}

void ObjectReader::conflict(const char* a, const char* b) {
  if (given(a) && given(b))
    context_.add_error(pointer_, "give " + in_quotes(a) + " or " + in_quotes(b) + ", not both");
}

bool ObjectReader::check_list(const Json& json, const std::string& pointer, const ListInfo& info) {
  if (!json.is_array()) {
    context_.add_error(pointer, expected("a list", json));
    return false;
  }
  if (json.size() < info.min_size) context_.add_error(pointer, "is empty; give at least one");
  return true;
}

bool ObjectReader::check_dictionary(const Json& json, const std::string& pointer,
                                    const ListInfo& info) {
  if (!json.is_object()) {
    context_.add_error(pointer, expected("an object", json));
    return false;
  }
  if (json.size() < info.min_size) context_.add_error(pointer, "is empty; give at least one");
  if (json.contains("")) context_.add_error(pointer, "has an empty name");
  return true;
}

void ObjectReader::finish() {
  for (const std::string& name : required_)
    if (!given(name) && std::find(replaced_.begin(), replaced_.end(), name) == replaced_.end())
      context_.add_error(pointer_, "missing " + in_quotes(name));
  if (!keys_known_) return;
  for (const auto& [key, member] : object_.items())
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
      context_.add_error(child(key), "unknown key" + suggestion(key, known_));
}

}  // namespace firn

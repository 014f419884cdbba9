// Numbers, flags, vectors, intervals and colours.
#include <charconv>
#include <cmath>

#include "scene_io/scene_read_visitor.h"

namespace firn {
namespace {

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

}  // namespace firn

#include "render/point_cloud.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_set>

namespace firn {

namespace {

constexpr Rgb8 kPlainColor{200, 196, 188};

std::string column_list(const PointTable& table) {
  std::string list;
  for (const Column& column : table.columns) list += (list.empty() ? "" : ", ") + column.name;
  return list;
}

std::uint64_t cell_key(const Vec3d& p, double size) {
  std::uint64_t key = 0;
  for (int k = 0; k < 3; ++k)
    key = key << 21 | static_cast<std::uint64_t>(
                          std::clamp(std::floor(p[k] / size) + 0x100000, 0.0, 2097151.0));
  return key;
}

std::vector<Vec3d> finite_positions(const PointTable& table) {
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  std::vector<Vec3d> places;
  places.reserve(x.size());
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
    const Vec3d p{{x[i], y[i], i < z.size() ? z[i] : 0}};
    if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) places.push_back(p);
  }
  return places;
}

// Volume (3D) or area (2D) of a particle: that of the occupied cells of a coarse grid, shared.
double space_per_point(const std::vector<Vec3d>& places, const Bounds& box, int dimension) {
  double space = 1;
  for (int k = 0; k < dimension; ++k) space *= std::max(box.high[k] - box.low[k], 1e-9);
  double share = space / static_cast<double>(places.size());
  // Cells of some 16 points if all of the box were filled; smaller ones once the filled part is
  // known.
  for (int round = 0; round < 2; ++round) {
    const double cell = std::pow(16 * share, 1.0 / dimension);
    std::unordered_set<std::uint64_t> cells;
    for (const Vec3d& p : places) cells.insert(cell_key(p - box.low, cell));
    share = std::min(share, static_cast<double>(cells.size()) * std::pow(cell, dimension) /
                                static_cast<double>(places.size()));
  }
  return share;
}

}  // namespace

int category_of(float value) {
  return std::abs(value) < 1e6f ? static_cast<int>(value) : -1;  // also for what is no number
}

bool is_categorical(const std::string& by) {
  return by == "material" || by == "species" || by == "yield_case";
}

const ColorScale& legend_scale(const ColorChoice& choice) {
  for (const ColorPart& part : choice.parts)
    if (choice.by == "color" && part.by != "color") return part;
  return choice;
}

std::vector<std::uint32_t> members_of(const PointTable& table, const ColorPart& part) {
  std::vector<std::uint32_t> members;
  const auto add_if = [&](std::size_t count, auto&& inside) {
    for (std::size_t i = 0; i < count; ++i)
      if (inside(i)) members.push_back(static_cast<std::uint32_t>(i));
  };
  if (part.object < 0) {
    const auto material = table.as<std::int32_t>("material");
    add_if(material.size(), [&](std::size_t i) { return material[i] == part.material; });
    return members;
  }
  const auto ends = table.metadata.find("objects");
  if (ends == table.metadata.end()) return members;
  std::uint64_t low = 0, high = 0;
  const char* at = ends->second.c_str();
  for (int object = 0; object <= part.object; ++object) {
    char* end = nullptr;
    low = high;
    high = std::strtoull(at, &end, 10);
    if (end == at) return members;
    at = *end == ',' ? end + 1 : end;
  }
  const auto id = table.as<std::uint32_t>("id");
  add_if(id.size(), [&](std::size_t i) { return id[i] >= low && id[i] < high; });
  return members;
}

Result<std::vector<float>> color_values(const PointTable& table, const std::string& by) {
  if (table.has(by)) return table.as_float(by);
  if ((by == "speed" || by == "velocity") && table.has("vx")) {
    std::vector<float> squared(table.count, 0.0f);
    for (const char* name : {"vx", "vy", "vz"}) {
      const std::vector<float> v = table.as_float(name);
      for (std::size_t i = 0; i < v.size(); ++i) squared[i] += v[i] * v[i];
    }
    for (float& s : squared) s = std::sqrt(s);
    return squared;
  }
  return Result<std::vector<float>>::failure(
      "cannot colour by \"" + by + "\": the frames carry " + column_list(table) +
      "; name it in /output/fields of the scene and run that again");
}

ValueRange robust_value_range(const std::vector<float>& values) {
  const std::size_t step = std::max<std::size_t>(1, values.size() / 200000);
  std::vector<float> sample;
  for (std::size_t i = 0; i < values.size(); i += step)
    if (std::isfinite(values[i])) sample.push_back(values[i]);
  if (sample.empty()) return {};
  std::sort(sample.begin(), sample.end());
  const auto last = static_cast<double>(sample.size() - 1);
  return {sample[static_cast<std::size_t>(0.01 * last)],
          sample[static_cast<std::size_t>(std::ceil(0.99 * last))]};
}

void fit_part(const PointTable& table, ColorPart& part) {
  if (!part.fits || part.by == "color" || is_categorical(part.by)) return;
  const Result<std::vector<float>> values = color_values(table, part.by);
  if (!values) return;
  std::vector<float> own;
  for (const std::uint32_t i : members_of(table, part)) own.push_back((*values)[i]);
  if (own.empty()) return;
  const ValueRange range = robust_value_range(own);
  const bool fresh = part.automatic();
  part.low = fresh ? range.low : std::min(part.low, range.low);
  part.high = fresh ? range.high : std::max(part.high, range.high);
  if (part.automatic()) part.high = part.low + std::max(1e-6, 1e-3 * std::abs(part.low));
}

namespace {

Result<std::vector<Rgb8>> scale_colors(const PointTable& table, const ColorScale& choice) {
  std::vector<Rgb8> colors(table.count, kPlainColor);
  if (choice.by == "color") {
    const auto *r = table.get<std::uint8_t>("red"), *g = table.get<std::uint8_t>("green"),
               *b = table.get<std::uint8_t>("blue");
    if (r && g && b) {
      for (std::size_t i = 0; i < table.count; ++i) colors[i] = {(*r)[i], (*g)[i], (*b)[i]};
      return colors;
    }
    if (!table.has("material")) return colors;
  }
  const std::string by = choice.by == "color" ? "material" : choice.by;
  const Result<std::vector<float>> values = color_values(table, by);
  if (!values) return values.errors();
  const auto low = static_cast<float>(choice.low);
  const float scale = 1 / std::max(static_cast<float>(choice.high) - low, 1e-30f);
  for (std::size_t i = 0; i < table.count; ++i) {
    const float value = (*values)[i];
    if (is_categorical(by))
      colors[i] = category_color(category_of(value));
    else if (std::isfinite(value))
      colors[i] = scale_color((value - low) * scale, choice.map);
  }
  return colors;
}

}  // namespace

Result<std::vector<Rgb8>> point_colors(const PointTable& table, const ColorChoice& choice) {
  Result<std::vector<Rgb8>> colors = scale_colors(table, choice);
  if (!colors) return colors;
  for (const ColorPart& part : choice.parts) {
    const Result<std::vector<Rgb8>> own = scale_colors(table, part);
    if (!own) return own.errors();
    for (const std::uint32_t i : members_of(table, part)) (*colors)[i] = (*own)[i];
  }
  return colors;
}

double estimate_radius(const PointTable& table, int dimension) {
  double share = 0;
  const std::vector<double> volumes = table.as_double("volume");
  double sum = 0;
  for (const double v : volumes) sum += std::isfinite(v) && v > 0 ? v : 0;
  if (sum > 0) {
    share = sum / static_cast<double>(volumes.size());
  } else {
    const std::vector<Vec3d> places = finite_positions(table);
    if (places.empty()) return 0.01;
    share = space_per_point(places, robust_bounds(table), dimension);
  }
  return kSphereOverlap * 0.5 * std::pow(share, 1.0 / dimension);
}

Result<PointCloud> make_point_cloud(const PointTable& table, const Vec3d& origin, double radius,
                                    const ColorChoice& choice) {
  if (table.count > 0 && (!table.has("x") || !table.has("y")))
    return Result<PointCloud>::failure("no positions: the frame carries " + column_list(table));
  const Result<std::vector<Rgb8>> colors = point_colors(table, choice);
  if (!colors) return colors.errors();
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  PointCloud cloud;
  cloud.origin = origin;
  cloud.points.reserve(table.count);
  cloud.colors.reserve(table.count);
  for (std::size_t i = 0; i < table.count; ++i) {
    const Vec3d p = Vec3d{{x[i], y[i], z.empty() ? 0 : z[i]}} - origin;
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) continue;
    cloud.points.push_back({p.cast<float>(), static_cast<float>(radius)});
    cloud.colors.push_back((*colors)[i]);
  }
  return cloud;
}

}  // namespace firn

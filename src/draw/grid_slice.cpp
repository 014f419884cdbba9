#include "draw/grid_slice.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace firn {

namespace {

constexpr std::size_t kMostNodes = 64'000'000;
using Made = Result<GridSlice>;

// Weight of a node at a distance counted in cells, the kernels of the solver.
double weight_at(KernelKind kernel, double distance) {
  const double d = std::abs(distance);
  switch (kernel) {
    case KernelKind::linear:
      return d < 1 ? 1 - d : 0;
    case KernelKind::quadratic:
      if (d < 0.5) return 0.75 - d * d;
      return d < 1.5 ? 0.5 * (1.5 - d) * (1.5 - d) : 0;
    case KernelKind::cubic:
      if (d < 1) return 0.5 * d * d * d - d * d + 2.0 / 3;
      return d < 2 ? (2 - d) * (2 - d) * (2 - d) / 6 : 0;
  }
  return 0;
}

int component_of(const std::string& field) {
  if (field == "velocity_x") return 0;
  if (field == "velocity_y") return 1;
  return field == "velocity_z" ? 2 : -1;
}

// What is summed at a node.
struct NodeSum {
  double mass = 0;
  Vec3d value{{0, 0, 0}};  // times mass
};

class Slicer {
 public:
  Slicer(const PointTable& table, const GridSliceOptions& options)
      : table_(table),
        options_(options),
        position_{table.as_double("x"), table.as_double("y"), table.as_double("z")} {
    if (position_[2].empty()) position_[2].assign(table.count, 0);
    mass_ = table.as_double("mass");
    if (mass_.empty()) mass_.assign(table.count, 1);
  }

  Made run() {
    const std::string missing = take_values();
    if (!missing.empty()) return Made::failure(missing);
    const int axis = options_.dimension == 2 ? 2 : options_.axis;
    slice_.axis = axis;
    slice_.u = axis == 0 ? 1 : 0;
    slice_.v = axis == 2 ? 1 : 2;
    slice_.spacing = options_.spacing;
    layer_ = std::round(options_.position / options_.spacing);
    const std::string problem = measure();
    if (!problem.empty()) return Made::failure(problem);
    sums_.resize(std::size_t(slice_.width) * slice_.height);
    for (std::size_t p = 0; p < table_.count; ++p) scatter(p);
    fill_values();
    return std::move(slice_);
  }

 private:
  // The columns of the field; gives what the frames lack.
  std::string take_values() {
    const std::string& field = options_.field;
    if (field.starts_with("velocity")) {
      const char* names[] = {"vx", "vy", "vz"};
      for (int k = 0; k < 3; ++k) value_[k] = table_.as_double(names[k]);
      if (value_[0].empty()) return "the frames carry no velocity; add it to /output/fields";
    } else if (field == "pressure") {
      value_[0] = table_.as_double("pressure");
      if (value_[0].empty()) return "the frames carry no pressure; add it to /output/fields";
    }
    for (auto& values : value_)
      if (values.empty()) values.assign(table_.count, 0);
    return "";
  }

  // Distance of a particle from the layer in cells; 0 in flat scenes.
  double across(std::size_t p) const {
    if (options_.dimension == 2) return 0;
    return position_[slice_.axis][p] / options_.spacing - layer_;
  }
  bool takes_part(std::size_t p) const {
    return std::isfinite(position_[0][p] + position_[1][p] + position_[2][p] + mass_[p]) &&
           (options_.dimension == 2 || weight_at(options_.kernel, across(p)) > 0);
  }

  std::string measure() {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    const int axes[2] = {slice_.u, slice_.v};
    for (std::size_t p = 0; p < table_.count; ++p) {
      if (!takes_part(p)) continue;
      for (int a = 0; a < 2; ++a) {
        low[a] = std::min(low[a], std::floor(position_[axes[a]][p] / options_.spacing));
        high[a] = std::max(high[a], std::ceil(position_[axes[a]][p] / options_.spacing));
      }
    }
    if (!(low[0] <= high[0])) return "";  // nothing there: an empty slice
    const double width = high[0] - low[0] + 5, height = high[1] - low[1] + 5;
    if (width * height > static_cast<double>(kMostNodes))
      return "particles have flown too far apart for a slice of the grid";
    slice_.width = static_cast<int>(width);
    slice_.height = static_cast<int>(height);
    for (int a = 0; a < 2; ++a) first_[a] = low[a] - 2;
    slice_.origin[slice_.u] = first_[0] * options_.spacing;
    slice_.origin[slice_.v] = first_[1] * options_.spacing;
    slice_.origin[slice_.axis] = options_.dimension == 2 ? 0 : layer_ * options_.spacing;
    return "";
  }

  void scatter(std::size_t p) {
    if (!takes_part(p)) return;
    const double through = options_.dimension == 2 ? 1 : weight_at(options_.kernel, across(p));
    const double s = position_[slice_.u][p] / options_.spacing - first_[0];
    const double t = position_[slice_.v][p] / options_.spacing - first_[1];
    const int i0 = static_cast<int>(std::floor(s)), j0 = static_cast<int>(std::floor(t));
    for (int j = j0 - 1; j <= j0 + 2; ++j)
      for (int i = i0 - 1; i <= i0 + 2; ++i) {
        const double w =
            through * weight_at(options_.kernel, s - i) * weight_at(options_.kernel, t - j);
        if (w == 0) continue;
        NodeSum& node = sums_[std::size_t(j) * slice_.width + i];
        node.mass += w * mass_[p];
        for (int k = 0; k < 3; ++k) node.value[k] += w * mass_[p] * value_[k][p];
      }
  }

  void fill_values() {
    const int component = component_of(options_.field);
    const double cell = std::pow(options_.spacing, options_.dimension);
    slice_.values.resize(sums_.size());
    slice_.low = INFINITY, slice_.high = -INFINITY;
    for (std::size_t n = 0; n < sums_.size(); ++n) {
      const NodeSum& node = sums_[n];
      double value = NAN;
      if (node.mass > 0) {
        const Vec3d mean = node.value * (1 / node.mass);
        if (options_.field == "mass")
          value = node.mass;
        else if (options_.field == "density")
          value = node.mass / cell;
        else if (options_.field == "pressure")
          value = mean[0];
        else
          value = component >= 0 ? mean[component] : std::sqrt(dot(mean, mean));
        slice_.low = std::min(slice_.low, value);
        slice_.high = std::max(slice_.high, value);
      }
      slice_.values[n] = static_cast<float>(value);
    }
    if (!(slice_.low <= slice_.high)) slice_.low = slice_.high = 0;
  }

  const PointTable& table_;
  const GridSliceOptions& options_;
  std::vector<double> position_[3], mass_, value_[3];
  double layer_ = 0;
  double first_[2] = {0, 0};  // node numbers of node (0, 0)
  std::vector<NodeSum> sums_;
  GridSlice slice_;
};

}  // namespace

const std::vector<std::string>& grid_field_names() {
  static const std::vector<std::string> names = {
      "mass", "density", "velocity", "velocity_x", "velocity_y", "velocity_z", "pressure"};
  return names;
}

Result<GridSlice> make_grid_slice(const PointTable& table, const GridSliceOptions& options) {
  const auto& names = grid_field_names();
  if (std::find(names.begin(), names.end(), options.field) == names.end()) {
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    return Made::failure("no grid field \"" + options.field + "\"; there are " + known);
  }
  if (!(options.spacing > 0) || options.axis < 0 || options.axis > 2)
    return Made::failure("a slice needs a spacing above 0 and an axis of 0, 1 or 2");
  if (table.count > 0 && (!table.has("x") || !table.has("y")))
    return Made::failure("the frame carries no positions");
  return Slicer(table, options).run();
}

SlicePicture picture_of(const GridSlice& slice, double low, double high, ColorMap map) {
  SlicePicture picture;
  picture.width = slice.width;
  picture.height = slice.height;
  picture.rgba.resize(4 * slice.values.size());
  const double scale = 1 / std::max(high - low, 1e-300);
  for (std::size_t n = 0; n < slice.values.size(); ++n) {
    if (!std::isfinite(slice.values[n])) continue;
    const Rgb8 c = scale_color(static_cast<float>((slice.values[n] - low) * scale), map);
    std::uint8_t* to = &picture.rgba[4 * n];
    to[0] = c.r, to[1] = c.g, to[2] = c.b, to[3] = 255;
  }
  // A pixel is the cell around its node.
  picture.corner = slice.origin;
  picture.corner[slice.u] -= 0.5 * slice.spacing;
  picture.corner[slice.v] -= 0.5 * slice.spacing;
  picture.along_width = picture.along_height = Vec3d::zero();
  picture.along_width[slice.u] = slice.width * slice.spacing;
  picture.along_height[slice.v] = slice.height * slice.spacing;
  return picture;
}

}  // namespace firn

#include "draw/grid_slice.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/spectrum.h"
#include "render/point_cloud.h"
#include "scene/particle_sets.h"

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

// In the order of grid_quantity_names().
enum class Quantity { mass, density, velocity, pressure, phi, pressure_gradient };

bool is_vector(Quantity quantity) {
  return quantity == Quantity::velocity || quantity == Quantity::pressure_gradient;
}

// A name of grid_field_names(), taken apart.
struct SlicedField {
  Quantity quantity = Quantity::mass;
  int component = -1;  // of a vector; -1: its length
  bool absolute = false;
};

SlicedField taken_apart(std::string name) {
  SlicedField field;
  field.absolute = name.starts_with("abs_");
  if (field.absolute) name.erase(0, 4);
  const std::size_t end = name.size();
  if (end > 2 && name[end - 2] == '_' && name[end - 1] >= 'x' && name[end - 1] <= 'z') {
    field.component = name[end - 1] - 'x';
    name.resize(end - 2);
  }
  const auto& names = grid_quantity_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) field.quantity = static_cast<Quantity>(found - names.begin());
  return field;
}

// What is summed at a node.
struct NodeSum {
  double mass = 0;
  Vec3d value{{0, 0, 0}};  // times mass
};

// For the slope of a value around a node: places relative to it, in cells, times mass.
struct SlopeSum {
  Vec3d place{{0, 0, 0}}, place_value{{0, 0, 0}};
  double square[6] = {};  // xx, yy, zz, xy, xz, yz
};

// Of the plane that fits the values best, weighted by mass, by cell: exact for values that are
// linear in space, also at walls and surfaces. Not a number where particles lie in a row.
Vec3d slope_of(const NodeSum& sum, const SlopeSum& slope, int dimension) {
  constexpr double kLeastSpread = 1e-3;  // cells^2; two rows of particles have twenty times that
  static constexpr int kRow[6] = {0, 1, 2, 0, 0, 1}, kColumn[6] = {0, 1, 2, 1, 2, 2};
  const double share = 1 / sum.mass;
  const Vec3d mean = slope.place * share;
  SymMat<double, 3> spread;
  for (int k = 0; k < 6; ++k)
    spread(kRow[k], kColumn[k]) = slope.square[k] * share - mean[kRow[k]] * mean[kColumn[k]];
  if (dimension == 2) spread(2, 2) = 1;  // nothing rises along z
  const Vec3d rise = slope.place_value * share - mean * (sum.value[0] * share);
  const Spectrum<double, 3> found = spectrum(spread);
  Vec3d result = Vec3d::zero();
  for (int k = 0; k < 3; ++k) {
    if (!(found.eigenvalue[k] > kLeastSpread)) return Vec3d::fill(NAN);
    Vec3d axis;
    for (int i = 0; i < 3; ++i) axis[i] = found.axes(i, k);
    result += axis * (dot(axis, rise) / found.eigenvalue[k]);
  }
  return result;
}

class Slicer {
 public:
  Slicer(const PointTable& table, const GridSliceOptions& options)
      : table_(table),
        options_(options),
        field_(taken_apart(options.field)),
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
    if (is_gradient()) slopes_.resize(sums_.size());
    for (std::size_t p = 0; p < table_.count; ++p) scatter(p);
    fill_values();
    return std::move(slice_);
  }

 private:
  // The columns of the field; gives what the frames lack.
  std::string take_values() {
    const auto take = [&](int k, const char* column) {
      value_[k] = table_.as_double(column);
      return !value_[k].empty() || table_.count == 0;
    };
    const auto lacks = [](const std::string& what) {
      return "the frames carry no " + what + "; add it to /output/fields";
    };
    if (field_.quantity == Quantity::velocity) {
      if (!take(0, "vx")) return lacks("velocity");
      take(1, "vy");
      take(2, "vz");
    } else if (field_.quantity == Quantity::phi) {
      if (!take(0, "phi")) return lacks("phi");
    } else if (field_.quantity == Quantity::pressure || is_gradient()) {
      if (!take(0, "pressure")) return lacks("pressure");
    }
    for (auto& values : value_)
      if (values.empty()) values.assign(table_.count, 0);
    if (options_.species.numbers.empty()) return "";
    if (table_.count > 0 && !table_.has("species")) return lacks("species");
    species_ = table_.as_double("species");
    return "";
  }

  bool is_gradient() const { return field_.quantity == Quantity::pressure_gradient; }
  bool counts(std::size_t p) const {
    const std::vector<int>& wanted = options_.species.numbers;
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), species_[p]) != wanted.end();
  }

  // Distance of a particle from the layer in cells; 0 in flat scenes.
  double across(std::size_t p) const {
    if (options_.dimension == 2) return 0;
    return position_[slice_.axis][p] / options_.spacing - layer_;
  }
  bool takes_part(std::size_t p) const {
    return counts(p) &&
           std::isfinite(position_[0][p] + position_[1][p] + position_[2][p] + mass_[p]) &&
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
    const double most = static_cast<double>(is_gradient() ? kMostNodes / 4 : kMostNodes);
    if (width * height > most) return "particles have flown too far apart for a slice of the grid";
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
        const std::size_t n = std::size_t(j) * slice_.width + i;
        NodeSum& node = sums_[n];
        node.mass += w * mass_[p];
        for (int k = 0; k < 3; ++k) node.value[k] += w * mass_[p] * value_[k][p];
        if (!is_gradient()) continue;
        Vec3d place = Vec3d::zero();
        place[slice_.axis] = across(p);
        place[slice_.u] = s - i;
        place[slice_.v] = t - j;
        add_slope(slopes_[n], place, w * mass_[p], value_[0][p]);
      }
  }
  static void add_slope(SlopeSum& sum, const Vec3d& x, double weight, double value) {
    const double squares[6] = {x[0] * x[0], x[1] * x[1], x[2] * x[2],
                               x[0] * x[1], x[0] * x[2], x[1] * x[2]};
    sum.place += x * weight;
    sum.place_value += x * (weight * value);
    for (int k = 0; k < 6; ++k) sum.square[k] += weight * squares[k];
  }

  double value_at(std::size_t n) const {
    const NodeSum& node = sums_[n];
    if (!(node.mass > 0)) return NAN;
    if (field_.quantity == Quantity::mass) return node.mass;
    if (field_.quantity == Quantity::density)
      return node.mass / std::pow(options_.spacing, options_.dimension);
    const Vec3d mean = node.value * (1 / node.mass);
    if (!is_vector(field_.quantity)) return mean[0];
    const Vec3d vector =
        is_gradient() ? slope_of(node, slopes_[n], options_.dimension) * (1 / options_.spacing)
                      : mean;
    if (field_.component < 0) return std::sqrt(dot(vector, vector));
    const double part = vector[field_.component];
    return field_.absolute ? std::abs(part) : part;
  }

  void fill_values() {
    slice_.values.resize(sums_.size());
    slice_.low = INFINITY, slice_.high = -INFINITY;
    for (std::size_t n = 0; n < sums_.size(); ++n) {
      const double value = value_at(n);
      slice_.values[n] = static_cast<float>(value);
      if (std::isnan(value)) continue;
      slice_.low = std::min(slice_.low, value);
      slice_.high = std::max(slice_.high, value);
    }
    if (!(slice_.low <= slice_.high)) slice_.low = slice_.high = 0;
    if (!is_gradient()) return;
    // Spray, where few particles make a slope, would have the colours for itself.
    const ValueRange range = robust_value_range(slice_.values);
    slice_.low = range.low;
    slice_.high = range.high;
  }

  const PointTable& table_;
  const GridSliceOptions& options_;
  SlicedField field_;
  std::vector<double> position_[3], mass_, value_[3], species_;
  double layer_ = 0;
  double first_[2] = {0, 0};  // node numbers of node (0, 0)
  std::vector<NodeSum> sums_;
  std::vector<SlopeSum> slopes_;  // of a gradient, else empty
  GridSlice slice_;
};

}  // namespace

const std::vector<std::string>& grid_quantity_names() {
  static const std::vector<std::string> names = {"mass",     "density", "velocity",
                                                 "pressure", "phi",     "pressure_gradient"};
  return names;
}

bool is_vector_quantity(const std::string& quantity) {
  return quantity == "velocity" || quantity == "pressure_gradient";
}

const std::vector<std::string>& vector_part_names() {
  static const std::vector<std::string> names = {"length", "x", "y", "z", "|x|", "|y|", "|z|"};
  return names;
}

std::string grid_field_name(const std::string& quantity, int part) {
  if (!is_vector_quantity(quantity) || part <= 0) return quantity;
  return (part > 3 ? "abs_" : "") + quantity + "_" + "xyz"[(part - 1) % 3];
}

const std::vector<std::string>& grid_field_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const std::string& quantity : grid_quantity_names()) {
      const std::size_t parts = is_vector_quantity(quantity) ? vector_part_names().size() : 1;
      for (std::size_t part = 0; part < parts; ++part)
        all.push_back(grid_field_name(quantity, static_cast<int>(part)));
    }
    return all;
  }();
  return names;
}

SliceSpecies slice_species(const SceneSettings& scene, const std::string& field,
                           const std::string& name) {
  const std::vector<std::string> names = species_names(scene);
  SliceSpecies species{name, {}};
  const auto add = [&](const std::string& wanted) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (names.size() > 1 && found != names.end())
      species.numbers.push_back(static_cast<int>(found - names.begin()));
  };
  if (!name.empty())
    add(name);
  else if (scene.porous && taken_apart(field).quantity == Quantity::pressure_gradient)
    for (const PorousPair& pair : scene.porous->pairs) add(pair.fluid);
  return species;
}

std::vector<std::string> slice_output_fields(const GridSliceOptions& options) {
  std::vector<std::string> fields = {"mass"};
  const Quantity quantity = taken_apart(options.field).quantity;
  if (quantity == Quantity::pressure || quantity == Quantity::pressure_gradient)
    fields.push_back("pressure");
  if (quantity == Quantity::velocity) fields.push_back("velocity");
  if (quantity == Quantity::phi) fields.push_back("phi");
  if (!options.species.numbers.empty()) fields.push_back("species");
  return fields;
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

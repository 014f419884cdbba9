// Shapes made of others: set operations, sampled distances, and moved copies.
#include <algorithm>
#include <cmath>
#include <limits>

#include "exec/parallel.h"
#include "geometry/shape.h"

namespace firn {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

Bounds common(const Bounds& a, const Bounds& b) {
  Bounds r = a;
  for (int i = 0; i < 3; ++i) {
    r.low[i] = std::max(a.low[i], b.low[i]);
    r.high[i] = std::max(r.low[i], std::min(a.high[i], b.high[i]));
  }
  return r;
}

Bounds box_of(const Shape& part) {
  if (is_bounded(part)) return bounding_box(part);
  return {Vec3d::fill(-kEndless), Vec3d::fill(kEndless)};
}

Bounds compound_box(SetOperation operation, const std::vector<Shape>& parts) {
  Bounds box = box_of(parts[0]);
  if (operation == SetOperation::subtract) return box;
  for (std::size_t i = 1; i < parts.size(); ++i)
    box = operation == SetOperation::unite ? united(box, box_of(parts[i]))
                                           : common(box, box_of(parts[i]));
  return box;
}

// What a compound or a moved shape points to.
struct Parts {
  std::vector<PlainShape> plain;
  std::vector<std::shared_ptr<const void>> kept;
};

void attach(Shape& shape, std::shared_ptr<Parts> parts) {
  shape.parts = parts->plain.data();
  shape.part_count = static_cast<int>(parts->plain.size());
  shape.keeps = std::move(parts);
}

// Share of a cell that lies inside, from the distance at its centre.
double share_of_cell(const PlainShape& shape, const Vec3d& center, double cell) {
  const DistanceAndNormal d = detail::local_distance(shape, center);
  double width = 0;
  for (int i = 0; i < shape.dimension; ++i) width += std::abs(d.normal[i]);
  const double distance = depth_within(shape, center, cell);
  return clamp(0.5 - distance / (cell * std::max(width, 1e-6)), 0.0, 1.0);
}

// Volume by counting cells, cut ones in part. Cubes that the surface does not touch count whole.
class VolumeCounter {
 public:
  explicit VolumeCounter(const PlainShape& shape) : shape_(shape) {
    const Vec3d half = half_extents(shape);
    double longest = 0;
    for (int i = 0; i < shape.dimension; ++i) longest = std::max(longest, 2 * half[i]);
    cell_ = longest / (shape.dimension == 3 ? 96 : 512);
    for (int i = 0; i < 3; ++i) {
      cubes_[i] = 1;
      if (i < shape.dimension)
        cubes_[i] = std::max(1, static_cast<int>(std::ceil(2 * half[i] / (kCube * cell_))));
      low_[i] = i < shape.dimension ? -0.5 * cubes_[i] * kCube * cell_ : 0;
    }
  }

  double count() const {
    if (!(cell_ > 0)) return 0;
    const std::int64_t n = std::int64_t(cubes_[0]) * cubes_[1] * cubes_[2];
    std::vector<double> found(static_cast<std::size_t>(n));
    parallel_for("volume of a shape", n, 16, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) found[i] = cells_of_cube(i);
    });
    double total = 0;
    for (const double cells : found) total += cells;
    return total * std::pow(cell_, shape_.dimension);
  }

 private:
  static constexpr int kCube = 8;

  double cells_of_cube(std::int64_t number) const {
    const int d = shape_.dimension;
    const int at[3] = {static_cast<int>(number % cubes_[0]),
                       static_cast<int>(number / cubes_[0] % cubes_[1]),
                       static_cast<int>(number / cubes_[0] / cubes_[1])};
    Vec3d corner = low_, middle = low_;
    for (int i = 0; i < d; ++i) {
      corner[i] += at[i] * kCube * cell_;
      middle[i] = corner[i] + 0.5 * kCube * cell_;
    }
    const double whole = std::pow(kCube, d), reach = 0.5 * kCube * cell_ * std::sqrt(double(d));
    const double distance = detail::local_distance(shape_, middle).distance;
    if (distance > reach) return 0;
    if (distance < -reach) return whole;
    double cells = 0;
    for (int c = 0; c < static_cast<int>(whole); ++c) {
      Vec3d x = corner;
      for (int i = 0, rest = c; i < d; ++i, rest /= kCube) x[i] += (rest % kCube + 0.5) * cell_;
      cells += share_of_cell(shape_, x, cell_);
    }
    return cells;
  }

  const PlainShape& shape_;
  double cell_ = 0;
  int cubes_[3];
  Vec3d low_;
};

void scale_sizes(PlainShape& shape, double scale) {
  shape.size *= scale;
  shape.scale *= scale;
  shape.reach *= scale;
  if (shape.measure != kUnmeasured) shape.measure *= std::pow(scale, shape.dimension);
}

// A compound's parts are scaled with it, however deep.
void scale_parts(Shape& shape, double scale) {
  auto scaled = std::make_shared<Parts>();
  scaled->kept.push_back(shape.keeps);
  for (int i = 0; i < shape.part_count; ++i) {
    Shape part{shape.parts[i], nullptr};
    part = transformed(part, Mat<double, 3>::identity(), scale, {{0, 0, 0}});
    scaled->kept.push_back(part.keeps);
    scaled->plain.push_back(part);
  }
  attach(shape, std::move(scaled));
}

}  // namespace

Shape measured(Shape shape) {
  if (shape.measure == kUnmeasured && is_bounded(shape)) shape.measure = counted_volume(shape);
  return shape;
}

double counted_volume(const PlainShape& shape) {
  return VolumeCounter(shape).count();
}

int levels(const PlainShape& shape) {
  if (shape.kind != ShapeKind::compound) return 0;
  int most = 0;
  for (int i = 0; i < shape.part_count; ++i) most = std::max(most, levels(shape.parts[i]));
  return most + 1;
}

double depth_within(const PlainShape& shape, const Vec3d& p, double least) {
  const DistanceAndNormal d = detail::local_distance(shape, p);
  if (shape.kind != ShapeKind::compound || d.distance > 0 || d.distance <= -least)
    return d.distance;
  const Vec3d beyond = p + d.normal * (0.05 * least - d.distance);
  const bool seam = detail::local_distance(shape, beyond).distance < 0;
  return seam ? -least : d.distance;
}

Shape make_compound(SetOperation operation, std::vector<Shape> parts, int dimension) {
  Shape shape;
  shape.kind = ShapeKind::compound;
  shape.operation = operation;
  shape.dimension = dimension;
  const Bounds box = compound_box(operation, parts);
  const bool endless = !(std::abs(box.low[0]) < kEndless && std::abs(box.high[0]) < kEndless &&
                         std::abs(box.low[1]) < kEndless && std::abs(box.high[1]) < kEndless);
  shape.center = endless ? Vec3d::zero() : (box.low + box.high) * 0.5;
  shape.size = endless ? Vec3d::fill(kEndless) : (box.high - box.low) * 0.5;
  auto held = std::make_shared<Parts>();
  for (Shape& part : parts) {
    part.center -= shape.center;
    if (part.kind < ShapeKind::field && is_bounded(part)) part.reach = bounding_radius(part);
    shape.steepness = std::max(shape.steepness, part.steepness);
    held->kept.push_back(part.keeps);
    held->plain.push_back(part);
  }
  attach(shape, std::move(held));
  shape.measure = kUnmeasured;
  return shape;
}

Shape make_blend(const Shape& from, const Shape& to, double share) {
  Shape shape = make_compound(SetOperation::unite, {from, to}, from.dimension);
  shape.operation = SetOperation::blend;
  shape.share = share;
  return shape;
}

Shape make_field_shape(std::shared_ptr<const DistanceField> field, double scale, double thickness,
                       int dimension) {
  Shape shape;
  const Bounds box = field->bounds();
  shape.kind = ShapeKind::field;
  shape.steepness = kSteepnessOfSamples;
  shape.dimension = dimension;
  shape.field = field->view();
  shape.scale = scale;
  shape.field_origin = (box.low + box.high) * 0.5;
  shape.size = (box.high - box.low) * (0.5 * scale);
  shape.measure = field->volume() * std::pow(scale, field->view().dimension);
  shape.keeps = field;
  if (dimension == 2 || field->view().dimension == 3) {
    shape.center = shape.field_origin * scale;
    return shape;
  }
  if (thickness > 0) {
    shape.kind = ShapeKind::extruded;
    shape.size[2] = 0.5 * thickness;
    shape.measure *= thickness;
    shape.center = {{shape.field_origin[0] * scale, shape.field_origin[1] * scale, 0}};
    return shape;
  }
  // Turned about x = 0 of the field; what lies at x < 0 of it takes no part.
  shape.kind = ShapeKind::revolved;
  shape.field_origin[0] = 0;
  shape.size[0] = shape.size[2] = std::max(0.0, box.high[0]) * scale;
  shape.center = {{0, shape.field_origin[1] * scale, 0}};
  shape.measure = kUnmeasured;
  return shape;
}

Shape transformed(const Shape& shape, const Mat<double, 3>& rotation, double scale,
                  const Vec3d& translation) {
  Shape moved = shape;
  moved.center = rotation * shape.center * scale + translation;
  moved.rotation = rotation * shape.rotation;
  if (scale == 1) return moved;
  scale_sizes(moved, scale);
  if (shape.kind == ShapeKind::compound) scale_parts(moved, scale);
  return moved;
}

}  // namespace firn

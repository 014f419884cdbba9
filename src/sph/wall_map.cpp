#include "sph/wall_map.h"

#include <cmath>
#include <optional>

#include "sph/smoothing.h"

namespace firn {
namespace {

// A kernel cut into small cubes, as wide as samples are apart, and how much of it each holds.
template <int D>
struct KernelCubes {
  static constexpr int kHalf = D == 2 ? 8 : 4;  // along the radius
  static constexpr int kAlong = 2 * kHalf;
  static constexpr int kDeep = D == 2 ? 1 : kAlong;
  std::vector<double> held;

  explicit KernelCubes(SmoothingKind kind) {
    constexpr int kFiner = 4;
    with_smoothing<D>(kind, [&](auto kernel) {
      double sum = 0;
      for_cubes(kAlong, [&](const Vec3d& cube) {
        double here = 0;
        for_cubes(kFiner, [&](const Vec3d& part) {
          const Vec3d x = (cube + part / double(kFiner)) / double(kHalf);
          here += kernel.value(std::sqrt(dot(x, x)));
        });
        held.push_back(here);
        sum += here;
      });
      for (double& here : held) here /= sum;
    });
  }

 private:
  // f(middle) of n cubes of width 1 along each axis about 0, x first.
  template <class F>
  static void for_cubes(int n, const F& f) {
    const auto middle = [&](int i) { return i + 0.5 - 0.5 * n; };
    for (int z = 0; z < (D == 3 ? n : 1); ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) f(Vec3d{{middle(x), middle(y), D == 3 ? middle(z) : 0}});
  }
};

// Shares of kernels about samples that lie in a row or a block: how much of each small cube is
// solid is found once for a block of them.
template <int D>
class SolidShares {
  using Cubes = KernelCubes<D>;

 public:
  SolidShares(const PlainShape& solid, const Cubes& cubes, double width)
      : solid_(solid), cubes_(cubes), width_(width) {}

  double at(const Vec3d& x) {
    int index[3];
    if (!is_known(x, index)) {
      fill_around(x);
      is_known(x, index);
    }
    double sum = 0;
    const double* held = cubes_.held.data();
    for (int z = 0; z < Cubes::kDeep; ++z)
      for (int y = 0; y < Cubes::kAlong; ++y) {
        const float* row =
            part_.data() + ((index[2] + z) * kCubes + index[1] + y) * kCubes + index[0];
        for (int k = 0; k < Cubes::kAlong; ++k) sum += *held++ * double(row[k]);
      }
    return sum;
  }

 private:
  static constexpr int kCubes = kFieldBlock + Cubes::kAlong;
  static constexpr int kLayers = D == 3 ? kCubes : 1;

  bool is_known(const Vec3d& x, int (&index)[3]) const {
    bool known = !part_.empty();
    for (int a = 0; a < 3; ++a) {
      const double steps = a < D ? std::round((x[a] - first_[a]) / width_) : 0;
      known = known && steps >= 0 && steps <= kFieldBlock;
      index[a] = known ? static_cast<int>(steps) : 0;
    }
    return known;
  }
  void fill_around(const Vec3d& x) {
    first_ = x;
    part_.resize(std::size_t(kCubes) * kCubes * kLayers);
    float* to = part_.data();
    for (int k = 0; k < kLayers; ++k)
      for (int j = 0; j < kCubes; ++j)
        for (int i = 0; i < kCubes; ++i) {
          const Vec3d cube{{double(i), double(j), double(k)}};
          Vec3d y = x;
          for (int a = 0; a < D; ++a) y[a] += (cube[a] + 0.5 - Cubes::kHalf) * width_;
          const double distance = signed_distance(solid_, y).distance;
          *to++ = static_cast<float>(clamp(0.5 - distance / width_, 0.0, 1.0));
        }
  }

  const PlainShape& solid_;
  const Cubes& cubes_;
  double width_;
  Vec3d first_{{0, 0, 0}};
  std::vector<float> part_;  // of each cube that is solid
};

// Whether the surface is a plane, and solid behind it, as far as a kernel about x reaches.
bool is_flat_around(const PlainShape& shape, const Vec3d& x, const DistanceAndNormal& d,
                    double cell) {
  constexpr double kSame = 1e-3, kReach = 1.5;
  const auto is_at = [&](const Vec3d& way, double distance) {
    return std::abs(signed_distance(shape, x + way).distance - distance) < kSame * cell;
  };
  const Vec3d axis = std::abs(d.normal[0]) < 0.6 ? Vec3d{{1, 0, 0}} : Vec3d{{0, 1, 0}};
  const Vec3d across = cross(d.normal, shape.dimension == 2 ? Vec3d{{0, 0, 1}} : axis);
  const Vec3d along = across * (kReach * cell / std::sqrt(dot(across, across)));
  bool flat = is_at(along, d.distance) && is_at(-along, d.distance) &&
              is_at(d.normal * (-d.distance - cell), -cell) &&
              is_at(d.normal * (cell - d.distance), cell);
  if (shape.dimension == 3) {
    const Vec3d other = cross(d.normal, along);
    flat = flat && is_at(other, d.distance) && is_at(-other, d.distance);
  }
  return flat;
}

template <int D>
Result<DistanceField> sample(const PlainShape& shape, const WallShare& share,
                             const KernelCubes<D>& cubes, double cell) {
  constexpr double kDeepest = 0.3;  // cells that particles may be inside
  const double width = cell / KernelCubes<D>::kHalf;
  Bounds bounds = bounding_box(shape);
  for (int a = 0; a < D; ++a) {
    bounds.low[a] -= cell;
    bounds.high[a] += cell;
  }
  // Shapes of many parts are asked once a place.
  PlainShape solid = shape;
  std::optional<DistanceField> plain;
  if (shape.kind == ShapeKind::compound) {
    const std::function<double(const Vec3d&)> exact = [&](const Vec3d& x) {
      return signed_distance(shape, x).distance;
    };
    Result<DistanceField> made = build_distance_field(D, bounds, width, exact);
    if (!made) return made;
    plain.emplace(std::move(*made));
    solid = PlainShape();
    solid.kind = ShapeKind::field;
    solid.dimension = D;
    solid.field = plain->view();
  }
  const auto make_probe = [&]() -> DistanceProbe {
    return [&, shares = SolidShares<D>(solid, cubes, width)](const Vec3d& x) mutable {
      const DistanceAndNormal d = signed_distance(solid, x);
      if (!(d.distance < cell && d.distance > -kDeepest * cell) ||
          is_flat_around(solid, x, d, cell))
        return d.distance;
      return cell * share.distance_of(shares.at(x));
    };
  };
  // Off the lattice of particles: between samples gradients jump, and rounding would decide.
  for (int a = 0; a < D; ++a) bounds.low[a] -= 0.37 * width;
  return build_distance_field(D, bounds, width, std::function<DistanceProbe()>(make_probe));
}

bool has_map(const Collider& c) {
  return !c.deforms && c.contact != ContactKind::pin && c.shape.kind != ShapeKind::plane;
}

}  // namespace

template <int D>
WallMaps WallMaps::of(const ColliderSet& obstacles, SmoothingKind kernel, double cell) {
  WallMaps made;
  const WallShare share = wall_share<D>(kernel);
  const KernelCubes<D> cubes(kernel);
  for (const Collider& c : obstacles.all()) {
    made.maps_.emplace_back();
    if (!has_map(c)) continue;
    PlainShape solid = c.shape;
    solid.inside = false;
    if (!is_bounded(solid)) continue;
    // One that would not fit in memory is taken as flat.
    Result<DistanceField> field = sample<D>(solid, share, cubes, cell);
    if (!field) continue;
    made.fields_.push_back(std::make_shared<const DistanceField>(std::move(*field)));
    made.maps_.back() = {made.fields_.back()->view(), c.shape.inside};
  }
  return made;
}

std::size_t WallMaps::bytes() const {
  std::size_t total = maps_.capacity() * sizeof(WallMap);
  for (const auto& field : fields_) total += field->bytes();
  return total;
}

template WallMaps WallMaps::of<2>(const ColliderSet&, SmoothingKind, double);
template WallMaps WallMaps::of<3>(const ColliderSet&, SmoothingKind, double);

}  // namespace firn

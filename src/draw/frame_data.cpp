#include "draw/frame_data.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "draw/cell_mesh.h"
#include "draw/drawn_mesh.h"
#include "draw/point_normals.h"
#include "exec/parallel.h"

namespace firn {

namespace {

constexpr std::int64_t kFrameGrain = 4096;
// Particles are drawn with stretches in this range: a grain that was torn apart stays a grain.
constexpr double kLeastStretch = 0.25, kMostStretch = 4;

// The deformation gradients of a table, column by column; z is at rest in flat scenes.
class Deformations {
 public:
  explicit Deformations(const PointTable& table) {
    const char* axes = "xyz";
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        entries_[i][j] = table.as_float(std::string("F_") + axes[i] + axes[j]);
  }
  bool known() const { return !entries_[0][0].empty(); }
  Mat<double, 3> at(std::size_t p) const {
    Mat<double, 3> f = Mat<double, 3>::identity();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (!entries_[i][j].empty()) f(i, j) = entries_[i][j][p];
    return f;
  }

 private:
  std::vector<float> entries_[3][3];
};

DrawnFrame drawn_frame(const Mat<double, 3>& f, double radius) {
  const Polar polar = polar_decomposition(f);
  SymMat<double, 3> s;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) s(i, j) = polar.stretch(i, j);
  Spectrum<double, 3> spread = spectrum(s);
  for (int k = 0; k < 3; ++k)
    spread.eigenvalue[k] = std::clamp(std::abs(spread.eigenvalue[k]), kLeastStretch, kMostStretch);
  const Mat<double, 3> axes =
      polar.rotation * from_spectrum(spread.axes, spread.eigenvalue).full() * radius;
  DrawnFrame frame;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) frame.axes[3 * j + i] = static_cast<float>(axes(i, j));
  return frame;
}

void add_frames(const PointTable& table, const std::vector<std::uint32_t>& source, double radius,
                FrameData& data) {
  const Deformations deformations(table);
  if (!deformations.known()) return;
  data.frames.resize(data.points.size());
  const auto body = [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      data.frames[i] = drawn_frame(deformations.at(source[i]), radius);
  };
  parallel_for("frames", static_cast<std::int64_t>(data.points.size()), kFrameGrain, body);
}

// Which look each particle of a table has: its object's, or its material's.
class Groups {
 public:
  Groups(const PointTable& table, const std::vector<int>& group_of_object)
      : material_(table.as<std::int32_t>("material")) {
    const auto ends = table.metadata.find("objects");
    if (group_of_object.empty() || ends == table.metadata.end()) return;
    group_of_object_ = group_of_object;
    id_ = table.as<std::uint32_t>("id");
    const char* at = ends->second.c_str();
    for (char* end = nullptr; *at != 0; at = *end == ',' ? end + 1 : end) {
      ends_.push_back(std::strtoull(at, &end, 10));
      if (end == at) break;
    }
  }
  std::uint8_t of(std::size_t i) const {
    int group = material_.empty() ? 0 : material_[i];
    if (!id_.empty()) {
      const auto object = static_cast<std::size_t>(
          std::upper_bound(ends_.begin(), ends_.end(), std::uint64_t(id_[i])) - ends_.begin());
      if (object < ends_.size() && object < group_of_object_.size() &&
          group_of_object_[object] >= 0)
        group = group_of_object_[object];
    }
    return static_cast<std::uint8_t>(std::clamp(group, 0, 255));
  }

 private:
  std::vector<std::int32_t> material_;
  std::vector<std::uint32_t> id_;
  std::vector<std::uint64_t> ends_;  // one past the last id of each object
  std::vector<int> group_of_object_;
};

Bounds bounds_of(const FrameData& data) {
  std::optional<Bounds> box;
  const auto hold = [&](const Vec3f& place, float radius) {
    const Vec3d p = place.cast<double>(), r = Vec3d::fill(radius);
    box = box ? united(*box, {p - r, p + r}) : Bounds{p - r, p + r};
  };
  for (const DrawnPoint& point : data.points) hold(point.position, point.radius);
  for (const Vec3f& vertex : data.cells.vertices) hold(vertex, 0);
  return box.value_or(Bounds{{{0, 0, 0}}, {{0, 0, 0}}});
}

double number_in(const PointTable& table, const std::string& key, double otherwise) {
  const auto found = table.metadata.find(key);
  return found == table.metadata.end() ? otherwise : std::strtod(found->second.c_str(), nullptr);
}

}  // namespace

Polar polar_decomposition(const Mat<double, 3>& f) {
  Mat<double, 3> safe = f;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!std::isfinite(f(i, j))) safe = Mat<double, 3>::identity();
  // F = U diag(s) V^T; the axis of the least stretch follows from the other two, so that U V^T is a
  // rotation whatever F is.
  const Spectrum<double, 3> right = spectrum(times_own_transpose(transpose(safe)));
  int order[3] = {0, 1, 2};
  std::sort(order, order + 3,
            [&](int a, int b) { return right.eigenvalue[a] > right.eigenvalue[b]; });
  const auto unit = [](const Vec3d& v) { return v * (1 / std::sqrt(dot(v, v))); };
  const auto column = [&](int k) {
    return Vec3d{{right.axes(0, order[k]), right.axes(1, order[k]), right.axes(2, order[k])}};
  };
  Vec3d v[3] = {unit(column(0)), column(1), {}};
  v[1] = unit(v[1] - v[0] * dot(v[0], v[1]));
  v[2] = cross(v[0], v[1]);
  Vec3d u[3] = {safe * v[0], safe * v[1], {}};
  constexpr double kTiny = 1e-12;
  u[0] = dot(u[0], u[0]) > kTiny * kTiny ? unit(u[0]) : v[0];
  u[1] = u[1] - u[0] * dot(u[0], u[1]);
  if (!(dot(u[1], u[1]) > kTiny * kTiny)) {
    u[1] = v[1] - u[0] * dot(u[0], v[1]);
    if (!(dot(u[1], u[1]) > kTiny)) u[1] = v[2] - u[0] * dot(u[0], v[2]);
  }
  u[1] = unit(u[1]);
  u[2] = cross(u[0], u[1]);
  Polar polar;
  polar.rotation = outer(u[0], v[0]) + outer(u[1], v[1]) + outer(u[2], v[2]);
  polar.stretch = transpose(polar.rotation) * safe;
  return polar;
}

void choose_parts(const Look& look, FrameOptions& options) {
  options.frames = uses_style(look, PointStyle::icosahedra);
  options.mesh = uses_style(look, PointStyle::mesh);
  options.group_of_object = look.group_of_object;
}

Result<FrameData> make_frame_data(const Frame& table, const FrameOptions& options) {
  if (table.count > 0 && (!table.has("x") || !table.has("y")))
    return Result<FrameData>::failure("the frame carries no positions");
  const Result<std::vector<Rgb8>> colors = point_colors(table, options.colors);
  if (!colors) return colors.errors();
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  const auto place = [&](std::size_t i) {
    return Vec3d{{x[i], y[i], z.empty() ? 0 : z[i]}} - options.origin;
  };
  const Groups groups(table, options.group_of_object);
  FrameData data;
  data.origin = options.origin;
  data.dimension = static_cast<int>(number_in(table, "dimension", z.empty() ? 2 : 3));
  data.time = number_in(table, "time", 0);
  data.points.reserve(table.count);
  std::vector<std::uint32_t> source;
  source.reserve(table.count);
  const std::vector<bool> in_cells = points_in_cells(table);
  for (std::size_t i = 0; i < table.count; ++i) {
    const Vec3d p = place(i);
    if (in_cells[i] || !is_finite(p)) continue;
    DrawnPoint point;
    point.position = p.cast<float>();
    point.radius = static_cast<float>(options.radius);
    const Rgb8 c = (*colors)[i];
    point.color[0] = c.r, point.color[1] = c.g, point.color[2] = c.b;
    point.group = groups.of(i);
    point.chance = static_cast<std::int8_t>((i * 0x9e3779b97f4a7c15u) >> 56);
    data.points.push_back(point);
    source.push_back(static_cast<std::uint32_t>(i));
  }
  data.cells = make_cell_mesh(table, [&](std::uint32_t i) {
    return DrawnCorner{place(i).cast<float>(), (*colors)[i], groups.of(i)};
  });
  data.bounds = bounds_of(data);
  const bool solid = data.dimension == 3;
  if (options.normals && solid)
    estimate_normals(data.points, static_cast<float>(1.5 * 2 * options.radius / kSphereOverlap));
  if (options.frames && solid) add_frames(table, source, options.radius, data);
  if (options.mesh && solid) data.mesh = make_drawn_mesh(data.points, options);
  return data;
}

}  // namespace firn

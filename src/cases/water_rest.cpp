// Water at rest stays at rest: a tank 1 m wide with 0.5 m of water, walls on the nodes of the grid,
// between them and tilted, a round vessel and a sampled one, every transfer, both kinds of smooth
// contact. It must not circulate, must keep its volume inside the walls, and its pressure must be
// right beside them.
#include <algorithm>
#include <cmath>

#include "cases/water.h"
#include "geometry/field_builder.h"

namespace firn {
namespace {

constexpr const char* kCase = "water_at_rest";
constexpr double kWidth = 1, kDepth = 0.5;  // m
constexpr double kSpacing = 1.0 / 32;
constexpr double kFps = 20;
constexpr int kSeconds = 5;

// Half a disc; `sampled`: a tank with round corners, as a mesh is one.
enum class VesselShape { box, ball, sampled };

struct Vessel {
  double bulk_modulus = 5e5;
  VesselShape shape = VesselShape::box;
  double offset = 0;  // of the corner from a node, cells
  double tilt = 0;    // degrees; gravity tilts with it
  TransferKind transfer = TransferKind::mls;
  ContactKind contact = ContactKind::separate;
  bool loaded = false;  // starts under the pressure of its own weight
  double density = kWaterDensity;
};

// Of the vessel: its corner at the left of the floor, and its axes.
struct VesselAxes {
  Vec3d corner, right, up;

  explicit VesselAxes(const Vessel& vessel) {
    const double angle = vessel.tilt * std::acos(-1.0) / 180, at = vessel.offset * kSpacing;
    corner = {{at, at, 0}};
    right = {{std::cos(angle), std::sin(angle), 0}};
    up = {{-std::sin(angle), std::cos(angle), 0}};
  }
  Vec3d point(double x, double y) const { return corner + right * x + up * y; }
};

constexpr double kCornerRadius = 0.15;  // m, of the sampled vessel, which is kWidth high

// From the middle of the sampled vessel; negative inside.
double rounded_box(const Vec3d& x) {
  double outside = 0, inside = -INFINITY;
  for (int a = 0; a < 2; ++a) {
    const double d = std::abs(x[a]) - (kWidth / 2 - kCornerRadius);
    outside += square(std::max(d, 0.0));
    inside = std::max(inside, d);
  }
  return std::sqrt(outside) + std::min(inside, 0.0) - kCornerRadius;
}

// To the wall of the vessel, in its frame; negative inside.
double wall_distance(VesselShape shape, double x, double y) {
  if (shape == VesselShape::box) return -std::min({x, kWidth - x, y});
  const Vec3d from_middle{{x - kWidth / 2, y - kWidth / 2, 0}};
  if (shape == VesselShape::sampled) return rounded_box(from_middle);
  return std::sqrt(dot(from_middle, from_middle)) - kWidth / 2;
}

// Of the vessel below a level, m^2.
double area_below(VesselShape shape, double level) {
  constexpr int kRows = 1000, kColumns = 1000;
  int count = 0;
  for (int j = 0; j < kRows; ++j)
    for (int i = 0; i < kColumns; ++i)
      count += wall_distance(shape, (i + 0.5) / kColumns * kWidth, (j + 0.5) / kRows * level) < 0;
  return double(count) / (kRows * kColumns) * kWidth * level;
}

void add_walls(const Vessel& vessel, const VesselAxes& frame, SceneSettings& scene) {
  if (vessel.shape == VesselShape::box) {
    add_plane(scene, frame.point(0, 0), frame.up, vessel.contact);
    add_plane(scene, frame.point(0, 0), frame.right, vessel.contact);
    add_plane(scene, frame.point(kWidth, 0), frame.right * -1.0, vessel.contact);
    return;
  }
  ColliderSettings& wall = scene.colliders.emplace_back();
  wall.contact = vessel.contact;
  wall.shape.center = frame.point(kWidth / 2, kWidth / 2);
  wall.shape.inside = true;
  wall.shape.kind = ShapeType::ball;
  wall.shape.radius = kWidth / 2;
  if (vessel.shape == VesselShape::ball) return;
  wall.shape.kind = ShapeType::mesh;
  const Vec3d half{{kWidth / 2, kWidth / 2, 0}};
  if (const auto field = build_distance_field(2, Bounds{-half, half}, kSpacing / 2, rounded_box)) {
    auto asset = std::make_shared<ShapeAsset>();
    asset->field = std::make_shared<DistanceField>(*field);
    wall.shape.asset = asset;
  }
}

// What the vessel holds up to kDepth.
void add_filling(const Vessel& vessel, const VesselAxes& frame, SceneSettings& scene) {
  ObjectSettings& body = add_box(scene, 0, vessel.density, {{0, 0, 0}}, {{kWidth, kDepth, 0}});
  body.shape.center = frame.point(kWidth / 2, kDepth / 2);
  body.shape.rotation.angles = {{0, 0, vessel.tilt}};
  body.sampling = {};  // as a scene file has it that says nothing
  if (vessel.loaded) {
    body.initial_stress.emplace();
    body.initial_stress->kind = InitialStressKind::hydrostatic;
    body.initial_stress->surface = dot(frame.up, frame.point(0, kDepth));
  }
  if (vessel.shape == VesselShape::box) return;
  PartSettings half, inner;
  static_cast<ShapeSettings&>(half) = body.shape;
  static_cast<ShapeSettings&>(inner) = scene.colliders.front().shape;
  body.shape = ShapeSettings{};
  body.shape.kind = ShapeType::intersection;
  body.shape.parts = {half, inner};
}

SceneSettings vessel_scene(const Vessel& vessel) {
  const VesselAxes frame(vessel);
  SceneSettings scene = case_scene(2, kSpacing, kFps);
  for (int a = 0; a < 3; ++a) scene.gravity[a] = -kWaterGravity * frame.up[a];
  scene.mpm.transfer = vessel.transfer;
  Fluid::Parameters water;
  water.bulk_modulus = vessel.bulk_modulus;
  add_material(scene, water);
  add_walls(vessel, frame, scene);
  add_filling(vessel, frame, scene);
  return scene;
}

struct Rest {
  double speed[kSeconds] = {};  // m/s, root mean square over each second
  double level = 0;             // m, by the surface, in the last second
  double beside = 0;            // pressure within a cell of the walls over what it should be
};

double mean_speed(const FrameStats& stats) {
  return std::sqrt(2 * stats.kinetic / stats.mass);
}

// Coordinates in the vessel's frame.
void turn(PointTable& table, const VesselAxes& frame, std::vector<double>& x,
          std::vector<double>& y) {
  const auto px = table.as_double("x"), py = table.as_double("y");
  for (std::size_t i = 0; i < table.count; ++i) {
    const Vec3d d = Vec3d{{px[i], py[i], 0}} - frame.corner;
    x.push_back(dot(d, frame.right));
    y.push_back(dot(d, frame.up));
  }
}

void measure(PointTable table, const Vessel& vessel, const VesselAxes& frame, double share,
             Rest& rest) {
  std::vector<double> x, y;
  turn(table, frame, x, y);
  const auto p = table.as_double("pressure");
  constexpr int kColumns = 32;
  std::vector<std::vector<double>> columns(kColumns);
  for (std::size_t i = 0; i < x.size(); ++i)
    columns[std::clamp(static_cast<int>(x[i] / kWidth * kColumns), 0, kColumns - 1)].push_back(
        y[i]);
  double level = 0;
  for (auto& column : columns) {
    std::sort(column.rbegin(), column.rend());
    const double highest = column.size() > 1 ? 0.5 * (column[0] + column[1]) : 0;
    level += (highest + 0.5 * kSpacing / 2) / kColumns;
  }
  double found = 0, expected = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (y[i] > 0.8 * kDepth || wall_distance(vessel.shape, x[i], y[i]) < -kSpacing) continue;
    found += p[i];
    expected += kWaterDensity * kWaterGravity * (level - y[i]);
  }
  rest.level += share * level;
  rest.beside += share * found / expected;
}

Result<Rest> leave_alone(const Vessel& vessel) {
  Rest rest;
  const VesselAxes frame(vessel);
  const auto record = [&](const World& world) {
    if (world.frame() == 0) return;
    const int second = static_cast<int>((world.frame() - 1) / kFps);
    rest.speed[second] += mean_speed(world.statistics()) / kFps;
    if (second == kSeconds - 1)
      measure(world.snapshot({"pressure"}), vessel, frame, 1 / kFps, rest);
  };
  const auto world = run_scene(vessel_scene(vessel), Precision::single,
                               static_cast<std::int64_t>(kSeconds * kFps), record);
  if (!world) return world.errors();
  return rest;
}

std::vector<Check> judge(const Vessel& vessel, const std::string& name) {
  const Result<Rest> rest = leave_alone(vessel);
  if (!rest) return {failed_run(kCase, rest.errors())};
  return {limit_check(kCase, "rms speed in the fifth second, m/s, " + name, rest->speed[4], 0.01),
          limit_check(kCase, "rms speed in the fifth second over that in the third, " + name,
                      rest->speed[4] / rest->speed[2], 1),
          relative_check(kCase, "volume under the surface over initial volume, " + name,
                         area_below(vessel.shape, rest->level) / area_below(vessel.shape, kDepth),
                         1, 0.02),
          relative_check(kCase, "pressure beside the walls over the hydrostatic one, " + name,
                         rest->beside, 1, 0.03)};
}

struct Named {
  std::string name;
  Vessel vessel;
};

Vessel with(double offset, double tilt, VesselShape shape = VesselShape::box) {
  Vessel v;
  v.offset = offset;
  v.tilt = tilt;
  v.shape = shape;
  return v;
}

std::vector<Named> places() {
  return {{"walls on nodes", with(0, 0)},
          {"walls 0.3 cells off", with(0.3, 0)},
          {"walls 0.8 cells off", with(0.8, 0)},
          {"tilted by 20 degrees", with(0, 20)},
          {"ball", with(0, 0, VesselShape::ball)},
          {"sampled vessel", with(0.3, 0, VesselShape::sampled)}};
}

const std::vector<std::pair<TransferKind, std::string>> kTransfers = {{TransferKind::mls, "mls"},
                                                                      {TransferKind::apic, "apic"},
                                                                      {TransferKind::flip, "flip"},
                                                                      {TransferKind::pic, "pic"}};

// Every place; on nodes also stiffer, the other transfers, slip, and a loaded start.
std::vector<Named> coarse_vessels() {
  std::vector<Named> all = places();
  const auto vary = [&](const std::string& name, std::size_t place, const auto& change) {
    Named v = places()[place];
    change(v.vessel);
    all.push_back({v.name + ", " + name, v.vessel});
  };
  vary("stiffer", 0, [](Vessel& v) { v.bulk_modulus = 2e6; });
  vary("slip", 0, [](Vessel& v) { v.contact = ContactKind::slip; });
  for (std::size_t k = 1; k < kTransfers.size(); ++k)
    vary(kTransfers[k].second, 0, [&](Vessel& v) { v.transfer = kTransfers[k].first; });
  vary("apic", 3, [](Vessel& v) { v.transfer = TransferKind::apic; });
  for (const std::size_t place : {0, 1, 3})
    vary("loaded", place, [](Vessel& v) { v.loaded = true; });
  return all;
}

// All combinations.
std::vector<Named> fine_vessels() {
  std::vector<Named> all;
  for (const Named& place : places())
    for (const double modulus : {5e5, 2e6})
      for (const auto& [transfer, name] : kTransfers)
        for (const ContactKind contact : {ContactKind::separate, ContactKind::slip})
          for (const bool loaded : {false, true}) {
            Vessel v = place.vessel;
            v.bulk_modulus = modulus;
            v.transfer = transfer;
            v.contact = contact;
            v.loaded = loaded;
            all.push_back({place.name + (modulus > 1e6 ? ", stiffer, " : ", ") + name +
                               (contact == ContactKind::slip ? ", slip" : "") +
                               (loaded ? ", loaded" : ""),
                           v});
          }
  return all;
}

}  // namespace

std::vector<Check> validate_water_rest(const ValidateOptions& options) {
  std::vector<Check> checks;
  for (const auto& [name, vessel] : options.fine ? fine_vessels() : coarse_vessels()) {
    options.progress(std::string(kCase) + ": " + name);
    for (Check& check : judge(vessel, name)) checks.push_back(std::move(check));
  }
  // Heavy water must be found to press.
  Vessel heavy;
  heavy.density = 1.1 * kWaterDensity;
  const Result<Rest> pressing = leave_alone(heavy);
  checks.push_back(
      pressing ? must_fail(relative_check(kCase, "pressure beside the walls, density of 1100 kg/m3",
                                          pressing->beside, 1, 0.03))
               : failed_run(kCase, pressing.errors()));
  return checks;
}

}  // namespace firn

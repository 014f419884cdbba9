// Water at rest stays at rest: a tank 1 m wide with 0.5 m of water, walls on the nodes of the grid,
// between them and tilted, every transfer, both kinds of smooth contact. It must not circulate,
// must keep its volume inside the walls, and its pressure must be right beside them.
#include <algorithm>
#include <cmath>

#include "cases/water.h"

namespace firn {
namespace {

constexpr const char* kCase = "water_at_rest";
constexpr double kWidth = 1, kDepth = 0.5;  // m
constexpr double kSpacing = 1.0 / 32;
constexpr double kFps = 20;
constexpr int kSeconds = 5;

struct Vessel {
  double bulk_modulus = 5e5;
  double offset = 0;  // of the corner from a node, cells
  double tilt = 0;    // degrees; gravity tilts with it
  TransferKind transfer = TransferKind::mls;
  ContactKind contact = ContactKind::separate;
  double density = kWaterDensity;
};

// Of the vessel: its corner at the left of the floor, and its axes.
struct Frame {
  Vec3d corner, right, up;

  explicit Frame(const Vessel& vessel) {
    const double angle = vessel.tilt * std::acos(-1.0) / 180, at = vessel.offset * kSpacing;
    corner = {{at, at, 0}};
    right = {{std::cos(angle), std::sin(angle), 0}};
    up = {{-std::sin(angle), std::cos(angle), 0}};
  }
  Vec3d point(double x, double y) const { return corner + right * x + up * y; }
};

SceneSettings vessel_scene(const Vessel& vessel) {
  const Frame frame(vessel);
  SceneSettings scene = case_scene(2, kSpacing, kFps);
  for (int a = 0; a < 3; ++a) scene.gravity[a] = -kWaterGravity * frame.up[a];
  scene.transfer = vessel.transfer;
  Fluid::Parameters water;
  water.bulk_modulus = vessel.bulk_modulus;
  add_material(scene, water);
  add_plane(scene, frame.point(0, 0), frame.up, vessel.contact);
  add_plane(scene, frame.point(0, 0), frame.right, vessel.contact);
  add_plane(scene, frame.point(kWidth, 0), frame.right * -1.0, vessel.contact);
  ObjectSettings& body = add_box(scene, 0, vessel.density, {{0, 0, 0}}, {{kWidth, kDepth, 0}});
  body.shape.center = frame.point(kWidth / 2, kDepth / 2);
  body.shape.rotation.angles = {{0, 0, vessel.tilt}};
  body.sampling = {};  // as a scene file has it that says nothing
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
void turn(PointTable& table, const Frame& frame, std::vector<double>& x, std::vector<double>& y) {
  const auto px = table.as_double("x"), py = table.as_double("y");
  for (std::size_t i = 0; i < table.count; ++i) {
    const Vec3d d = Vec3d{{px[i], py[i], 0}} - frame.corner;
    x.push_back(dot(d, frame.right));
    y.push_back(dot(d, frame.up));
  }
}

void measure(PointTable table, const Frame& frame, double share, Rest& rest) {
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
    if (y[i] > 0.8 * kDepth) continue;
    if (x[i] > kSpacing && x[i] < kWidth - kSpacing && y[i] > kSpacing) continue;
    found += p[i];
    expected += kWaterDensity * kWaterGravity * (level - y[i]);
  }
  rest.level += share * level;
  rest.beside += share * found / expected;
}

Result<Rest> leave_alone(const Vessel& vessel) {
  Rest rest;
  const Frame frame(vessel);
  const auto record = [&](const World& world) {
    if (world.frame() == 0) return;
    const int second = static_cast<int>((world.frame() - 1) / kFps);
    rest.speed[second] += mean_speed(world.statistics()) / kFps;
    if (second == kSeconds - 1) measure(world.snapshot({"pressure"}), frame, 1 / kFps, rest);
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
                         rest->level / kDepth, 1, 0.02),
          relative_check(kCase, "pressure beside the walls over the hydrostatic one, " + name,
                         rest->beside, 1, 0.03)};
}

}  // namespace

std::vector<Check> validate_water_rest(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto add = [&](const Vessel& vessel, const std::string& name) {
    options.progress(std::string(kCase) + ": " + name);
    for (Check& check : judge(vessel, name)) checks.push_back(std::move(check));
  };
  const auto with = [](double modulus, double offset, double tilt) {
    Vessel v;
    v.bulk_modulus = modulus;
    v.offset = offset;
    v.tilt = tilt;
    return v;
  };
  add(with(5e5, 0, 0), "walls on nodes");
  add(with(2e6, 0, 0), "walls on nodes, stiffer");
  add(with(5e5, 0.3, 0), "walls 0.3 cells off");
  add(with(5e5, 0.8, 0), "walls 0.8 cells off");
  add(with(5e5, 0, 20), "tilted by 20 degrees");
  Vessel slip;
  slip.contact = ContactKind::slip;
  add(slip, "slip");
  for (const auto& [transfer, name] : {std::pair{TransferKind::apic, "apic"},
                                       {TransferKind::flip, "flip"},
                                       {TransferKind::pic, "pic"}}) {
    Vessel vessel;
    vessel.transfer = transfer;
    add(vessel, name);
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

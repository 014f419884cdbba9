// Static friction: a block of each solid model on a slope of 14 degrees with mu = 0.3, with and
// without a push. It stops and stays: the plane along the grid with tilted gravity, and the plane
// itself tilted.
#include <algorithm>
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "static_friction";
constexpr double kGravity = 9.81, kSlope = 14 * kDegree, kFriction = 0.3, kPush = 0.5, kFps = 50;
constexpr double kAtRest = 1e-3;  // m/s
constexpr double kRests = 5;      // s that it is watched once it has stopped
constexpr double kLaying = 1;     // s in which gravity grows where a block is laid down
constexpr double kStops = 16;     // s until it must have: soft blocks ring long after they are held

struct Rider {
  ModelParameters material;
  std::string name;
  double density = 1000;
  bool rigid = false;  // stiff enough to slide as far as a rigid block
  int dimension = 2;
  bool slumps = false;  // becomes a heap first: how far that slides is not judged
};

struct Ride {
  double turn = 0;      // radians, of the plane against the grid
  double push = 0;      // m/s down the slope
  bool at_once = true;  // else gravity grows for kLaying: the block is laid down, and rings less
  double friction = kFriction;
};

std::vector<Rider> riders() {
  Sand::Parameters sand;
  sand.youngs_modulus = 1e6;
  Sand::Parameters wet = sand;
  wet.cohesion = 3000;
  return {{elastic_material<NeoHookean>(1e6, 0.3), "neo_hookean"},
          {elastic_material<NeoHookean>(5e5, 0.3), "neo_hookean, E 5e5"},
          {elastic_material<NeoHookean>(5e6, 0.3), "neo_hookean, E 5e6", 1000, true},
          {elastic_material<NeoHookean>(1e7, 0.3), "neo_hookean, E 1e7", 1000, true},
          {elastic_material<FixedCorotated>(1e6, 0.3), "fixed_corotated"},
          {elastic_material<StVenantKirchhoff>(1e6, 0.3), "st_venant_kirchhoff"},
          {VonMises::Parameters(), "von_mises"},
          {Snow::Parameters(), "snow", 400},
          {wet, "cohesive sand", 1600},
          {sand, "loose sand", 1600, false, 2, true},
          {elastic_material<NeoHookean>(5e6, 0.3), "neo_hookean, E 5e6, 3D", 1000, true, 3}};
}

// In 3D twice as coarse.
SceneSettings ride_scene(const Rider& rider, const Ride& ride, double spacing) {
  const double depth = rider.dimension == 3 ? 0.4 : 0;
  constexpr double kWidth = 0.8, kHeight = 0.4;
  SceneSettings scene =
      case_scene(rider.dimension, rider.dimension == 3 ? 2 * spacing : spacing, kFps);
  const double rest = kSlope - ride.turn;
  const double gravity[] = {kGravity * std::sin(rest), -kGravity * std::cos(rest)};
  for (int a = 0; a < 2; ++a)
    if (ride.at_once)
      scene.gravity[a] = gravity[a];
    else
      scene.gravity[a] = {0, std::to_string(gravity[a]) + " * min(1, t^2 * (3 - 2 * min(1, t)))"};
  scene.gravity[2] = 0;
  const Vec3d down{{std::cos(ride.turn), -std::sin(ride.turn), 0}},
      normal{{std::sin(ride.turn), std::cos(ride.turn), 0}};
  ObjectSettings& block = add_box(scene, add_material(scene, rider.material), rider.density,
                                  {{0, 0, 0}}, {{kWidth, kHeight, depth}});
  block.shape.center = down * (0.5 * kWidth) + normal * (0.5 * kHeight);
  block.shape.rotation = {{0, 0, -ride.turn / kDegree}};
  for (int a = 0; a < 2; ++a) block.velocity[a] = ride.push * down[a];
  add_plane(scene, {{0, 0, 0}}, normal, ContactKind::separate, ride.friction);
  return scene;
}

struct Rest {
  double stopped = 0;  // s, from when on it is at rest
  double speed = 0;    // m/s, largest of the centre of mass in the last kRests
  double way = 0;      // m down the slope
};

double way_down(const World& world, double turn) {
  const PointTable table = world.snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y");
  double sum = 0;
  for (std::size_t i = 0; i < table.count; ++i)
    sum += x[i] * std::cos(turn) - y[i] * std::sin(turn);
  return sum / double(table.count);
}

// Ends once the block has been at rest for long enough under all its weight.
Result<Rest> ride_down(const SceneSettings& scene, const Ride& ride) {
  Result<std::unique_ptr<World>> world = World::create(scene, Precision::double_);
  if (!world) return world.errors();
  const double start = way_down(**world, ride.turn);
  Rest rest;
  rest.stopped = ride.at_once ? 0 : kLaying;
  std::vector<double> speeds;
  const auto watched = static_cast<std::size_t>(kRests * kFps);
  while ((*world)->time() < kStops + kRests - 0.5 / kFps &&
         (*world)->time() < rest.stopped + kRests - 0.5 / kFps) {
    const Errors errors = run_frames(**world, 1, nullptr);
    if (!errors.empty()) return errors;
    const FrameStats stats = (*world)->statistics();
    speeds.push_back(std::sqrt(dot(stats.momentum, stats.momentum)) / stats.mass);
    if (!(speeds.back() <= kAtRest)) rest.stopped = std::max(rest.stopped, (*world)->time());
  }
  const std::size_t first = speeds.size() - std::min(speeds.size(), watched);
  rest.speed = *std::max_element(speeds.begin() + std::ptrdiff_t(first), speeds.end());
  rest.way = way_down(**world, ride.turn) - start;
  return rest;
}

}  // namespace

std::vector<Check> validate_static_friction(const ValidateOptions& options) {
  const double spacing = options.fine ? 0.025 : 0.05;
  std::vector<Check> checks;
  const auto judge = [&](const Rider& rider, const Ride& ride, const std::string& how) {
    const std::string name = ", " + rider.name + ", " + how;
    const Result<Rest> rest = ride_down(ride_scene(rider, ride, spacing), ride);
    if (!rest) return checks.push_back(failed_run(kCase, rest.errors()));
    options.progress(rider.name + ", " + how + ": stops after " + short_number(rest->stopped));
    checks.push_back(limit_check(kCase, "speed at rest, m/s" + name, rest->speed, kAtRest));
    checks.push_back(report(kCase, "stops after, s" + name, rest->stopped));
    // A rigid block slides v^2 / (2 g (mu cos - sin)).
    const double exact = 0.5 * ride.push * ride.push /
                         (kGravity * (kFriction * std::cos(kSlope) - std::sin(kSlope)));
    if (ride.push == 0 && !rider.slumps)
      checks.push_back(limit_check(kCase, "slides, m" + name, rest->way, 0.5 * spacing));
    else if (rider.rigid)
      checks.push_back(relative_check(kCase, "slides, m" + name, rest->way, exact, 0.05));
    else
      checks.push_back(report(kCase, "slides, m" + name, rest->way, exact));
  };
  for (const Rider& rider : riders()) {
    for (const double turn : {0.0, kSlope}) {
      if (turn > 0 && rider.dimension == 3) continue;
      const std::string plane = turn > 0 ? "tilted" : "along the grid";
      judge(rider, {turn, 0, false}, plane);
      if (rider.rigid) judge(rider, {turn, 0}, plane + ", gravity at once");
      judge(rider, {turn, kPush}, plane + ", pushed");
    }
  }
  const Ride slippery{0, kPush, true, 0.2};
  const Result<Rest> control = ride_down(ride_scene(riders().front(), slippery, spacing), slippery);
  checks.push_back(control ? must_fail(limit_check(kCase, "speed at rest, m/s, friction 0.2",
                                                   control->speed, kAtRest))
                           : failed_run(kCase, control.errors()));
  return checks;
}

}  // namespace firn

// Free flight in implicit steps of 0.6 cells: nothing acts within the body, so that it keeps its
// shape to round-off, and falls by g dt^2 (1 + 2 + ... + n) in n steps.
#include <cmath>

#include "cases/implicit_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_flight";
constexpr double kGravity = 9.81, kSpacing = 0.05, kCells = 0.6;
constexpr double kRoundOff = 1e-12;  // m
constexpr int kSteps = 20;

struct Flight {
  double strain = 0;     // m, largest change of a particle's place relative to the others
  double way = 0;        // m, largest distance of their centre from where it should be
  double exact_way = 0;  // the same, from where steps without end would take it
};

Vec3d centre_of(const std::vector<Vec3d>& places) {
  Vec3d sum{{0, 0, 0}};
  for (const Vec3d& x : places) sum += x;
  return sum * (1 / static_cast<double>(places.size()));
}

Result<Flight> fly(int dimension, IntegratorKind kind, double shear,
                   PositionKind positions = PositionKind::forward) {
  const Vec3d velocity{{2.3, 0.4, dimension == 3 ? -1.1 : 0.0}};
  const double fastest = 3.2;  // m/s, at the end
  SceneSettings scene = case_scene(dimension, kSpacing, 1);
  scene.gravity = {{0, -kGravity, 0}};
  scene.integrator.kind = kind;
  scene.integrator.positions = positions;
  scene.integrator.fixed_dt = kCells * kSpacing / fastest;
  const int elastic = add_material(scene, elastic_material<FixedCorotated>(1e6, 0.3));
  add_ball(scene, elastic, 1000, {{0.013, 0.021, 0}}, dimension == 3 ? 0.12 : 0.2);
  auto objects = initial_particles(scene);
  if (!objects) return objects.errors();
  set_velocities(objects->front(), [&](const Vec3d& x) {
    VelocityAt at;
    at.velocity = velocity;
    at.velocity[0] += shear * x[1];
    at.gradient(0, 1) = shear;
    return at;
  });
  auto world = World::create_from_particles(scene, std::move(*objects), Precision::double_);
  if (!world) return world.errors();
  const std::vector<Vec3d> start = exact_places(**world, scene);
  double time = 0, fall = 0, gained = 0;
  for (int n = 0; n < kSteps; ++n) {
    const Result<double> dt = (*world)->advance_step();
    if (!dt) return dt.errors();
    time += *dt;
    gained += kGravity * *dt;
    fall += gained * *dt;
  }
  const std::vector<Vec3d> end = exact_places(**world, scene);
  const Vec3d moved = centre_of(end) - centre_of(start);
  const Vec3d should = velocity * time - Vec3d{{0, fall, 0}};
  const Vec3d ideal = velocity * time - Vec3d{{0, 0.5 * kGravity * time * time, 0}};
  Flight flight;
  for (int a = 0; a < dimension; ++a) {
    flight.way = std::max(flight.way, std::abs(moved[a] - should[a]));
    flight.exact_way = std::max(flight.exact_way, std::abs(moved[a] - ideal[a]));
    for (std::size_t i = 0; i < start.size(); ++i)
      flight.strain = std::max(flight.strain, std::abs(end[i][a] - start[i][a] - moved[a]));
  }
  return flight;
}

Check judge_shape(const Flight& flight, const std::string& name) {
  return limit_check(kCase, "change of shape, m, " + name, flight.strain, kRoundOff);
}

}  // namespace

std::vector<Check> validate_implicit_flight(const ValidateOptions&) {
  std::vector<Check> checks;
  for (const int dimension : {2, 3})
    for (const auto& [kind, word] : kImplicitKinds) {
      const std::string name = std::string(word) + ", " + std::to_string(dimension) + "D";
      const Result<Flight> flight = fly(dimension, kind, 0);
      if (!flight) {
        checks.push_back(failed_run(kCase, flight.errors()));
        continue;
      }
      checks.push_back(judge_shape(*flight, name));
      checks.push_back(limit_check(kCase, "distance from the path of n steps, m, " + name,
                                   flight->way, kRoundOff));
      if (dimension == 2 && kind == IntegratorKind::optimization)
        checks.push_back(must_fail(
            limit_check(kCase, "distance from v t - g t^2 / 2, m", flight->exact_way, kRoundOff)));
    }
  for (const int dimension : {2, 3}) {
    const Result<Flight> flight =
        fly(dimension, IntegratorKind::optimization, 0, PositionKind::backward);
    checks.push_back(flight ? judge_shape(*flight, "velocities of the new places, " +
                                                       std::to_string(dimension) + "D")
                            : failed_run(kCase, flight.errors()));
  }
  const Result<Flight> sheared = fly(2, IntegratorKind::optimization, 1e-6);
  checks.push_back(sheared ? must_fail(judge_shape(*sheared, "sheared by 1e-6 / s"))
                           : failed_run(kCase, sheared.errors()));
  return checks;
}

}  // namespace firn

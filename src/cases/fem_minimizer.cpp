// Steps of a frame that Newton's method alone misses and descent does not: a cube that is drawn to
// three times its length (there it does not), one that is stretched and gets a pulse of compression
// to 0.2 of its length, balls that collide.
#include <cmath>

#include "cases/fem_tools.h"
#include "geometry/stuffing_mesh.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_minimizer";
constexpr double kFrame = 1. / 24;
constexpr int kFrames = 30;

FemSettings settings_with(MinimizerKind minimizer) {
  FemSettings settings;
  settings.minimizer = minimizer;
  if (minimizer == MinimizerKind::plain_newton) settings.max_newton = 40;
  return settings;
}

// Steps that missed: the first ends the run.
int count_missed(FemRun<3>& run, double& newton) {
  int missed = 0;
  for (int k = 0; k < kFrames; ++k) {
    const StepReport report = run.step(kFrame);
    newton += report.solve.newton_iterations;
    missed += report.solve.missed;
    if (missed > 0) break;
  }
  return missed;
}

// Two ends of a cube move apart; `keys`: when and how far each.
int pull(const std::vector<std::pair<double, double>>& keys, MinimizerKind minimizer, double edge,
         double& newton) {
  ColliderSet pins;
  for (const double side : {-1.0, 1.0}) {
    const double from = side < 0 ? -1 : 1 - 1e-6;
    Collider pin = fem_pin({{from, -1, -1}}, {{from + 1 + 1e-6, 2, 2}});
    pin.moves = true;
    auto motion = std::make_shared<BodyMotion>();
    motion->smooth = false;
    for (const auto& [time, way] : keys) {
      KeyPose key;
      key.time = time;
      key.translation = {{side * way, 0, 0}};
      motion->keys.push_back(key);
    }
    pins.add(pin, motion, nullptr);
  }
  FemRun<3> run(settings_with(minimizer), {fem_block<3>({{1, 1, 1}}, edge, 1)},
                elastic_material<FixedCorotated>(1e5, 0.3), std::move(pins));
  return count_missed(run, newton);
}

int collide_balls(MinimizerKind minimizer, double& newton) {
  FemSettings settings = settings_with(minimizer);
  settings.self_collision = true;
  settings.self_friction = 0.2;
  std::vector<FemBody<3>> bodies;
  for (const double side : {-1.0, 1.0}) {
    Shape ball;
    ball.kind = ShapeKind::ball;
    ball.size = {{0.3, 0, 0}};
    ball.center = {{side * 0.6, 0.9, 0}};
    FemBody<3> body = fem_body_of<3>(*stuffing_mesh<3>(ball, 0.1), 1);
    body.first_id = bodies.empty() ? 0 : bodies.front().rest.size();
    bodies.push_back(std::move(body));
  }
  FemRun<3> run(settings, std::move(bodies), elastic_material<FixedCorotated>(5e4, 0.35),
                ColliderSet({fem_floor(0.4)}));
  run.start([&](std::size_t i) { return run.rest(i); },
            [&](std::size_t i) {
              return Vec3d{{run.rest(i)[0] < 0 ? 4.0 : -4.0, 0, 0}};
            });
  run.gravity[1].value = -9.81;
  return count_missed(run, newton);
}

}  // namespace

std::vector<Check> validate_fem_minimizer(const ValidateOptions& options) {
  using Keys = std::vector<std::pair<double, double>>;
  const Keys stretch = {{0, 0}, {0.5, 1}, {3, 1}};
  const Keys pulse = {{0, 0},           {0.5, 0.6},      {25. / 48, 0.6},
                      {13. / 24, -0.4}, {14. / 24, 0.6}, {3, 0.6}};
  const double edge = options.fine ? 1. / 16 : 0.125;
  struct Story {
    const char* name;
    bool defeats_newton;
    std::function<int(MinimizerKind, double&)> missed;
  };
  const Story stories[] = {
      {"stretch", false,
       [&](MinimizerKind kind, double& n) { return pull(stretch, kind, edge, n); }},
      {"pulse", true, [&](MinimizerKind kind, double& n) { return pull(pulse, kind, edge, n); }},
      {"balls", true, collide_balls}};
  std::vector<Check> checks;
  for (const Story& story : stories) {
    options.progress(story.name);
    const std::string name = story.name, missed = ", steps of a frame that missed";
    double steps = 0, of_newton = 0;
    checks.push_back(
        limit_check(kCase, name + missed, story.missed(MinimizerKind::robust, steps), 0.5));
    checks.push_back(report(kCase, name + ", Newton steps a frame", steps / kFrames));
    const Check alone = limit_check(kCase, name + ", Newton's method alone" + missed,
                                    story.missed(MinimizerKind::plain_newton, of_newton), 0.5);
    checks.push_back(story.defeats_newton ? must_fail(alone)
                                          : report(kCase, alone.quantity, alone.measured));
  }
  return checks;
}

}  // namespace firn

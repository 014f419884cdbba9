// Shear that starts at once, as in sheared_layer.cpp, in implicit steps of r relaxation times. With
// a step's shear g dt the strain that relaxes becomes b <- (F b F^T + r) / (1 + r): after n steps
// b_xy = g T (1 - (1 + r)^-n), and in the end b_xx - 1 = 2 (g T)^2 (1 + r / 2).
#include <cmath>

#include "cases/granular_tools.h"
#include "scene/initial_particles.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_viscoelastic";
constexpr double kHeight = 0.5, kRate = 0.5, kTime = 0.1;  // m, 1/s, s
constexpr double kMu = 1000, kLambda = 1e4, kEta = 20;     // Pa, Pa, Pa s

struct Stress {
  double shear = 0, normal = 0;  // sigma_xy, sigma_xx - sigma_yy, Pa
};

// Of b, whose yy is 1, times the factor that keeps the volume in 2D.
Stress stress_of(double xy, double xx) {
  const double volume = 1 / std::sqrt(xx - xy * xy);
  return {kMu * volume * xy + kEta * kRate, kMu * volume * (xx - 1)};
}

Stress exact_stress(double t) {
  const double left = std::exp(-t / kTime), gT = kRate * kTime;
  return stress_of(gT * (1 - left), 1 + 2 * gT * gT * (1 - left * (1 + t / kTime)));
}

Stress discrete_stress(double r, int steps) {
  const double shear = kRate * kTime * r;
  double xy = 0, xx = 1;
  for (int n = 0; n < steps; ++n) {
    xx = (xx + 2 * shear * xy + shear * shear + r) / (1 + r);
    xy = (xy + shear) / (1 + r);
  }
  return stress_of(xy, xx);
}

struct Layer {
  std::vector<Stress> means;  // over the middle of the layer after each step
};

Result<Layer> sheared(double dt, double relaxation, int steps, bool fine) {
  const double h = kHeight / (fine ? 128 : 96), length = 8 * h;
  SceneSettings scene = case_scene(2, h, 1 / dt);
  scene.integrator.kind = IntegratorKind::optimization;
  scene.integrator.fixed_dt = dt;
  scene.integrator.tolerance = 1e-6;
  scene.grid.periodic.axes[0] = Interval{0, length};
  Viscoelastic::Parameters paste;
  paste.given_mu = kMu;
  paste.given_lambda = kLambda;
  paste.viscosity = kEta;
  paste.relaxation_time = relaxation;
  add_box(scene, add_material(scene, paste), 1000, {{0, 0, 0}}, {{length, kHeight, 0}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  ColliderSettings& lid = add_plane(scene, {{0, kHeight, 0}}, {{0, -1, 0}}, ContactKind::sticky);
  lid.surface_velocity = {{kRate * kHeight, 0, 0}};
  Result<std::vector<ObjectParticles>> layer = initial_particles(scene);
  if (!layer) return layer.errors();
  set_velocities(layer->front(), [&](const Vec3d& x) {
    VelocityAt at;
    at.velocity[0] = kRate * x[1];
    at.gradient(0, 1) = kRate;
    return at;
  });
  auto world = World::create_from_particles(scene, std::move(*layer), Precision::double_);
  if (!world) return world.errors();
  Layer found;
  const Errors errors = run_frames(**world, steps, [&](const World& now) {
    const PointTable frame = now.snapshot({"stress"});
    const auto y = frame.as_double("y"), xy = frame.as_double("stress_xy");
    const auto xx = frame.as_double("stress_xx"), yy = frame.as_double("stress_yy");
    Stress sum;
    double count = 0;
    for (std::size_t i = 0; i < frame.count; ++i) {
      if (std::abs(y[i] - kHeight / 2) > kHeight / 4) continue;
      sum.shear += xy[i];
      sum.normal += xx[i] - yy[i];
      ++count;
    }
    found.means.push_back({sum.shear / count, sum.normal / count});
  });
  if (!errors.empty()) return errors;
  return found;
}

}  // namespace

std::vector<Check> validate_implicit_viscoelastic(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto coarse = sheared(0.1 * kTime, kTime, 100, options.fine),
             fine = sheared(0.02 * kTime, kTime, 250, options.fine),
             slow = sheared(0.1 * kTime, 1.1 * kTime, 100, options.fine),
             quick = sheared(0.01, 1e-4, 50, options.fine);
  for (const auto* run : {&coarse, &fine, &slow, &quick})
    if (!*run) return {failed_run(kCase, run->errors())};
  const auto judge_shear = [&](const Layer& found, int n, const std::string& name) {
    return relative_check(kCase, "shear stress after " + std::to_string(n) + " steps, Pa, " + name,
                          found.means[n - 1].shear, discrete_stress(0.1, n).shear, 0.01);
  };
  const auto judge_normal = [&](const Layer& found, const std::string& name) {
    const Stress exact = stress_of(kRate * kTime, 1 + 2 * kRate * kRate * kTime * kTime * 1.05);
    return relative_check(kCase, "steady first normal difference, Pa, " + name,
                          found.means.back().normal, exact.normal, 0.01);
  };
  for (const int n : {5, 10, 20, 40, 100}) checks.push_back(judge_shear(*coarse, n, "r 0.1"));
  checks.push_back(judge_normal(*coarse, "r 0.1"));
  for (const int n : {50, 100, 250}) {
    const Stress exact = exact_stress(0.02 * n * kTime);
    const std::string at = ", Pa, r 0.02, t = " + short_number(0.02 * n) + " relaxation times";
    checks.push_back(
        relative_check(kCase, "shear stress" + at, fine->means[n - 1].shear, exact.shear, 0.02));
    checks.push_back(relative_check(kCase, "first normal difference" + at,
                                    fine->means[n - 1].normal, exact.normal, 0.02));
  }
  checks.push_back(relative_check(kCase, "shear stress, Pa, r 100", quick->means.back().shear,
                                  kMu * kRate * 1e-4 + kEta * kRate, 0.01));
  checks.push_back(must_fail(judge_shear(*slow, 20, "r 0.1, relaxation time 10 % too long")));
  checks.push_back(must_fail(judge_normal(*slow, "r 0.1, relaxation time 10 % too long")));
  return checks;
}

}  // namespace firn

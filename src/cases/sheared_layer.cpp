// Shear that starts at once: a layer between two sticky plates, of which the upper one moves, with
// the velocities of the flow from the start. Oldroyd-B: with a shear rate g, a relaxation time T
// and a modulus mu the strain that relaxes has b_xy = g T (1 - exp(-t/T)) and
// b_xx = 1 + 2 (g T)^2 (1 - exp(-t/T) (1 + t/T)); stresses are mu times that, times the factor that
// keeps the volume, and eta g more in shear. Herschel and Bulkley: soon the stress is that of the
// flow curve, Y + K g^n.
#include <cmath>

#include "cases/case_tools.h"
#include "scene/initial_particles.h"

namespace firn {
namespace {

constexpr const char* kCase = "viscoelastic";
constexpr const char* kFlowCurve = "herschel_bulkley";
constexpr double kHeight = 0.5, kRate = 1, kTime = 0.1;  // m, 1/s, s
constexpr double kMu = 1000, kLambda = 1e4, kEta = 20;   // Pa, Pa, Pa s
constexpr double kFps = 10;

struct ShearStress {
  double shear = 0, normal = 0;  // sigma_xy, sigma_xx - sigma_yy
};

ShearStress exact_stress(double t) {
  const double left = std::exp(-t / kTime), gT = kRate * kTime;
  const double xy = gT * (1 - left), xx = 1 + 2 * gT * gT * (1 - left * (1 + t / kTime));
  const double volume = 1 / std::sqrt(xx - xy * xy);  // 2D
  return {kMu * volume * xy + kEta * kRate, kMu * volume * (xx - 1)};
}

// Means over the middle of the layer after each frame.
Result<std::vector<ShearStress>> sheared(const ModelParameters& paste, double rate, bool fine) {
  const double h = kHeight / (fine ? 64 : 32), length = 8 * h;
  SceneSettings scene = case_scene(2, h, kFps);
  scene.integrator.explicit_max_dt = kTime / 200;
  scene.grid.periodic.axes[0] = Interval{0, length};
  add_box(scene, add_material(scene, paste), 1000, {{0, 0, 0}}, {{length, kHeight, 0}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  ColliderSettings& lid = add_plane(scene, {{0, kHeight, 0}}, {{0, -1, 0}}, ContactKind::sticky);
  lid.surface_velocity = {{rate * kHeight, 0, 0}};
  Result<std::vector<ObjectParticles>> layer = initial_particles(scene);
  if (!layer) return layer.errors();
  set_velocities(layer->front(), [&](const Vec3d& x) {
    VelocityAt at;
    at.velocity[0] = rate * x[1];
    at.gradient(0, 1) = rate;
    return at;
  });
  auto world = World::create_from_particles(scene, std::move(*layer), Precision::double_);
  if (!world) return world.errors();
  std::vector<ShearStress> means;
  const Errors errors = run_frames(**world, 5, [&](const World& now) {
    const PointTable frame = now.snapshot({"stress"});
    const auto y = frame.as_double("y"), xy = frame.as_double("stress_xy");
    const auto xx = frame.as_double("stress_xx"), yy = frame.as_double("stress_yy");
    ShearStress sum;
    double count = 0;
    for (std::size_t i = 0; i < frame.count; ++i) {
      if (std::abs(y[i] - kHeight / 2) > kHeight / 4) continue;
      sum.shear += xy[i];
      sum.normal += xx[i] - yy[i];
      ++count;
    }
    means.push_back({sum.shear / count, sum.normal / count});
  });
  if (!errors.empty()) return errors;
  return means;
}

Viscoelastic::Parameters paste_of(double relaxation_time) {
  Viscoelastic::Parameters paste;
  paste.given_mu = kMu;
  paste.given_lambda = kLambda;
  paste.viscosity = kEta;
  paste.relaxation_time = relaxation_time;
  return paste;
}

}  // namespace

std::vector<Check> validate_viscoelastic(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto found = sheared(paste_of(kTime), kRate, options.fine);
  if (!found) return {failed_run(kCase, found.errors())};
  for (std::size_t n = 0; n < found->size(); ++n) {
    const double t = double(n + 1) / kFps;
    const ShearStress exact = exact_stress(t);
    const std::string when = ", t = " + short_number(t / kTime) + " relaxation times";
    checks.push_back(
        relative_check(kCase, "shear stress, Pa" + when, (*found)[n].shear, exact.shear, 0.02));
    checks.push_back(relative_check(kCase, "first normal difference, Pa" + when, (*found)[n].normal,
                                    exact.normal, 0.02));
  }
  const auto slow = sheared(paste_of(1.1 * kTime), kRate, options.fine);
  checks.push_back(
      slow ? must_fail(relative_check(kCase, "shear stress, Pa, relaxation time 10 % too long",
                                      slow->back().shear, exact_stress(5 / kFps).shear, 0.02))
           : failed_run(kCase, slow.errors()));
  return checks;
}

std::vector<Check> validate_herschel_bulkley(const ValidateOptions& options) {
  std::vector<Check> checks;
  HerschelBulkley::Parameters mud;
  mud.given_mu = 1e4;
  mud.given_lambda = 1e5;
  mud.yield_stress = mud.softened_stress = 20;
  mud.consistency = 10;
  const auto judge = [&](double exponent, double rate, const std::string& what) {
    mud.exponent = exponent;
    const auto found = sheared(mud, rate, options.fine);
    if (!found) return failed_run(kFlowCurve, found.errors());
    return relative_check(kFlowCurve, "shear stress, Pa, " + what, found->back().shear,
                          20 + 10 * std::pow(rate, exponent), 0.03);
  };
  for (const double rate : {0.5, 4.0}) {
    const std::string at = ", at " + short_number(rate) + "/s";
    checks.push_back(judge(0.5, rate, "thins" + at));
    checks.push_back(judge(1, rate, "Bingham" + at));
    checks.push_back(judge(1.5, rate, "thickens" + at));
  }
  mud.yield_stress = mud.softened_stress = 22;
  checks.push_back(must_fail(judge(0.5, 0.5, "yield stress 10 % too high")));
  return checks;
}

}  // namespace firn

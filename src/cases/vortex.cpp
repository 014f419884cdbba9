// Generalized vortex (Kamojjala et al. 2015): a ring of Neo-Hookean rubber whose points turn about
// the centre by a = g(t) h(R), driven by the body force that makes this an exact solution. The
// error must shrink with nearly the square of the spacing.
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "vortex";
constexpr double kInner = 0.75, kOuter = 1.25;                         // m
constexpr double kModulus = 1000, kPoisson = 0.3, kDensity = 1000;     // Pa, -, kg/m3
constexpr double kShear = kModulus / (2 * (1 + kPoisson)) / kDensity;  // mu / rho, m2/s2
constexpr double kPeriod = 1;                                          // s

// The angle a(R, t) = g(t) h(R) and what the body force needs of it.
struct Turn {
  double g, g1, g2;  // and derivatives by t
  double h, h1, h2;  // and derivatives by R
};

Turn turn_at(double amplitude, double radius, double t) {
  const double w = kPi / kPeriod, s = (radius - 1) / 0.5;
  return {amplitude * std::sin(w * t),          amplitude * w * std::cos(w * t),
          -amplitude * w * w * std::sin(w * t), 1 - 8 * s * s + 16 * s * s * s * s,
          (-16 * s + 64 * s * s * s) / 0.5,     (-16 + 192 * s * s) / 0.25};
}

double radius_of(const Vec3d& x) {
  return std::sqrt(x[0] * x[0] + x[1] * x[1]);
}

// A vector with radial component a and tangential component b, in the basis of the point x.
Vec3d polar(const Vec3d& x, double radius, double a, double b) {
  const double c = x[0] / radius, s = x[1] / radius;
  return {{a * c - b * s, a * s + b * c, 0}};
}

// `centripetal` is -1, as differentiation gives it; published copies of the formula have +1.
Vec3d body_force(double amplitude, const Vec3d& x, double t, double centripetal) {
  const double r = radius_of(x);
  const Turn q = turn_at(amplitude, r, t);
  const double a = q.g * q.h, sin_a = std::sin(a), cos_a = std::cos(a);
  const double along = kShear * (3 * q.g * q.h1 + r * q.g * q.h2) - r * q.g2 * q.h;
  const double spin = q.g1 * q.h, strain = q.g * q.h1;
  const double across = kShear * r * strain * strain + centripetal * r * spin * spin;
  return polar(x, r, along * sin_a + across * cos_a, -along * cos_a + across * sin_a);
}

Vec3d exact_position(double amplitude, const Vec3d& x, double t) {
  const double r = radius_of(x);
  const Turn q = turn_at(amplitude, r, t);
  return polar(x, r, r * std::cos(q.g * q.h), r * std::sin(q.g * q.h));
}

VelocityAt exact_velocity(double amplitude, const Vec3d& x, double t) {
  const double r = radius_of(x);
  const Turn q = turn_at(amplitude, r, t);
  const double a = q.g * q.h, rate = q.g1 * q.h, slope = q.g1 * q.h1 / r;
  VelocityAt at;
  at.velocity = polar(x, r, -r * rate * std::sin(a), r * rate * std::cos(a));
  at.gradient(0, 0) = -slope * x[0] * x[1];
  at.gradient(0, 1) = -slope * x[1] * x[1] - rate;
  at.gradient(1, 0) = slope * x[0] * x[0] + rate;
  at.gradient(1, 1) = slope * x[0] * x[1];
  return at;
}

// Particles on circles, spaced evenly along the radius and along each circle. The particles of one
// circle share the area of its annulus, so each circle is an object of its own.
std::vector<ObjectParticles> ring_particles(double spacing) {
  std::vector<ObjectParticles> rings;
  const int count = static_cast<int>(std::lround((kOuter - kInner) / spacing));
  const double width = (kOuter - kInner) / count;
  std::uint64_t next_id = 0;
  for (int k = 0; k < count; ++k) {
    const double radius = kInner + (k + 0.5) * width;
    const int around = static_cast<int>(std::lround(2 * kPi * radius / width));
    ObjectParticles ring;
    ring.first_id = next_id;
    ring.density = kDensity;
    ring.volume = 2 * kPi * radius * width / around;
    ring.palette = {0xcccccc};
    ring.cumulative = {1};
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * kPi * (i + 0.5 * (k % 2)) / around;
      ring.position.push_back({{radius * std::cos(angle), radius * std::sin(angle), 0}});
    }
    next_id += ring.size();
    rings.push_back(std::move(ring));
  }
  return rings;
}

struct Setup {
  double spacing;
  double amplitude = 1;
  double centripetal = -1;
};

// RMS distance from the exact positions, m: at T/2, where the ring is sheared most, and at T, where
// every particle should be back.
struct Deviation {
  double half = 0, full = 0;
};

SceneSettings vortex_scene(const Setup& setup) {
  SceneSettings scene = case_scene(2, setup.spacing, 2 / kPeriod);
  add_material(scene, elastic_material<NeoHookean>(kModulus, kPoisson));
  // The fastest point moves at pi amplitude m/s, a little slower than dt allows.
  const double steps =
      std::ceil(0.5 * kPeriod * (1.3 + 3.4 * setup.amplitude) / (0.4 * setup.spacing));
  scene.integrator.fixed_dt = 0.5 * kPeriod / steps;
  return scene;
}

Result<Deviation> turn_ring(const Setup& setup, int half_periods) {
  const SceneSettings scene = vortex_scene(setup);
  std::vector<ObjectParticles> rings = ring_particles(setup.spacing / 2);
  std::vector<Vec3d> start;
  for (ObjectParticles& ring : rings) {
    start.insert(start.end(), ring.position.begin(), ring.position.end());
    // Velocities live between the steps' ends: they start half a step before the positions.
    set_velocities(ring, [&](const Vec3d& x) {
      return exact_velocity(setup.amplitude, x, -0.5 * scene.integrator.fixed_dt);
    });
  }
  auto world = World::create_from_particles(scene, std::move(rings), Precision::double_);
  if (!world) return world.errors();
  (*world)->set_body_force([&](const Vec3d& x, double t) {
    return body_force(setup.amplitude, x, t, setup.centripetal);
  });
  double rms[2] = {0, 0};
  const auto record = [&](const World& w) {
    const PointTable table = w.snapshot({});
    const auto x = table.as_double("x"), y = table.as_double("y");
    double sum = 0;
    for (std::size_t i = 0; i < table.count; ++i) {
      const Vec3d off =
          Vec3d{{x[i], y[i], 0}} - exact_position(setup.amplitude, start[i], w.time());
      sum += dot(off, off);
    }
    rms[w.frame() - 1] = std::sqrt(sum / static_cast<double>(table.count));
  };
  const Errors errors = run_frames(**world, half_periods, record);
  if (!errors.empty()) return errors;
  return Deviation{rms[0], rms[1]};
}

// Between two spacings, one half of the other; what lacks to 2 must be less than 0.3.
Check judge_order(double coarse, double fine, const std::string& name) {
  const double order = std::log2(coarse / fine), lack = std::max(0.0, 2 - order);
  return {kCase, "order of convergence, at least 1.7, " + name, order, 2, lack, 0.3, lack <= 0.3};
}

// Shear up to 20: far beyond what the case is judged by.
Check stress_test(double spacing) {
  const std::string quantity =
      "stress test, G = pi: RMS position error at T/2, m, h = " + short_number(spacing);
  const Result<Deviation> found = turn_ring({spacing, kPi}, 1);
  return found ? report(kCase, quantity, found->half)
               : report(kCase, quantity + ": " + found.errors().front(), 0);
}

}  // namespace

std::vector<Check> validate_vortex(const ValidateOptions& options) {
  const double finest = options.fine ? 1.0 / 80 : 1.0 / 48;
  std::vector<Check> checks;
  std::vector<Deviation> found;
  for (const double spacing : {4 * finest, 2 * finest, finest}) {
    const Result<Deviation> deviation = turn_ring({spacing}, 2);
    if (!deviation) return {failed_run(kCase, deviation.errors())};
    found.push_back(*deviation);
    const std::string at = "h = " + short_number(spacing);
    checks.push_back(report(kCase, "RMS position error at T/2, m, " + at, deviation->half));
    checks.push_back(report(kCase, "RMS position error at T, m, " + at, deviation->full));
    options.progress(at);
  }
  checks.push_back(judge_order(found[1].half, found[2].half, "at T/2"));
  checks.push_back(judge_order(found[1].full, found[2].full, "at T"));

  checks.push_back(stress_test(2 * finest));

  const auto wrong = turn_ring({4 * finest, 1, 1}, 1), finer = turn_ring({2 * finest, 1, 1}, 1);
  if (!wrong || !finer) return {failed_run(kCase, (wrong ? finer : wrong).errors())};
  checks.push_back(
      must_fail(judge_order(wrong->half, finer->half, "published sign of the centripetal term")));
  return checks;
}

}  // namespace firn

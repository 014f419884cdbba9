// The first axial mode of a bar that is held at one end: what schemes take from it in a step, their
// order in time, and what they do to its energy.
#include <cmath>

#include "base/random.h"
#include "cases/fem_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "fem_vibration";
constexpr double kModulus = 1e4, kLength = 1, kDensity = 1000;
constexpr double kAmplitude = 1e-3;  // m: a motion as good as linear

// w of the first mode, 1/s.
double first_mode() {
  return 0.5 * kPi / kLength * std::sqrt(kModulus / kDensity);
}

struct Bar {
  Bar(TimeScheme scheme, double tolerance)
      : run(fem_settings(tolerance, scheme),
            {fem_block<2>({{kLength, 1. / 16}}, 1. / 64, 1, kDensity)},
            elastic_material<FixedCorotated>(kModulus, 0), ColliderSet({wall()})) {}
  static Collider wall() {
    Collider pin = fem_pin({{-1, -1, -1}}, {{1e-6, 1, 1}});
    pin.shape.dimension = 2;
    return pin;
  }
  double mode(std::size_t i) const { return std::sin(0.5 * kPi * run.rest(i)[0] / kLength); }
  void pluck() {
    run.start(
        [&](std::size_t i) {
          return run.rest(i) + Vec2d{{kAmplitude * mode(i), 0}};
        },
        [](std::size_t) { return Vec2d::zero(); });
  }
  // Share of the mode in places and in velocities.
  double place() const {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < run.nodes(); ++i) {
      sum += run.mass(i) * mode(i) * (run.place(i) - run.rest(i))[0];
      all += run.mass(i) * mode(i) * mode(i);
    }
    return sum / all;
  }
  double velocity() const {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < run.nodes(); ++i) {
      sum += run.mass(i) * mode(i) * run.velocity(i)[0];
      all += run.mass(i) * mode(i) * mode(i);
    }
    return sum / all;
  }
  double amplitude() const { return std::hypot(place(), velocity() / first_mode()); }

  FemRun<2> run;
};

// Mean factor of the amplitude in a step of w dt.
double decay(TimeScheme scheme, double w_dt) {
  constexpr int kSteps = 5;
  Bar bar(scheme, 1e-4);
  bar.pluck();
  bar.run.step(w_dt / first_mode());  // one of backward Euler, whatever the scheme
  const double first = bar.amplitude();
  for (int k = 0; k < kSteps; ++k) bar.run.step(w_dt / first_mode());
  return std::pow(bar.amplitude() / first, 1. / kSteps);
}

// By the places after three eighths of a period in 20, 40 and 80 steps.
double order_in_time(TimeScheme scheme) {
  double place[3];
  for (int k = 0; k < 3; ++k) {
    const int steps = 20 << k;
    Bar bar(scheme, 2e-6);
    bar.pluck();
    for (int s = 0; s < steps; ++s) bar.run.step(0.75 * kPi / first_mode() / steps);
    place[k] = bar.place();
  }
  return std::log2(std::abs((place[0] - place[1]) / (place[1] - place[2])));
}

// Largest gain of energy in a step, over that at the start; every node has a speed of its own. With
// `backwards` what a step loses counts as a gain.
double largest_gain(TimeScheme scheme, double w_dt, bool backwards = false) {
  constexpr double kSpeed = 2e-5;  // m/s: a linear motion
  // Of the least way that counts in a step, some 2e-5 m: a two-millionth of that speed.
  const double dt = w_dt / first_mode(), tolerance = 5e-7 * dt;
  Bar bar(scheme, tolerance);
  RandomStream random(3, 0);
  bar.run.start([&](std::size_t i) { return bar.run.rest(i); },
                [&](std::size_t) {
                  return Vec2d{{kSpeed * random.next_double(), kSpeed * random.next_double()}};
                });
  const double first = bar.run.kinetic();
  double before = first, gain = -1;
  for (int k = 0; k < 40; ++k) {
    bar.run.step(dt);
    gain = std::max(gain, (backwards ? -1 : 1) * (bar.run.energy() - before) / first);
    before = bar.run.energy();
  }
  return gain;
}

}  // namespace

std::vector<Check> validate_fem_vibration(const ValidateOptions&) {
  constexpr double kTolerance = 0.01, kSecond = 1.8, kGain = 1e-6;
  const auto euler = TimeScheme::backward_euler, bdf2 = TimeScheme::bdf2,
             trapezoid = TimeScheme::trapezoid;
  std::vector<Check> checks;
  const auto factor = [](double w_dt) { return 1 / std::sqrt(1 + w_dt * w_dt); };
  for (const double w_dt : {0.1, 0.5, 2.0})
    checks.push_back(
        relative_check(kCase, "backward Euler, factor of a step, w dt = " + short_number(w_dt),
                       decay(euler, w_dt), factor(w_dt), kTolerance));
  checks.push_back(relative_check(kCase, "trapezoid, factor of a step, w dt = 0.5",
                                  decay(trapezoid, 0.5), 1, kTolerance));
  const auto judge_order = [&](const char* name, TimeScheme scheme) {
    const double order = order_in_time(scheme);
    return Check{
        kCase,           std::string("order in time, ") + name, order, 2, 2 - order, 2 - kSecond,
        order >= kSecond};
  };
  checks.push_back(judge_order("bdf2", bdf2));
  checks.push_back(judge_order("trapezoid", trapezoid));
  for (const double w_dt : {0.02, 0.5}) {
    const std::string at = ": largest gain of energy in a step, w dt = " + short_number(w_dt);
    checks.push_back(limit_check(kCase, "backward Euler" + at, largest_gain(euler, w_dt), kGain));
    checks.push_back(limit_check(kCase, "bdf2" + at, largest_gain(bdf2, w_dt), kGain));
    checks.push_back(limit_check(kCase, "trapezoid" + at, largest_gain(trapezoid, w_dt), kGain));
  }
  checks.push_back(must_fail(relative_check(kCase, "bdf2 by backward Euler's factor, w dt = 0.5",
                                            decay(bdf2, 0.5), factor(0.5), kTolerance)));
  checks.push_back(must_fail(judge_order("backward Euler", euler)));
  checks.push_back(must_fail(limit_check(kCase, "backward Euler, backwards: largest gain",
                                         largest_gain(euler, 0.02, true), kGain)));
  return checks;
}

}  // namespace firn

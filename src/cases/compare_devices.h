// A world on the CPU and the same on a CUDA device, after a few steps.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "sim/world.h"

namespace firn {

struct Agreement {
  std::string scene;
  double difference = 0;  // largest of all fields, relative to the scale of the field
  std::string field;      // that has it
  double tolerance = 0;
  bool pass() const { return difference <= tolerance; }
};

// Steps after which devices are compared.
inline constexpr int kAgreementSteps = 20;
// Where SPH's sand meets itself what is rounded away grows tenfold every five steps or so.
constexpr int agreement_steps_of_sph(Precision precision) {
  return precision == Precision::double_ ? 10 : 4;
}

// The largest difference that counts as none: rounding, in another order of sums.
double agreement_tolerance(Precision precision);

// How far the state of `found` lies from that of `expected`, field by field. The scale of a field
// is its largest value, or a thousandth of what a wave of the material does, where all are smaller:
// what is left of a body at rest is rounding, and not to be held against itself.
Agreement compare_worlds(const SceneSettings& scene, const World& expected, const World& found);

using MakeWorld = std::function<Result<std::unique_ptr<World>>(Device)>;
using RunWorld = std::function<Errors(World&)>;

Errors take_steps(World& world, int steps);

// Both at the same time, so `make` and `run` are called by two threads. Errors say on which device.
Result<Agreement> compare_devices(const SceneSettings& scene, Precision precision,
                                  const MakeWorld& make, const RunWorld& run);

}  // namespace firn

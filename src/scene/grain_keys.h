// The section `grains`: a run shown as many finer grains.
#pragma once

#include <optional>
#include <string>

#include "base/describe.h"
#include "base/describe_scene.h"
#include "base/schemes.h"

namespace firn {

struct GrainKeys {
  GrainMethod method = GrainMethod::even;
  std::int64_t per_particle = 70;
  double support = 3;         // particle radii
  double terminal_speed = 0;  // m/s
  std::string species;        // empty: the only one
  std::optional<std::uint64_t> seed;

  template <class V>
  void describe(V& v) {
    v.choice("method", method, {"even", "printed"},
             "even: grains keep out of obstacles, follow the gradient of the flow and stay evenly "
             "spread; printed: GRAIN 40 to 43 as they stand, for comparison");
    v.integer("per_particle", per_particle, {"grains made of a particle", 1, 100'000});
    v.number(
        "support", support,
        {"how far a particle moves grains, in radii of particles (half their spacing)", "", 2, 6});
    v.number("terminal_speed", terminal_speed,
             {"of a grain that falls through still air: 5.5 for sand of 0.5 mm; 0: no air", "m/s",
              0, 1e6});
    v.text("species", species,
           "whose particles are shown as grains; need not be given where there is one species");
    v.natural("seed", seed, "of the places where grains start; the scene's when not given");
  }
};

}  // namespace firn

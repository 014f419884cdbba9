// Which sets of particles a scene has: one for each material of each species.
#pragma once

#include <string>
#include <vector>

#include "scene/settings.h"

namespace firn {

struct PlannedSet {
  int material = 0;  // index into SceneSettings::materials
  int species = 0;   // index into species_names()

  bool operator==(const PlannedSet&) const = default;
};

// What particles may be: what objects and emitters make, and what transitions make of it.
struct Occupied {
  int material = 0;
  std::string species;

  bool operator==(const Occupied&) const = default;
};
std::vector<Occupied> occupied_sets(const SceneSettings& scene);

// Whether a transition takes particles of a material and species, and what species these then are.
bool takes_from(const TransitionSettings& transition, int material, const std::string& species);
const std::string& species_after(const TransitionSettings& transition, const std::string& species);

// In the order in which objects, then emitters and then transitions name them; one at least.
std::vector<std::string> species_names(const SceneSettings& scene);

// Every material has a set, at its own index, of the species that names it first; those of further
// species follow.
std::vector<PlannedSet> planned_sets(const SceneSettings& scene);

// Where particles of a material and species go.
int set_of(const SceneSettings& scene, int material, const std::string& species);

}  // namespace firn

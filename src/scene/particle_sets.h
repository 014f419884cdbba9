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

// In the order in which objects and then emitters name them; one at least.
std::vector<std::string> species_names(const SceneSettings& scene);

// Every material has a set, at its own index, of the species that names it first; those of further
// species follow.
std::vector<PlannedSet> planned_sets(const SceneSettings& scene);

// Where particles of a material and species go.
int set_of(const SceneSettings& scene, int material, const std::string& species);

}  // namespace firn

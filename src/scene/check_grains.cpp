#include "scene/check_grains.h"

#include <algorithm>
#include <cmath>

#include "scene/particle_sets.h"

namespace firn {

int grain_species(const SceneSettings& scene) {
  const std::vector<std::string> names = species_names(scene);
  const auto found = std::find(names.begin(), names.end(), scene.grains->species);
  return found == names.end() ? 0 : static_cast<int>(found - names.begin());
}

double bytes_per_grain() {
  return 48;
}

void check_grains(const SceneSettings& scene, Issues& issues) {
  if (!scene.grains) return;
  const std::vector<std::string> names = species_names(scene);
  const std::string& name = scene.grains->species;
  if (name.empty() && names.size() > 1)
    issues.push_back({"/grains/species",
                      "the scene has several species; name the one to be shown "
                      "as grains, such as " +
                          in_quotes(names.front())});
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
    issues.push_back({"/grains/species", "no object or emitter is of species " + in_quotes(name) +
                                             suggestion(name, names)});
}

void check_grain_memory(const SceneSettings& scene, double memory_bytes, Issues& issues) {
  if (!scene.grains) return;
  constexpr double kMostGrains = 4e9;  // ids have 32 bits
  const double grains = estimated_particles(scene) * double(scene.grains->per_particle);
  const double needed = grains * bytes_per_grain();
  if (grains < kMostGrains && needed <= memory_bytes) return;
  issues.push_back(
      {"/grains/per_particle",
       "makes " + grouped(grains) + " grains, which take " + gibibytes(needed) +
           " of memory; this machine has room for " +
           grouped(std::floor(std::min(kMostGrains, memory_bytes / bytes_per_grain()))) +
           ", so choose fewer"});
}

}  // namespace firn

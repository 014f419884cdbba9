#include "scene/particle_sets.h"

#include <algorithm>

namespace firn {
namespace {

// f(material, species) of all that has or makes particles.
template <class F>
void for_each_owner(const SceneSettings& scene, F&& f) {
  for (const ObjectSettings& object : scene.objects) f(object.material, object.species);
  for (const EmitterSettings& emitter : scene.emitters) f(emitter.material, emitter.species);
}

int index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

std::vector<std::string> species_names(const SceneSettings& scene) {
  std::vector<std::string> names;
  for_each_owner(scene, [&](int, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  });
  if (names.empty()) names.push_back(kDefaultSpecies);
  return names;
}

std::vector<PlannedSet> planned_sets(const SceneSettings& scene) {
  const std::vector<std::string> names = species_names(scene);
  std::vector<PlannedSet> sets(scene.materials.size());
  std::vector<bool> named(sets.size(), false);
  for (std::size_t m = 0; m < sets.size(); ++m) sets[m].material = static_cast<int>(m);
  for_each_owner(scene, [&](int material, const std::string& name) {
    const PlannedSet set{material, index_of(names, name)};
    if (!named[material]) sets[material] = set;
    named[material] = true;
    if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(set);
  });
  return sets;
}

int set_of(const SceneSettings& scene, int material, const std::string& species) {
  const std::vector<PlannedSet> sets = planned_sets(scene);
  const PlannedSet wanted{material, index_of(species_names(scene), species)};
  return static_cast<int>(std::find(sets.begin(), sets.end(), wanted) - sets.begin());
}

}  // namespace firn

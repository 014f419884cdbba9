#include "scene/particle_sets.h"

#include <algorithm>

namespace firn {
namespace {

int index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

bool takes_from(const TransitionSettings& transition, int material, const std::string& species) {
  // A name that the file does not have is -1.
  if (transition.from != material || transition.from < 0 || transition.to < 0) return false;
  const bool named = transition.species.empty() || transition.species == species;
  const bool changes = transition.to != material || species_after(transition, species) != species;
  return named && changes;
}

const std::string& species_after(const TransitionSettings& transition, const std::string& species) {
  return transition.to_species.empty() ? species : transition.to_species;
}

std::vector<Occupied> occupied_sets(const SceneSettings& scene) {
  std::vector<Occupied> found;
  const auto add = [&](const Occupied& matter) {
    if (std::find(found.begin(), found.end(), matter) == found.end()) found.push_back(matter);
  };
  for (const ObjectSettings& object : scene.objects) add({object.material, object.species});
  for (const EmitterSettings& emitter : scene.emitters) add({emitter.material, emitter.species});
  // Those that are added are looked at in their turn.
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const TransitionSettings& transition : scene.transitions)
      if (const Occupied here = found[i]; takes_from(transition, here.material, here.species))
        add({transition.to, species_after(transition, here.species)});
  return found;
}

std::vector<std::string> species_names(const SceneSettings& scene) {
  std::vector<std::string> names;
  for (const Occupied& matter : occupied_sets(scene))
    if (std::find(names.begin(), names.end(), matter.species) == names.end())
      names.push_back(matter.species);
  if (names.empty()) names.push_back(kDefaultSpecies);
  return names;
}

std::vector<PlannedSet> planned_sets(const SceneSettings& scene) {
  const std::vector<std::string> names = species_names(scene);
  std::vector<PlannedSet> sets(scene.materials.size());
  std::vector<bool> named(sets.size(), false);
  for (std::size_t m = 0; m < sets.size(); ++m) sets[m].material = static_cast<int>(m);
  for (const Occupied& matter : occupied_sets(scene)) {
    const PlannedSet set{matter.material, index_of(names, matter.species)};
    if (!named[matter.material]) sets[matter.material] = set;
    named[matter.material] = true;
    if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(set);
  }
  return sets;
}

int set_of(const SceneSettings& scene, int material, const std::string& species) {
  const std::vector<PlannedSet> sets = planned_sets(scene);
  const PlannedSet wanted{material, index_of(species_names(scene), species)};
  return static_cast<int>(std::find(sets.begin(), sets.end(), wanted) - sets.begin());
}

}  // namespace firn

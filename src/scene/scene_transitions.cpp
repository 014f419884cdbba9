#include "scene/scene_transitions.h"

#include <algorithm>

#include "expr/parser.h"
#include "scene/particle_sets.h"
#include "scene/varied_settings.h"

namespace firn {

std::vector<std::string> transition_variables(const SceneSettings& scene,
                                              const TransitionSettings& transition) {
  std::vector<std::string> names{"phi", "x", "y", "z", "t", "speed", "pressure"};
  names.insert(names.end(), scene.scalars.begin(), scene.scalars.end());
  const auto model = scene.materials[transition.from].parameters.index();
  for (const ScalarField& field : model_scalar_fields(static_cast<int>(model)))
    names.push_back(field.name);
  return names;
}

// What does not parse is left out (checks refuse it).
Transitions scene_transitions(const SceneSettings& scene) {
  Transitions list;
  const std::vector<PlannedSet> sets = planned_sets(scene);
  const std::vector<std::string> species = species_names(scene);
  for (std::size_t i = 0; i < scene.transitions.size(); ++i) {
    const TransitionSettings& settings = scene.transitions[i];
    const auto when = parse_expression(settings.when, transition_variables(scene, settings));
    if (!when) continue;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const std::string& own = species[sets[s].species];
      if (!takes_from(settings, sets[s].material, own)) continue;
      list.push_back({static_cast<int>(i), static_cast<int>(s),
                      set_of(scene, settings.to, species_after(settings, own)), settings.density,
                      *when});
    }
  }
  return list;
}

}  // namespace firn

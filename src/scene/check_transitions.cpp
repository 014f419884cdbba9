#include "scene/check_transitions.h"

#include <algorithm>

#include "expr/parser.h"
#include "scene/particle_sets.h"
#include "scene/scene_transitions.h"

namespace firn {
namespace {

std::string set_text(const SceneSettings& scene, int material, const std::string& species) {
  return in_quotes(scene.materials[material].name) +
         (species == kDefaultSpecies ? "" : " of species " + in_quotes(species));
}

void check_when(const SceneSettings& scene, std::size_t i, Issues& issues) {
  const TransitionSettings& transition = scene.transitions[i];
  const auto program = parse_expression(transition.when, transition_variables(scene, transition));
  if (!program) issues.push_back({at("transitions", i) + "/when", program.errors().front()});
}

// Whether particles may ever be what a transition starts from.
void check_origin(const SceneSettings& scene, std::size_t i, Issues& issues) {
  const TransitionSettings& transition = scene.transitions[i];
  for (const Occupied& matter : occupied_sets(scene))
    if (takes_from(transition, matter.material, matter.species)) return;
  issues.push_back(
      {at("transitions", i) + (transition.species.empty() ? "/from" : "/species"),
       "nothing is ever of material " +
           set_text(scene, transition.from,
                    transition.species.empty() ? kDefaultSpecies : transition.species) +
           "; no object or emitter has it and no transition leads to it"});
}

// Follows transitions from one set on; "" or the way that came back to a set that it has passed.
class CircleSearch {
 public:
  explicit CircleSearch(const SceneSettings& scene) : scene_(scene) {}

  std::string from(const Occupied& start) { return follow(start); }

 private:
  std::string follow(const Occupied& here) {
    if (std::find(clear_.begin(), clear_.end(), here) != clear_.end()) return "";
    const auto passed = std::find(way_.begin(), way_.end(), here);
    if (passed != way_.end()) return text(passed, here);
    way_.push_back(here);
    for (const TransitionSettings& transition : scene_.transitions) {
      if (!takes_from(transition, here.material, here.species)) continue;
      const std::string circle = follow({transition.to, species_after(transition, here.species)});
      if (!circle.empty()) return circle;
    }
    way_.pop_back();
    clear_.push_back(here);
    return "";
  }
  std::string text(std::vector<Occupied>::const_iterator first, const Occupied& last) const {
    std::string line;
    for (auto step = first; step != way_.end(); ++step)
      line += set_text(scene_, step->material, step->species) + " -> ";
    return line + set_text(scene_, last.material, last.species);
  }

  const SceneSettings& scene_;
  std::vector<Occupied> way_;
  std::vector<Occupied> clear_;  // nothing leads back from these
};

void check_circles(const SceneSettings& scene, Issues& issues) {
  CircleSearch search(scene);
  for (const Occupied& start : occupied_sets(scene)) {
    const std::string circle = search.from(start);
    if (circle.empty()) continue;
    issues.push_back({"/transitions", "lead in a circle: " + circle +
                                          "; particles could change for ever: remove one, or let "
                                          "it lead to a material of its own"});
    return;
  }
}

// The fluid of a mixture must be one.
void check_mixture(const SceneSettings& scene, Issues& issues) {
  if (!scene.porous || scene.porous->coupling != CouplingKind::mixture) return;
  for (std::size_t i = 0; i < scene.transitions.size(); ++i) {
    const TransitionSettings& transition = scene.transitions[i];
    if (transition.to < 0 ||
        std::holds_alternative<Fluid::Parameters>(scene.materials[transition.to].parameters))
      continue;
    for (const Occupied& matter : occupied_sets(scene))
      for (const PorousPair& pair : scene.porous->pairs)
        if (takes_from(transition, matter.material, matter.species) &&
            species_after(transition, matter.species) == pair.fluid) {
          issues.push_back(
              {at("transitions", i) + "/to", "the fluid of a mixture must be of model \"fluid\""});
          return;
        }
  }
}

}  // namespace

void check_transitions(const SceneSettings& scene, Issues& issues) {
  for (std::size_t i = 0; i < scene.transitions.size(); ++i) {
    const TransitionSettings& transition = scene.transitions[i];
    if (transition.from < 0 || transition.to < 0) continue;  // told already
    check_when(scene, i, issues);
    if (transition.from == transition.to &&
        (transition.to_species.empty() || transition.to_species == transition.species))
      issues.push_back({at("transitions", i) + "/to",
                        "is what particles are already; name another material or a to_species"});
    else
      check_origin(scene, i, issues);
  }
  check_circles(scene, issues);
  check_mixture(scene, issues);
}

}  // namespace firn

#include "scene/check_porous.h"

#include <algorithm>

#include "scene/line_text.h"
#include "scene/particle_sets.h"

namespace firn {
namespace {

constexpr std::size_t kMostNamedSpecies = 8;  // kMostSpecies of mpm/porous_settings.h

std::string pair_pointer(std::size_t i, const char* key) {
  return "/porous/pairs/" + std::to_string(i) + "/" + key;
}

void check_pair(const std::vector<PorousPair>& pairs, std::size_t i,
                const std::vector<std::string>& names, Issues& issues) {
  const PorousPair& pair = pairs[i];
  const auto check_name = [&](const char* key, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      issues.push_back({pair_pointer(i, key), "no object or emitter is of species " +
                                                  in_quotes(name) + suggestion(name, names)});
  };
  check_name("solid", pair.solid);
  check_name("fluid", pair.fluid);
  if (pair.solid == pair.fluid)
    issues.push_back({pair_pointer(i, "fluid"), "a species does not act on itself"});
  const int laws = (pair.conductivity > 0) + (pair.permeability > 0) + (pair.grain_diameter > 0);
  if (laws > 1)
    issues.push_back({"/porous/pairs/" + std::to_string(i),
                      "give one of conductivity, permeability and grain_diameter"});
  for (std::size_t j = 0; j < i; ++j)
    if (std::minmax(pairs[j].solid, pairs[j].fluid) == std::minmax(pair.solid, pair.fluid))
      issues.push_back({"/porous/pairs/" + std::to_string(i),
                        "pair " + std::to_string(j) + " is of the same two species"});
}

// Each species has one part, and one porosity.
void check_parts(const PorousKeys& keys, Issues& issues) {
  const auto& pairs = keys.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (std::size_t j = 0; j < pairs.size(); ++j) {
      if (pairs[i].solid == pairs[j].fluid)
        issues.push_back({pair_pointer(i, "solid"), in_quotes(pairs[i].solid) +
                                                        " is the fluid of pair " +
                                                        std::to_string(j) + "; it cannot be both"});
      if (j >= i) continue;
      if (pairs[i].solid == pairs[j].solid && pairs[i].porosity != pairs[j].porosity)
        issues.push_back({pair_pointer(i, "porosity"), "of " + in_quotes(pairs[i].solid) +
                                                           " differs from that of pair " +
                                                           std::to_string(j)});
      if (keys.coupling == CouplingKind::mixture && pairs[i].fluid != pairs[j].fluid)
        issues.push_back({pair_pointer(i, "fluid"), "a mixture has one fluid, and pair " +
                                                        std::to_string(j) + " has " +
                                                        in_quotes(pairs[j].fluid)});
    }
}

// A mixture knows how the volume of a fluid follows its flow, not that of other materials.
void check_mixture(const SceneSettings& scene, Issues& issues) {
  const auto check = [&](const auto& entries, const char* list) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].material < 0) continue;  // the file has no such material
      const ModelParameters& model = scene.materials[entries[i].material].parameters;
      if (entries[i].species == scene.porous->pairs[0].fluid &&
          !std::holds_alternative<Fluid::Parameters>(model))
        issues.push_back(
            {at(list, i) + "/material", "the fluid of a mixture must be of model \"fluid\""});
    }
  };
  check(scene.objects, "objects");
  check(scene.emitters, "emitters");
}

void check_colliders(const SceneSettings& scene, const std::vector<std::string>& names,
                     Issues& issues) {
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) {
    const std::string& species = scene.colliders[i].species;
    if (species.empty()) continue;
    if (std::find(names.begin(), names.end(), species) == names.end())
      issues.push_back({at("colliders", i) + "/species", "no object or emitter is of species " +
                                                             in_quotes(species) +
                                                             suggestion(species, names)});
    else if (scene.porous && scene.porous->coupling == CouplingKind::limit)
      issues.push_back({at("colliders", i) + "/species",
                        "with /porous/coupling \"limit\" all species move as one; a collider stops "
                        "all or none"});
  }
}

}  // namespace

void check_porous(const SceneSettings& scene, Issues& issues) {
  const std::vector<std::string> names = species_names(scene);
  if (names.size() > kMostNamedSpecies)
    issues.push_back({"/porous", "the scene has " + std::to_string(names.size()) +
                                     " species; at most " + std::to_string(kMostNamedSpecies) +
                                     " are possible"});
  check_colliders(scene, names, issues);
  if (!scene.porous) {
    if (names.size() > 1)
      issues.push_back({"/porous", "the scene has species " + in_quotes(names[0]) + " and " +
                                       in_quotes(names[1]) +
                                       "; say here how they act on each other"});
    return;
  }
  for (std::size_t i = 0; i < scene.porous->pairs.size(); ++i)
    check_pair(scene.porous->pairs, i, names, issues);
  check_parts(*scene.porous, issues);
  if (scene.porous->coupling == CouplingKind::mixture && !scene.porous->pairs.empty())
    check_mixture(scene, issues);
  if (names.size() == 1 && scene.porous->pairs.empty())
    issues.push_back({"/porous",
                      "the scene has one species; give objects a /species, or remove the "
                      "section"});
  if (names.size() > 1 && scene.porous->pairs.empty() &&
      scene.porous->coupling != CouplingKind::limit)
    issues.push_back({"/porous/pairs", "is empty: the species would pass through each other"});
}

}  // namespace firn

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
  for (std::size_t j = 0; j < i; ++j)
    if (std::minmax(pairs[j].solid, pairs[j].fluid) == std::minmax(pair.solid, pair.fluid))
      issues.push_back({"/porous/pairs/" + std::to_string(i),
                        "pair " + std::to_string(j) + " is of the same two species"});
}

}  // namespace

void check_porous(const SceneSettings& scene, Issues& issues) {
  const std::vector<std::string> names = species_names(scene);
  if (names.size() > kMostNamedSpecies)
    issues.push_back({"/porous", "the scene has " + std::to_string(names.size()) +
                                     " species; at most " + std::to_string(kMostNamedSpecies) +
                                     " are possible"});
  if (!scene.porous) {
    if (names.size() > 1)
      issues.push_back({"/porous", "the scene has species " + in_quotes(names[0]) + " and " +
                                       in_quotes(names[1]) +
                                       "; say here how they act on each other"});
    return;
  }
  for (std::size_t i = 0; i < scene.porous->pairs.size(); ++i)
    check_pair(scene.porous->pairs, i, names, issues);
  if (names.size() == 1 && scene.porous->pairs.empty())
    issues.push_back({"/porous",
                      "the scene has one species; give objects a /species, or remove the "
                      "section"});
  if (names.size() > 1 && scene.porous->pairs.empty() &&
      scene.porous->coupling != CouplingKind::limit)
    issues.push_back({"/porous/pairs", "is empty: the species would pass through each other"});
}

}  // namespace firn

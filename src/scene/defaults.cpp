#include "scene/defaults.h"

#include <cmath>
#include <set>

namespace firn {
namespace {

// Told apart at a glance, also by most colour-blind people; one a material.
constexpr Vec3d kPalette[] = {
    {{0.35, 0.62, 0.82}}, {{0.88, 0.66, 0.36}}, {{0.43, 0.70, 0.48}}, {{0.80, 0.45, 0.42}},
    {{0.60, 0.52, 0.76}}, {{0.92, 0.80, 0.42}}, {{0.55, 0.58, 0.62}}, {{0.84, 0.56, 0.72}},
};

// The first snow of a scene is a pale blue, the first sand ochre and the first fluid blue;
// everything else is told apart.
Vec3d default_color(const SceneSettings& scene, int material) {
  const auto model = scene.materials[material].parameters.index();
  for (int earlier = 0; earlier < material; ++earlier)
    if (scene.materials[earlier].parameters.index() == model)
      return kPalette[material % std::size(kPalette)];
  const ModelParameters& parameters = scene.materials[material].parameters;
  if (std::holds_alternative<Snow::Parameters>(parameters)) return {{0.70, 0.82, 0.95}};
  if (std::holds_alternative<Sand::Parameters>(parameters)) return {{0.88, 0.66, 0.36}};
  if (std::holds_alternative<Fluid::Parameters>(parameters)) return {{0.25, 0.52, 0.85}};
  return kPalette[material % std::size(kPalette)];
}

// "object_1", "object_2", ... by place, skipping names that are taken.
template <class Entry>
void fill_names(std::vector<Entry>& entries, const std::string& stem) {
  std::set<std::string> taken;
  for (const Entry& entry : entries) taken.insert(entry.name);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].name.empty()) continue;
    std::string name = stem + "_" + std::to_string(i + 1);
    while (!taken.insert(name).second) name += "_";
    entries[i].name = name;
  }
}

// What objects and emitters have in common.
template <class Entry>
void fill_matter(const SceneSettings& scene, Entry& entry) {
  if (entry.sampling.particles_per_cell == 0 && entry.sampling.spacing == 0)
    entry.sampling.particles_per_cell = scene.dimension == 2 ? 4 : 8;
  if (entry.material < 0 || entry.material >= static_cast<int>(scene.materials.size())) return;
  const MaterialSettings& material = scene.materials[entry.material];
  if (entry.density == 0)
    entry.density = preset_density(static_cast<int>(material.parameters.index()), material.preset);
  if (entry.colors.empty()) entry.colors.push_back({default_color(scene, entry.material), 1});
}

}  // namespace

void fill_defaults(SceneSettings& scene) {
  fill_names(scene.objects, "object");
  fill_names(scene.emitters, "emitter");
  fill_names(scene.sinks, "sink");
  fill_names(scene.colliders, "collider");
  for (ObjectSettings& object : scene.objects) fill_matter(scene, object);
  for (EmitterSettings& emitter : scene.emitters) fill_matter(scene, emitter);
}

double particle_spacing(const SceneSettings& scene, const Sampling& sampling) {
  if (sampling.spacing > 0) return sampling.spacing;
  const double count = sampling.particles_per_cell > 0 ? sampling.particles_per_cell
                       : scene.dimension == 2          ? 4
                                                       : 8;
  return scene.grid.spacing / std::pow(count, 1.0 / static_cast<double>(scene.dimension));
}

}  // namespace firn

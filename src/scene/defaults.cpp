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

// The first material of a model that has a colour of its own, such as sand, takes it; everything
// else is told apart.
Vec3d default_color(const SceneSettings& scene, int material) {
  const auto model = scene.materials[material].parameters.index();
  for (int earlier = 0; earlier < material; ++earlier)
    if (scene.materials[earlier].parameters.index() == model)
      return kPalette[material % std::size(kPalette)];
  return visit_model(static_cast<int>(model), [&](auto tag) -> Vec3d {
    using Model = typename decltype(tag)::type;
    if constexpr (requires { Model::kColor; })
      return Model::kColor;
    else
      return kPalette[material % std::size(kPalette)];
  });
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
  fill_names(scene.transitions, "transition");
  fill_names(scene.colliders, "collider");
  for (ObjectSettings& object : scene.objects) fill_matter(scene, object);
  for (EmitterSettings& emitter : scene.emitters) fill_matter(scene, emitter);
}

std::vector<std::string> color_fields(const SceneSettings& scene) {
  std::vector<std::string> fields = {scene.view.color_by};
  const auto add = [&](const ParticleLook& look, const char* whose) {
    if (!look.color_by.empty()) fields.insert(fields.end(), {look.color_by, whose});
  };
  for (const MaterialLook& look : scene.view.look.materials) add(look, "material");
  for (const ObjectSettings& object : scene.objects)
    if (object.look) add(*object.look, "id");
  return fields;
}

double particle_spacing(const SceneSettings& scene, const Sampling& sampling) {
  if (sampling.spacing > 0) return sampling.spacing;
  const double count = sampling.particles_per_cell > 0 ? sampling.particles_per_cell
                       : scene.dimension == 2          ? 4
                                                       : 8;
  return scene.grid.spacing / std::pow(count, 1.0 / static_cast<double>(scene.dimension));
}

}  // namespace firn

#include "scene/check_sph.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "scene/defaults.h"
#include "scene/initial_fields.h"
#include "scene/particle_sets.h"

namespace firn {
namespace {

bool is_used(const SceneSettings& scene, int material) {
  const auto uses = [&](const auto& entry) { return entry.material == material; };
  return std::any_of(scene.objects.begin(), scene.objects.end(), uses) ||
         std::any_of(scene.emitters.begin(), scene.emitters.end(), uses);
}

void check_material(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const MaterialSettings& material = scene.materials[index];
  const std::string place = "/materials/" + material.name;
  const auto* sand = std::get_if<Sand::Parameters>(&material.parameters);
  if (!sand) {
    issues.push_back(
        {place + "/model", "sph computes sand alone; choose \"sand\", or the solver \"mpm\""});
    return;
  }
  if (sand->friction_angle < 0)
    issues.push_back({place + "/friction_angle",
                      "sph knows no hardening; give the angle in degrees, or choose the solver "
                      "\"mpm\""});
  for (const ParameterExpression& expression : material.expressions)
    issues.push_back({place + "/" + expression.name,
                      "sph takes numbers, no expressions, as parameters of sand; give a number, or "
                      "choose the solver \"mpm\""});
}

// Along diagonals of a lattice, too, neighbours must be within the support: with fewer of them
// rates of strain are not found.
void check_spacing(const SceneSettings& scene, const Sampling& sampling, const std::string& place,
                   Issues& issues) {
  const double support = scene.grid.spacing, spacing = particle_spacing(scene, sampling);
  const double least = scene.dimension == 2 ? 2 : 3, usual = scene.dimension == 2 ? 4 : 8;
  if (spacing <= 1.0001 * support / std::sqrt(2.0)) return;
  issues.push_back({place + "/sampling",
                    "puts particles " + short_number(spacing) +
                        " m apart, which gives them too few neighbours within " +
                        short_number(support) +
                        " m, the /grid/spacing; choose particles_per_cell " + short_number(least) +
                        " or more (" + short_number(usual) + " are usual)"});
}

// The rigid limit has no stiffness, and keeps neither hardening nor lost volume.
void check_object(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const ObjectSettings& object = scene.objects[index];
  const std::string place = at("objects", index);
  if (object.initial_stress)
    issues.push_back(
        {place + "/initial_stress", "sph finds the stress of a bed in its first steps; remove it"});
  if (object.shape.kind != ShapeType::points) check_spacing(scene, object.sampling, place, issues);
  if (object.volume == VolumeKind::estimated)
    issues.push_back({place + "/volume", "sph measures density itself; remove it"});
  for (const InitialField& field : object.fields) {
    const bool of_model = std::any_of(Sand::kScalarFields.begin(), Sand::kScalarFields.end(),
                                      [&](const ScalarField& f) { return f.name == field.name; });
    if (of_model || field.name == kStiffnessScale)
      issues.push_back({place + "/fields/" + field.name,
                        "grains of sph are rigid and keep no such value; remove it, or choose the "
                        "solver \"mpm\""});
  }
}

}  // namespace

void check_sph(const SceneSettings& scene, Issues& issues) {
  if (!scene.integrator.is_explicit())
    issues.push_back({"/integrator/type",
                      "sph has an integrator of its own; remove the type, or choose \"explicit\" "
                      "for its cfl, max_dt and fixed_dt"});
  if (species_names(scene).size() > 1)
    issues.push_back({"/objects",
                      "sph knows one species alone; give all objects and emitters the same, or "
                      "choose the solver \"mpm\""});
  if (!scene.transitions.empty())
    issues.push_back({"/transitions", "sph knows none; remove them, or choose the solver \"mpm\""});
  for (std::size_t m = 0; m < scene.materials.size(); ++m)
    if (is_used(scene, static_cast<int>(m))) check_material(scene, m, issues);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) check_object(scene, i, issues);
  for (std::size_t i = 0; i < scene.emitters.size(); ++i)
    check_spacing(scene, scene.emitters[i].sampling, at("emitters", i), issues);
}

}  // namespace firn

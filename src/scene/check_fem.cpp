#include "scene/check_fem.h"

#include <algorithm>
#include <cmath>

#include "scene/copies.h"
#include "scene/initial_fields.h"
#include "scene/object_mesh.h"
#include "scene/particle_sets.h"

namespace firn {
namespace {

// Elastic models, whose stress follows from an energy; the last three know one for every F, also of
// cells that are inside out.
const std::vector<std::string>& elastic_models() {
  static const std::vector<std::string> names = {
      "hencky",          "neo_hookean",         "viscoelastic",
      "fixed_corotated", "st_venant_kirchhoff", "stable_neo_hookean"};
  return names;
}
bool is_among(const std::string& name, std::vector<std::string>::const_iterator first,
              std::vector<std::string>::const_iterator last) {
  return std::find(first, last, name) != last;
}
bool is_elastic(const std::string& model) {
  return is_among(model, elastic_models().begin(), elastic_models().end());
}
bool bears_inversion(const std::string& model) {
  return is_among(model, elastic_models().end() - 3, elastic_models().end());
}

std::string model_of(const MaterialSettings& material) {
  return model_name(static_cast<int>(material.parameters.index()));
}

bool is_in_an_object(const SceneSettings& scene, std::size_t material) {
  return std::any_of(scene.objects.begin(), scene.objects.end(), [&](const ObjectSettings& object) {
    return object.material == static_cast<int>(material);
  });
}

void check_solid(const MaterialSettings& material, Issues& issues) {
  const std::string place = "/materials/" + pointer_piece(material.name);
  if (!is_elastic(model_of(material)))
    issues.push_back({place + "/model", "fem computes elastic solids, and " +
                                            in_quotes(model_of(material)) +
                                            " is none; choose \"stable_neo_hookean\", "
                                            "\"fixed_corotated\" or another elastic model, or the "
                                            "solver \"mpm\""});
  for (const ParameterExpression& expression : material.expressions)
    issues.push_back({place + "/" + expression.name,
                      "fem takes numbers, no expressions, as parameters; give a number, or choose "
                      "the solver \"mpm\""});
}

void check_solid_fields(const SceneSettings& scene, std::size_t index, Issues& issues) {
  for (const InitialField& field : scene.objects[index].fields) {
    const bool is_color =
        std::find(kChannelNames, kChannelNames + 3, field.name) != kChannelNames + 3;
    const bool is_users =
        std::find(scene.scalars.begin(), scene.scalars.end(), field.name) != scene.scalars.end();
    if (!is_color && !is_users)
      issues.push_back({at("objects", index) + "/fields/" + pointer_piece(field.name),
                        "bodies of fem are the same throughout; remove it, or choose the solver "
                        "\"mpm\""});
  }
}

void check_mesh_start(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const ObjectSettings& object = scene.objects[index];
  if (object.start == MeshStart::rest) return;
  const int count = static_cast<int>(scene.materials.size());
  if (object.material < 0 || object.material >= count) return;
  const MaterialSettings& material = scene.materials[object.material];
  if (!is_elastic(model_of(material)) || bears_inversion(model_of(material))) return;
  issues.push_back({at("objects", index) + "/start",
                    std::string(object.start == MeshStart::random ? "\"random\"" : "\"point\"") +
                        " turns cells inside out, for which " + in_quotes(model_of(material)) +
                        " (material " + in_quotes(material.name) +
                        ") has no energy; choose \"rest\", or the model \"stable_neo_hookean\" or "
                        "\"fixed_corotated\""});
}

void check_solid_object(const SceneSettings& scene, std::size_t index, Issues& issues) {
  const ObjectSettings& object = scene.objects[index];
  const std::string place = at("objects", index);
  if (!object.has_mesh_file() && object.shape.kind == ShapeType::points)
    issues.push_back({place + "/shape/type",
                      "points have no volume to cut into cells; choose another shape, or the "
                      "solver \"mpm\""});
  if (object.has_mesh_file() && object.mesh->file.empty())
    issues.push_back({place + "/mesh/file", "is empty"});
  if (object.initial_stress)
    issues.push_back({place + "/initial_stress",
                      "bodies of fem start free of stress; remove it, or choose the solver "
                      "\"mpm\""});
  if (object.volume == VolumeKind::estimated)
    issues.push_back({place + "/volume", "fem knows the volume of its cells; remove it"});
  check_solid_fields(scene, index, issues);
  check_mesh_start(scene, index, issues);
}

// Sections that other solvers have.
void check_sections(const SceneSettings& scene, Issues& issues) {
  const auto refuse = [&](const char* place) {
    issues.push_back({place, "fem knows none; remove it, or choose the solver \"mpm\""});
  };
  if (!scene.emitters.empty()) refuse("/emitters");
  if (!scene.sinks.empty()) refuse("/sinks");
  if (!scene.transitions.empty()) refuse("/transitions");
  if (scene.grains) refuse("/grains");
  if (scene.porous) refuse("/porous");
  for (int a = 0; a < static_cast<int>(scene.dimension); ++a)
    if (scene.grid.periodic.axes[a])
      refuse((std::string("/grid/periodic/") + kAxisNames[a]).c_str());
}

}  // namespace

void check_fem(const SceneSettings& scene, Issues& issues) {
  if (scene.integrator.kind != IntegratorKind::optimization)
    issues.push_back({"/integrator/type",
                      "fem minimizes an energy in every step; write \"optimization\", or remove "
                      "the type"});
  if (species_names(scene).size() > 1)
    issues.push_back({"/objects",
                      "fem knows one species alone; give all objects the same, or choose the "
                      "solver \"mpm\""});
  check_sections(scene, issues);
  for (std::size_t m = 0; m < scene.materials.size(); ++m)
    if (is_in_an_object(scene, m)) check_solid(scene.materials[m], issues);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) check_solid_object(scene, i, issues);
}

void check_keys_of_fem(const SceneSettings& scene, Issues& issues) {
  const auto refuse = [&](const std::string& place) { issues.push_back({place, kOfFemAlone}); };
  for (const MaterialSettings& material : scene.materials)
    if (material.damping) refuse("/materials/" + pointer_piece(material.name) + "/damping");
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (scene.objects[i].mesh) refuse(at("objects", i) + "/mesh");
    if (scene.objects[i].start != MeshStart::rest) refuse(at("objects", i) + "/start");
  }
  for (std::size_t i = 0; i < scene.colliders.size(); ++i)
    if (scene.colliders[i].method != ObstacleMethod::automatic)
      refuse(at("colliders", i) + "/method");
}

double estimated_vertices(const SceneSettings& scene, const ObjectSettings& object) {
  const ObjectMeshSettings settings = mesh_settings(object);
  const bool solid = scene.dimension == 3, quadratic = settings.order == 2;
  // Edges a vertex of large meshes, which are as many more vertices of second order.
  const double with_middles = !quadratic ? 1 : solid ? 8 : 4;
  double vertices = 0;
  if (settings.kind == MeshKind::file) {
    if (!settings.asset) return 0;
    if (const auto* flat = settings.asset->get<SimplexMesh<2>>())
      vertices = static_cast<double>(flat->points.size());
    if (const auto* cells = settings.asset->get<SimplexMesh<3>>())
      vertices = static_cast<double>(cells->points.size());
  } else {
    // A cell of the lattice has its corner and, of a stuffing, its middle.
    const double each = settings.kind == MeshKind::stuffing ? 2 : 1;
    vertices = each * volume(single_shape(scene, object)) /
               std::pow(mesh_edge(scene, object), double(scene.dimension));
  }
  return copy_count(scene, object) * vertices * with_middles;
}

double bytes_per_vertex(const SceneSettings& scene) {
  return scene.dimension == 3 ? 6000 : 2000;
}

void check_fem_memory(const SceneSettings& scene, double memory_bytes, Issues& issues) {
  const double each = bytes_per_vertex(scene);
  double total = 0;
  bool one_is_too_large = false;
  const auto report = [&](const std::string& pointer, double count) {
    issues.push_back({pointer, "about " + grouped(std::round(count)) + " vertices need about " +
                                   gibibytes(count * each) + " of memory, this machine has " +
                                   gibibytes(memory_bytes) +
                                   "; raise the edge of the mesh (twice /grid/spacing when not "
                                   "given)"});
  };
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const double count = estimated_vertices(scene, scene.objects[i]);
    total += count;
    if (count * each <= memory_bytes) continue;
    one_is_too_large = true;
    const bool given = scene.objects[i].mesh.has_value();
    report(at("objects", i) + (given ? "/mesh" : ""), count);
  }
  if (!one_is_too_large && !(total * each <= memory_bytes)) report("/objects", total);
}

}  // namespace firn

#include "scene_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output.h"
#include "scene/object_mesh.h"
#include "sim/emitter.h"

namespace firn::cli {
namespace {

std::string material_text(const MaterialSettings& material) {
  return fmt::format("{} ({})", material.name,
                     model_name(static_cast<int>(material.parameters.index())));
}

// Only where it differs from the whole run.
std::string opening_text(const EmitterSettings& emitter) {
  if (std::isfinite(emitter.stop))
    return fmt::format(", {:.4g} s to {:.4g} s", emitter.start, emitter.stop);
  return emitter.start > 0 ? fmt::format(", from {:.4g} s on", emitter.start) : "";
}

bool is_moving(const ColliderSettings& collider) {
  return collider.motion || !collider.deformation.empty();
}

template <int D>
std::string cell_lines_of(const SceneSettings& scene) {
  double cells = 0, unknowns = 0;
  std::size_t bodies = 0;
  AngleRange angles;
  for (const ObjectSettings& object : scene.objects) {
    const auto* mesh = object.mesh->asset->get<ObjectMesh<D>>();
    bodies += mesh->bodies.size();
    for (const BodyMesh<D>& body : mesh->bodies) {
      const SimplexMesh<D> corners = corner_cells(body, mesh->order);
      const AngleRange range = mesh_angles(corners);
      cells += static_cast<double>(corners.cells.size());
      unknowns += D * static_cast<double>(body.nodes.size());
      angles.least = std::min(angles.least, range.least);
      angles.largest = std::max(angles.largest, range.largest);
    }
  }
  const char* contact =
      bodies > 1 && !scene.fem.self_collision ? ", which pass through each other" : "";
  return fmt::format("bodies       {}{}\n", bodies, contact) +
         fmt::format("cells        {} {}, angles {:.3g} to {:.3g} degrees\n", grouped(cells),
                     D == 3 ? "tetrahedra" : "triangles", angles.least, angles.largest) +
         fmt::format("unknowns     {}\n", grouped(unknowns));
}

}  // namespace

std::string cell_lines(const SceneSettings& scene) {
  if (scene.solver != SolverKind::fem || !has_meshes(scene)) return "";
  return scene.dimension == 2 ? cell_lines_of<2>(scene) : cell_lines_of<3>(scene);
}

double emitted_particles(const SceneSettings& scene, std::size_t emitter) {
  const EmitterSettings& settings = scene.emitters[emitter];
  const double end = std::min(settings.stop, static_cast<double>(scene.frames) / scene.fps);
  return Emitter(scene, emitter).particles_per_second() * std::max(0.0, end - settings.start);
}

std::string object_lines(const SceneSettings& scene, const std::vector<ObjectParticles>& objects) {
  std::string text;
  for (const ObjectParticles& object : objects) {
    const ObjectSettings& settings = scene.objects[object.object];
    text += fmt::format("  {:20} {:>12} {} of {}\n", settings.name,
                        grouped(static_cast<double>(object.size())),
                        scene.solver == SolverKind::fem ? "vertices" : "particles",
                        material_text(scene.materials[settings.material]));
  }
  return text;
}

std::string emitter_lines(const SceneSettings& scene) {
  std::string text;
  for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
    const EmitterSettings& emitter = scene.emitters[i];
    text += fmt::format("  {:20} {:>12} particles a second of {}{}{}\n", emitter.name,
                        grouped(std::round(Emitter(scene, i).particles_per_second())),
                        material_text(scene.materials[emitter.material]), opening_text(emitter),
                        emitter.until_full ? ", while there is room" : "");
  }
  return text;
}

std::string surroundings_lines(const SceneSettings& scene) {
  std::string text;
  const auto moving = std::count_if(scene.colliders.begin(), scene.colliders.end(), is_moving);
  if (!scene.colliders.empty())
    text += fmt::format("colliders    {}{}\n", scene.colliders.size(),
                        moving > 0 ? fmt::format(", {} moving", moving) : "");
  if (!scene.transitions.empty())
    text += fmt::format("transitions  {}\n", scene.transitions.size());
  if (!scene.sinks.empty()) text += fmt::format("sinks        {}\n", scene.sinks.size());
  if (!scene.probes.empty()) text += fmt::format("probes       {}\n", scene.probes.size());
  return text;
}

}  // namespace firn::cli

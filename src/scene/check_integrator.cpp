#include "scene/check_integrator.h"

#include <variant>

#include "scene/line_text.h"
#include "scene/particle_sets.h"

namespace firn {

void check_integrator(const SceneSettings& scene, Issues& issues) {
  if (scene.integrator.is_explicit() || scene.integrator.kind == IntegratorKind::automatic) return;
  if (species_names(scene).size() > 1) {
    issues.push_back({"/integrator/type",
                      "implicit steps know one species alone; choose \"explicit\", or give all "
                      "objects and emitters the same species"});
    return;  // "newton" would not do either
  }
  const bool flows = scene.integrator.kind == IntegratorKind::newton;
  for (const MaterialSettings& material : scene.materials)
    if (std::holds_alternative<Sand::Parameters>(material.parameters) && !flows)
      issues.push_back({"/integrator/type", "sand (material " + in_quotes(material.name) +
                                                ") flows within a step, which \"newton\" solves "
                                                "for; choose that, or \"explicit\""});
  if (scene.integrator.positions == PositionKind::backward && scene.integrator.implicit_cfl > 1)
    issues.push_back({"/integrator/positions",
                      "\"backward\" looks at most a cell ahead; choose a cfl of at most 1, or "
                      "\"forward\""});
}

}  // namespace firn

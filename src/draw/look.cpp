#include "draw/look.h"

#include <algorithm>

namespace firn {

Look look_of(const SceneSettings& scene) {
  Look look;
  static_cast<LookSettings&>(look) = scene.view.look;
  look.light = scene.view.light;
  look.background = scene.view.background;
  look.ground_shadow = scene.view.ground_shadow;
  look.by_material.resize(scene.materials.size());
  for (const MaterialLook& entry : look.materials)
    if (entry.material >= 0 && static_cast<std::size_t>(entry.material) < scene.materials.size())
      look.by_material[static_cast<std::size_t>(entry.material)] = entry;
  return look;
}

PointStyle style_of(const Look& look, int material) {
  if (material < 0 || static_cast<std::size_t>(material) >= look.by_material.size())
    return look.style;
  const std::vector<std::string> names = point_style_names();
  const auto found =
      std::find(names.begin(), names.end(), look.by_material[std::size_t(material)].style);
  return found == names.end() ? look.style : static_cast<PointStyle>(found - names.begin());
}

}  // namespace firn

#include "draw/look.h"

#include <algorithm>

namespace firn {

namespace {

void add_objects(const SceneSettings& scene, Look& look) {
  const bool any =
      std::any_of(scene.objects.begin(), scene.objects.end(),
                  [](const ObjectSettings& object) { return object.look.has_value(); });
  if (!any) return;
  look.group_of_object.assign(scene.objects.size(), -1);
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const ObjectSettings& object = scene.objects[i];
    if (!object.look || look.groups.size() >= kMostGroups) continue;
    ParticleLook own = *object.look;
    const auto material = static_cast<std::size_t>(object.material);
    if (own.style.empty() && material < scene.materials.size())
      own.style = look.groups[material].style;
    look.group_of_object[i] = static_cast<int>(look.groups.size());
    look.groups.push_back(std::move(own));
  }
}

}  // namespace

Look look_of(const SceneSettings& scene) {
  Look look;
  static_cast<LookSettings&>(look) = scene.view.look;
  look.light = scene.view.light;
  look.background = scene.view.background;
  look.ground_shadow = scene.view.ground_shadow;
  look.groups.resize(scene.materials.size());
  for (const MaterialLook& entry : look.materials)
    if (entry.material >= 0 && static_cast<std::size_t>(entry.material) < scene.materials.size())
      look.groups[static_cast<std::size_t>(entry.material)] = entry;
  add_objects(scene, look);
  return look;
}

PointStyle style_of(const Look& look, int group) {
  if (group < 0 || static_cast<std::size_t>(group) >= look.groups.size()) return look.style;
  const std::vector<std::string> names = point_style_names();
  const auto found = std::find(names.begin(), names.end(), look.groups[std::size_t(group)].style);
  return found == names.end() ? look.style : static_cast<PointStyle>(found - names.begin());
}

bool uses_style(const Look& look, PointStyle style) {
  bool used = look.style == style;
  for (std::size_t g = 0; g < look.groups.size(); ++g)
    used = used || style_of(look, static_cast<int>(g)) == style;
  return used;
}

}  // namespace firn

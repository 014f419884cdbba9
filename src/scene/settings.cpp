#include "scene/settings.h"

namespace firn {

SceneSettings::SceneSettings() = default;
SceneSettings::~SceneSettings() = default;
SceneSettings::SceneSettings(const SceneSettings&) = default;
SceneSettings::SceneSettings(SceneSettings&&) noexcept = default;
SceneSettings& SceneSettings::operator=(const SceneSettings&) = default;
SceneSettings& SceneSettings::operator=(SceneSettings&&) noexcept = default;

}  // namespace firn

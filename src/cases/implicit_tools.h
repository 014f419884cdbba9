// What the cases of implicit steps share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cases/case_tools.h"

namespace firn {

using NamedIntegrator = std::pair<IntegratorKind, const char*>;
inline constexpr NamedIntegrator kImplicitKinds[] = {
    {IntegratorKind::optimization, "optimization"},
    {IntegratorKind::semi_implicit, "semi_implicit"},
    {IntegratorKind::newton, "newton"}};

// Places of the particles by id with all digits, m, from a point that is the same for all of them
// at any time. Snapshots have them in single precision.
std::vector<Vec3d> exact_places(const World& world, const SceneSettings& scene);

}  // namespace firn

// What the cases of species that share space have in common.
#pragma once

#include <string>
#include <vector>

#include "cases/case_tools.h"

namespace firn {

inline constexpr const char* kSandSpecies = "sand";
inline constexpr const char* kWaterSpecies = "water";

// Water that is stiff enough to count as incompressible in a case.
ModelParameters case_water(double bulk_modulus);

// The pair of the scene's two species; further keys are the caller's.
PorousPair& couple(SceneSettings& scene, CouplingKind coupling);

// Means of what the particles of a species have where `where` holds.
struct SpeciesMean {
  double velocity[3] = {0, 0, 0}, position[3] = {0, 0, 0}, pressure = 0, phi = 0;
  double top = -1e30;  // of the highest particle, m
  std::size_t count = 0;
};
SpeciesMean mean_of(const World& world, int species,
                    const std::function<bool(const Vec3d&)>& where = nullptr);

}  // namespace firn

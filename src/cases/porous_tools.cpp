#include "cases/porous_tools.h"

#include <algorithm>

namespace firn {

ModelParameters case_water(double bulk_modulus) {
  Fluid::Parameters water;
  water.bulk_modulus = bulk_modulus;
  return water;
}

PorousPair& couple(SceneSettings& scene, CouplingKind coupling) {
  scene.porous.emplace();
  scene.porous->coupling = coupling;
  PorousPair pair;
  pair.solid = kSandSpecies;
  pair.fluid = kWaterSpecies;
  scene.porous->pairs.push_back(pair);
  return scene.porous->pairs.back();
}

SpeciesMean mean_of(const World& world, int species,
                    const std::function<bool(const Vec3d&)>& where) {
  const PointTable table = world.snapshot({"velocity", "species", "pressure", "phi"});
  const char* const places[3] = {"x", "y", "z"};
  const char* const velocities[3] = {"vx", "vy", "vz"};
  std::vector<double> x[3], v[3];
  for (int a = 0; a < 3; ++a) {
    x[a] = table.as_double(places[a]);
    v[a] = table.as_double(velocities[a]);
  }
  const auto of = table.as_double("species"), p = table.as_double("pressure"),
             phi = table.as_double("phi");
  SpeciesMean mean;
  for (std::size_t i = 0; i < table.count; ++i) {
    if (of[i] != species || (where && !where({{x[0][i], x[1][i], x[2][i]}}))) continue;
    for (int a = 0; a < 3; ++a) {
      mean.velocity[a] += v[a][i];
      mean.position[a] += x[a][i];
    }
    mean.pressure += p[i];
    mean.phi += phi[i];
    mean.top = std::max(mean.top, x[1][i]);
    ++mean.count;
  }
  const double share = mean.count > 0 ? 1.0 / double(mean.count) : 0;
  for (int a = 0; a < 3; ++a) {
    mean.velocity[a] *= share;
    mean.position[a] *= share;
  }
  mean.pressure *= share;
  mean.phi *= share;
  return mean;
}

}  // namespace firn

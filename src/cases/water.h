// What the cases with water share.
#pragma once

#include "cases/case_tools.h"

namespace firn {

constexpr double kWaterGravity = 9.81;  // m/s2
constexpr double kWaterDensity = 1000;  // kg/m3

struct Tank {
  double width = 1;  // m, along x
  double depth = 0;  // m, along z; 0: a 2D scene
  double spacing = 1.0 / 32;
  double bulk_modulus = 2e6;
  KernelKind kernel = KernelKind::quadratic;
  bool volume_correction = true;
};

// Gravity, water as material 0, and frictionless walls (separate) at x = 0 and `width`, y = 0 and,
// in 3D, z = 0 and `depth`; no water yet.
SceneSettings tank_scene(const Tank& tank, double fps);
// Water from the left wall to x = width and from the floor to y = height, on a lattice.
ObjectSettings& add_water(SceneSettings& scene, const Tank& tank, double width, double height);

// Height of the water: mean over the columns one cell wide of the two (3D: four) highest particles
// of each, plus half the distance of particles. Exact for a lattice.
double surface_level(const PointTable& table, const Tank& tank, double particle_spacing);
// The same from the centre of mass: twice its height, if the density is uniform and the surface
// flat.
double center_level(const PointTable& table);
// The same where the surface is not flat, since smooth walls let water slosh for long: what is
// uniform below the heights h of the columns has its centre at <h^2> / <h> / 2.
double center_level(const PointTable& table, const Tank& tank, double particle_spacing);

}  // namespace firn

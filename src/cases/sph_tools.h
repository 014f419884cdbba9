// What the cases of granular SPH share.
#pragma once

#include "cases/granular_tools.h"

namespace firn {

constexpr double kSphDensity = 1500, kSphGravity = 9.81;

// Sand of one friction angle under gravity; material 0.
SceneSettings sph_scene(int dimension, double spacing, double fps, double friction_angle);

// Slope of a straight line through points, by least squares.
double fitted_slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace firn

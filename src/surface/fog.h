// Particles spread over the samples of a grid: mass density and the velocity that goes with it.
#pragma once

#include <vector>

#include "surface/block_grid.h"
#include "surface/point_bins.h"

namespace firn {

struct Fog {
  double voxel = 0;  // m
  BlockGrid grid;
  std::vector<float> density;   // kg/m^3, kBlockSamples for each block
  std::vector<Vec3f> velocity;  // m/s, of the mass at each sample
};

// Each particle goes to the 27 samples around it with quadratic weights that sum to one: the sum of
// density times voxel volume is the mass, that of density times velocity the momentum. Mass and
// velocity belong to the points that were binned; bins of the same voxel size.
Fog make_fog(const PointBins& bins, const std::vector<float>& mass,
             const std::vector<Vec3f>& velocity, double voxel);

}  // namespace firn

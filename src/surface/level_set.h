// A surface around particles, as a field that is negative inside: the distance to the mean position
// of the particles nearby, less their radius (Zhu and Bridson 2005).
//
// With the kernel (1 - s^2)^3 the mean of a half space lies 315/1280 of the kernel's radius below
// its face. This share of the kernel's radius is therefore the particle radius: flat faces then lie
// where the material ends, and a lone particle is a ball of its own volume.
#pragma once

#include <vector>

#include "base/vec.h"
#include "surface/block_grid.h"
#include "surface/point_bins.h"

namespace firn {

constexpr double kKernelRadii = 1280.0 / 315;  // radius of the kernel in particle radii

struct LevelSet {
  double voxel = 0;  // m
  BlockGrid grid;
  std::vector<float> values;  // m, kBlockSamples for each block
  float outside = 0;          // m, the value where no block is

  const float* block(int b) const {
    return values.data() + static_cast<std::size_t>(b) * kBlockSamples;
  }
  float* block(int b) { return values.data() + static_cast<std::size_t>(b) * kBlockSamples; }
};

// `radius` of a particle in metres; bins of the same voxel size.
LevelSet make_level_set(const PointBins& bins, double voxel, double radius);

// Values within `band` voxels of the surface become signed distances, those beyond +-band voxels;
// the surface stays where it is.
void make_signed_distance(LevelSet& level_set, int band);

// Passes of a binomial filter over signed distances: bumps of the size of particles go, flat faces
// stay. No value changes by more than `most` (m), so that drops of a few particles do not vanish.
void smooth_level_set(LevelSet& level_set, double most, int passes);

}  // namespace firn

// All particles of a scene, whoever moves them: one set for each material of each species, sorted
// into the blocks of a sparse grid.
#pragma once

#include <string>
#include <vector>

#include "material/models.h"
#include "particles/blocks.h"
#include "particles/particle_set.h"
#include "particles/varied_parameters.h"

namespace firn {

template <class T, int D>
struct MaterialSet {
  int material = 0;  // of the scene
  int species = 0;   // what is of one species has one velocity at a place
  ModelParameters parameters;
  ParticleSet<T, D> particles;
  Buffer<std::uint32_t> begin;  // first particle of each occupied block, and the end
  VariedParameters varied{};    // parameters that particles have values of their own of
};

template <class T, int D>
struct Particles {
  std::vector<MaterialSet<T, D>> sets;
  std::vector<std::string> user_fields;    // names of the user columns of all sets
  std::vector<std::uint64_t> object_ends;  // one past the last id of each object of the scene
  BlockTopology<D> blocks;
  double spacing = 0;   // of the grid's cells, m
  double shift = 0;     // from a stored position to the place in space, cells
  double affine_d = 0;  // D of the affine matrices that particles keep, m^2; 0: they keep none
  double drift = 0;     // bound on how far a particle has moved since the last sort, cells

  std::size_t count() const {
    std::size_t count = 0;
    for (const auto& set : sets) count += set.particles.size();
    return count;
  }
};

// World position of particle p of a block, metres; inside the periods of the grid.
template <class T, int D>
Vec3d world_position(const Particles<T, D>& all, const ParticleSet<T, D>& set, int block,
                     std::size_t p) {
  Vec3d x{{0, 0, 0}};
  for (int a = 0; a < D; ++a)
    x[a] = all.blocks.wrapped_cells(double(all.blocks.coord(block)[a]) * BlockShape<D>::kEdge +
                                        double(set.position[a][p]) + all.shift,
                                    a) *
           all.spacing;
  return x;
}

}  // namespace firn

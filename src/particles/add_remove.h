// Particles that come and go between two steps.
#pragma once

#include <vector>

#include "particles/particles.h"

namespace firn {

// What changes. The particles of set s are sorted into blocks up to first_new[s]; those behind it
// are new, at the positions world[s].
template <class T, int D>
struct ParticleChanges {
  std::vector<std::size_t> first_new;
  std::vector<std::vector<Vec3d>> world;   // m
  std::vector<std::vector<char>> removed;  // flags of the sorted particles; empty: none goes
};

// Fails when a new particle lies outside of the addressable space.
template <class T, int D>
bool add_and_remove(Particles<T, D>& all, const ParticleChanges<T, D>& changes);

// The same in one set whose blocks stay: its particles behind first_new belong to the blocks given,
// at the places in them that they have, and come behind those that are there.
template <class T, int D>
void regroup_set(MaterialSet<T, D>& set, std::size_t first_new, const std::vector<int>& block_of,
                 const std::vector<char>& removed);

}  // namespace firn

// Particles that come and go between two steps.
#pragma once

#include <vector>

#include "mpm/state.h"

namespace firn {

// What changes. The particles of set s are sorted into blocks up to first_new[s]; those behind it
// are new, at the positions world[s].
template <class T, int D>
struct Renewal {
  std::vector<std::size_t> first_new;
  std::vector<std::vector<Vec3d>> world;   // m
  std::vector<std::vector<char>> removed;  // flags of the sorted particles; empty: none goes
};

// Fails when a new particle lies outside of the addressable space.
template <class T, int D>
bool renew_particles(MpmState<T, D>& state, const Renewal<T, D>& renewal, double h, double shift);

}  // namespace firn

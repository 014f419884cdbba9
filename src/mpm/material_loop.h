// Deformation and plasticity of the particles of one material in one block.
#pragma once

#include <algorithm>

#include "mpm/state.h"

namespace firn {

struct MaterialReport {
  double max_signal = 0;    // m/s
  double max_speed = 0;     // m/s
  double max_motion = 0;    // m/s, velocity that positions moved at
  std::size_t plastic = 0;  // particles that yielded
  std::int64_t bad = -1;    // index of a particle whose state is not finite, -1 if none

  void add(const MaterialReport& later) {
    max_signal = std::max(max_signal, later.max_signal);
    max_speed = std::max(max_speed, later.max_speed);
    max_motion = std::max(max_motion, later.max_motion);
    plastic += later.plastic;
    if (bad < 0) bad = later.bad;
  }
};

// F <- (I + dt L) F (for fluids J <- (1 + dt (tr L + source)) J), plastic projection, stress.
// rate[k] are the columns of L, row-major, at index p - begin. damps: fluids damp sound.
template <class T, int D>
using MaterialUpdate = MaterialReport (*)(MaterialSet<T, D>&, T dt, const T* const* rate,
                                          std::uint32_t begin, std::uint32_t end, bool damps);
template <class T, int D>
MaterialUpdate<T, D> material_loop(const ModelParameters& parameters);

// Columns that a set of this material needs.
template <int D>
SetLayout set_layout(const ModelParameters& parameters);

}  // namespace firn

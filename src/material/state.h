// What a constitutive model reads and writes for one particle, or for a SIMD vector of them.
#pragma once

#include <limits>

#include "base/mat.h"

namespace firn {

// Elastic deformation gradient (absent in models with kHasF = false, such as fluids) and the
// model's own scalars, such as J_P of snow.
template <class S, int D, int Scalars>
struct MaterialState {
  Mat<S, D> F;
  S scalar[Scalars > 0 ? Scalars : 1];
};

// Outcome of bringing a trial state back to the admissible set.
template <class S, int D>
struct StressUpdate {
  SymMat<S, D> tau;  // Kirchhoff stress, Pa. Models with kIsotropicStress set only tau.e[0].
  S wave_modulus;    // bound of the stiffness in any direction, Pa: see wave_modulus in elastic.h
  S plastic;         // 1 where the state yielded in this update, 0 elsewhere
};

// One of a model's own scalars.
struct ScalarField {
  const char* name;
  double initial;
  const char* meaning;
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

}  // namespace firn

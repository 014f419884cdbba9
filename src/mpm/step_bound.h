// The longest step that particles bear under every kernel and transfer (docs/physics.md, time
// step).
//
// A lone particle is the worst case: its nodes carry nothing but its own mass, which for the nodes
// it hardly touches is little. Stress that a step turns into a velocity gradient comes back as
//   q (f C^2 + 4 eta dt / (rho h^2)) < 4,     C = c dt / h,
// with q of the kernel and the transfer, f of the material, c its speed of pressure waves, eta its
// viscosity. Any other particles only add mass.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/schemes.h"
#include "material/models.h"
#include "mpm/kernels.h"

namespace firn {

// q: what a unit of stress does to the velocity gradient of a lone particle at the worst place in
// its cell. Where the affine field is carried on (MLS, APIC) it swings, otherwise (FLIP, PIC) it is
// made anew in every step and bears half.
inline double lone_stiffness(KernelKind kernel, TransferKind transfer, int dimension) {
  // G = h^2 sum (dw/dx)^2 / w, largest over the cell: next to its faces (quadratic), between them
  // (cubic). The linear kernel's, whose light nodes are not trusted (classic_particle.h), is that
  // of a layer of four particles a cell along an axis next to a plane of nodes.
  const double layers = dimension == 3 ? 2.5 * 2.5 : 2.5;
  const double G = kernel == KernelKind::linear      ? 1 + layers / LinearKernel::kLeastNodeMass
                   : kernel == KernelKind::quadratic ? 6
                                                     : 3.137;
  const double kappa = kernel == KernelKind::linear      ? G
                       : kernel == KernelKind::quadratic ? QuadraticKernel::kInverseD
                                                         : CubicKernel::kInverseD;
  switch (transfer) {
    case TransferKind::mls:
      return kappa;
    case TransferKind::apic:
      return 2 * G - kappa;
    case TransferKind::flip:
    case TransferKind::pic:
      break;
  }
  return 2 * G;
}

// f: stiffness against swelling in all directions at once over that against a plane wave; where
// lambda < 0 a change of shape is stiffer. The damping of sound in fluids (Fluid::damping) takes
// another half of what a step bears.
template <class Model>
double swelling_stiffness(const typename Model::Parameters& p, int dimension) {
  if constexpr (requires { p.lambda(); })
    return (dimension * std::max(0.0, p.lambda()) + 2 * p.mu()) / (p.lambda() + 2 * p.mu());
  else
    return 2 * dimension;
}

// Of what a step bears: state and wave speed are those of its beginning.
constexpr double kStepMargin = 0.98;

struct StepBound {
  double cells = 0;      // that a pressure wave may cross in a step
  double viscosity = 0;  // eta dt / (rho h^2) that a fluid at rest bears
};

inline StepBound step_bound(KernelKind kernel, TransferKind transfer, int dimension,
                            const ModelParameters& parameters) {
  const double q = lone_stiffness(kernel, transfer, dimension);
  return visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    const auto& model = std::get<typename Model::Parameters>(parameters);
    const double f = swelling_stiffness<Model>(model, dimension);
    return StepBound{kStepMargin * std::sqrt(4 / (q * f)), kStepMargin * kStepMargin / q};
  });
}

}  // namespace firn

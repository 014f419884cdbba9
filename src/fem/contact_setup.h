// How the bodies of a scene meet obstacles and each other, from its settings.
#pragma once

#include "fem/fem_objective.h"
#include "fem/fem_settings.h"

namespace firn {

// By collider of the set: whether nodes are projected onto it; else it pushes them by penalty.
std::vector<bool> acts_as_constraint(const FemSettings& settings, const ColliderSet& obstacles);

// k of each node's penalty k depth^3, N/m^2: a hundredth of an edge deep it pushes like a twentieth
// of strain.
template <int D>
std::vector<double> penalty_stiffness(const FemModel<D>& model);

// By node: whether it is part of a body's surface.
template <int D>
std::vector<char> surface_nodes(const FemModel<D>& model);

template <int D>
std::unique_ptr<SelfContact<D>> make_self_contact(const FemSettings& settings,
                                                  const FemModel<D>& model);

}  // namespace firn

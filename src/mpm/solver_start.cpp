// How a solver takes particles up: volumes that are estimated, first stresses.
#include <algorithm>

#include "mpm/kernels.h"
#include "mpm/material_loop.h"
#include "mpm/solver.h"
#include "mpm/volume_source.h"

namespace firn {

template <class T, int D>
StepReport MpmSolver<T, D>::initialize(MpmState<T, D>& state,
                                       const std::vector<bool>& estimate_volume) {
  prepare(state);
  const StepContext<T, D> ctx = make_context(0, {{0, 0, 0}});
  if (std::find(estimate_volume.begin(), estimate_volume.end(), true) != estimate_volume.end()) {
    for (auto& set : state.sets)
      for (int c = 0; c < set.particles[column::stress].components(); ++c)
        set.particles[column::stress].column(c).fill(T(0));
    scatter_to_grid(ctx, state);
    update_grid(ctx, state);
    for (std::size_t s = 0; s < state.sets.size(); ++s)
      estimate_volumes(ctx, estimate_volume, state, static_cast<int>(s));
  }
  if (porous_.begins()) {
    // The nodes' masses tell what is there.
    scatter_to_grid(ctx, state);
    for (int slot = 0; slot < state.blocks.size(); ++slot)
      for (int s = 0; s < state.species(); ++s) stages_.merge(state, s, false, slot, nullptr);
    porous_.begin(ctx, state);
  }
  const VariedFinding varied = vary_parameters<T, D>(state, state.time);
  state.varied_age = 1;
  StepReport report;
  if (!varied.is_error())
    report = initialize_new(state.sets, std::vector<std::size_t>(state.sets.size(), 0));
  report.varied = varied;
  return report;
}

// Particles of objects that are not to be estimated keep their volume, whoever shares their
// material.
template <class T, int D>
void MpmSolver<T, D>::estimate_volumes(const StepContext<T, D>& ctx,
                                       const std::vector<bool>& of_objects, MpmState<T, D>& state,
                                       int s) {
  auto& particles = state.sets[s].particles;
  const std::vector<T> given(particles.volume[0], particles.volume[0] + particles.size());
  for (int b = 0; b < state.blocks.occupied(); ++b) stages_.estimate_volume(ctx, state, b, s);
  const auto& ends = state.object_ends;
  for (std::size_t p = 0; p < given.size(); ++p) {
    const auto object = std::upper_bound(ends.begin(), ends.end(), particles.id[0][p]);
    if (object == ends.end() || !of_objects[object - ends.begin()])
      particles.volume[0][p] = given[p];
  }
}

namespace {

// The room of particles that nobody has told theirs is their own volume.
template <class T>
void fill_where_zero(const T* volume, std::size_t begin, std::size_t end, T* room) {
  for (std::size_t p = begin; p < end; ++p)
    if (!(room[p] > T(0))) room[p] = volume[p];
}

// From the stored affine matrices to velocity gradients; no more than a viscous stress needs it.
double gradient_scale(const MpmSettings& settings) {
  switch (settings.kernel) {
    case KernelKind::linear:
      return strain_scale<LinearKernel>(settings.transfer);
    case KernelKind::quadratic:
      return strain_scale<QuadraticKernel>(settings.transfer);
    case KernelKind::cubic:
      break;
  }
  return strain_scale<CubicKernel>(settings.transfer);
}

}  // namespace

// A material update with dt = 0 brings the initial state to the yield surface and gives its stress.
template <class T, int D>
StepReport MpmSolver<T, D>::initialize_new(std::vector<MaterialSet<T, D>>& sets,
                                           const std::vector<std::size_t>& first) {
  const T scale = T(gradient_scale(settings_));
  std::vector<StepReport> reports(sets.size());
  for (std::size_t s = 0; s < sets.size(); ++s) {
    auto& set = sets[s];
    const std::size_t count = set.particles.size() - first[s];
    if (set.particles[column::room].components() > 0)
      fill_where_zero(set.particles.volume[0], first[s], set.particles.size(),
                      set.particles[column::room][0]);
    std::vector<T> gradients[D * D];
    const T* rate[D * D];
    for (int k = 0; k < D * D; ++k) {
      rate[k] = set.particles[column::affine][k] + first[s];
      if (scale == T(1)) continue;
      for (std::size_t p = 0; p < count; ++p) gradients[k].push_back(scale * rate[k][p]);
      rate[k] = gradients[k].data();
    }
    const MaterialReport found =
        material_loop<T, D>(set.parameters)(set, T(0), rate, static_cast<std::uint32_t>(first[s]),
                                            static_cast<std::uint32_t>(set.particles.size()), true);
    reports[s].max_signal = found.max_signal;
    reports[s].max_speed = found.max_speed;
    if (found.bad >= 0) {
      reports[s].bad_set = static_cast<int>(s);
      reports[s].bad_particle = static_cast<std::size_t>(found.bad);
    }
  }
  StepReport whole = combined(reports);
  if (!settings_.implicit.is_explicit()) whole.max_signal = whole.max_speed;
  return whole;
}

#define FIRN_INSTANTIATE(T, D)                                                                \
  template StepReport MpmSolver<T, D>::initialize(MpmState<T, D>&, const std::vector<bool>&); \
  template StepReport MpmSolver<T, D>::initialize_new(std::vector<MaterialSet<T, D>>&,        \
                                                      const std::vector<std::size_t>&);       \
  template void MpmSolver<T, D>::estimate_volumes(const StepContext<T, D>&,                   \
                                                  const std::vector<bool>&, MpmState<T, D>&, int);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn

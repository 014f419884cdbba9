// The kernels of a step, of a sort and of what happens between steps, put on a stream.
#pragma once

#include <algorithm>
#include <utility>

#include "mpm_cuda/backward.h"
#include "mpm_cuda/collide.h"
#include "mpm_cuda/contact.h"
#include "mpm_cuda/exchange.h"
#include "mpm_cuda/fraction.h"
#include "mpm_cuda/gather_launch.h"
#include "mpm_cuda/grid.h"
#include "mpm_cuda/grip.h"
#include "mpm_cuda/guard.h"
#include "mpm_cuda/merge.h"
#include "mpm_cuda/mirror.h"
#include "mpm_cuda/mixture.h"
#include "mpm_cuda/scatter.h"
#include "mpm_cuda/set_stores.h"
#include "mpm_cuda/sort.h"
#include "mpm_cuda/species_views.h"
#include "mpm_cuda/traffic.h"
#include "mpm_cuda/transfer_launch.h"
#include "mpm_cuda/transitions.h"
#include "mpm_cuda/vary.h"
#include "mpm_cuda/volume_beside.h"

namespace firn {

template <class T, int D>
class Launches {
 public:
  Launches(const MpmSettings& settings, const ContactReach<D>& reach, cudaStream_t stream)
      : settings_(settings), reach_(reach), stream_(stream) {
    TransferLaunches<T, D>::prepare(settings);
    if (uses_arenas<T, D>(settings)) return;
    with_smooth_kernel(settings.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      // In single precision every GPU since Turing has enough, beside what the kernel declares.
      static_assert(sizeof(T) > 4 || ScatterLayout<T, D, Kernel>::kBytes < 59 * 1024);
      allow_shared_memory(scatter_kernel<T, D, Kernel>, ScatterLayout<T, D, Kernel>::kBytes);
      allow_shared_memory(scatter_kernel<T, D, Kernel, VolumeRows>,
                          ScatterLayout<T, D, Kernel, VolumeRows>::kBytes);
      allow_shared_memory(scatter_kernel<T, D, Kernel, BesideRows>,
                          ScatterLayout<T, D, Kernel, BesideRows>::kBytes);
      allow_shared_memory(scatter_kernel<T, D, Kernel, MatterRows>,
                          ScatterLayout<T, D, Kernel, MatterRows>::kBytes);
      allow_shared_memory(scatter_kernel<T, D, Kernel, PressureRows>,
                          ScatterLayout<T, D, Kernel, PressureRows>::kBytes);
      pressed_rows_fit_ = fits_shared_memory(ScatterLayout<T, D, Kernel, PressedRows>::kBytes);
      if (settings.porous.wants_pressure() && pressed_rows_fit_)
        allow_shared_memory(scatter_kernel<T, D, Kernel, PressedRows>,
                            ScatterLayout<T, D, Kernel, PressedRows>::kBytes);
      allow_shared_memory(scatter_kernel<T, D, Kernel, FractionRows>,
                          ScatterLayout<T, D, Kernel, FractionRows>::kBytes);
    });
  }

  void begin(const View<T, D>& view) const { begin_kernel<T, D><<<1, 1, 0, stream_>>>(view); }
  void step(const SpeciesViews<T, D>& views, const SetStores<T, D>& sets, bool with_force,
            const StepConditions& conditions) const {
    const View<T, D>& view = views.all;
    prepare(view, with_force);
    if (view.lays_matter && !view.arenas)
      clear_matter_kernel<T, D><<<groups(std::size_t(view.capacity) * kNodes, kExchangeThreads),
                                  kExchangeThreads, 0, stream_>>>(view, shared_nodes(views));
    for (int s = 0; s < views.count(); ++s) move_nodes(views.of[s], lays_pressure_along(view, s));
    if (view.lays_matter) lay_matter(views);
    if (exchanges(views)) exchange(views);
    for (const View<T, D>& own : views.of) contact(own);
    if (exchanges(views) && view.collider_count > 0) exchange_after_contact(views);
    if (view.lays_matter && settings_.porous.form == DragForm::mixture) tell_flow(views);
    finish(views, sets, conditions);
  }
  // What comes before nodes in a step: parameters that are expressions, an interactive force.
  void prepare(const View<T, D>& view, bool with_force) const {
    if (view.varies) vary_kernel<T, D><<<view.capacity, kVaryThreads, 0, stream_>>>(view);
    if (with_force) force_kernel<T, D><<<view.capacity, kForceThreads, 0, stream_>>>(view);
  }
  // The rest of a step, once the nodes have their velocities.
  void finish(const SpeciesViews<T, D>& views, const SetStores<T, D>& sets,
              const StepConditions& conditions) const {
    const View<T, D>& view = views.all;
    const GatherWay way = !is_fused(settings_) ? GatherWay::material_only
                          : is_mls(settings_)  ? GatherWay::mls
                                               : GatherWay::gradient;
    const bool is_backward =
        !settings_.implicit.is_explicit() && settings_.implicit.positions == PositionKind::backward;
    if (is_backward)
      remember_places_kernel<T, D><<<view.capacity, kBackwardThreads, 0, stream_>>>(view);
    for (int s = 0; s < sets.count(); ++s) {
      const View<T, D>& own = views.of[sets.species_of(s)];
      if (!is_fused(settings_))
        TransferLaunches<T, D>::gather(own, sets.view(s), settings_, stream_);
      launch_gather<T, D>(own, sets.view(s), sets.parameters(s), way, s, stream_);
    }
    if (is_backward) move_backward(view);
    views.with_obstacles([&](const View<T, D>& own) { guard_and_collide(own); });
    if (view.transition_count > 0)
      transition_kernel<T, D><<<view.capacity, kTransitionThreads, 0, stream_>>>(view);
    end_kernel<T, D><<<1, 1, 0, stream_>>>(view, double(BlockShape<D>::kMargin), conditions);
    must(cudaGetLastError(), "a step");
  }
  void move_backward(const View<T, D>& view) const {
    with_kernel(settings_.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      move_backward_kernel<T, D, Kernel><<<view.capacity, kBackwardThreads, 0, stream_>>>(view);
    });
  }
  // Whether the pressure of a fluid is laid along with its momentum.
  bool lays_pressure_along(const View<T, D>& view, int species) const {
    return view.lays_matter && !view.arenas && is_mls(settings_) && pressed_rows_fit_ &&
           lays_pressure(settings_.porous, species) && fills_by_mass(settings_.porous, species);
  }
  // What particles scatter becomes velocities of the nodes.
  void move_nodes(const View<T, D>& view, bool with_pressure) const {
    View<T, D> pressed = view;
    pressed.push = view.matter;
    if (with_pressure)
      scatter<PressedRows>(pressed);
    else if (view.arenas)
      scatter_to_arenas(view);
    else if (is_mls(settings_))
      scatter<MomentumRows>(view);
    else
      TransferLaunches<T, D>::scatter_gradient(view, settings_, stream_);
    if (view.push)
      grid<true>(view);
    else
      grid<false>(view);
  }
  // Volumes of species that do not follow from mass, and the pressure of fluids.
  void lay_matter(const SpeciesViews<T, D>& views) const {
    const PorousSettings& porous = settings_.porous;
    const View<T, D>& view = views.all;
    for (int s = 0; s < views.count(); ++s) {
      View<T, D> laid = views.of[s];
      if (!laid.matter || lays_pressure_along(view, s)) continue;
      laid.momentum = laid.matter;
      const bool pressure = lays_pressure(porous, s);
      if (view.arenas)
        lay_in_arenas(laid, pressure ? LaidRows::pressure : LaidRows::matter);
      else if (pressure)
        scatter<PressureRows>(laid);
      else
        scatter<MatterRows>(laid);
    }
  }
  // What the flow of a mixture does to its fluid.
  void tell_flow(const SpeciesViews<T, D>& views) const {
    const bool* const is_fluid = settings_.porous.is_fluid;
    const int fluid =
        static_cast<int>(std::find(is_fluid, is_fluid + kMostSpecies, true) - is_fluid);
    View<T, D> view = views.of[fluid];
    flow_kernel<T, D><<<groups(std::size_t(view.capacity) * kNodes, kExchangeThreads),
                        kExchangeThreads, 0, stream_>>>(view, shared_nodes(views), fluid);
    view.velocity = view.matter;
    with_kernel(settings_.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      flow_gather_kernel<T, D, Kernel><<<view.capacity, kGatherThreads, 0, stream_>>>(view);
    });
  }
  // phi, at the beginning of a step; parameters that depend on it take the one before.
  void tell_fraction(const SpeciesViews<T, D>& views) const {
    const View<T, D>& view = views.all;
    if (view.varies) vary_kernel<T, D><<<view.capacity, kVaryThreads, 0, stream_>>>(view);
    if (view.arenas)
      lay_in_arenas(view, LaidRows::fraction);
    else
      scatter<FractionRows>(view);
    fraction_grid_kernel<T, D>
        <<<groups(std::size_t(view.capacity) * kNodes, kGridThreads), kGridThreads, 0, stream_>>>(
            view);
    with_kernel(settings_.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      fraction_gather_kernel<T, D, Kernel><<<view.capacity, kGatherThreads, 0, stream_>>>(view);
    });
    must(cudaGetLastError(), "telling particles phi");
  }
  // The largest viscosities, of particles that came and went.
  void find_viscosity(const View<T, D>& view) const {
    forget_viscosity_kernel<T, D><<<1, 1, 0, stream_>>>(view);
    viscosity_kernel<T, D><<<view.capacity, kViscosityThreads, 0, stream_>>>(view);
    must(cudaGetLastError(), "looking for the largest viscosity");
  }
  // Else there are two at most, which pass through each other.
  bool exchanges(const SpeciesViews<T, D>& views) const {
    return views.count() > 2 || (views.count() == 2 && settings_.porous.pair_of[0][1] > 0);
  }
  void exchange(const SpeciesViews<T, D>& views) const {
    const View<T, D>& view = views.all;
    const int node_groups = groups(std::size_t(view.capacity) * kNodes, kExchangeThreads);
    SharedNodes<T> nodes = shared_nodes(views);
    const MatterUse use = settings_.porous.wants_pressure() ? MatterUse::pressure
                          : view.lays_matter                ? MatterUse::volumes
                                                            : MatterUse::none;
    if (views.count() > 2) {
      exchange_kernel<T, D><<<node_groups, kExchangeThreads, 0, stream_>>>(view, nodes, use);
      return;
    }
    const PairSettings& pair = settings_.porous.pairs[settings_.porous.pair_of[0][1] - 1];
    if (pair.solid == 1) nodes.swap(0, 1);
    const auto kernel = use == MatterUse::pressure ? exchange_pair_kernel<T, D, MatterUse::pressure>
                        : use == MatterUse::volumes ? exchange_pair_kernel<T, D, MatterUse::volumes>
                                                    : exchange_pair_kernel<T, D, MatterUse::none>;
    kernel<<<node_groups, kExchangeThreads, 0, stream_>>>(view, nodes, pair);
  }
  void exchange_after_contact(const SpeciesViews<T, D>& views) const {
    const View<T, D>& view = views.all;
    const SharedNodes<T> nodes = shared_nodes(views);
    if (view.has_others)
      exchange_again_kernel<T, D, AnyObstacle>
          <<<few(view), kContactThreads, 0, stream_>>>(view, nodes);
    if (view.has_planes)
      exchange_again_kernel<T, D, FixedPlane>
          <<<few(view), kContactThreads, 0, stream_>>>(view, nodes);
  }
  template <bool Pushed>
  void grid(const View<T, D>& view) const {
    const int node_groups = groups(std::size_t(view.capacity) * kNodes, kGridThreads);
    if (view.gravity_in_space)
      grid_kernel<T, D, true, Pushed><<<node_groups, kGridThreads, 0, stream_>>>(view);
    else
      grid_kernel<T, D, false, Pushed><<<node_groups, kGridThreads, 0, stream_>>>(view);
  }
  void guard_and_collide(const View<T, D>& view) const {
    if (view.has_rough)
      guard<true>(view);
    else
      guard<false>(view);
    if (view.collider_count > 0 && settings_.particle_collisions)
      collide_kernel<T, D><<<few(view), kCollideThreads, 0, stream_>>>(view);
  }
  template <bool Rough>
  void guard(const View<T, D>& view) const {
    if (view.has_others) guard_kernel<T, D, Rough><<<few(view), kGuardThreads, 0, stream_>>>(view);
    if (view.has_planes)
      guard_planes_kernel<T, D, Rough><<<more(view), kGuardThreads, 0, stream_>>>(view);
  }
  void contact(const View<T, D>& view) const {
    if (view.mirror_passes > 0) return contact_with_mirrors(view);
    if (view.has_others)
      contact_kernel<T, D, AnyObstacle><<<few(view), kContactThreads, 0, stream_>>>(view);
    if (view.has_planes)
      contact_kernel<T, D, FixedPlane><<<few(view), kContactThreads, 0, stream_>>>(view);
  }
  void contact_with_mirrors(const View<T, D>& view) const {
    const KernelKind kernel = settings_.kernel;
    const int groups = few(view), fewest = std::min(view.capacity, kFewestGroups);
    for (int pass = 0; pass < view.mirror_passes; ++pass) {
      if (view.has_others)
        lead_kernel<T, D, AnyObstacle><<<groups, kContactThreads, 0, stream_>>>(view, kernel, pass);
      if (view.has_planes)
        lead_kernel<T, D, FixedPlane><<<fewest, kContactThreads, 0, stream_>>>(view, kernel, pass);
    }
    for (int pass = view.mirror_passes - 1; pass >= 0; --pass) {
      if (view.has_others)
        follow_kernel<T, D, AnyObstacle>
            <<<groups, kContactThreads, 0, stream_>>>(view, kernel, pass);
      if (view.has_planes)
        follow_kernel<T, D, FixedPlane>
            <<<fewest, kContactThreads, 0, stream_>>>(view, kernel, pass);
    }
    if (view.has_others)
      meet_rest_kernel<T, D, AnyObstacle><<<groups, kContactThreads, 0, stream_>>>(view);
    if (view.has_planes)
      meet_rest_kernel<T, D, FixedPlane><<<fewest, kContactThreads, 0, stream_>>>(view);
  }
  // With `arrivals` also puts new particles in their places.
  void sort(const SpeciesViews<T, D>& views, const SetStores<T, D>& sets,
            const StepConditions& conditions, const std::vector<ArrivalView>& arrivals = {}) const {
    const View<T, D>& view = views.all;
    const auto capacity = static_cast<std::size_t>(view.capacity);
    const int link_groups = groups(capacity * BlockShape<D>::kNeighbors, kSortThreads);
    clear_sort_kernel<T, D><<<kMostGroups, kSortThreads, 0, stream_>>>(view);
    count_kernel<T, D><<<view.capacity, kSortThreads, 0, stream_>>>(view);
    for (const ArrivalView& coming : arrivals)
      count_arrivals_kernel<T, D>
          <<<groups(coming.count, kTrafficThreads), kTrafficThreads, 0, stream_>>>(view, coming);
    totals_kernel<T, D><<<groups(capacity * 32, kSortThreads), kSortThreads, 0, stream_>>>(view);
    number_blocks_kernel<T, D><<<1, kNumberThreads, 0, stream_>>>(view);
    insert_occupied_kernel<T, D>
        <<<groups(capacity, kSortThreads), kSortThreads, 0, stream_>>>(view);
    insert_neighbors_kernel<T, D><<<link_groups, kSortThreads, 0, stream_>>>(view);
    link_neighbors_kernel<T, D><<<link_groups, kSortThreads, 0, stream_>>>(view);
    for (const View<T, D>& own : views.of) {
      if (!own.grip[0]) continue;
      clear_grip_kernel<T, D><<<kMostGroups, kGripThreads, 0, stream_>>>(own);
      carry_grip_kernel<T, D><<<kMostGroups, kGripThreads, 0, stream_>>>(own);
    }
    for (int s = 0; s < sets.count(); ++s) move_set(view, sets.view(s), s, arrivals);
    finish_sort_kernel<T, D><<<1, 1, 0, stream_>>>(view, conditions);
    list_obstacles(views);
    must(cudaGetLastError(), "sorting");
  }
  // In place of a sort, where the particles are in the order that they shall have.
  void take_topology(const SpeciesViews<T, D>& views) const {
    const View<T, D>& view = views.all;
    clear_sort_kernel<T, D><<<kMostGroups, kSortThreads, 0, stream_>>>(view);
    fill_table_kernel<T, D>
        <<<groups(view.capacity, kSortThreads), kSortThreads, 0, stream_>>>(view);
    list_obstacles(views);
    must(cudaGetLastError(), "taking blocks");
  }
  // Which obstacles are near each block of a new topology.
  void list_obstacles(const SpeciesViews<T, D>& views) const {
    if (views.all.collider_count == 0) return;
    list_obstacles_of(views.all);
    for (const View<T, D>& own : views.of)
      if (views.list_apart()) list_obstacles_of(own);
  }
  void list_obstacles_of(const View<T, D>& view) const {
    clear_near_kernel<T, D><<<1, 1, 0, stream_>>>(view);
    near_kernel<T, D><<<groups(view.capacity, 64), 64, 0, stream_>>>(view, reach_);
    if (view.has_others) clearance_kernel<T, D><<<kMostGroups, 64, 0, stream_>>>(view);
  }
  // Sources of the volume of fluids; particles of one species share their room.
  void volume(const SpeciesViews<T, D>& views) const {
    // Where none keeps it this is a branch of a graph that is never taken, but not an empty one.
    for (const View<T, D>& own : views.room_of)
      if (own.keeps_volume || !views.all.keeps_volume) volume_of_species(own);
  }
  void volume_of_species(const View<T, D>& view) const {
    if (view.arenas)
      lay_in_arenas(view, LaidRows::volume);
    else
      scatter<VolumeRows>(view);
    volume_grid_kernel<T, D>
        <<<groups(std::size_t(view.capacity) * kNodes, kGridThreads), kGridThreads, 0, stream_>>>(
            view);
    if (view.has_others)
      volume_contact_kernel<T, D, AnyObstacle>
          <<<few(view), kNodes, 0, stream_>>>(view, settings_.kernel);
    if (view.has_planes)
      volume_contact_kernel<T, D, FixedPlane>
          <<<more(view), kNodes, 0, stream_>>>(view, settings_.kernel);
    with_kernel(settings_.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      volume_gather_kernel<T, D, Kernel><<<view.capacity, kGatherThreads, 0, stream_>>>(view);
    });
    if (view.fluids_beside_solids) volume_beside_solids(view);
    must(cudaGetLastError(), "the volume of fluids");
  }
  void volume_beside_solids(const View<T, D>& view) const {
    if (view.arenas)
      lay_in_arenas(view, LaidRows::beside_solids);
    else
      scatter<BesideRows>(view);
    beside_grid_kernel<T, D>
        <<<groups(std::size_t(view.capacity) * kNodes, kGridThreads), kGridThreads, 0, stream_>>>(
            view);
    with_kernel(settings_.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      beside_gather_kernel<T, D, Kernel><<<view.capacity, kGatherThreads, 0, stream_>>>(view);
    });
  }
  cudaStream_t stream() const { return stream_; }
  static int groups(std::size_t n, int threads) {
    return static_cast<int>((n + threads - 1) / threads);
  }

 private:
  static constexpr int kNodes = BlockShape<D>::kNodes;
  static constexpr int kMostGroups = 1056;   // of kernels that loop: eight for each multiprocessor
  static constexpr int kFewestGroups = 396;  // as many as run at a time
  // Of kernels that loop over the blocks near obstacles; more where they need few registers.
  static int few(const View<T, D>& view) { return std::min(view.capacity, kMostGroups); }
  static int more(const View<T, D>& view) { return std::min(view.capacity, 2 * kMostGroups); }

  template <class Rows>
  void scatter(const View<T, D>& view) const {
    with_smooth_kernel(settings_.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      scatter_kernel<T, D, Kernel, Rows>
          <<<view.expected, kScatterThreads, ScatterLayout<T, D, Kernel, Rows>::kBytes, stream_>>>(
              view);
    });
  }
  void scatter_to_arenas(const View<T, D>& view) const {
    TransferLaunches<T, D>::scatter_to_arenas(view, settings_, stream_);
    merge(view);
  }
  // What belongs to momentum alone stays as it is.
  void lay_in_arenas(const View<T, D>& view, LaidRows laid) const {
    TransferLaunches<T, D>::lay_in_arenas(view, settings_, laid, stream_);
    View<T, D> plain = view;
    plain.pushes = plain.before = nullptr;
    merge(plain);
  }
  void merge(const View<T, D>& view) const {
    merge_kernel<T, D>
        <<<groups(std::size_t(view.capacity) * kNodes, kMergeThreads), kMergeThreads, 0, stream_>>>(
            view, view.transfer.arena_width);
  }
  void move_set(const View<T, D>& view, const SetView<T>& set, int s,
                const std::vector<ArrivalView>& arrivals) const {
    if (set.capacity == 0) return;
    place_kernel<T, D><<<view.capacity, kSortThreads, 0, stream_>>>(view, s);
    for (const ArrivalView& coming : arrivals)
      if (coming.set == s)
        place_arrivals_kernel<T, D>
            <<<groups(coming.count, kTrafficThreads), kTrafficThreads, 0, stream_>>>(view, coming);
    View<T, D> ordered = view;
    if (view.order_by_id) {
      order_by_id_kernel<T, D><<<view.capacity, kSortThreads, 0, stream_>>>(view, s);
      ordered.order = view.order_by_id;
    }
    const int most = std::min(groups(set.capacity, kSortThreads), 8 * kMostGroups);
    for (int group = 0; group < groups(set.columns, kSpare); ++group)
      move_kernel<T, D><<<most, kSortThreads, 0, stream_>>>(ordered, set, group);
  }

  MpmSettings settings_;
  ContactReach<D> reach_;
  cudaStream_t stream_;
  bool pressed_rows_fit_ = false;
};

}  // namespace firn

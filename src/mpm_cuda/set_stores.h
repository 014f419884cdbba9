// All sets of particles in device memory.
#pragma once

#include <algorithm>
#include <numeric>

#include "mpm_cuda/block_store.h"
#include "mpm_cuda/particle_store.h"
#include "particles/sort.h"

namespace firn {

template <class T, int D>
class SetStores {
 public:
  // What may happen to each set is said once.
  // by_id: sorts leave the particles of a cell in the order of their ids.
  SetStores(std::vector<SetTraffic> traffic, const PorousSettings& porous, bool by_id,
            cudaStream_t stream)
      : traffic_(std::move(traffic)), porous_(porous), by_id_(by_id), stream_(stream) {}

  void upload(const MpmState<T, D>& state, View<T, D>& view) {
    parameters_.clear();
    stores_.clear();
    species_ = state.species();
    species_of_.clear();
    const std::size_t counters = std::max<std::size_t>(1, state.sets.size());
    base_rows_.allocate(counters);
    base_rows_.fill_zero(stream_);
    held_.allocate(counters);
    std::vector<std::uint32_t> held(counters);
    for (std::size_t s = 0; s < state.sets.size(); ++s) {
      parameters_.push_back(state.sets[s].parameters);
      species_of_.push_back(state.nodes_of(state.sets[s]));
      stores_.emplace_back(stream_);
      stores_[s].upload(state.sets[s], {base_rows_.data() + s, held_.data() + s}, traffic_[s],
                        view.capacity);
      stores_[s].set_part(porous_, state.sets[s].species);
      held[s] = stores_[s].count();
    }
    held_.upload(held.data(), held.size(), stream_);
    refresh(view);
  }
  // Room for so many new particles of a set; whether memory moved.
  bool reserve(int s, std::uint32_t more, View<T, D>& view) {
    const std::uint32_t before = stores_[s].view().capacity;
    stores_[s].reserve(stores_[s].count() + more);
    if (stores_[s].view().capacity == before) return false;
    refresh(view);
    return true;
  }
  // Brings the counts of the host up to date.
  void count_again() {
    std::vector<std::uint32_t> held(stores_.size());
    held_.download(held.data(), held.size(), stream_);
    for (std::size_t s = 0; s < stores_.size(); ++s) stores_[s].set_count(held[s]);
  }
  // No particle is to be dropped any more.
  void keep_all() {
    for (auto& store : stores_) store.keep_all();
  }
  std::vector<T> packed(int s, const ParticleSet<T, D>& particles) const {
    return stores_[s].packed(particles);
  }
  std::size_t particles() const {
    std::size_t total = 0;
    for (const auto& store : stores_) total += store.count();
    return total;
  }
  // Blocks of the host are in the order of their keys.
  void download(const BlockStore<T, D>& room, const Control& control, MpmState<T, D>& state) const {
    const std::vector<BlockCoord<D>> coords = room.coords(control);
    const int occupied = control.occupied;
    std::vector<std::uint64_t> keys(occupied);
    for (int b = 0; b < occupied; ++b) keys[b] = morton_key<D>(coords[b]);
    std::vector<int> sorted(occupied);
    std::iota(sorted.begin(), sorted.end(), 0);
    std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    std::vector<std::uint32_t> begin(std::size_t(occupied) + 1);
    std::vector<std::int32_t> base_rows(base_rows_.size());
    base_rows_.download(base_rows.data(), base_rows.size(), stream_);
    for (std::size_t s = 0; s < stores_.size(); ++s) {
      MaterialSet<T, D>& set = state.sets[s];
      stores_[s].download(set.particles, base_rows[s], control.parity, begin);
      std::vector<std::uint32_t> order;
      order.reserve(set.particles.size());
      set.begin.resize(std::size_t(occupied) + 1);
      for (int b = 0; b < occupied; ++b) {
        set.begin[b] = static_cast<std::uint32_t>(order.size());
        for (std::uint32_t p = begin[sorted[b]]; p < begin[sorted[b] + 1]; ++p) order.push_back(p);
      }
      set.begin[occupied] = static_cast<std::uint32_t>(order.size());
      set.particles.reorder(order.data());
    }
    std::sort(keys.begin(), keys.end());
    state.blocks.build(keys);
  }
  // As many blocks as the view has room for.
  void reserve_blocks(View<T, D>& view) {
    for (auto& store : stores_) store.reserve_blocks(view.capacity);
    refresh(view);
  }

  // Leaves a view the sets of one species.
  void show_species(int species, View<T, D>& view) const {
    if (species_ == 1) return;
    view.sets = by_species_.data() + first_of_[species];
    view.set_count = first_of_[species + 1] - first_of_[species];
    view.shares_blocks = true;
    note_volumes(view, [&](std::size_t s) { return species_of_[s] == species; });
  }
  // And all that takes room where they are.
  void show_room(int species, View<T, D>& view) const {
    if (first_in_room_.empty()) return;
    view.sets = in_room_.data() + first_in_room_[species];
    view.set_count = first_in_room_[species + 1] - first_in_room_[species];
  }

  const std::vector<SetTraffic>& traffic() const { return traffic_; }
  int count() const { return static_cast<int>(stores_.size()); }
  int species() const { return species_; }
  int species_of(int s) const { return species_of_[s]; }
  const SetView<T>& view(int s) const { return stores_[s].view(); }
  const ModelParameters& parameters(int s) const { return parameters_[s]; }
  std::size_t bytes() const {
    std::size_t total = order_.bytes() + order_by_id_.bytes() + rates_.bytes();
    for (const auto& store : stores_) total += store.bytes();
    return total;
  }

 private:
  void refresh(View<T, D>& view) {
    std::vector<SetView<T>> views;
    std::uint32_t most = 0;
    for (const auto& store : stores_) {
      views.push_back(store.view());
      most = std::max(most, store.view().capacity);
    }
    sets_.assign(views, stream_);
    view.sets = sets_.data();
    list_by_species(views);
    list_rooms(views);
    note_volumes(view, [](std::size_t) { return true; });
    order_.allocate(most);
    view.order = order_.data();
    order_by_id_.allocate(by_id_ ? most : 0);
    view.order_by_id = order_by_id_.data();
    rates_.allocate(view.transfer.rates ? std::size_t(most) * D * D : 0);
    view.rates = rates_.data();
  }

  // The sets once more, those of a species side by side.
  void list_by_species(const std::vector<SetView<T>>& views) {
    std::vector<SetView<T>> ordered;
    first_of_.assign(1, 0);
    for (int species = 0; species < species_; ++species) {
      for (std::size_t s = 0; s < views.size(); ++s)
        if (species_of_[s] == species) ordered.push_back(views[s]);
      first_of_.push_back(static_cast<int>(ordered.size()));
    }
    if (species_ > 1) by_species_.assign(ordered, stream_);
  }
  // In a mixture the fluid shares its room with the grains of solids.
  void list_rooms(const std::vector<SetView<T>>& views) {
    first_in_room_.clear();
    if (species_ == 1 || porous_.form != DragForm::mixture) return;
    std::vector<SetView<T>> listed;
    first_in_room_.assign(1, 0);
    for (int species = 0; species < species_; ++species) {
      for (std::size_t s = 0; s < views.size(); ++s) {
        const bool solid = views[s].is_porous_solid && porous_.is_fluid[species] &&
                           porous_.pair_of[species_of_[s]][species] > 0;
        if (species_of_[s] != species && !solid) continue;
        listed.push_back(views[s]);
        if (species_of_[s] == species) continue;
        listed.back().takes_room = true;
        listed.back().keeps_volume = false;
      }
      first_in_room_.push_back(static_cast<int>(listed.size()));
    }
    in_room_.assign(listed, stream_);
  }
  // What the volume correction has to do for some of the sets.
  template <class Takes>
  void note_volumes(View<T, D>& view, const Takes& takes) const {
    bool fluids = false, solids = false;
    view.keeps_volume = false;
    for (std::size_t s = 0; s < stores_.size(); ++s) {
      if (!takes(s)) continue;
      const SetView<T>& set = stores_[s].view();
      const bool is_fluid = set.bulk_modulus > T(0);
      view.keeps_volume = view.keeps_volume || set.keeps_volume;
      fluids = fluids || (is_fluid && set.keeps_volume);
      solids = solids || !is_fluid;
    }
    view.fluids_beside_solids = fluids && solids;
  }

  std::vector<SetTraffic> traffic_;
  PorousSettings porous_;
  bool by_id_;
  cudaStream_t stream_;
  std::vector<ModelParameters> parameters_;
  std::vector<ParticleStore<T, D>> stores_;
  int species_ = 1;                 // that have nodes of their own
  std::vector<int> species_of_;     // each set
  std::vector<int> first_of_;       // place of each species in by_species_, and the end
  std::vector<int> first_in_room_;  // and in in_room_; empty where species do not share room
  DeviceArray<SetView<T>> sets_, by_species_, in_room_;
  DeviceArray<std::int32_t> base_rows_;
  DeviceArray<std::uint32_t> held_, order_, order_by_id_;
  DeviceArray<T> rates_;
};

}  // namespace firn

// Device memory that grows with the number of blocks: topology, nodes, tables of the sort and lists
// of obstacles. Of the nodes each species has what lasts through a step. What is empty again once
// the momentum of a species has become velocity (momentum, impulses, arenas), and what contact
// needs for a while, serves one species after the other.
#pragma once

#include "cuda/memory.h"
#include "mpm_cuda/guard.h"
#include "mpm_cuda/view.h"

namespace firn {

template <class T, int D>
class BlockStore {
 public:
  BlockStore(bool bodies_move, cudaStream_t stream) : bodies_move_(bodies_move), stream_(stream) {}

  // Which species lay matter, and what the mass of others tells of theirs; before there is room.
  void set_matter(const PorousSettings& porous, double spacing) {
    const T h = T(spacing), cell = D == 3 ? h * h * h : h * h;
    for (int s = 0; s < porous.species; ++s) {
      lays_matter_[s] = lays_matter(porous, s);
      matter_of_mass_[s] = {};
      if (!fills_by_mass(porous, s)) continue;
      const T bulk = cells_by_mass(porous, s, cell);
      const T grains = bulk * T(1 - porous.porosity[s]);
      matter_of_mass_[s] = {bulk, porous.is_fluid[s] ? bulk : grains};
    }
  }
  // Room for so many blocks, told to the view, which has the nodes of the first species; what the
  // topology holds stays. The stream is idle.
  void set(int blocks, int sets, int species, View<T, D>& view) {
    const auto n = static_cast<std::size_t>(blocks);
    nodes_.resize(species);
    for (int parity = 0; parity < 2; ++parity) {
      coord_[parity].grow(n, stream_);
      neighbors_[parity].grow(n * BlockShape<D>::kNeighbors, stream_);
      view.coord[parity] = coord_[parity].data();
      view.neighbors[parity] = neighbors_[parity].data();
    }
    momentum_.allocate(n * BlockShape<D>::kNodes);
    momentum_.fill_zero(stream_);
    view.momentum = momentum_.data();
    for (SpeciesNodes& own : nodes_) own.set(n * BlockShape<D>::kNodes, view, stream_);
    // The last species keeps it in the momentum, which is empty at that time.
    const bool keeps = species > 1 && view.collider_count > 0;
    for (int s = 0; s + 1 < species; ++s)
      nodes_[s].exchanged.allocate(keeps ? n * BlockShape<D>::kNodes : 0);
    for (int s = 0; s < species && view.lays_matter; ++s)
      nodes_[s].matter.allocate(lays_matter_[s] ? n * BlockShape<D>::kNodes : 0);
    nodes_[0].show(view);
    folded_.allocate(view.mirror_passes > 0 ? n * BlockShape<D>::kNodes : 0);
    view.folded = folded_.data();
    set_arena_room(n, view);
    set_sort_room(n, sets, view);
    near_all_.set(n, view.collider_count, bodies_move_);
    near_all_.show(view);
    near_of_.resize(view.has_selective && species > 1 ? species : 0);
    for (ObstacleLists& own : near_of_) own.set(n, view.collider_count, bodies_move_);
    view.capacity = blocks;
    view.set_count = sets;
  }
  // Gives a view the nodes of one species, and the obstacles that stop it.
  void show_species(int species, View<T, D>& view) const {
    nodes_[species].show(view);
    if (species + 1 == static_cast<int>(nodes_.size())) view.exchanged = momentum_.data();
    if (view.lays_matter) view.matter_of_mass = matter_of_mass_[species];
    if (near_of_.empty()) return;
    view.species = species;
    near_of_[species].show(view);
  }
  void take_topology(const BlockTopology<D>& blocks, View<T, D>& view) {
    std::vector<BlockCoord<D>> coords(blocks.size());
    std::vector<std::int32_t> neighbors;
    for (int slot = 0; slot < blocks.size(); ++slot) coords[slot] = blocks.coord(slot);
    for (int slot = 0; slot < blocks.size(); ++slot)
      neighbors.insert(neighbors.end(), blocks.neighbors(slot).begin(),
                       blocks.neighbors(slot).end());
    coord_[0].upload(coords.data(), coords.size(), stream_);
    neighbors_[0].upload(neighbors.data(), neighbors.size(), stream_);
    for (int a = 0; a < D; ++a) view.periods[a] = blocks.periods()[a];
  }
  // Grip of nodes, where there is any; the topology is that of the state.
  void take_grip(const MpmState<T, D>& state) {
    for (std::size_t s = 0; s < nodes_.size() && rubs(); ++s) {
      NodeGrip<T, D> grip = state.nodes[s].grip;
      grip.follow(state.blocks);
      nodes_[s].grip[0].upload(grip.impulses.data(), grip.impulses.size(), stream_);
    }
  }
  void give_grip(const Control& control, MpmState<T, D>& state) const {
    if (!rubs()) return;
    std::vector<BlockCoord<D>> coords(control.blocks);
    coord_[control.parity].download(coords.data(), coords.size(), stream_);
    std::vector<std::uint64_t> keys;
    for (const BlockCoord<D>& coord : coords) keys.push_back(morton_key<D>(coord));
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      NodeGrip<T, D>& grip = state.nodes[s].grip;
      grip.keys = keys;
      grip.impulses.resize(keys.size() * BlockShape<D>::kNodes);
      nodes_[s].grip[control.parity].download(grip.impulses.data(), grip.impulses.size(), stream_);
      grip.follow(state.blocks);
    }
  }
  // Of the next `count` blocks behind those that there are.
  void clear_grip(const Control& control, int count) {
    constexpr std::size_t kBytes = BlockShape<D>::kNodes * sizeof(T);
    for (std::size_t s = 0; s < nodes_.size() && rubs(); ++s)
      must(cudaMemsetAsync(nodes_[s].grip[control.parity].data() +
                               std::size_t(control.blocks) * BlockShape<D>::kNodes,
                           0, std::size_t(count) * kBytes, stream_),
           "clearing grip");
  }
  // Coordinates of the occupied blocks in their order on the device.
  std::vector<BlockCoord<D>> coords(const Control& control) const {
    std::vector<BlockCoord<D>> coords(control.occupied);
    coord_[control.parity].download(coords.data(), coords.size(), stream_);
    return coords;
  }
  BlockCoord<D> coord(const Control& control, std::size_t slot) const {
    BlockCoord<D> coord;
    coord_[control.parity].download(&coord, 1, stream_, slot);
    return coord;
  }
  std::size_t bytes() const {
    std::size_t total = momentum_.bytes() + folded_.bytes() + table_key_.bytes() +
                        table_slot_.bytes() + cells_.bytes() + totals_.bytes() + new_of_.bytes() +
                        old_of_.bytes() + near_all_.bytes() + arenas_.bytes() + pushes_.bytes() +
                        push_.bytes();
    for (int parity = 0; parity < 2; ++parity)
      total += coord_[parity].bytes() + neighbors_[parity].bytes();
    for (const SpeciesNodes& own : nodes_) total += own.bytes();
    for (const ObstacleLists& own : near_of_) total += own.bytes();
    return total;
  }

 private:
  // What each species has of its own.
  struct SpeciesNodes {
    DeviceArray<DeviceNode<T>> velocity, before, exchanged, matter;
    DeviceArray<T> grip[2];

    void set(std::size_t nodes, const View<T, D>& view, cudaStream_t stream) {
      velocity.allocate(nodes);
      before.allocate(view.transfer.split ? nodes : 0);
      for (auto& of_parity : grip)
        if (view.has_rough) of_parity.grow(nodes, stream);
    }
    void show(View<T, D>& view) const {
      view.velocity = velocity.data();
      view.before = before.data();
      view.exchanged = exchanged.data();
      view.matter = matter.data();
      for (int parity = 0; parity < 2; ++parity) view.grip[parity] = grip[parity].data();
    }
    std::size_t bytes() const {
      return velocity.bytes() + before.bytes() + exchanged.bytes() + matter.bytes() +
             grip[0].bytes() + grip[1].bytes();
    }
  };
  // Obstacles near the nodes and near the particles of each block, and how far the latter are.
  struct ObstacleLists {
    DeviceArray<std::int32_t> count[2], list[2], blocks[2];
    DeviceArray<BlocksNear> listed;
    DeviceArray<std::uint8_t> clearance, moving_clearance;

    void set(std::size_t n, int colliders, bool bodies_move) {
      for (int of = 0; of < 2; ++of) {
        count[of].allocate(n);
        list[of].allocate(n * colliders);
        blocks[of].allocate(n);
      }
      listed.allocate(2);
      if (colliders > 0) clearance.allocate(n * kClearanceCells<D>);
      if (bodies_move) moving_clearance.allocate(n * kClearanceCells<D>);
    }
    void show(View<T, D>& view) const {
      const auto lists = [&](int of) {
        return NearLists{count[of].data(), list[of].data(), blocks[of].data(), listed.data() + of};
      };
      view.near_nodes = lists(0);
      view.near_particles = lists(1);
      view.clearance = clearance.data();
      view.moving_clearance = moving_clearance.data();
    }
    std::size_t bytes() const {
      std::size_t total = listed.bytes() + clearance.bytes() + moving_clearance.bytes();
      for (int of = 0; of < 2; ++of)
        total += count[of].bytes() + list[of].bytes() + blocks[of].bytes();
      return total;
    }
  };

  bool rubs() const { return nodes_[0].grip[0].size() > 0; }
  void set_arena_room(std::size_t n, View<T, D>& view) {
    const TransferView<T>& transfer = view.transfer;
    const std::size_t nodes = n * power(transfer.arena_width, D);
    arenas_.allocate(nodes);
    pushes_.allocate(transfer.pushes ? nodes : 0);
    push_.allocate(transfer.split && nodes == 0 ? n * BlockShape<D>::kNodes : 0);
    push_.fill_zero(stream_);
    view.arenas = arenas_.data();
    view.pushes = pushes_.data();
    view.push = push_.data();
  }
  void set_sort_room(std::size_t n, int sets, View<T, D>& view) {
    std::size_t table = 1024;
    while (table < 4 * n) table *= 2;
    table_key_.allocate(table);
    table_slot_.allocate(table);
    cells_.allocate(n * BlockShape<D>::kNodes * sets);
    totals_.allocate(n * sets);
    new_of_.allocate(n);
    old_of_.allocate(n);
    view.table_key = table_key_.data();
    view.table_slot = table_slot_.data();
    view.table_mask = static_cast<unsigned>(table - 1);
    view.cells = cells_.data();
    view.totals = totals_.data();
    view.new_of = new_of_.data();
    view.old_of = old_of_.data();
  }

  bool bodies_move_;
  cudaStream_t stream_;
  DeviceArray<BlockCoord<D>> coord_[2];
  DeviceArray<std::int32_t> neighbors_[2];
  std::vector<SpeciesNodes> nodes_;
  // Of each species.
  bool lays_matter_[kMostSpecies] = {};
  MatterOfMass<T> matter_of_mass_[kMostSpecies];
  DeviceArray<DeviceNode<T>> momentum_, folded_, arenas_, pushes_, push_;
  DeviceArray<unsigned long long> table_key_;
  DeviceArray<std::int32_t> table_slot_, new_of_, old_of_;
  DeviceArray<std::uint32_t> cells_, totals_;
  ObstacleLists near_all_;
  std::vector<ObstacleLists> near_of_;  // each species, where some stop one alone
};

}  // namespace firn

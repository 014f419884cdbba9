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
    show_species(0, view);
    folded_.allocate(view.mirror_passes > 0 ? n * BlockShape<D>::kNodes : 0);
    view.folded = folded_.data();
    set_arena_room(n, view);
    set_sort_room(n, sets, view);
    set_near_room(n, view);
    view.capacity = blocks;
    view.set_count = sets;
  }
  // Gives a view the nodes of one species.
  void show_species(int species, View<T, D>& view) const {
    const SpeciesNodes& own = nodes_[species];
    view.velocity = own.velocity.data();
    view.before = own.before.data();
    for (int parity = 0; parity < 2; ++parity) view.grip[parity] = own.grip[parity].data();
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
                        old_of_.bytes() + clearance_.bytes() + moving_clearance_.bytes() +
                        arenas_.bytes() + pushes_.bytes() + push_.bytes();
    for (int parity = 0; parity < 2; ++parity)
      total += coord_[parity].bytes() + neighbors_[parity].bytes();
    for (const SpeciesNodes& own : nodes_) total += own.bytes();
    for (const auto& array : near_) total += array.bytes();
    return total;
  }

 private:
  // What each species has of its own.
  struct SpeciesNodes {
    DeviceArray<DeviceNode<T>> velocity, before;
    DeviceArray<T> grip[2];

    void set(std::size_t nodes, const View<T, D>& view, cudaStream_t stream) {
      velocity.allocate(nodes);
      before.allocate(view.transfer.split ? nodes : 0);
      for (auto& of_parity : grip)
        if (view.has_rough) of_parity.grow(nodes, stream);
    }
    std::size_t bytes() const {
      return velocity.bytes() + before.bytes() + grip[0].bytes() + grip[1].bytes();
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
  void set_near_room(std::size_t n, View<T, D>& view) {
    const auto near = static_cast<std::size_t>(view.collider_count);
    for (int i = 0; i < 6; ++i) near_[i].allocate(i % 3 == 1 ? n * near : n);
    view.near_nodes = {near_[0].data(), near_[1].data(), near_[2].data()};
    view.near_particles = {near_[3].data(), near_[4].data(), near_[5].data()};
    if (near > 0) clearance_.allocate(n * kClearanceCells<D>);
    if (bodies_move_) moving_clearance_.allocate(n * kClearanceCells<D>);
    view.clearance = clearance_.data();
    view.moving_clearance = moving_clearance_.data();
  }

  bool bodies_move_;
  cudaStream_t stream_;
  DeviceArray<BlockCoord<D>> coord_[2];
  DeviceArray<std::int32_t> neighbors_[2];
  std::vector<SpeciesNodes> nodes_;
  DeviceArray<DeviceNode<T>> momentum_, folded_, arenas_, pushes_, push_;
  DeviceArray<unsigned long long> table_key_;
  DeviceArray<std::int32_t> table_slot_, new_of_, old_of_, near_[6];
  DeviceArray<std::uint32_t> cells_, totals_;
  DeviceArray<std::uint8_t> clearance_, moving_clearance_;
};

}  // namespace firn

// Memory of the device for grains, the particles that they follow and the flow, and how it grows.
#pragma once

#include <algorithm>

#include "cuda/memory.h"
#include "grains_cuda/view.h"

namespace firn {

// The particles of a moment.
template <int D>
class RowStore {
 public:
  void reserve(std::size_t n, ParticleRows<D>& rows, cudaStream_t stream) {
    if (count_.size() == 0) {
      count_.allocate(1);
      count_.fill_zero(stream);
    }
    if (n > id_.size()) {
      id_.allocate(n);
      position_.allocate(n);
      velocity_.allocate(n);
      spacing_.allocate(n);
    }
    rows = {id_.data(), position_.data(), velocity_.data(), spacing_.data(), count_.data()};
  }
  void write(const CoarseState<D>& particles, cudaStream_t stream) {
    const std::size_t n = particles.size();
    const auto count = static_cast<std::uint32_t>(n);
    const std::vector<unsigned long long> ids(particles.id.begin(), particles.id.end());
    id_.upload(ids.data(), n, stream);
    position_.upload(particles.position.data(), n, stream);
    velocity_.upload(particles.velocity.data(), n, stream);
    spacing_.upload(particles.spacing.data(), n, stream);
    count_.upload(&count, 1, stream);
  }
  // In the order of the device, without paint.
  CoarseState<D> read(cudaStream_t stream) const {
    std::uint32_t n = 0;
    count_.download(&n, 1, stream);
    std::vector<unsigned long long> ids(n);
    CoarseState<D> particles;
    particles.position.resize(n);
    particles.velocity.resize(n);
    particles.spacing.resize(n);
    id_.download(ids.data(), n, stream);
    position_.download(particles.position.data(), n, stream);
    velocity_.download(particles.velocity.data(), n, stream);
    spacing_.download(particles.spacing.data(), n, stream);
    particles.id.assign(ids.begin(), ids.end());
    return particles;
  }
  // Copies that are done when the stream gets there.
  void copy(const RowStore& from, std::size_t n, cudaStream_t stream) {
    const auto one = [&](const auto& to, const auto& values, std::size_t count) {
      must(cudaMemcpyAsync(to.data(), values.data(), count * sizeof(*values.data()),
                           cudaMemcpyDeviceToDevice, stream),
           "keeping particles");
    };
    one(count_, from.count_, 1);
    if (n == 0) return;
    one(id_, from.id_, n);
    one(position_, from.position_, n);
    one(velocity_, from.velocity_, n);
    one(spacing_, from.spacing_, n);
  }
  std::size_t capacity() const { return id_.size(); }
  std::size_t bytes() const {
    return id_.bytes() + position_.bytes() + velocity_.bytes() + spacing_.bytes() + count_.bytes();
  }

 private:
  DeviceArray<unsigned long long> id_;
  DeviceArray<Vec<double, D>> position_;
  DeviceArray<Vec<float, D>> velocity_;
  DeviceArray<float> spacing_;
  DeviceArray<std::uint32_t> count_;
};

// Room for n values, which kernels see.
template <class T>
void provide(DeviceArray<T>& array, std::size_t n, T*& seen) {
  array.allocate(n);
  seen = array.data();
}

template <int D>
class GrainStore {
 public:
  explicit GrainStore(cudaStream_t stream) : stream_(stream) {}

  // Room for so many grains; those that there are stay. Whether memory moved, here and below.
  bool reserve_grains(std::size_t n, GrainView<D>& view) {
    if (n <= id_.size() && id_.size() > 0) return false;
    for (int a = 0; a < D; ++a) {
      place_[a].grow(n, stream_);
      velocity_[a].grow(n, stream_);
      view.place[a] = place_[a].data();
      view.velocity[a] = velocity_[a].data();
    }
    id_.grow(n, stream_);
    paint_.grow(n, stream_);
    provide(order_, n, view.order);
    provide(home_, n, view.home);
    view.id = id_.data();
    view.paint = paint_.data();
    return true;
  }
  bool reserve_blocks(int n, std::size_t grains, GrainView<D>& view) {
    const int before = view.blocks.block_capacity;
    const bool moves = blocks_.reserve(n, view.cells.parts(), grains, view.blocks, stream_);
    const auto capacity = static_cast<std::size_t>(view.blocks.block_capacity);
    if (view.blocks.block_capacity > before) {
      provide(nodes_of_grains_, capacity * BlockShape<D>::kNeighbors, view.nodes_of_grains);
      provide(near_count_, capacity, view.near_count);
      provide(near_list_, capacity * view.collider_count, view.near_list);
      provide(near_part_, capacity * view.blocks.cells, view.near_part);
    }
    return moves;
  }
  bool reserve_node_blocks(int n, std::size_t nodes, GrainView<D>& view) {
    const int before = view.node_blocks.block_capacity;
    const bool moves =
        node_blocks_.reserve(n, view.cells.count(), nodes, view.node_blocks, stream_);
    if (view.node_blocks.block_capacity > before) {
      provide(grains_of_nodes_,
              std::size_t(view.node_blocks.block_capacity) * BlockShape<D>::kNeighbors,
              view.grains_of_nodes);
    }
    return moves;
  }
  // Room for so many particles at either moment.
  bool reserve_rows(std::size_t n, GrainView<D>& view) {
    if (n <= to_.capacity() && to_.capacity() > 0) return false;
    const std::size_t room = std::max<std::size_t>(view.traffic ? n + n / 2 : n, 64);
    RowStore<D> larger;
    larger.reserve(room, view.from, stream_);
    if (from_.capacity() > 0) larger.copy(from_, from_.capacity(), stream_);
    wait_for(stream_, "keeping particles");
    from_ = std::move(larger);
    to_.reserve(room, view.to, stream_);
    std::size_t places = 64;
    while (places < 2 * room) places *= 2;
    provide(id_key_, places, view.id_key);
    provide(id_row_, places, view.id_row);
    view.id_mask = static_cast<unsigned>(places - 1);
    provide(row_before_, room, view.row_before);
    provide(stayed_, room, view.stayed);
    provide(fresh_, room, view.fresh);
    reserve_nodes(view.traffic ? 2 * room : room, view);
    return true;
  }

  void clear_ids(cudaStream_t stream) const {
    must(cudaMemsetAsync(id_key_.data(), 0xff, id_key_.bytes(), stream), "matching particles");
  }
  void clear_table(cudaStream_t stream) const { blocks_.clear_table(stream); }
  void clear_node_table(cudaStream_t stream) const { node_blocks_.clear_table(stream); }

  // f(name, column of GrainColumns, array), for all columns.
  template <class Columns, class F>
  void for_columns(Columns& columns, F&& f) {
    for (int a = 0; a < D; ++a) {
      f(columns.place[a], place_[a]);
      f(columns.velocity[a], velocity_[a]);
    }
    f(columns.id, id_);
    f(columns.paint, paint_);
  }
  BlockOrderStore<D>& blocks() { return blocks_; }
  RowStore<D>& from() { return from_; }
  RowStore<D>& to() { return to_; }
  DeviceArray<std::uint32_t>& fresh() { return fresh_; }
  std::size_t bytes() const {
    std::size_t total = blocks_.bytes() + node_blocks_.bytes() + from_.bytes() + to_.bytes();
    const auto add = [&](const auto&... arrays) { ((total += arrays.bytes()), ...); };
    for (int a = 0; a < D; ++a) add(place_[a], velocity_[a]);
    add(id_, paint_, order_, home_, nodes_of_grains_, grains_of_nodes_, near_count_, near_list_,
        near_part_, id_key_, id_row_, row_before_, stayed_, fresh_, node_home_, node_order_,
        way_place_, spots_, nodes_, due_, shortage_);
    return total;
  }

 private:
  void reserve_nodes(std::size_t n, GrainView<D>& view) {
    provide(node_home_, n, view.node_home);
    provide(node_order_, n, view.node_order);
    provide(way_place_, n, view.way_place);
    provide(spots_, n, view.spots);
    provide(nodes_, n, view.nodes);
    provide(due_, n, view.due);
    provide(shortage_, n, view.shortage);
  }

  cudaStream_t stream_;
  DeviceArray<float> place_[D], velocity_[D];
  DeviceArray<std::uint32_t> id_, paint_, order_, home_;
  BlockOrderStore<D> blocks_, node_blocks_;
  DeviceArray<std::int32_t> nodes_of_grains_, grains_of_nodes_, near_count_, near_list_;
  DeviceArray<std::uint8_t> near_part_, stayed_;
  RowStore<D> from_, to_;
  DeviceArray<unsigned long long> id_key_;
  DeviceArray<std::int32_t> id_row_, row_before_;
  DeviceArray<std::uint32_t> fresh_, node_home_, node_order_;
  DeviceArray<Vec<float, D>> way_place_;
  DeviceArray<NodeSpot> spots_;
  DeviceArray<DeviceNode<D>> nodes_;
  DeviceArray<float> due_, shortage_;
};

}  // namespace firn

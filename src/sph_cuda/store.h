// Memory of the device for particles, blocks, lists and contacts, and how it grows.
#pragma once

#include <algorithm>

#include "cuda/memory.h"
#include "sph_cuda/view.h"

namespace firn {

template <class T, int D>
class SphStore {
 public:
  explicit SphStore(cudaStream_t stream) : stream_(stream) {}

  // What was there is lost.
  void set_particles(std::size_t n, DeviceSphView<T, D>& view) {
    view.count = n;
    for (DeviceArray<Four<T>>* array : {&place_, &velocity_}) array->allocate(n);
    stress_.allocate(n * kStressFours<D>);
    tags_.allocate(n);
    block_of_.allocate(n);
    set_room(n);
    show(view);
  }
  // Room for more behind those that there are, whose state stays.
  void grow_particles(std::size_t n, DeviceSphView<T, D>& view) {
    if (n > tags_.size()) {
      const std::size_t room = n + n / 2 + 4096;
      for (DeviceArray<Four<T>>* array : {&place_, &velocity_}) array->grow(room, stream_);
      stress_.grow(room * kStressFours<D>, stream_);
      tags_.grow(room, stream_);
      block_of_.grow(room, stream_);
      set_room(room);
    }
    show(view);
  }
  // Flags of those that are to go, the first of them as they were.
  void set_removed(const std::vector<std::uint8_t>& flags, DeviceSphView<T, D>& view) {
    removed_.allocate(tags_.size());
    removed_.fill_zero(stream_);
    removed_.upload(flags.data(), flags.size(), stream_);
    view.removed = removed_.data();
  }
  // At least so many; coordinates of those that there are stay.
  void reserve_blocks(int n, int colliders, DeviceSphView<T, D>& view) {
    const int before = view.block_capacity;
    blocks_.reserve(n, BlockShape<D>::kNodes, view.count, view, stream_);
    if (view.block_capacity > before) {
      near_count_.allocate(view.block_capacity);
      near_list_.allocate(std::size_t(view.block_capacity) * std::size_t(colliders));
    }
    show(view);
  }
  void reserve_lists(std::size_t rows, DeviceSphView<T, D>& view) {
    if (rows <= view.list_capacity) return;
    list_.allocate(rows * 32);
    view.list_capacity = static_cast<std::uint32_t>(rows);
    show(view);
  }
  void reserve_contacts(std::size_t n, DeviceSphView<T, D>& view) {
    if (n <= view.contact_capacity) return;
    contacts_.allocate(n);
    given_.allocate(n);
    view.contact_capacity = static_cast<std::uint32_t>(n);
    show(view);
  }
  void clear_table() { blocks_.clear_table(stream_); }

  DeviceArray<Four<T>>& place() { return place_; }
  DeviceArray<Four<T>>& listed() { return listed_; }
  DeviceArray<Four<T>>& velocity() { return velocity_; }
  DeviceArray<Four<T>>& stress() { return stress_; }
  DeviceArray<ParticleTag>& tags() { return tags_; }
  DeviceArray<std::uint8_t>& removed() { return removed_; }
  DeviceArray<std::uint32_t>& block_of() { return block_of_; }
  DeviceArray<BlockCoord<D>>& coord() { return blocks_.coord(); }

  std::size_t bytes() const {
    std::size_t total = blocks_.bytes();
    const auto add = [&](const auto&... arrays) { ((total += arrays.bytes()), ...); };
    add(place_, velocity_, free_, shift_, listed_, stress_, leading_, compression_, diagonal_,
        shear_diagonal_, limit_, pressure_, leading_pressure_, shares_, tags_, spare_tags_,
        removed_, block_of_, home_, order_, sets_, ranges_, list_row_, list_count_, near_count_,
        near_list_, list_, contacts_, given_);
    return total;
  }

 private:
  // What a sort or a step finds anew.
  void set_room(std::size_t n) {
    for (DeviceArray<Four<T>>* array : {&free_, &shift_, &listed_}) array->allocate(n);
    leading_.allocate(n * kStressFours<D>);
    for (DeviceArray<T>* array : {&compression_, &diagonal_, &shear_diagonal_, &limit_, &pressure_,
                                  &leading_pressure_, &shares_})
      array->allocate(n);
    spare_tags_.allocate(n);
    for (DeviceArray<std::uint32_t>* array : {&home_, &order_}) array->allocate(n);
    sets_.allocate(n);
    ranges_.allocate(n);
    list_row_.allocate((n + 31) / 32);
    list_count_.allocate(n);
  }
  void show(DeviceSphView<T, D>& view) const {
    view.place = place_.data();
    view.velocity = velocity_.data();
    view.stress = stress_.data();
    view.leading = leading_.data();
    view.free = free_.data();
    view.shift = shift_.data();
    view.compression = compression_.data();
    view.diagonal = diagonal_.data();
    view.shear_diagonal = shear_diagonal_.data();
    view.limit = limit_.data();
    view.pressure = pressure_.data();
    view.leading_pressure = leading_pressure_.data();
    view.set = view.sets = sets_.data();
    view.walls = view.ranges = ranges_.data();
    view.contacts = view.found = contacts_.data();
    view.given = given_.data();
    view.wall_share = view.shares = shares_.data();
    view.tags = tags_.data();
    view.spare_tags = spare_tags_.data();
    view.block_of = block_of_.data();
    view.home = home_.data();
    view.order = order_.data();
    view.listed = listed_.data();
    view.list = list_.data();
    view.list_row = list_row_.data();
    view.list_count = list_count_.data();
    view.near_count = near_count_.data();
    view.near_list = near_list_.data();
  }

  cudaStream_t stream_;
  DeviceArray<Four<T>> place_, velocity_, free_, shift_, listed_, stress_, leading_;
  DeviceArray<T> compression_, diagonal_, shear_diagonal_, limit_, pressure_, leading_pressure_,
      shares_;
  DeviceArray<ParticleTag> tags_, spare_tags_;
  DeviceArray<std::uint32_t> block_of_, home_, order_, list_row_;
  DeviceArray<std::uint16_t> sets_, list_count_;
  DeviceArray<std::uint8_t> removed_;
  DeviceArray<WallRange> ranges_;
  BlockOrderStore<D> blocks_;
  DeviceArray<std::uint32_t> list_;
  DeviceArray<std::int32_t> near_count_, near_list_;
  DeviceArray<WallContact<T, D>> contacts_;
  DeviceArray<Vec<T, D>> given_;
};

}  // namespace firn

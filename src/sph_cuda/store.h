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
    for (DeviceArray<Four<T>>* array : {&place_, &velocity_, &free_, &shift_, &listed_})
      array->allocate(n);
    for (DeviceArray<Four<T>>* array : {&stress_, &leading_}) array->allocate(n * kStressFours<D>);
    for (DeviceArray<T>* array : {&compression_, &diagonal_, &shear_diagonal_, &limit_, &pressure_,
                                  &leading_pressure_, &shares_})
      array->allocate(n);
    for (DeviceArray<ParticleTag>* array : {&tags_, &spare_tags_}) array->allocate(n);
    for (DeviceArray<std::uint32_t>* array : {&block_of_, &home_, &order_}) array->allocate(n);
    sets_.allocate(n);
    ranges_.allocate(n);
    list_row_.allocate((n + 31) / 32);
    list_count_.allocate(n);
    show(view);
  }
  // At least so many; coordinates of those that there are stay.
  void reserve_blocks(int n, int colliders, DeviceSphView<T, D>& view) {
    constexpr std::size_t kCells = BlockShape<D>::kNodes;
    if (n > view.block_capacity) {
      const std::size_t capacity = std::size_t(n) + n / 2 + 64;
      coord_.grow(capacity, stream_);
      new_coord_.allocate(capacity);
      for (DeviceArray<std::uint32_t>* array : {&new_at_, &block_begin_}) array->allocate(capacity);
      neighbors_.allocate(capacity * BlockShape<D>::kNeighbors);
      cell_begin_.allocate(capacity * kCells + 1);
      cell_count_.allocate(capacity * kCells);
      near_count_.allocate(capacity);
      near_list_.allocate(capacity * std::size_t(colliders));
      view.block_capacity = static_cast<int>(capacity);
    }
    // Threads that look for a place at once may be many more than there are blocks: none must find
    // the table full.
    constexpr std::size_t kThreadsAtOnce = 1 << 19;
    std::size_t places = 64;
    while (places <
           std::max(2 * std::size_t(view.block_capacity), std::min(2 * view.count, kThreadsAtOnce)))
      places *= 2;
    table_key_.allocate(places);
    table_slot_.allocate(places);
    view.table_mask = static_cast<unsigned>(places - 1);
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
  void clear_table() {
    if (table_key_.size() > 0)
      must(cudaMemsetAsync(table_key_.data(), 0xff, table_key_.bytes(), stream_), "a sort");
  }

  DeviceArray<Four<T>>& place() { return place_; }
  DeviceArray<Four<T>>& listed() { return listed_; }
  DeviceArray<Four<T>>& velocity() { return velocity_; }
  DeviceArray<Four<T>>& stress() { return stress_; }
  DeviceArray<ParticleTag>& tags() { return tags_; }
  DeviceArray<std::uint32_t>& block_of() { return block_of_; }
  DeviceArray<BlockCoord<D>>& coord() { return coord_; }

  std::size_t bytes() const {
    std::size_t total = 0;
    const auto add = [&](const auto&... arrays) { ((total += arrays.bytes()), ...); };
    add(place_, velocity_, free_, shift_, listed_, stress_, leading_, compression_, diagonal_,
        shear_diagonal_, limit_, pressure_, leading_pressure_, shares_, tags_, spare_tags_,
        block_of_, home_, order_, sets_, ranges_, list_row_, list_count_, coord_, new_coord_,
        new_at_, block_begin_, neighbors_, cell_begin_, cell_count_, near_count_, near_list_,
        table_key_, table_slot_, list_, contacts_, given_);
    return total;
  }

 private:
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
    view.coord = coord_.data();
    view.new_coord = new_coord_.data();
    view.new_at = new_at_.data();
    view.table_key = table_key_.data();
    view.table_slot = table_slot_.data();
    view.neighbors = neighbors_.data();
    view.cell_begin = cell_begin_.data();
    view.cell_count = cell_count_.data();
    view.block_begin = block_begin_.data();
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
  DeviceArray<WallRange> ranges_;
  DeviceArray<BlockCoord<D>> coord_, new_coord_;
  DeviceArray<std::uint32_t> new_at_, block_begin_, cell_begin_, cell_count_, list_;
  DeviceArray<std::int32_t> neighbors_, near_count_, near_list_, table_slot_;
  DeviceArray<unsigned long long> table_key_;
  DeviceArray<WallContact<T, D>> contacts_;
  DeviceArray<Vec<T, D>> given_;
};

}  // namespace firn

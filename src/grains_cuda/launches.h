// What is put on the stream for a part of a step, and for a sort of the grains.
#pragma once

#include "grains_cuda/parts.h"
#include "grains_cuda/store.h"
#include "grains_cuda/update.h"

namespace firn {

template <int D>
class GrainLaunches {
  using View = GrainView<D>;

 public:
  explicit GrainLaunches(cudaStream_t stream) : stream_(stream) {
    int device = 0;
    must(cudaGetDevice(&device), "asking for the device");
    must(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device),
         "asking for the device");
  }

  // Ways from the rows before to those after, and into how many parts they are cut.
  void match(const View& view, const GrainStore<D>& store) const {
    begin_matching_kernel<D><<<1, 1, 0, stream_>>>(view);
    store.clear_ids(stream_);
    run(list_ids_kernel<D>, view);
    run(match_rows_kernel<D>, view);
    run(find_longest_kernel<D>, view);
    begin_advance_kernel<D><<<1, 1, 0, stream_>>>(view);
    check();
  }
  void part(const View& view, const GrainStore<D>& store, const GrainConditions& conditions) const {
    begin_part_kernel<D><<<1, 1, 0, stream_>>>(view);
    store.clear_node_table(stream_);
    run(place_nodes_kernel<D>, view);
    number_blocks<D>(view.node_blocks, groups(), stream_);
    run(count_nodes_kernel<D>, view);
    begin_cells<D>(view.node_blocks, groups(), stream_);
    run(fill_nodes_kernel<D>, view);
    run(order_nodes_kernel<D>, view);
    run(make_nodes_kernel<D>, view);
    link_blocks<D>(view.blocks, view.node_blocks, view.nodes_of_grains, groups(), stream_);
    if (!view.prints) {
      link_blocks<D>(view.node_blocks, view.node_blocks, view.node_blocks.neighbors, groups(),
                     stream_);
      link_blocks<D>(view.node_blocks, view.blocks, view.grains_of_nodes, groups(), stream_);
      run(find_gradients_kernel<D>, view);
      run(count_around_kernel<D>, view);
      run(find_drift_kernel<D>, view);
    }
    run(list_near_kernel<D>, view);
    if (view.prints) {
      run(move_as_printed_kernel<D>, view);
    } else {
      run(mark_parts_kernel<D>, view);
      run(move_grains_kernel<D, false>, view);
      if (view.collider_count > 0) run(move_grains_kernel<D, true>, view);
    }
    end_part_kernel<D><<<1, 1, 0, stream_>>>(view, conditions);
    check();
  }
  // `pieces`: of grains that came.
  void sort(const View& view, const GrainStore<D>& store, const GrainPiece<D>* pieces, int count,
            const GrainConditions& conditions) const {
    begin_grain_sort_kernel<D><<<1, 1, 0, stream_>>>(view);
    store.clear_table(stream_);
    run(claim_grains_kernel<D>, view);
    if (count > 0)
      claim_pieces_kernel<D><<<groups(), kOrderThreads, 0, stream_>>>(view, pieces, count);
    number_blocks<D>(view.blocks, groups(), stream_);
    run(count_grains_kernel<D>, view);
    begin_cells<D>(view.blocks, groups(), stream_);
    run(fill_grains_kernel<D>, view);
    reorder(view);
    end_grain_sort_kernel<D><<<1, 1, 0, stream_>>>(view, conditions);
    check();
  }
  // The blocks of grains that lie in order already.
  void list_blocks(const View& view, const GrainStore<D>& store, const BlockCoord<D>* coords,
                   int count) const {
    begin_grain_sort_kernel<D><<<1, 1, 0, stream_>>>(view);
    store.clear_table(stream_);
    claim_listed_kernel<D><<<groups(), kOrderThreads, 0, stream_>>>(view, coords, count);
    number_blocks<D>(view.blocks, groups(), stream_);
    check();
  }
  void sink(const View& view, const PlainShape* shapes, int count) const {
    sink_grains_kernel<D><<<groups(), kGrainThreads, 0, stream_>>>(view, shapes, count);
    check();
  }

 private:
  int groups() const { return 8 * processors_; }
  void run(void (*kernel)(const View), const View& view) const {
    kernel<<<groups(), kGrainThreads, 0, stream_>>>(view);
  }
  void reorder(const View& view) const {
    std::vector<std::uint32_t*> columns{view.id, view.paint};
    for (int a = 0; a < D; ++a) {
      columns.push_back(reinterpret_cast<std::uint32_t*>(view.place[a]));
      columns.push_back(reinterpret_cast<std::uint32_t*>(view.velocity[a]));
    }
    for (std::size_t c = 0; c <= columns.size(); ++c)
      move_column_kernel<D><<<groups(), kGrainThreads, 0, stream_>>>(
          view, c > 0 ? columns[c - 1] : nullptr, c < columns.size() ? columns[c] : nullptr);
  }
  static void check() { must(cudaGetLastError(), "a step of the grains"); }

  cudaStream_t stream_;
  int processors_ = 0;
};

}  // namespace firn

#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cuda/failure_guard.h"
#include "grains_cuda/device_grains.h"
#include "grains_cuda/launches.h"
#include "solver_cuda/collider_store.h"

namespace firn {

template <int D>
class CudaGrains final : public DeviceGrains<D> {
 public:
  CudaGrains(const GrainCloud<D>& cloud, const DeviceGrainSurroundings& around)
      : obstacles_(around.obstacles),
        colliders_(stream_),
        sinks_(stream_),
        store_(stream_),
        launches_(stream_) {
    colliders_.upload(obstacles_->all());
    view_.colliders = colliders_.data();
    view_.collider_count = static_cast<int>(obstacles_->size());
    view_.timed = colliders_.timed();
    view_.timed_count = colliders_.timed_count();
    gravity_.assign({around.gravity[0], around.gravity[1], around.gravity[2]}, stream_);
    view_.gravity = gravity_.data();
    view_.gravity_in_space = around.gravity_in_space;
    view_.traffic = around.traffic;
    view_.cells = cloud.order().cells();
    for (int a = 0; a < D; ++a)
      view_.blocks.periods[a] = view_.node_blocks.periods[a] = cloud.order().blocks().periods()[a];
    weights_.assign(cloud.flow().weights(), stream_);
    view_.weights = weights_.data();
    view_.full = cloud.flow().full();
    view_.count_factor = cloud.flow().count_factor();
    view_.support = float(cloud.flow().support());
    view_.species = cloud.species();
    view_.prints = cloud.settings().method == GrainMethod::printed;
    view_.cell = cloud.cell();
    view_.spacing = cloud.spacing();
    view_.terminal_speed = cloud.settings().terminal_speed;
    control_.allocate(1);
    view_.control = control_.data();
    view_.blocks.counts = &control_.data()->grain_counts;
    view_.node_blocks.counts = &control_.data()->node_counts;
  }
  ~CudaGrains() override { cudaStreamSynchronize(stream_); }

  Errors upload(const GrainCloud<D>& cloud, const CoarseState<D>& before) override {
    return guard_.run([&] { take(cloud, before); });
  }
  Errors download(GrainCloud<D>& cloud, CoarseState<D>& before) override {
    bool sound = true;
    Errors errors = guard_.run([&] { sound = give(cloud, before); });
    if (errors.empty() && !sound) return {"the grains on the device are damaged"};
    return errors;
  }
  Result<ParticleRows<D>> rows(std::size_t particles) override {
    return guard_.value<ParticleRows<D>>([&] {
      make_room(particles);
      return view_.to;
    });
  }
  Errors write_rows(const CoarseState<D>& particles) override {
    return guard_.run([&] {
      make_room(particles.size());
      store_.to().write(particles, stream_);
    });
  }
  Result<GrainAdvance<D>> advance(double time) override {
    return guard_.value<GrainAdvance<D>>([&] { return follow(time); });
  }
  Errors settle() override {
    return guard_.run([&] { spread(); });
  }
  Errors add(const GrainColumns<D>& grains, const std::vector<GrainPiece<D>>& pieces) override {
    return guard_.run([&] { append(grains, pieces); });
  }
  Errors remove_inside(const std::vector<Shape>& shapes) override {
    return guard_.run([&] { sink(shapes); });
  }
  std::size_t size() const override { return control().grains; }
  std::size_t bytes() const override {
    return store_.bytes() + colliders_.bytes() + sinks_.bytes() + weights_.bytes();
  }
  std::int64_t updates() const override { return control().updates; }
  std::int64_t moved() const override { return control().moved; }

 private:
  // The control block here is the one of the device after each wait().
  GrainControl& control() const { return control_here_[0]; }
  void send_control() { control_here_.send(control_, stream_); }
  void wait() {
    control_here_.fetch(control_, stream_);
    wait_for(stream_, "a step of the grains");
  }
  void make_room(std::size_t particles) {
    if (store_.reserve_rows(particles, view_)) graph_.clear();
    rows_ = std::max(rows_, particles);
    if (store_.reserve_node_blocks(std::max(1, control().grain_counts.blocks), particles, view_))
      graph_.clear();
  }

  void take(const GrainCloud<D>& cloud, const CoarseState<D>& before) {
    graph_.clear();
    const BlockTopology<D>& blocks = cloud.order().blocks();
    const std::size_t n = cloud.size();
    const int occupied = blocks.occupied();
    store_.reserve_grains(std::max<std::size_t>(n, 1), view_);
    store_.reserve_blocks(std::max(1, occupied), n, view_);
    store_.for_columns(cloud.columns(), [&](const auto& column, auto& array) {
      array.upload(column.data(), n, stream_);
    });
    control() = GrainControl{};
    control().grains = static_cast<std::uint32_t>(n);
    control().drift = cloud.clock().drift;
    const double fastest2 = square(cloud.clock().fastest);
    std::memcpy(&control().fastest2, &fastest2, sizeof fastest2);
    send_control();
    std::vector<BlockCoord<D>> coords(occupied);
    for (int b = 0; b < occupied; ++b) coords[b] = blocks.coord(b);
    DeviceArray<BlockCoord<D>> listed;
    listed.assign(coords, stream_);
    launches_.list_blocks(view_, store_, listed.data(), occupied);
    wait();
    store_.blocks().cell_begin().upload(cloud.order().begins().data(),
                                        cloud.order().begins().size(), stream_);
    make_room(before.size());
    store_.to().write(before, stream_);
    keep_rows(before.time);
  }

  // Grains of a part by their ids: where they lie in it is left to chance.
  bool give(GrainCloud<D>& cloud, CoarseState<D>& before) {
    const std::size_t n = control().grains;
    const int blocks = control().grain_counts.blocks;
    GrainColumns<D> grains;
    grains.resize(n);
    store_.for_columns(grains, [&](auto& column, const auto& array) {
      array.download(column.data(), n, stream_);
    });
    std::vector<std::uint32_t> begins(std::size_t(blocks) * view_.blocks.cells + 1);
    store_.blocks().cell_begin().download(begins.data(), begins.size(), stream_);
    std::vector<BlockCoord<D>> coords(blocks);
    store_.blocks().coord().download(coords.data(), blocks, stream_);
    std::vector<std::uint64_t> keys;
    for (const BlockCoord<D>& coord : coords) keys.push_back(morton_key<D>(coord));
    Buffer<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    parallel_for("grains by id", static_cast<std::int64_t>(begins.size()) - 1, 256,
                 [&](std::int64_t first, std::int64_t last) {
                   for (std::int64_t p = first; p < last; ++p)
                     std::sort(order.data() + begins[p], order.data() + begins[p + 1],
                               [&](auto a, auto b) { return grains.id[a] < grains.id[b]; });
                 });
    grains.reorder(order);
    auto clock = cloud.clock();
    clock.drift = control().drift;
    clock.fastest = fastest();
    before = ordered(store_.from().read(stream_));
    before.time = time_;
    return cloud.restore(std::move(grains), keys, std::move(begins), cloud.shares(), clock);
  }
  // By id.
  static CoarseState<D> ordered(const CoarseState<D>& rows) {
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return rows.id[a] < rows.id[b]; });
    return picked(rows, order);
  }
  static CoarseState<D> picked(const CoarseState<D>& rows,
                               const std::vector<std::uint32_t>& which) {
    CoarseState<D> state;
    for (const std::uint32_t i : which) {
      state.id.push_back(rows.id[i]);
      state.position.push_back(rows.position[i]);
      state.velocity.push_back(rows.velocity[i]);
      state.spacing.push_back(rows.spacing[i]);
    }
    return state;
  }

  double fastest() const {
    double speed2 = 0;
    std::memcpy(&speed2, &control().fastest2, sizeof speed2);
    return std::sqrt(speed2);
  }
  void keep_rows(double time) {
    store_.from().copy(store_.to(), rows_, stream_);
    time_ = time;
  }

  GrainAdvance<D> follow(double time) {
    control().start = time_;
    control().dt = time - time_;
    send_control();
    launches_.match(view_, store_);
    const bool moves = obstacles_->any_moves(), goes = time > time_ && control().grains > 0;
    if (moves || !goes) wait();
    while (goes) {
      if (moves)
        take_part_with_bodies();
      else
        take_parts();
      grow_and_sort();
      if (control().part >= control().parts) break;
    }
    GrainAdvance<D> result;
    result.fastest = fastest();
    if (control().fresh > 0) result.fresh = fresh(time);
    keep_rows(time);
    return result;
  }
  // As many as there are, without the host.
  void take_parts() {
    if (!graph_.built())
      graph_.build(
          stream_, kGrainBranches,
          [&](const GrainConditions& conditions) { launches_.part(view_, store_, conditions); },
          [&](int, const GrainConditions& conditions) {
            launches_.sort(view_, store_, nullptr, 0, conditions);
          });
    graph_.launch(stream_);
    wait();
  }
  // The host puts bodies where they are.
  void take_part_with_bodies() {
    const double dt = control().dt / control().parts,
                 time = control().start + control().dt * control().part / control().parts;
    obstacles_->set_step(time, dt);
    find_corners<D>(view_.blocks, 32, stream_);
    wait();
    Bounds box{Vec3d::fill(0), Vec3d::fill(0)};
    for (int a = 0; a < D; ++a) {
      constexpr int kEdge = BlockShape<D>::kEdge;
      box.low[a] = (double(control().grain_counts.first_block[a]) - 1) * kEdge * view_.cell;
      box.high[a] = (double(control().grain_counts.last_block[a]) + 2) * kEdge * view_.cell;
    }
    control().advance = obstacles_->largest_advance(box, view_.cell).distance;
    send_control();
    colliders_.move(obstacles_->all());
    launches_.part(view_, store_, {});
    wait();
  }
  // What there was too little room for, and the sort that is due.
  void grow_and_sort() {
    if (control().node_counts.full) {
      graph_.clear();
      store_.reserve_node_blocks(control().node_counts.new_blocks, rows_, view_);
      control().node_counts.full = 0;
      send_control();
    }
    if (control().sort_due) sort();
  }
  void sort(const GrainPiece<D>* pieces = nullptr, int count = 0) {
    for (;;) {
      if (control().grain_counts.full) {
        graph_.clear();
        grow_blocks(control().grain_counts.new_blocks);
        control().grain_counts.full = 0;
        send_control();
      }
      launches_.sort(view_, store_, pieces, count, {});
      wait();
      if (!control().grain_counts.full) return;
    }
  }
  // Grains are found by where cells begin, which must outlive that.
  void grow_blocks(int blocks) {
    std::vector<std::uint32_t> begins(
        std::size_t(control().grain_counts.blocks) * view_.blocks.cells + 1);
    store_.blocks().cell_begin().download(begins.data(), begins.size(), stream_);
    store_.reserve_blocks(blocks, std::size_t(control().grains) + control().arrivals, view_);
    store_.blocks().cell_begin().upload(begins.data(), begins.size(), stream_);
  }

  void spread() {
    control().settles = 1;
    control().least_strain = GrainCloud<D>::kSettlingStrain;
    control().start = time_;
    control().dt = 1;
    send_control();
    store_.to().copy(store_.from(), rows_, stream_);
    for (int round = 0; round < GrainCloud<D>::kSettlingRounds; ++round) {
      launches_.match(view_, store_);
      do {
        launches_.part(view_, store_, {});
        wait();
        if (control().node_counts.full) grow_and_sort();
      } while (control().part == 0);
      sort();
    }
    control().settles = 0;
    control().least_strain = 0;
    control().fastest2 = 0;
    control().updates = control().moved = 0;
    send_control();
  }

  CoarseState<D> fresh(double time) {
    std::vector<std::uint32_t> which(control().fresh);
    store_.fresh().download(which.data(), which.size(), stream_);
    CoarseState<D> found = ordered(picked(store_.to().read(stream_), which));
    found.time = time;
    return found;
  }
  void append(const GrainColumns<D>& grains, const std::vector<GrainPiece<D>>& given) {
    const std::size_t before = control().grains, more = grains.size();
    if (more == 0) return;
    const std::size_t wanted = before + more;
    if (wanted > capacity_ || capacity_ == 0) {
      capacity_ = wanted + wanted / 2;
      if (store_.reserve_grains(capacity_, view_)) graph_.clear();
    }
    store_.for_columns(grains, [&](const auto& column, auto& array) {
      array.upload(column.data(), more, stream_, before);
    });
    std::vector<GrainPiece<D>> pieces = given;
    for (GrainPiece<D>& piece : pieces) {
      piece.begin += static_cast<std::uint32_t>(before);
      piece.end += static_cast<std::uint32_t>(before);
    }
    DeviceArray<GrainPiece<D>> there;
    there.assign(pieces, stream_);
    control().arrivals = static_cast<std::uint32_t>(more);
    send_control();
    sort(there.data(), static_cast<int>(pieces.size()));
  }
  void sink(const std::vector<Shape>& shapes) {
    if (shapes.empty() || control().grains == 0) return;
    std::vector<PlainShape> placed;
    for (const Shape& shape : shapes) placed.push_back(sinks_.placed(shape));
    sink_shapes_.assign(placed, stream_);
    launches_.sink(view_, sink_shapes_.data(), static_cast<int>(placed.size()));
    wait();
    if (control().sunk) sort();
  }

  std::shared_ptr<ColliderSet> obstacles_;
  Stream stream_;
  ColliderStore colliders_;
  ShapeStore sinks_;
  GrainStore<D> store_;
  GrainLaunches<D> launches_;
  GrainView<D> view_;
  DeviceArray<VaryingValue> gravity_;
  DeviceArray<float> weights_;
  DeviceArray<PlainShape> sink_shapes_;
  DeviceArray<GrainControl> control_;
  PinnedArray<GrainControl> control_here_{1};
  LoopGraph<kGrainBranches> graph_;
  FailureGuard guard_;
  std::size_t rows_ = 0;      // of either moment, at most
  std::size_t capacity_ = 0;  // of grains, where more came
  double time_ = 0;           // s, of the rows before
};

template <int D>
Result<std::unique_ptr<DeviceGrains<D>>> make_device_grains(const GrainCloud<D>& cloud,
                                                            const DeviceGrainSurroundings& around) {
  const Result<std::string> name = device_name();
  if (!name) return name.errors();
  try {
    if (!are_fixed_planes(*around.obstacles)) ask_for_stack(levels(*around.obstacles));
    return std::unique_ptr<DeviceGrains<D>>(std::make_unique<CudaGrains<D>>(cloud, around));
  } catch (const CudaFailure& failure) {
    return Errors{failure.what()};
  }
}

}  // namespace firn

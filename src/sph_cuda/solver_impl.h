#pragma once

#include <cmath>
#include <cstring>

#include "cuda/failure_guard.h"
#include "solver_cuda/collider_store.h"
#include "solver_cuda/impulse_store.h"
#include "sph/sph_solver.h"
#include "sph_cuda/device_sph.h"
#include "sph_cuda/launches.h"
#include "sph_cuda/traffic.h"

namespace firn {

template <class T, int D>
class CudaSphSolver final : public DeviceSph<T, D> {
 public:
  explicit CudaSphSolver(const DeviceSphSetup<T>& setup)
      : obstacles_(setup.around.obstacles),
        colliders_(stream_),
        fields_(stream_),
        sinks_(stream_),
        store_(stream_),
        launches_(setup.settings.kernel, stream_) {
    colliders_.upload(obstacles_->all());
    view_.colliders = colliders_.data();
    view_.collider_count = static_cast<int>(obstacles_->size());
    view_.bodies_move = obstacles_->any_moves();
    view_.timed = colliders_.timed();
    view_.timed_count = colliders_.timed_count();
    impulses_.set(obstacles_->all(), true);
    view_.impulses = impulses_.exact();
    share_.assign(std::vector<WallShare>(1, setup.share), stream_);
    view_.share = share_.data();
    std::vector<WallMap> maps = setup.wall_maps;
    for (WallMap& map : maps)
      if (map.field.corners) map.field = fields_.placed(map.field);
    wall_maps_.assign(maps, stream_);
    view_.wall_maps = wall_maps_.data();
    laws_.assign(setup.laws, stream_);
    view_.laws = laws_.data();
    gravity_.assign({setup.around.gravity[0], setup.around.gravity[1], setup.around.gravity[2]},
                    stream_);
    view_.gravity = gravity_.data();
    view_.gravity_in_space = setup.around.gravity_in_space;
    if (setup.settings.air.present) {
      air_.assign(std::vector<AirSettings>(1, setup.settings.air), stream_);
      view_.air = air_.data();
    }
    sinks_.set_sinks(setup.around.sinks);
    control_.allocate(1);
    view_.control = control_.data();
    view_.counts = control_.data();
    partial_.allocate(launches_.most_partial_sums());
    view_.partial = partial_.data();
  }
  ~CudaSphSolver() override { cudaStreamSynchronize(stream_); }

  Errors upload(const Particles<T, D>& all, const SphContext<T>& context,
                double travelled) override {
    return guard_.run([&] { take(all, context, travelled); });
  }
  Errors download(Particles<T, D>& all, double& travelled) override {
    return guard_.run([&] {
      give_particles(store_, view_.count, control().blocks, all, stream_);
      count_rows(all);
      travelled = all.drift = control().travelled;
    });
  }
  Result<StretchResult> run(const Stretch& stretch) override {
    return guard_.value<StretchResult>([&] { return run_stretch(stretch); });
  }
  Errors kick(const std::vector<Vec3d>& kicks) override {
    return guard_.run([&] {
      if (view_.count == 0) return;
      kick_kernel<T, D><<<traffic_groups(view_.count), kTrafficThreads, 0, stream_>>>(
          view_, kicks_.upload(kicks, stream_), kicks.size());
      must(cudaGetLastError(), "a force on the particles");
    });
  }
  Result<std::vector<double>> taken_volume(const std::vector<Vec3d>& points,
                                           const std::vector<BlockCoord<D>>& homes,
                                           double radius) override {
    return guard_.value<std::vector<double>>([&] {
      if (view_.count == 0) return std::vector<double>(points.size());
      return room_.taken_volume(
          points, homes, stream_, [&](const Vec3d* at, const BlockCoord<D>* blocks, double* taken) {
            taken_volume_kernel<T, D>
                <<<static_cast<int>(points.size()), kTrafficThreads, 0, stream_>>>(
                    view_, at, blocks, radius, taken);
          });
    });
  }
  Result<RemovedParticles> exchange(const DeviceExchange<T, D>& exchange) override {
    return guard_.value<RemovedParticles>([&] { return exchange_particles(exchange); });
  }
  std::size_t count() const override { return view_.count; }
  Errors write_rows(const ParticleRows<D>& rows) override {
    return guard_.run([&] {
      const int groups =
          std::max(1, static_cast<int>((view_.count + kSphThreads - 1) / kSphThreads));
      write_rows_kernel<T, D><<<groups, kSphThreads, 0, stream_>>>(view_, rows);
      must(cudaGetLastError(), "telling particles");
      wait_for(stream_, "telling particles");
    });
  }
  std::pair<BlockCoord<D>, BlockCoord<D>> occupied_corners() const override {
    std::pair<BlockCoord<D>, BlockCoord<D>> corners;
    for (int a = 0; a < D; ++a) {
      corners.first[a] = control().first_block[a];
      corners.second[a] = control().last_block[a];
    }
    return corners;
  }
  double wind() const override {
    double speed2 = 0;
    std::memcpy(&speed2, &control().wind2, sizeof speed2);
    return std::sqrt(speed2);
  }
  std::size_t bytes() const override {
    return store_.bytes() + colliders_.bytes() + fields_.bytes();
  }

 private:
  static constexpr std::size_t kRowsAtFirst = 48;  // of the lists, a particle

  static void refuse_too_many(std::size_t n) {
    if (n >= Neighbor::kMost) throw CudaFailure("sph: more particles than its lists can number");
  }
  void count_rows(const Particles<T, D>& all) {
    rows_.clear();
    for (const auto& set : all.sets)
      rows_.push_back(static_cast<std::uint32_t>(set.particles.size()));
  }
  void take(const Particles<T, D>& all, const SphContext<T>& context, double travelled) {
    const std::size_t n = all.count();
    refuse_too_many(n);
    graph_.clear();
    count_rows(all);
    view_.context = context;
    std::vector<int> species;
    for (const auto& set : all.sets) species.push_back(set.species);
    species_.assign(species, stream_);
    view_.species = species_.data();
    for (int a = 0; a < D; ++a) view_.periods[a] = all.blocks.periods()[a];
    view_.block_capacity = 0;
    store_.set_particles(n, view_);
    store_.reserve_blocks(std::max(1, all.blocks.occupied()), view_.collider_count, view_);
    store_.reserve_lists((n + 31) / 32 * kRowsAtFirst, view_);
    store_.reserve_contacts(n / 4 + 1024, view_);
    control() = SphControl{};
    control().blocks = all.blocks.occupied();
    send_control();
    const bool lists_hold = travelled <= kListSkin / 2;
    take_particles(all, lists_hold, store_, stream_);
    sort_now();
    if (!lists_hold) return;
    restore_places(all, view_, stream_);
    control().travelled = travelled;
    send_control();
    wait_for(stream_, "upload");
  }

  // The control block here is the one of the device after each wait(), and so are the impulses.
  SphControl& control() const { return control_here_[0]; }
  void send_control() { control_here_.send(control_, stream_); }
  void wait() {
    control_here_.fetch(control_, stream_);
    impulses_.fetch(stream_);
    wait_for(stream_, "a step");
  }
  // More of what there was too little of.
  void grow() {
    graph_.clear();
    if (control().full & kBlocksFull)
      store_.reserve_blocks(control().new_blocks, view_.collider_count, view_);
    if (control().full & kListsFull)
      store_.reserve_lists(std::size_t(control().list_used) * 5 / 4, view_);
    if (control().full & kContactsFull)
      store_.reserve_contacts(std::size_t(control().contact_used) * 5 / 4, view_);
  }
  void sort_now() {
    if (view_.count == 0) return;
    for (;;) {
      launches_.sort(view_, store_, {});
      wait();
      const std::int32_t full = control().full;
      if (!(full & kBlocksFull) && control().live != view_.count) {
        view_.count = control().live;
        store_.set_removed({}, view_);
      }
      if (full == 0) return;
      grow();
    }
  }
  RemovedParticles exchange_particles(const DeviceExchange<T, D>& exchange) {
    RemovedParticles gone;
    if (sinks_.any() && view_.count > 0) {
      store_.set_removed({}, view_);
      gone = sinks_.mark_removed(exchange.open_sinks, [&](const PlainShape* sink,
                                                          RemovedTotals* totals) {
        sink_kernel<T, D><<<control().blocks, kTrafficThreads, 0, stream_>>>(view_, sink, totals);
      });
    }
    const NewBlocks<D> blocks = blocks_of(exchange);
    // Lists of neighbours hold on where nobody comes or goes.
    if (gone.count == 0 && blocks.coords.empty()) return gone;
    graph_.clear();
    if (!blocks.coords.empty()) append(exchange, blocks);
    sort_now();
    return gone;
  }
  void append(const DeviceExchange<T, D>& exchange, const NewBlocks<D>& blocks) {
    const std::size_t before = view_.count;
    const int known = control().blocks, more = static_cast<int>(blocks.coords.size());
    const auto packed = pack_new(exchange, blocks, view_.context.spacing, known, rows_);
    view_.count += packed.tags.size();
    refuse_too_many(view_.count);
    const auto flags = fetched(store_.removed(), view_.removed ? before : 0, stream_);
    store_.grow_particles(view_.count, view_);
    if (view_.removed) store_.set_removed(flags, view_);
    store_.reserve_blocks(known + more, view_.collider_count, view_);
    packed.send(store_, before, stream_);
    store_.coord().upload(blocks.coords.data(), blocks.coords.size(), stream_, known);
  }

  StretchResult run_stretch(const Stretch& stretch) {
    begin_stretch(stretch, control());
    waits_.assign(stretch.waits, stream_);
    view_.waits = waits_.data();
    control().iterations = control().shift_iterations = control().missed = 0;
    control().mean_density = control().max_density = control().strain_rate = 0;
    if (view_.bodies_move) colliders_.move(obstacles_->all());
    impulses_.clear(stream_);
    const bool pushes = stretch.force.kind != ForceKind::none;
    if (pushes != pushes_) graph_.clear();
    pushes_ = pushes;
    control().full = 0;
    send_control();
    for (;;) {
      take_steps(stretch.max_steps > 1);
      const std::int32_t full = control().full;
      if (full == 0) break;
      grow();
      control().full = 0;
      send_control();
      if (full & (kBlocksFull | kListsFull)) sort_now();
      if (control().state != RunState::running) break;
    }
    return result();
  }
  void take_steps(bool many) {
    launches_.begin(view_);
    if (many && !graph_.built())
      graph_.build(
          stream_, kSphBranches,
          [&](const SphConditions& conditions) { launches_.step(view_, pushes_, conditions); },
          [&](int, const SphConditions& conditions) { launches_.sort(view_, store_, conditions); });
    if (many) {
      graph_.launch(stream_);
      return wait();
    }
    launches_.step(view_, pushes_, {});
    wait();
    if (control().full == 0 && control().sort_due) sort_after_step();
  }
  void sort_after_step() {
    launches_.sort(view_, store_, {});
    wait();
  }

  StretchResult result() {
    StretchResult result = result_of(control(), impulses_.sums());
    result.report.grains = {static_cast<int>(control().iterations),
                            static_cast<int>(control().shift_iterations),
                            control().mean_density,
                            control().max_density,
                            control().strain_rate,
                            static_cast<int>(control().missed)};
    if (result.report.bad_field)
      result.report.bad_place = place_of(store_, view_, control().found.bad_node, stream_);
    return result;
  }

  std::shared_ptr<const ColliderSet> obstacles_;
  Stream stream_;
  ColliderStore colliders_;
  FieldStore fields_;
  ImpulseStore impulses_;
  SinkStore sinks_;
  RoomStore<D> room_;
  KickStore<T, D> kicks_;
  SphStore<T, D> store_;
  SphLaunches<T, D> launches_;
  DeviceSphView<T, D> view_;
  DeviceArray<WallShare> share_;
  DeviceArray<WallMap> wall_maps_;
  DeviceArray<YieldLaw<T>> laws_;
  DeviceArray<VaryingValue> gravity_;
  DeviceArray<AirSettings> air_;
  DeviceArray<EmitterWait> waits_;
  DeviceArray<int> species_;
  DeviceArray<double> partial_;
  DeviceArray<SphControl> control_;
  PinnedArray<SphControl> control_here_{1};
  LoopGraph<kSphBranches> graph_;
  FailureGuard guard_;
  bool pushes_ = false;
  std::vector<std::uint32_t> rows_;  // of each set on the host, those that have gone among them
};

template <class T, int D>
Result<std::unique_ptr<DeviceSph<T, D>>> make_device_sph(const DeviceSphSetup<T>& setup) {
  const Result<std::string> name = device_name();
  if (!name) return name.errors();
  try {
    ask_for_stack(levels(*setup.around.obstacles, setup.around.sinks));
    return std::unique_ptr<DeviceSph<T, D>>(std::make_unique<CudaSphSolver<T, D>>(setup));
  } catch (const CudaFailure& failure) {
    return Errors{failure.what()};
  }
}

}  // namespace firn

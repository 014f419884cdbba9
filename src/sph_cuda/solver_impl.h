#pragma once

#include <cmath>
#include <cstring>

#include "cuda/failure_guard.h"
#include "solver_cuda/collider_store.h"
#include "solver_cuda/impulse_store.h"
#include "sph/sph_solver.h"
#include "sph_cuda/device_sph.h"
#include "sph_cuda/launches.h"
#include "sph_cuda/transfer.h"

namespace firn {

template <class T, int D>
class CudaSphSolver final : public DeviceSph<T, D> {
 public:
  explicit CudaSphSolver(const DeviceSphSetup<T>& setup)
      : obstacles_(setup.around.obstacles),
        colliders_(stream_),
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
    control_.allocate(1);
    view_.control = control_.data();
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
      give_particles(store_, control().blocks, all, stream_);
      travelled = all.drift = control().travelled;
    });
  }
  Result<StretchResult> run(const Stretch& stretch) override {
    return guard_.value<StretchResult>([&] { return run_stretch(stretch); });
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
  std::size_t bytes() const override { return store_.bytes() + colliders_.bytes(); }

 private:
  static constexpr std::size_t kRowsAtFirst = 48;  // of the lists, a particle

  void take(const Particles<T, D>& all, const SphContext<T>& context, double travelled) {
    const std::size_t n = all.count();
    if (n >= Neighbor::kMost) throw CudaFailure("sph: more particles than its lists can number");
    graph_.clear();
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
      if (control().full == 0) return;
      grow();
    }
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
  ImpulseStore impulses_;
  SphStore<T, D> store_;
  SphLaunches<T, D> launches_;
  DeviceSphView<T, D> view_;
  DeviceArray<WallShare> share_;
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
};

template <class T, int D>
Result<std::unique_ptr<DeviceSph<T, D>>> make_device_sph(const DeviceSphSetup<T>& setup) {
  const Result<std::string> name = device_name();
  if (!name) return name.errors();
  try {
    ask_for_stack();
    return std::unique_ptr<DeviceSph<T, D>>(std::make_unique<CudaSphSolver<T, D>>(setup));
  } catch (const CudaFailure& failure) {
    return Errors{failure.what()};
  }
}

}  // namespace firn

#pragma once

#include <algorithm>
#include <cmath>

#include "collision/mirror_passes.h"
#include "cuda/failure_guard.h"
#include "mpm_cuda/block_store.h"
#include "mpm_cuda/device_solver.h"
#include "mpm_cuda/implicit_step.h"
#include "mpm_cuda/set_stores.h"
#include "mpm_cuda/step_runner.h"
#include "mpm_cuda/stretch_control.h"
#include "mpm_cuda/traffic_store.h"
#include "mpm_cuda/viscosity_store.h"
#include "solver_cuda/collider_store.h"
#include "solver_cuda/impulse_store.h"

namespace firn {

template <class T, int D>
class CudaSolver final : public DeviceSolver<T, D> {
 public:
  explicit CudaSolver(const DeviceSetup& setup)
      : settings_(setup.settings),
        obstacles_(setup.around.obstacles),
        colliders_(stream_),
        traffic_(stream_),
        block_store_(setup.around.obstacles->any_moves(), stream_),
        sets_(traffic_of(setup), setup.settings.porous, setup.settings.deterministic, stream_),
        launches_(setup.settings,
                  ContactReach<D>(setup.settings.spacing, kernel_shift(setup.settings.kernel),
                                  contact_slack<D>(setup.around.obstacles->all(),
                                                   setup.around.obstacles->any_moves()),
                                  setup.settings.longest_stride()),
                  stream_) {
    take_obstacles(setup);
    traffic_.set_sinks(setup.around.sinks);
    gravity_.assign({setup.around.gravity[0], setup.around.gravity[1], setup.around.gravity[2]},
                    stream_);
    view_.gravity = gravity_.data();
    if (setup.settings.porous.species > 1) porous_.assign({setup.settings.porous}, stream_);
    view_.porous = porous_.data();
    view_.lays_matter = setup.settings.porous.wants_volumes_each_step();
    view_.tells_phi = setup.settings.porous.fractions_wanted;
    if (!setup.around.transitions.empty()) transitions_.assign(setup.around.transitions, stream_);
    view_.transitions = transitions_.data();
    view_.transition_count = static_cast<int>(setup.around.transitions.size());
    view_.gravity_in_space = std::any_of(setup.around.gravity, setup.around.gravity + 3,
                                         [](const auto& g) { return g.varies_in_space(); });
    const double h = setup.settings.spacing;
    view_.spacing = h;
    view_.longest_stride = settings_.longest_stride();
    view_.shift = kernel_shift(setup.settings.kernel);
    view_.grip_time = T(grip_time(h));
    view_.h = T(h);
    view_.inverse_h = T(1 / h);
    view_.per_cell = T(std::pow(h, -D));
    with_kernel(setup.settings.kernel, [&](auto kernel) {
      view_.strain_scale = T(strain_scale<decltype(kernel)>(setup.settings.transfer));
    });
    control_.allocate(1);
    view_.control = control_.data();
    view_.transfer = transfer_view<T, D>(setup.settings);
    if (!settings_.implicit.is_explicit())
      implicit_ = std::make_unique<DeviceImplicitStep<T, D>>(settings_, stream_);
  }

  ~CudaSolver() override { cudaStreamSynchronize(stream_); }

  Errors upload(const MpmState<T, D>& state) override {
    return guard_.run([&] { take(state); });
  }
  Errors download(MpmState<T, D>& state) override {
    return guard_.run([&] {
      sets_.download(block_store_, control(), state);
      block_store_.give_grip(control(), state);
      state.drift = control().drift;
      state.volume_age = control().volume_age;
      state.varied_age = control().varied_age;
      state.fraction_age = control().fraction_age;
    });
  }
  Result<StretchResult> run(const Stretch& stretch,
                            const std::vector<double>& viscous_rooms) override {
    return guard_.value<StretchResult>([&] {
      viscosity_.set_rooms(viscous_rooms, stream_);
      return run_stretch(stretch);
    });
  }
  std::vector<MostViscous> most_viscous() const override { return viscosity_.most(); }
  Errors kick(const std::vector<Vec3d>& kicks) override {
    return guard_.run([&] {
      kick_kernel<T, D><<<view_.capacity, kForceThreads, 0, stream_>>>(
          view_, kicks_.upload(kicks, stream_), kicks.size());
      must(cudaGetLastError(), "a force on the particles");
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
  Result<std::vector<double>> taken_volume(const std::vector<Vec3d>& points,
                                           const std::vector<BlockCoord<D>>& homes,
                                           double radius) override {
    return guard_.value<std::vector<double>>(
        [&] { return traffic_.taken_volume(points, homes, radius, view_); });
  }
  Result<RemovedParticles> exchange(const DeviceExchange<T, D>& exchange) override {
    return guard_.value<RemovedParticles>([&] { return exchange_particles(exchange); });
  }
  std::size_t particles() const override { return sets_.particles(); }
  std::size_t bytes() const override {
    return block_store_.bytes() + sets_.bytes() + colliders_.bytes() +
           (implicit_ ? implicit_->bytes() : 0);
  }

 private:
  static constexpr double kBodySlack = ContactMap<D>::kBodySlack;
  static constexpr int kLeastExpected = 64;

  static std::vector<SetTraffic> traffic_of(const DeviceSetup& setup) {
    std::vector<SetTraffic> traffic;
    for (const bool emits : setup.around.emits)
      traffic.push_back({emits, !setup.around.sinks.empty()});
    return traffic;
  }
  void take_obstacles(const DeviceSetup& setup) {
    colliders_.upload(setup.around.obstacles->all());
    view_.colliders = colliders_.data();
    view_.collider_count = static_cast<int>(setup.around.obstacles->all().size());
    for (const Collider& c : setup.around.obstacles->all()) {
      (is_fixed_plane(c) ? view_.has_planes : view_.has_others) = true;
      view_.has_rough = view_.has_rough || rubs_particles(c);
      view_.has_selective = view_.has_selective || c.species >= 0;
    }
    const std::vector<std::int32_t> passes =
        mirror_passes(setup.around.obstacles->all(), setup.settings.spacing);
    if (!passes.empty()) mirror_pass_.assign(passes, stream_);
    view_.mirror_pass = mirror_pass_.data();
    for (const std::int32_t pass : passes)
      view_.mirror_passes = std::max(view_.mirror_passes, pass + 1);
    if (view_.mirror_passes > 0)
      view_.plane_mirrors = colliders_.place_mirrors(setup.around.obstacles->all(),
                                                     settings_.spacing, D, settings_.kernel);
    view_.timed = colliders_.timed();
    view_.timed_count = colliders_.timed_count();
    impulses_.set(setup.around.obstacles->all(), settings_.deterministic);
    view_.impulses = impulses_.plain();
    view_.exact_impulses = impulses_.exact();
  }

  void take(const MpmState<T, D>& state) {
    const int blocks = state.blocks.size();
    block_store_.set_matter(settings_.porous, settings_.spacing);
    block_store_.set(blocks + blocks / 4 + 64, static_cast<int>(state.sets.size()), state.species(),
                     view_);
    block_store_.take_topology(state.blocks, view_);
    block_store_.take_grip(state);
    sets_.upload(state, view_);
    view_.volume_interval = volume_interval(settings_, state);
    view_.varies = any_varied<T, D>(state);
    viscosity_.set<T, D>(state, view_, stream_);
    forget_blocks();
    control() = Control{};
    control().occupied = state.blocks.occupied();
    control().blocks = blocks;
    control().drift = state.drift;
    control().drift_factor = settings_.particle_collisions ? 2 : 1;
    control().volume_age = state.volume_age;
    control().varied_age = state.varied_age;
    control().fraction_age = state.fraction_age;
    expect_blocks();
    send_control();
    if (!settings_.deterministic) return sort_now();
    // A run that is taken up again goes on as it would have: with the particles as they were.
    launches_.take_topology(views());
    wait();
  }
  // Room for more blocks than so many.
  void grow(int blocks) {
    const int wanted = std::max(view_.capacity + view_.capacity / 2, blocks);
    wait_for(stream_, "a step");
    block_store_.set(wanted + wanted / 8, view_.set_count, sets_.species(), view_);
    sets_.reserve_blocks(view_);
    forget_blocks();
  }

  // Memory moved, or blocks have other numbers.
  void forget_blocks() {
    runner_.forget();
    forget_numbers();
  }
  void forget_numbers() {
    if (implicit_) implicit_->forget_blocks();
  }

  // As many thread blocks as there will be work for soon; if it is more, they take base_rows.
  void expect_blocks() {
    const int occupied = control().occupied;
    const bool enough = view_.expected > 0 && occupied <= view_.expected;
    if (enough && 2 * occupied >= view_.expected - kLeastExpected) return;
    view_.expected = std::min(view_.capacity, occupied + occupied / 16 + kLeastExpected);
    runner_.forget();
  }

  SpeciesViews<T, D> views() const {
    SpeciesViews<T, D> views{view_, {}, {}};
    for (int species = 0; species < sets_.species(); ++species) {
      View<T, D>& own = views.of.emplace_back(view_);
      block_store_.show_species(species, own);
      sets_.show_species(species, own);
      sets_.show_room(species, views.room_of.emplace_back(own));
    }
    return views;
  }

  // The control block here is the one of the device after each wait(), and so are the impulses and
  // the largest viscosities.
  Control& control() const { return control_here_[0]; }
  void send_control() { control_here_.send(control_, stream_); }
  void wait() {
    control_here_.fetch(control_, stream_);
    impulses_.fetch(stream_);
    viscosity_.fetch(stream_);
    wait_for(stream_, "a step");
  }
  // Sorts, with more room where that is needed.
  void sort_now(const std::vector<ArrivalView>& arrivals = {}) {
    forget_numbers();
    for (;;) {
      launches_.sort(views(), sets_, {}, arrivals);
      wait();
      if (!control().full) return;
      grow(control().next_blocks);
    }
  }

  // Brings bodies to their places and tells the device what is asked for.
  void start_stretch(const Stretch& stretch) {
    if (traffic_.set_waits(stretch.waits, view_)) runner_.forget();
    expect_blocks();
    begin_stretch(stretch, control());
    control().damps = settings_.implicit.is_explicit();
    const bool bodies_move = obstacles_->any_moves();
    if (bodies_move) {
      colliders_.move(obstacles_->all());
      control().body_drift += stretch.obstacle_advance;
    }
    const bool lists_due = bodies_move && control().body_drift > kBodySlack;
    send_control();
    if (lists_due) {
      launches_.list_obstacles(views());
      forget_numbers();
    }
    impulses_.clear(stream_);
  }
  StretchResult run_stretch(const Stretch& stretch) {
    if (implicit_) return run_implicit(stretch);
    runner_.set_force(stretch.force.kind != ForceKind::none);
    start_stretch(stretch);
    // What the device finds out in its step as well, and does by itself in those that follow.
    const bool tells = view_.tells_phi && control().fraction_age <= 1;
    if (stretch.max_steps > 1) launches_.begin(view_);
    if (stretch.max_steps > 1 && tells) launches_.tell_fraction(views());
    for (;;) {
      stretch.max_steps == 1 ? step_once(tells) : run_graph();
      if (!control().full) break;
      grow(control().next_blocks);
      sort_now();
      if (control().volume_due) launches_.volume(views());
      if (control().state != RunState::running) break;
      if (control().fraction_due) launches_.tell_fraction(views());
    }
    return result();
  }
  void run_graph() {
    runner_.run_many(launches_, views(), sets_);
    wait();
  }
  void step_once(bool tells) {
    runner_.run_one(launches_, views(), sets_, tells);
    wait();
    tidy_up();
  }
  // Particles go to the blocks next to theirs; those that flew farther, one block at a time.
  void sort_after_step() {
    const int further = static_cast<int>(control().drift / BlockShape<D>::kEdge);
    for (int block = 0; block < further; ++block) sort_now();
    forget_numbers();
    launches_.sort(views(), sets_, {});
    wait();
  }
  // Between two single steps.
  void tidy_up() {
    const bool volume_due = control().volume_due;
    if (control().sort_due) sort_after_step();
    if (volume_due && !control().full) launches_.volume(views());
  }

  // One step, as MpmSolver::implicit_step has it.
  StretchResult run_implicit(const Stretch& stretch) {
    const double dt = stretch.given_dt;
    const std::int32_t varied_age = control().varied_age;
    start_stretch(stretch);
    launches_.begin(view_);
    launches_.prepare(view_, stretch.force.kind != ForceKind::none && !stretch.tried_before);
    bool goes_on = true, taken = true;
    const auto look = [&] {
      wait();
      return goes_on = control().found.bad_node == ~0ull && !control().not_finite.taken;
    };
    const auto accept = [&](const SolveReport& solve) {
      const bool too_far = !(solve.speed * dt <= settings_.implicit.most_cells * settings_.spacing);
      return taken = stretch.must_accept || !(solve.missed || too_far);
    };
    SolveReport solve;
    if (sets_.particles() > 0)
      solve = implicit_->run({view_, sets_, dt, control(), look, stretch.cancelled, accept});
    solve.refused = !taken;
    if (!goes_on || solve.refused || solve.cancelled)
      return without_step(stretch, goes_on, varied_age, solve);
    launches_.finish(views(), sets_, {});
    wait();
    tidy_up();
    if (control().full) {
      grow(control().next_blocks);
      sort_now();
      if (control().volume_due) launches_.volume(views());
    }
    StretchResult found = result();
    found.report.solve = solve;
    found.report.max_signal = found.report.max_speed;
    return found;
  }
  // A step that was dropped, or stopped by a field that is wrong.
  StretchResult without_step(const Stretch& stretch, bool goes_on, std::int32_t varied_age,
                             const SolveReport& solve) {
    if (!goes_on) {
      if (!control().not_finite.taken) control().state = RunState::bad_field;
      return result();
    }
    control().varied_age = varied_age;
    StretchResult refused(stretch.clock());
    refused.refused = true;
    refused.report.solve = solve;
    return refused;
  }
  StretchResult result() {
    StretchResult result = result_of(control(), impulses_.sums());
    if (result.report.bad_field) {
      constexpr int kNodes = BlockShape<D>::kNodes;
      result.report.bad_place =
          node_position<D>(block_store_.coord(control(), control().found.bad_node / kNodes),
                           static_cast<int>(control().found.bad_node % kNodes), view_.spacing);
    }
    return result;
  }

  RemovedParticles exchange_particles(const DeviceExchange<T, D>& exchange) {
    const auto blocks = blocks_of(exchange);
    for (std::size_t s = 0; s < blocks.of_block.size(); ++s)
      if (sets_.reserve(static_cast<int>(s), static_cast<std::uint32_t>(blocks.of_block[s].size()),
                        view_))
        runner_.forget();
    // The table of blocks, which grows empty, comes with a sort.
    const int wanted = control().blocks + static_cast<int>(blocks.coords.size());
    if (wanted > view_.capacity) {
      grow(wanted);
      sort_now();
    }
    const RemovedParticles removal = traffic_.mark_removed(exchange.open_sinks, view_);
    const bool changes = removal.count > 0 || !blocks.coords.empty();
    if (!changes && !(control().drift > 0)) return removal;
    std::vector<ArrivalView> arrivals;
    if (!blocks.coords.empty()) {
      block_store_.clear_grip(control(), static_cast<int>(blocks.coords.size()));
      arrivals = traffic_.append(exchange, blocks, view_, sets_);
    }
    sort_now(arrivals);
    sets_.count_again();
    if (removal.count > 0) sets_.keep_all();
    if (view_.viscous) {
      launches_.find_viscosity(view_);
      wait();
    }
    return removal;
  }

  FailureGuard guard_;
  Stream stream_;
  MpmSettings settings_;
  std::shared_ptr<const ColliderSet> obstacles_;
  View<T, D> view_;
  ColliderStore colliders_;
  DeviceArray<std::int32_t> mirror_pass_;
  TrafficStore<T, D> traffic_;
  BlockStore<T, D> block_store_;
  SetStores<T, D> sets_;
  DeviceArray<Control> control_;
  PinnedArray<Control> control_here_{1};
  DeviceArray<PorousSettings> porous_;
  DeviceArray<VaryingValue> gravity_;
  DeviceArray<Transition> transitions_;
  ImpulseStore impulses_;
  ViscosityStore viscosity_;
  KickStore<T, D> kicks_;
  Launches<T, D> launches_;
  StepRunner<T, D> runner_;
  std::unique_ptr<DeviceImplicitStep<T, D>> implicit_;  // null: steps are explicit
};

}  // namespace firn

#include "mpm/solver.h"

#include <algorithm>
#include <limits>

#include "collision/landing.h"
#include "mpm/backward_positions.h"
#include "mpm/fluid_volume.h"
#include "mpm/kernels.h"
#include "mpm/particle_collision.h"
#include "mpm/particle_guard.h"
#include "particles/sort.h"

namespace firn {
template <class T, int D>
MpmSolver<T, D>::MpmSolver(const MpmSettings& settings,
                           std::shared_ptr<const ColliderSet> obstacles,
                           std::shared_ptr<Timers> timers)
    : settings_(settings),
      obstacles_(std::move(obstacles)),
      stages_(stages<T, D>(settings.kernel, settings.transfer)),
      porous_(settings.porous, settings.kernel),
      timers_(std::move(timers)),
      implicit_(settings_, cancelled_) {
  int owners = 0;
  for (const Collider& c : colliders()) owners = std::max(owners, c.owner + 1);
  impulses_.resize(owners);
}

template <class T, int D>
MpmSolver<T, D>::MpmSolver(const MpmSettings& settings, ColliderSet obstacles)
    : MpmSolver(settings, [&] {
        obstacles.set_step(0, 1);
        return std::make_shared<const ColliderSet>(std::move(obstacles));
      }()) {}

template <class T, int D>
StepContext<T, D> MpmSolver<T, D>::make_context(double dt, const Vec3d& gravity) const {
  StepContext<T, D> ctx;
  ctx.dt = T(dt);
  ctx.h = T(settings_.spacing);
  ctx.spacing = settings_.spacing;
  ctx.inverse_h = T(1 / settings_.spacing);
  ctx.grip_time = T(grip_time(settings_.spacing));
  for (int a = 0; a < D; ++a) ctx.gravity[a] = T(gravity[a]);
  ctx.gravity_field = nullptr;
  const TransferKind transfer = settings_.transfer;
  ctx.affine = transfer == TransferKind::mls || transfer == TransferKind::apic;
  ctx.split = transfer == TransferKind::flip;
  ctx.flip_ratio = ctx.split ? T(settings_.flip_ratio) : T(0);
  ctx.implicit = !settings_.implicit.is_explicit();
  return ctx;
}

template <class T, int D>
void MpmSolver<T, D>::prepare(MpmState<T, D>& state) {
  const std::size_t arena_nodes = std::size_t(state.blocks.occupied()) * stages_.arena_size;
  const auto& all = colliders();
  const bool rubs = std::any_of(all.begin(), all.end(), rubs_particles);
  for (SpeciesNodes<T, D>& on : state.nodes) {
    on.arenas.resize(arena_nodes);
    on.velocity.resize(state.blocks);
    if (state.species() > 1 && !all.empty()) on.exchanged.resize(state.blocks);
    if (rubs) on.grip.follow(state.blocks);
    if (settings_.transfer != TransferKind::flip) continue;
    on.force_arenas.resize(arena_nodes);
    on.change.resize(state.blocks);
  }
  porous_.fit(state);
  build_contacts(state);
}

template <class T, int D>
void MpmSolver<T, D>::build_contacts(const MpmState<T, D>& state) {
  contacts_.build(state.blocks, *obstacles_, settings_.spacing, kernel_shift(settings_.kernel),
                  settings_.longest_stride());
  mirrors_.build(state.blocks, colliders(), contacts_, settings_.spacing, settings_.kernel);
  folded_.resize(mirrors_.empty() ? 0 : std::size_t(state.blocks.size()) * BlockShape<D>::kNodes);
  body_drift_ = ContactMap<D>::kFirstBodyDrift;
  given_.resize(state.blocks.size());
  for (int slot = 0; slot < state.blocks.size(); ++slot)
    given_[slot].assign(contacts_.of_block(slot).size(), {});
}

template <class T, int D>
void MpmSolver<T, D>::obstacles_advance(const MpmState<T, D>& state, double cells) {
  body_drift_ += cells;
  if (body_drift_ > ContactMap<D>::kBodySlack) build_contacts(state);
}

template <class T, int D>
void MpmSolver<T, D>::sum_impulses() {
  for (ContactImpulse& impulse : impulses_) impulse = {};
  for (std::size_t slot = 0; slot < given_.size(); ++slot) {
    const std::vector<int>& near = contacts_.of_block(static_cast<int>(slot));
    for (std::size_t k = 0; k < near.size(); ++k)
      impulses_[colliders()[near[k]].owner].add(given_[slot][k]);
  }
}

template <class T, int D>
void MpmSolver<T, D>::add_landed_impulses() {
  for (std::size_t block = 0; block < landed_.size(); ++block) {
    const std::vector<int>& near = contacts_.of_particles(static_cast<int>(block)).colliders;
    for (std::size_t k = 0; k < near.size(); ++k)
      impulses_[colliders()[near[k]].owner].add(landed_[block][k]);
  }
}

template <class T, int D>
StepReport MpmSolver<T, D>::step(MpmState<T, D>& state, double dt, const Vec3d& gravity,
                                 const GravityField* field, bool must_accept) {
  StepContext<T, D> ctx = make_context(dt, gravity);
  ctx.gravity_field = field;
  const VariedFinding varied = keep_varied(state);
  if (varied.is_error()) {
    StepReport report;
    report.varied = varied;
    return report;
  }
  if (!settings_.implicit.is_explicit()) return implicit_step(ctx, state, dt, varied, must_accept);
  porous_.begin_step(state);
  if (porous_.lays()) timers_->measure("matter", [&] { porous_.lay(ctx, state); });
  timers_->measure("scatter", [&] { scatter_to_grid(ctx, state); });
  const std::int64_t bad = timers_->measure("grid", [&] { return update_grid(ctx, state); });
  if (bad >= 0) return bad_field_at(bad, state.blocks, settings_.spacing);
  if (porous_.tells()) timers_->measure("mixture", [&] { porous_.tell(ctx, state); });
  return finish_step(ctx, state, dt, varied);
}

template <class T, int D>
StepReport MpmSolver<T, D>::bad_field_at(std::int64_t node, const BlockTopology<D>& blocks,
                                         double spacing) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  StepReport report;
  report.bad_field = true;
  report.bad_place = node_position<D>(blocks.coord(static_cast<int>(node / kNodes)),
                                      static_cast<int>(node % kNodes), spacing);
  return report;
}

template <class T, int D>
StepReport MpmSolver<T, D>::finish_step(const StepContext<T, D>& ctx, MpmState<T, D>& state,
                                        double dt, const VariedFinding& varied) {
  StepReport report = timers_->measure("gather", [&] { return gather_from_grid(ctx, state); });
  report.varied = varied;
  if (settings_.particle_collisions)
    timers_->measure("collide", [&] { collide_particles(ctx, state); });
  // Taken from the particles: a node of almost no mass may be far faster than any of them.
  report.drift = report.max_motion * dt / settings_.spacing;
  if (!timers_->measure("sort",
                        [&] { return keep_sorted(state, report.drift + report.max_push); })) {
    report.drift = std::numeric_limits<double>::infinity();
    return report;
  }
  if (++state.volume_age >= volume_interval(settings_, state)) {
    state.volume_age = 0;
    timers_->measure("volume",
                     [&] { update_volume_sources(settings_, colliders(), contacts_, dt, state); });
  }
  return report;
}

template <class T, int D>
void MpmSolver<T, D>::scatter_to_grid(const StepContext<T, D>& ctx, MpmState<T, D>& state) {
  parallel_for("scatter", state.blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b)
      for (int s = 0; s < state.species(); ++s) stages_.scatter(ctx, state, s, static_cast<int>(b));
  });
}

template <class T, int D>
StepReport MpmSolver<T, D>::gather_from_grid(const StepContext<T, D>& ctx, MpmState<T, D>& state) {
  std::vector<StepReport> reports(state.blocks.occupied());
  landed_.resize(state.blocks.occupied());
  const bool is_backward = ctx.implicit && settings_.implicit.positions == PositionKind::backward;
  parallel_for("gather", state.blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
    ParticleGuard<T, D> guard;
    BackwardPositions<T, D> backward;
    for (std::int64_t b = begin; b < end; ++b) {
      const int block = static_cast<int>(b);
      const ParticleContacts<D>& near = contacts_.of_particles(block);
      const bool guarded = !near.colliders.empty();
      if (guarded) guard.remember(state, block);
      if (is_backward) backward.remember(state, block);
      for (int s = 0; s < state.species(); ++s) stages_.gather(ctx, state, s, block, reports[b]);
      if (is_backward) {
        const double way =
            backward.move(ctx, settings_.kernel, colliders(), near.colliders, state, block);
        reports[b].max_motion =
            std::max(reports[b].max_motion, way * settings_.spacing / double(ctx.dt));
      }
      if (!guarded) continue;
      const double way = reports[b].max_motion * stages_.stride_of_motion * double(ctx.dt);
      reports[b].max_push =
          guard.put_back(state, block, colliders(), near, {way / settings_.spacing, body_drift_},
                         settings_.spacing, kernel_shift(settings_.kernel), landed_[b]);
    }
  });
  add_landed_impulses();
  return combined(reports);
}

template <class T, int D>
void MpmSolver<T, D>::collide_particles(const StepContext<T, D>& ctx, MpmState<T, D>& state) {
  parallel_for("collide", state.blocks.occupied(), 4, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) {
      if (contacts_.of_block(static_cast<int>(b)).empty()) continue;
      for (auto& set : state.sets) {
        const std::vector<int> near =
            those_that_stop(colliders(), contacts_.of_block(static_cast<int>(b)), set.species);
        for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) {
          const Vec3d x = world_position(state, set.particles, static_cast<int>(b), p);
          Vec<T, D> v, place;
          for (int a = 0; a < D; ++a) {
            v[a] = set.particles.velocity[a][p];
            place[a] = set.particles.position[a][p];
          }
          collide_particle<T, D>(colliders().data(), near.data(), static_cast<int>(near.size()), x,
                                 ctx.dt, ctx.inverse_h, v, place);
          for (int a = 0; a < D; ++a) {
            set.particles.velocity[a][p] = v[a];
            set.particles.position[a][p] = place[a];
          }
        }
      }
    }
  });
}

template <class T, int D>
bool MpmSolver<T, D>::keep_sorted(MpmState<T, D>& state, double moved) {
  state.drift += settings_.particle_collisions ? 2 * moved : moved;
  if (state.drift <= BlockShape<D>::kMargin) return true;
  if (state.drift < BlockShape<D>::kEdge)
    sort_after_drift(state);
  else if (!sort_after_flight(state))
    return false;
  prepare(state);
  return true;
}

template <class T, int D>
VariedFinding MpmSolver<T, D>::keep_varied(MpmState<T, D>& state) {
  if (!any_varied<T, D>(state)) return {};
  if (state.varied_age > 0 && state.varied_age < kVariedInterval) {
    ++state.varied_age;
    return {};
  }
  state.varied_age = 1;
  return timers_->measure("parameters", [&] { return vary_parameters<T, D>(state, state.time); });
}

template <class T, int D>
std::size_t MpmSolver<T, D>::bytes(const MpmState<T, D>& state) const {
  std::size_t total = state.blocks.bytes();
  for (const SpeciesNodes<T, D>& on : state.nodes) total += on.bytes();
  for (const NodeField<T, D>& matter : state.matter) total += matter.bytes();
  total += state.flow.bytes() + state.fraction.bytes();
  for (const auto& set : state.sets) total += set.particles.bytes() + set.begin.bytes();
  return total + implicit_.bytes();
}

template <class T, int D>
double MpmSolver<T, D>::bytes_moved(const MpmState<T, D>& state) const {
  double total = 0;
  for (const auto& set : state.sets) {
    const auto& p = set.particles;
    const int transfer =
        2 * (D + D * D) + D;  // position, velocity and C: read, written, position again
    const int deform =
        2 * (p[column::gradient].components() + p[column::scalar].components()) + D * D;
    const int stress = 2 * p[column::stress].components() + p[column::source].components() +
                       2 * p[column::dilation].components() + p[column::varied].components();
    const int constants =
        2 * 2 + p[column::stiffness].components() + D;  // mass and volume twice, velocity
    total += double(p.size()) * sizeof(T) * (transfer + deform + stress + constants);
  }
  // Arenas are written and read once, and read again from the grid; nodes are written and read.
  const double arenas = double(state.blocks.occupied()) * stages_.arena_size;
  const double nodes = double(state.blocks.size()) * BlockShape<D>::kNodes;
  return total + state.species() * (3 * arenas + 2 * nodes) * sizeof(Node<T>);
}

template class MpmSolver<float, 2>;
template class MpmSolver<float, 3>;
template class MpmSolver<double, 2>;
template class MpmSolver<double, 3>;

}  // namespace firn

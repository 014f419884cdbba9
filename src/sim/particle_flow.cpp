#include "sim/particle_flow.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "mpm/nearest_image.h"
#include "mpm/sort.h"
#include "sim/build_state.h"

namespace firn {

template <class T, int D>
ParticleFlow<T, D>::ParticleFlow(const SceneSettings& scene)
    : least_density_(scene.materials.size(), INFINITY) {
  for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
    emitters_.emplace_back(scene, i);
    emitted_until_.push_back(0);
  }
  for (const SinkSettings& sink : scene.sinks)
    sinks_.push_back({placed(sink.shape, D), sink.start, sink.stop});
}

template <class T, int D>
bool ParticleFlow<T, D>::has_room(const MpmState<T, D>& state, const MpmSettings& settings,
                                  const Emitter& emitter, const Vec3d& x) const {
  const double h = settings.spacing, shift = kernel_shift(settings.kernel);
  const double radius = emitter.room_radius();
  std::uint64_t key = 0;
  Vec<T, D> place;
  if (!place_in_block<T, D>(state, x, h, shift, key, place)) return true;
  const std::int32_t home = state.blocks.find(key);
  if (home < 0) return true;
  double taken = 0;
  const auto& neighbors = state.blocks.neighbors(home);
  for (auto at = neighbors.begin(); at != neighbors.end(); ++at) {
    const std::int32_t slot = *at;
    if (slot < 0 || slot >= state.blocks.occupied()) continue;
    if (std::find(neighbors.begin(), at, slot) != at) continue;  // both sides of a short period
    for (const auto& set : state.sets)
      for (std::uint32_t p = set.begin[slot]; p < set.begin[slot + 1]; ++p) {
        const Vec3d d =
            nearest_image<D>(state.blocks.periods().data(), h,
                             world_position(state, set.particles, slot, p, h, shift) - x);
        if (dot(d, d) < radius * radius) taken += double(set.particles.volume[0][p]);
      }
  }
  return emitter.has_room(taken);
}

template <class T, int D>
Result<std::vector<typename ParticleFlow<T, D>::Arrival>> ParticleFlow<T, D>::arrivals(
    double time, bool all, const DropFull& drop_full) {
  std::vector<Arrival> found;
  for (std::size_t e = 0; e < emitters_.size(); ++e) {
    const Emitter& emitter = emitters_[e];
    const double waited = time - std::max(emitted_until_[e], emitter.start());
    if (emitted_until_[e] >= emitter.stop() || !(waited > 0)) continue;
    if (!all && waited < emitter.interval()) continue;
    std::vector<Vec3d> positions = emitter.positions(emitted_until_[e], time);
    emitted_until_[e] = time;
    if (emitter.until_full()) {
      Errors errors = drop_full(emitter, positions);
      if (!errors.empty()) return errors;
    }
    if (!positions.empty()) found.push_back({e, std::move(positions)});
  }
  return found;
}

template <class T, int D>
void ParticleFlow<T, D>::append_arrivals(const SceneSettings& scene,
                                         const std::vector<Arrival>& coming,
                                         std::vector<MaterialSet<T, D>>& sets,
                                         std::vector<std::vector<Vec3d>>& world) {
  for (const Arrival& arrival : coming) {
    const Emitter& emitter = emitters_[arrival.emitter];
    const ObjectParticles particles = emitter.particles(arrival.positions, next_id_);
    next_id_ += particles.size();
    totals_.emitted += particles.size();
    totals_.emitted_mass += particles.mass(0) * double(particles.size());
    const auto set = static_cast<std::size_t>(emitter.material());
    // As the particles have it, so that a run that is taken up again finds the same.
    least_density_[set] = std::min(
        least_density_[set], double(T(particles.mass(0))) / double(T(particles.initial_volume(0))));
    append_object(scene, sets[set], world[set], particles);
  }
}

// Flags of the particles inside open sinks. Blocks that a sink does not touch are passed over.
template <class T, int D>
bool ParticleFlow<T, D>::mark_removed(const MpmState<T, D>& state, const MpmSettings& settings,
                                      double time, std::vector<std::vector<char>>& removed) {
  const double h = settings.spacing, shift = kernel_shift(settings.kernel);
  constexpr int kEdge = BlockShape<D>::kEdge;
  const double reach = 0.5 * kEdge * std::sqrt(double(D)) * h;
  bool any = false;
  for (const Sink& sink : sinks_) {
    if (time < sink.start || time >= sink.stop) continue;
    for (int slot = 0; slot < state.blocks.occupied(); ++slot) {
      Vec3d center{{0, 0, 0}};
      for (int a = 0; a < D; ++a)
        center[a] = (double(state.blocks.coord(slot)[a]) * kEdge + 0.5 * kEdge + shift) * h;
      if (signed_distance(sink.shape, center).distance > 1.0001 * reach) continue;
      for (std::size_t s = 0; s < state.sets.size(); ++s) {
        const auto& set = state.sets[s];
        for (std::uint32_t p = set.begin[slot]; p < set.begin[slot + 1]; ++p) {
          const Vec3d x = world_position(state, set.particles, slot, p, h, shift);
          if (!(signed_distance(sink.shape, x).distance < 0)) continue;
          if (removed[s].empty()) removed[s].assign(set.particles.size(), 0);
          if (removed[s][p]) continue;
          removed[s][p] = 1;
          ++totals_.removed;
          totals_.removed_mass += double(set.particles.mass[0][p]);
          any = true;
        }
      }
    }
  }
  return any;
}

template <class T, int D>
Errors ParticleFlow<T, D>::update(const SceneSettings& scene, MpmSolver<T, D>& solver,
                                  MpmState<T, D>& state, double time, bool sorted,
                                  StepReport& report) {
  const MpmSettings& settings = solver.settings();
  const auto found =
      arrivals(time, sorted, [&](const Emitter& emitter, std::vector<Vec3d>& positions) {
        std::erase_if(positions,
                      [&](const Vec3d& x) { return !has_room(state, settings, emitter, x); });
        return Errors{};
      });
  if (!found) return found.errors();
  const std::vector<Arrival>& coming = *found;
  if (coming.empty() && (!sorted || sinks_.empty())) return {};
  if (state.drift > 0) sort_after_drift(state);
  Renewal<T, D> renewal;
  renewal.world.resize(state.sets.size());
  renewal.removed.resize(state.sets.size());
  const bool going = mark_removed(state, settings, time, renewal.removed);
  for (const auto& set : state.sets) renewal.first_new.push_back(set.particles.size());
  append_arrivals(scene, coming, state.sets, renewal.world);
  if (!coming.empty()) {
    const StepReport fresh = solver.initialize_new(state, renewal.first_new);
    report.max_signal = std::max(report.max_signal, fresh.max_signal);
    report.max_speed = std::max(report.max_speed, fresh.max_speed);
  }
  if ((going || !coming.empty()) &&
      !renew_particles(state, renewal, settings.spacing, kernel_shift(settings.kernel)))
    return {kTooFar};
  solver.prepare(state);
  return {};
}

// Numbers beyond 2^53 do not occur: at a billion particles a second that takes a hundred days.
template <class T, int D>
std::vector<double> ParticleFlow<T, D>::save() const {
  std::vector<double> saved{double(next_id_), double(totals_.emitted), double(totals_.removed),
                            totals_.emitted_mass, totals_.removed_mass};
  saved.insert(saved.end(), emitted_until_.begin(), emitted_until_.end());
  return saved;
}

template <class T, int D>
bool ParticleFlow<T, D>::load(const std::vector<double>& saved, double time, double longest) {
  constexpr std::size_t kFixed = 5;
  if (saved.size() != kFixed + emitters_.size()) return false;
  for (int i = 0; i < 3; ++i)
    if (!(saved[i] >= 0 && saved[i] < 0x1p53)) return false;
  for (std::size_t e = 0; e < emitters_.size(); ++e) {
    const double until = saved[kFixed + e], stop = emitters_[e].stop();
    const double waited = std::min(time, stop) - std::max(until, emitters_[e].start());
    if (!(until <= time + longest) || !(waited <= emitters_[e].interval() + longest)) return false;
  }
  next_id_ = static_cast<std::uint64_t>(saved[0]);
  totals_ = {static_cast<std::uint64_t>(saved[1]), static_cast<std::uint64_t>(saved[2]), saved[3],
             saved[4]};
  std::copy(saved.begin() + kFixed, saved.end(), emitted_until_.begin());
  return true;
}

template class ParticleFlow<float, 2>;
template class ParticleFlow<float, 3>;
template class ParticleFlow<double, 2>;
template class ParticleFlow<double, 3>;

}  // namespace firn

#include "sim/sources.h"

#include <algorithm>
#include <cmath>

#include "scene/particle_sets.h"
#include "sim/initial_state.h"

namespace firn {

template <class T, int D>
Sources<T, D>::Sources(const SceneSettings& scene)
    : least_density_(planned_sets(scene).size(), INFINITY) {
  for (std::size_t i = 0; i < scene.emitters.size(); ++i) {
    emitters_.emplace_back(scene, i);
    emitted_until_.push_back(0);
  }
  for (const SinkSettings& sink : scene.sinks)
    sinks_.push_back({placed(sink.shape, D), sink.start, sink.stop});
}

template <class T, int D>
std::vector<Shape> Sources<T, D>::sink_shapes() const {
  std::vector<Shape> shapes;
  for (const Sink& sink : sinks_) shapes.push_back(sink.shape);
  return shapes;
}

template <class T, int D>
std::vector<Shape> Sources<T, D>::open_sinks(double time) const {
  std::vector<Shape> shapes;
  for (const Sink& sink : sinks_)
    if (time >= sink.start && time < sink.stop) shapes.push_back(sink.shape);
  return shapes;
}

template <class T, int D>
std::vector<bool> Sources<T, D>::emits() const {
  std::vector<bool> emits(least_density_.size());
  for (const Emitter& emitter : emitters_) emits[emitter.set()] = true;
  return emits;
}

template <class T, int D>
void Sources<T, D>::lower_densities(const std::vector<double>& of_sets) {
  for (std::size_t s = 0; s < of_sets.size(); ++s)
    least_density_[s] = std::min(least_density_[s], of_sets[s]);
}

template <class T, int D>
EmitterWait Sources<T, D>::wait_of(std::size_t e) const {
  return {std::max(emitted_until_[e], emitters_[e].start()), emitters_[e].interval()};
}

template <class T, int D>
std::vector<EmitterWait> Sources<T, D>::waits() const {
  std::vector<EmitterWait> waits;
  for (std::size_t e = 0; e < emitters_.size(); ++e)
    if (emitted_until_[e] < emitters_[e].stop()) waits.push_back(wait_of(e));
  return waits;
}

template <class T, int D>
Errors Sources<T, D>::drop_full(const Emitter& emitter, Solver<T, D>& solver,
                                std::vector<Vec3d>& positions) const {
  const auto taken = solver.volume_around(positions, emitter.room_radius());
  if (!taken) return taken.errors();
  std::vector<Vec3d> free;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (emitter.has_room((*taken)[i])) free.push_back(positions[i]);
  positions.swap(free);
  return {};
}

template <class T, int D>
Result<std::vector<typename Sources<T, D>::Arrival>> Sources<T, D>::arrivals(double time, bool all,
                                                                             Solver<T, D>& solver) {
  std::vector<Arrival> found;
  for (std::size_t e = 0; e < emitters_.size(); ++e) {
    const Emitter& emitter = emitters_[e];
    const EmitterWait wait = wait_of(e);
    if (emitted_until_[e] >= emitter.stop() || !(time > wait.since)) continue;
    if (!all && !wait.is_over(time)) continue;
    std::vector<Vec3d> positions = emitter.positions(emitted_until_[e], time);
    emitted_until_[e] = time;
    if (emitter.until_full()) {
      Errors errors = drop_full(emitter, solver, positions);
      if (!errors.empty()) return errors;
    }
    if (!positions.empty()) found.push_back({e, std::move(positions)});
  }
  return found;
}

template <class T, int D>
void Sources<T, D>::add_fresh(const ParticlePlan& plan, const std::vector<Arrival>& coming,
                              ParticleTraffic<T, D>& traffic) {
  for (const Arrival& arrival : coming) {
    const Emitter& emitter = emitters_[arrival.emitter];
    const ObjectParticles particles = emitter.particles(arrival.positions, next_id_);
    next_id_ += particles.size();
    totals_.emitted += particles.size();
    totals_.emitted_mass += particles.mass(0) * double(particles.size());
    const auto set = static_cast<std::size_t>(emitter.set());
    // As the particles have it, so that a run that is taken up again finds the same.
    least_density_[set] = std::min(
        least_density_[set], double(T(particles.mass(0))) / double(T(particles.initial_volume(0))));
    append_object(plan, particles, traffic.fresh, traffic.world);
  }
}

template <class T, int D>
Errors Sources<T, D>::update(const SceneSettings& scene, const ParticlePlan& plan,
                             Solver<T, D>& solver, double time, bool sorted, StepReport& report,
                             FineGrains<T, D>* grains) {
  const auto coming = arrivals(time, sorted, solver);
  if (!coming) return coming.errors();
  if (coming->empty() && (!sorted || sinks_.empty())) return {};
  ParticleTraffic<T, D> traffic{empty_particles<T, D>(scene, plan), {}, {}, time};
  traffic.world.resize(traffic.fresh.sets.size());
  add_fresh(plan, *coming, traffic);
  for (const Sink& sink : sinks_)
    traffic.open_sinks.push_back(time >= sink.start && time < sink.stop);
  RemovedParticles removed{totals_.removed, totals_.removed_mass};
  if (grains) grains->expect(traffic.fresh);
  Errors errors = solver.exchange(traffic, removed, report);
  totals_.removed = removed.count;
  totals_.removed_mass = removed.mass;
  return errors;
}

// Numbers beyond 2^53 do not occur: at a billion particles a second that takes a hundred days.
template <class T, int D>
std::vector<double> Sources<T, D>::save() const {
  std::vector<double> saved{double(next_id_), double(totals_.emitted), double(totals_.removed),
                            totals_.emitted_mass, totals_.removed_mass};
  saved.insert(saved.end(), emitted_until_.begin(), emitted_until_.end());
  return saved;
}

template <class T, int D>
bool Sources<T, D>::load(const std::vector<double>& saved, double time, double longest) {
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

template class Sources<float, 2>;
template class Sources<float, 3>;
template class Sources<double, 2>;
template class Sources<double, 3>;

}  // namespace firn

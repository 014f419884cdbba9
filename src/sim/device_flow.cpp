// Emitters and sinks for particles that a device holds: what comes is made here and sent there;
// what goes is found there.
#include <algorithm>

#include "mpm/sort.h"
#include "sim/build_state.h"
#include "sim/particle_flow.h"

namespace firn {
namespace {

// Places in their blocks; false where one is too far away.
template <class T, int D>
bool place_fresh(MpmState<T, D>& fresh, const std::vector<std::vector<Vec3d>>& world,
                 const MpmSettings& settings, std::vector<std::vector<BlockCoord<D>>>& blocks) {
  const double shift = kernel_shift(settings.kernel);
  blocks.resize(world.size());
  for (std::size_t s = 0; s < world.size(); ++s)
    for (std::size_t i = 0; i < world[s].size(); ++i) {
      std::uint64_t key = 0;
      Vec<T, D> place;
      if (!place_in_block<T, D>(fresh, world[s][i], settings.spacing, shift, key, place))
        return false;
      for (int a = 0; a < D; ++a) fresh.sets[s].particles.position[a][i] = place[a];
      blocks[s].push_back(morton_coord<D>(key));
    }
  return true;
}

// Drops the positions where there is no room on the device.
template <class T, int D>
Errors drop_full(const MpmState<T, D>& space, const MpmSettings& settings,
                 DeviceSolver<T, D>& device, const Emitter& emitter,
                 std::vector<Vec3d>& positions) {
  std::vector<BlockCoord<D>> homes;
  for (const Vec3d& x : positions) {
    std::uint64_t key = 0;
    Vec<T, D> place;
    if (!place_in_block<T, D>(space, x, settings.spacing, kernel_shift(settings.kernel), key,
                              place))
      return {kTooFar};
    homes.push_back(morton_coord<D>(key));
  }
  const auto taken = device.taken_volume(positions, homes, emitter.room_radius());
  if (!taken) return taken.errors();
  std::vector<Vec3d> free;
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (emitter.has_room((*taken)[i])) free.push_back(positions[i]);
  positions.swap(free);
  return {};
}

}  // namespace

template <class T, int D>
std::vector<Shape> ParticleFlow<T, D>::sink_shapes() const {
  std::vector<Shape> shapes;
  for (const Sink& sink : sinks_) shapes.push_back(sink.shape);
  return shapes;
}

template <class T, int D>
std::vector<bool> ParticleFlow<T, D>::emits(std::size_t sets) const {
  std::vector<bool> emits(sets);
  for (const Emitter& emitter : emitters_) emits[emitter.material()] = true;
  return emits;
}

template <class T, int D>
std::vector<EmitterWait> ParticleFlow<T, D>::waits() const {
  std::vector<EmitterWait> waits;
  for (std::size_t e = 0; e < emitters_.size(); ++e)
    if (emitted_until_[e] < emitters_[e].stop())
      waits.push_back({std::max(emitted_until_[e], emitters_[e].start()), emitters_[e].interval()});
  return waits;
}

template <class T, int D>
Errors ParticleFlow<T, D>::update_on_device(const SceneSettings& scene, MpmSolver<T, D>& solver,
                                            DeviceSolver<T, D>& device, double time, bool sorted,
                                            StepReport& report) {
  const MpmSettings& settings = solver.settings();
  MpmState<T, D> fresh = empty_state<T, D>(scene);
  const auto coming =
      arrivals(time, sorted, [&](const Emitter& emitter, std::vector<Vec3d>& positions) {
        return drop_full(fresh, settings, device, emitter, positions);
      });
  if (!coming) return coming.errors();
  if (coming->empty() && (!sorted || sinks_.empty())) return {};
  std::vector<std::vector<Vec3d>> world(fresh.sets.size());
  append_arrivals(scene, *coming, fresh.sets, world);
  DeviceRenewal<T, D> renewal;
  renewal.fresh = &fresh.sets;
  if (!coming->empty()) {
    const StepReport found =
        solver.initialize_new(fresh, std::vector<std::size_t>(fresh.sets.size(), 0));
    report.max_signal = std::max(report.max_signal, found.max_signal);
    report.max_speed = std::max(report.max_speed, found.max_speed);
    if (!place_fresh(fresh, world, settings, renewal.blocks)) return {kTooFar};
  }
  for (const Sink& sink : sinks_)
    renewal.open_sinks.push_back(time >= sink.start && time < sink.stop);
  const auto removed = device.renew(renewal);
  if (!removed) return removed.errors();
  totals_.removed += removed->count;
  totals_.removed_mass += removed->mass;
  return {};
}

#define FIRN_INSTANTIATE(T, D)                                             \
  template std::vector<Shape> ParticleFlow<T, D>::sink_shapes() const;     \
  template std::vector<bool> ParticleFlow<T, D>::emits(std::size_t) const; \
  template std::vector<EmitterWait> ParticleFlow<T, D>::waits() const;     \
  template Errors ParticleFlow<T, D>::update_on_device(                    \
      const SceneSettings&, MpmSolver<T, D>&, DeviceSolver<T, D>&, double, bool, StepReport&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn

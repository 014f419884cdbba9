#include "mpm_cuda/cuda_mpm.h"

#include <algorithm>

#include "mpm/step_limits.h"

namespace firn {
namespace {

// Gives back the memory of the host that nothing but a step needs.
template <class T, int D>
void free_nodes(MpmState<T, D>& state) {
  for (SpeciesNodes<T, D>& on : state.nodes) {
    SpeciesNodes<T, D> kept;
    kept.grip = std::move(on.grip);
    on = std::move(kept);
  }
  state.matter.clear();
  for (NodeField<T, D>* field : {&state.flow, &state.fraction})
    *field = NodeField<T, D>(field->name());
}

}  // namespace

template <class T, int D>
CudaMpm<T, D>::CudaMpm(const MpmSettings& settings, const Surroundings& around,
                       Particles<T, D> particles)
    : around_(around), host_(settings, around, std::move(particles)) {}

template <class T, int D>
Errors CudaMpm<T, D>::move_to_device() {
  auto made = make_device_solver<T, D>({host_.method().settings(), around_});
  if (!made) return made.errors();
  Errors errors = (*made)->upload(host_.state());
  if (!errors.empty()) return errors;
  device_ = std::move(*made);
  free_nodes(host_.state());
  return {};
}

template <class T, int D>
Result<StepReport> CudaMpm<T, D>::start(const std::vector<bool>& estimate_volume) {
  Result<StepReport> report = host_.start(estimate_volume);
  if (!report || report->bad_set >= 0 || report->varied.is_error()) return report;
  Errors errors = move_to_device();
  if (!errors.empty()) return errors;
  return report;
}

template <class T, int D>
Errors CudaMpm<T, D>::resume(const StateImage& image) {
  Errors errors = host_.resume(image);
  return errors.empty() ? move_to_device() : errors;
}

template <class T, int D>
void CudaMpm<T, D>::save(StateImage& image) const {
  particles();
  host_.save(image);
}

template <class T, int D>
StepRule CudaMpm<T, D>::step_rule(const std::vector<double>& least_density) const {
  if (!device_ || !host_.method().settings().implicit.is_explicit())
    return host_.step_rule(least_density);
  return explicit_step_rule<T, D>(host_.method().settings(), host_.state(), device_->most_viscous(),
                                  least_density);
}

template <class T, int D>
const Particles<T, D>& CudaMpm<T, D>::particles() const {
  if (stale_) lost_ = device_->download(host_.state());
  stale_ = false;
  return host_.particles();
}

template <class T, int D>
Result<StretchResult> CudaMpm<T, D>::run(const Stretch& stretch) {
  if (!lost_.empty()) return lost_;
  stale_ = true;
  const std::vector<double> rooms =
      viscous_rooms<T, D>(host_.method().settings(), host_.state(), stretch.least_density);
  Result<StretchResult> result =
      around_.timers->measure("device", [&] { return device_->run(stretch, rooms); });
  if (!result || !result->transitions_due || result->report.bad_set >= 0) return result;
  Errors errors = change_materials(stretch.frame_start + result->time_in_frame, *result);
  if (!errors.empty()) return errors;
  return result;
}

template <class T, int D>
Errors CudaMpm<T, D>::change_materials(double time, StretchResult& result) {
  particles();
  if (!lost_.empty()) return lost_;
  result.changed_density = host_.change_materials(time, result.report);
  if (result.report.varied.is_error() || result.report.bad_set >= 0) return {};
  stale_ = true;
  return device_->upload(host_.state());
}

template <class T, int D>
Result<std::vector<double>> CudaMpm<T, D>::volume_around(const std::vector<Vec3d>& points,
                                                         double radius) {
  std::vector<BlockCoord<D>> homes;
  if (!find_blocks(host_.particles(), points, homes)) return Errors{kTooFar};
  return device_->taken_volume(points, homes, radius);
}

template <class T, int D>
Errors CudaMpm<T, D>::exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                               StepReport& report) {
  auto& sets = traffic.fresh.sets;
  DeviceExchange<T, D> exchange;
  exchange.fresh = &sets;
  exchange.open_sinks = traffic.open_sinks;
  if (traffic.comes()) {
    for (std::size_t s = 0; s < sets.size(); ++s) {
      VariedFinding varied = vary_new(sets[s], 0, traffic.world[s], traffic.time);
      varied.set = static_cast<int>(s);
      report.varied.add(varied);
    }
    if (report.varied.is_error()) return {};
    const StepReport found =
        host_.method().initialize_new(sets, std::vector<std::size_t>(sets.size(), 0));
    report.max_signal = std::max(report.max_signal, found.max_signal);
    report.max_speed = std::max(report.max_speed, found.max_speed);
    if (!place_new(traffic, exchange)) return {kTooFar};
  }
  stale_ = true;
  const auto gone = device_->exchange(exchange);
  if (!gone) return gone.errors();
  removed.count += gone->count;
  removed.mass += gone->mass;
  return {};
}

template class CudaMpm<float, 2>;
template class CudaMpm<float, 3>;
template class CudaMpm<double, 2>;
template class CudaMpm<double, 3>;

}  // namespace firn

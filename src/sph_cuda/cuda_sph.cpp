#include "sph_cuda/cuda_sph.h"

namespace firn {

template <class T, int D>
Errors CudaSph<T, D>::make_device() {
  auto made = make_device_sph<T, D>({host_.method().settings(), around_, host_.method().share(),
                                     host_.method().wall_maps().all(), host_.state().laws});
  if (!made) return made.errors();
  device_ = std::move(*made);
  return send();
}

template <class T, int D>
Errors CudaSph<T, D>::send() {
  return device_->upload(host_.state().all, host_.method().make_context(0),
                         host_.method().travelled());
}

template <class T, int D>
Result<StepReport> CudaSph<T, D>::start(const std::vector<bool>& estimate_volume) {
  Result<StepReport> report = host_.start(estimate_volume);
  if (!report) return report;
  Errors errors = make_device();
  if (!errors.empty()) return errors;
  return report;
}

template <class T, int D>
Errors CudaSph<T, D>::resume(const StateImage& image) {
  Errors errors = host_.resume(image);
  return errors.empty() ? make_device() : errors;
}

template <class T, int D>
void CudaSph<T, D>::save(StateImage& image) const {
  particles();
  host_.save(image);
}

template <class T, int D>
const Particles<T, D>& CudaSph<T, D>::particles() const {
  if (stale_) {
    double travelled = 0;
    lost_ = device_->download(host_.state().all, travelled);
    host_.method().set_travelled(travelled);
  }
  stale_ = false;
  return host_.particles();
}

template <class T, int D>
Result<StretchResult> CudaSph<T, D>::run(const Stretch& stretch) {
  if (!lost_.empty()) return lost_;
  stale_ = true;
  auto result = around_.timers->measure("device", [&] { return device_->run(stretch); });
  if (host_.method().settings().air.present) host_.method().set_wind(device_->wind());
  return result;
}

template <class T, int D>
Errors CudaSph<T, D>::kick(const std::vector<Vec3d>& kicks) {
  stale_ = true;
  return device_->kick(kicks);
}

template <class T, int D>
Result<std::vector<double>> CudaSph<T, D>::volume_around(const std::vector<Vec3d>& points,
                                                         double radius) {
  std::vector<BlockCoord<D>> homes;
  if (!find_blocks(host_.particles(), points, homes)) return Errors{kTooFar};
  return device_->taken_volume(points, homes, radius);
}

template <class T, int D>
Errors CudaSph<T, D>::exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                               StepReport& report) {
  if (!host_.knows_rest_volume()) return exchange_first(traffic, removed, report);
  auto& sets = traffic.fresh.sets;
  DeviceExchange<T, D> exchange;
  exchange.fresh = &sets;
  exchange.open_sinks = traffic.open_sinks;
  if (traffic.comes()) {
    host_.prepare_new(traffic, report);
    if (!place_new(traffic, exchange)) return {kTooFar};
  }
  stale_ = true;
  const auto gone = device_->exchange(exchange);
  if (!gone) return gone.errors();
  // They lie behind the others until these are brought over.
  for (std::size_t s = 0; s < sets.size(); ++s)
    host_.state().all.sets[s].particles.append(sets[s].particles);
  removed.count += gone->count;
  removed.mass += gone->mass;
  return {};
}

// The first particles of all say how dense sand is at rest: the host finds it.
template <class T, int D>
Errors CudaSph<T, D>::exchange_first(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                                     StepReport& report) {
  particles();
  if (!lost_.empty()) return lost_;
  Errors errors = host_.exchange(traffic, removed, report);
  if (!errors.empty() || !traffic.comes()) return errors;
  return send();
}

template class CudaSph<float, 2>;
template class CudaSph<float, 3>;
template class CudaSph<double, 2>;
template class CudaSph<double, 3>;

}  // namespace firn

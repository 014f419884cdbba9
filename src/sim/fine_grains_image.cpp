// Grains in checkpoints.
#include <cmath>

#include "sim/fine_grains.h"

namespace firn {
namespace {

const std::string kPlace = "fine_grains/";

template <class E>
const std::vector<E>* array_of(const StateImage& image, const std::string& name) {
  const auto found = image.arrays.find(kPlace + name);
  return found == image.arrays.end() ? nullptr : std::get_if<std::vector<E>>(&found->second);
}

template <int D, class S>
std::vector<S> flattened(const std::vector<Vec<S, D>>& vectors) {
  std::vector<S> flat;
  flat.reserve(vectors.size() * D);
  for (const Vec<S, D>& v : vectors) flat.insert(flat.end(), v.e, v.e + D);
  return flat;
}

// False where the array is not there, not as long as it must be, or not finite.
template <int D, class S>
bool unflatten(const StateImage& image, const std::string& name, std::size_t count,
               std::vector<Vec<S, D>>& to) {
  const auto* flat = array_of<S>(image, name);
  if (!flat || flat->size() != count * D) return false;
  to.resize(count);
  for (std::size_t i = 0; i < flat->size(); ++i) {
    if (!std::isfinite((*flat)[i])) return false;
    to[i / D][static_cast<int>(i % D)] = (*flat)[i];
  }
  return true;
}

template <int D>
bool load_state(const StateImage& image, CoarseState<D>& state) {
  const auto* ids = array_of<std::uint64_t>(image, "particle/id");
  const auto* spacing = array_of<float>(image, "particle/spacing");
  if (!ids || !spacing || spacing->size() != ids->size()) return false;
  for (std::size_t i = 0; i < ids->size(); ++i)
    if ((i > 0 && (*ids)[i] <= (*ids)[i - 1]) || !((*spacing)[i] > 0)) return false;
  state.id = *ids;
  state.spacing = *spacing;
  return unflatten<D>(image, "particle/position", ids->size(), state.position) &&
         unflatten<D>(image, "particle/velocity", ids->size(), state.velocity);
}

}  // namespace

bool has_grains(const StateImage& image) {
  const auto first = image.arrays.lower_bound(kPlace);
  return first != image.arrays.end() && first->first.starts_with(kPlace);
}

void drop_grains(StateImage& image) {
  std::erase_if(image.arrays, [](const auto& entry) { return entry.first.starts_with(kPlace); });
}

template <class T, int D>
void FineGrains<T, D>::save(StateImage& image) const {
  fetch();
  cloud_->columns().for_each([&](const char* name, const auto& column) {
    image.arrays[kPlace + name] = std::vector(column.begin(), column.end());
  });
  const BlockTopology<D>& blocks = cloud_->order().blocks();
  std::vector<std::uint64_t> keys(blocks.occupied());
  for (std::size_t b = 0; b < keys.size(); ++b) keys[b] = blocks.key(static_cast<int>(b));
  image.arrays[kPlace + "blocks"] = std::move(keys);
  image.arrays[kPlace + "begin"] = cloud_->order().begins();
  image.arrays[kPlace + "particle/id"] = before_.id;
  image.arrays[kPlace + "particle/position"] = flattened(before_.position);
  image.arrays[kPlace + "particle/velocity"] = flattened(before_.velocity);
  image.arrays[kPlace + "particle/spacing"] = before_.spacing;
  std::vector<float> shares;
  for (const GrainShare& share : cloud_->shares()) {
    shares.push_back(share.mass);
    shares.push_back(share.volume);
  }
  image.arrays[kPlace + "shares"] = std::move(shares);
  const auto clock = cloud_->clock();
  image.arrays[kPlace + "clock"] = std::vector<double>{
      double(clock.next_id), clock.drift, clock.fastest, before_.time, way_, widest_};
}

template <class T, int D>
Errors FineGrains<T, D>::load(const StateImage& image,
                              const typename BlockTopology<D>::Periods& periods) {
  if (!load_host(image, periods)) return {kDamagedImage};
  fastest_ = cloud_->clock().fastest;
  if (where_ == Device::cpu) return {};
  obstacles_->set_step(before_.time, 1e-9);
  return make_device();
}

template <class T, int D>
bool FineGrains<T, D>::load_host(const StateImage& image,
                                 const typename BlockTopology<D>::Periods& periods) {
  const auto* clock = array_of<double>(image, "clock");
  const auto* blocks = array_of<std::uint64_t>(image, "blocks");
  const auto* begins = array_of<std::uint32_t>(image, "begin");
  const auto* ids = array_of<std::uint32_t>(image, "id");
  const auto* shares = array_of<float>(image, "shares");
  if (!clock || clock->size() != 6 || !blocks || !begins || !ids || !shares) return false;
  for (const double number : *clock)
    if (!(number >= 0 && std::isfinite(number))) return false;
  if (!((*clock)[0] < 0x1p32) || !((*clock)[5] > 0)) return false;
  GrainColumns<D> grains;
  grains.resize(ids->size());
  bool complete = true;
  grains.for_each([&](const char* name, auto& column) {
    using Value = std::decay_t<decltype(column[0])>;
    const auto* saved = array_of<Value>(image, name);
    complete = complete && saved && saved->size() == column.size();
    if (complete) std::copy(saved->begin(), saved->end(), column.begin());
  });
  if (!complete || !load_state(image, before_)) return false;
  before_.time = (*clock)[3];
  way_ = (*clock)[4];
  widest_ = (*clock)[5];
  make_cloud(periods);
  std::vector<GrainShare> of_made(shares->size() / 2);
  for (std::size_t i = 0; i < of_made.size(); ++i)
    of_made[i] = {(*shares)[2 * i], (*shares)[2 * i + 1]};
  return cloud_->restore(std::move(grains), *blocks, *begins, std::move(of_made),
                         {static_cast<std::uint64_t>((*clock)[0]), (*clock)[1], (*clock)[2]});
}

#define FIRN_INSTANTIATE(T, D)                                    \
  template void FineGrains<T, D>::save(StateImage&) const;        \
  template Errors FineGrains<T, D>::load(const StateImage& image, \
                                         const typename BlockTopology<D>::Periods&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn

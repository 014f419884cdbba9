#include <algorithm>
#include <cmath>

#include "fem/self_friction.h"

namespace firn {
namespace {

// A pair as numbers: vertex, body, corners; then the numbers of the corners; then weights, normal,
// slip; depth, force.
template <int D>
constexpr std::size_t kNumbers = 3 + 4 * D + 2;

template <int D>
bool is_before(const SelfPair<D>& a, const SelfPair<D>& b) {
  return a.vertex != b.vertex ? a.vertex < b.vertex : a.body < b.body;
}

bool is_index(double value, double count) {
  return value >= 0 && value < count && value == std::floor(value);
}

}  // namespace

template <int D>
void PairMemory<D>::add(const SelfPair<D>& pair, const Vec<double, D>& slip) {
  pairs_.push_back(pair);
  slips_.push_back(slip);
}

template <int D>
Vec<double, D> PairMemory<D>::slip_of(const SelfPair<D>& pair) const {
  const auto found = std::lower_bound(pairs_.begin(), pairs_.end(), pair, is_before<D>);
  if (found == pairs_.end() || is_before<D>(pair, *found)) return Vec<double, D>::zero();
  return slips_[static_cast<std::size_t>(found - pairs_.begin())];
}

template <int D>
std::vector<double> PairMemory<D>::save() const {
  std::vector<double> state;
  state.reserve(pairs_.size() * kNumbers<D>);
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const SelfPair<D>& pair = pairs_[p];
    state.insert(state.end(), {double(pair.vertex), double(pair.body), double(pair.corners)});
    for (int a = 0; a < D; ++a) state.push_back(pair.corner[std::size_t(a)]);
    for (const Vec<double, D>* v : {&pair.weight, &pair.normal, &slips_[p]})
      for (int a = 0; a < D; ++a) state.push_back((*v)[a]);
    state.insert(state.end(), {pair.depth, pair.force});
  }
  return state;
}

template <int D>
bool PairMemory<D>::load(const std::vector<double>& state, std::size_t vertices) {
  *this = {};
  if (state.size() % kNumbers<D> != 0) return false;
  const double most = double(vertices);
  for (const double* s = state.data(); s != state.data() + state.size(); s += kNumbers<D>) {
    if (!is_index(s[0], most) || !is_index(s[1], most) || !is_index(s[2] - 1, D)) return false;
    SelfPair<D> pair{};
    Vec<double, D> slip;
    pair.vertex = static_cast<std::uint32_t>(s[0]);
    pair.body = static_cast<std::uint32_t>(s[1]);
    pair.corners = static_cast<int>(s[2]);
    for (int a = 0; a < D; ++a) {
      if (!is_index(s[3 + a], most)) return false;
      pair.corner[std::size_t(a)] = static_cast<std::uint32_t>(s[3 + a]);
      pair.weight[a] = s[3 + D + a];
      pair.normal[a] = s[3 + 2 * D + a];
      slip[a] = s[3 + 3 * D + a];
    }
    pair.depth = s[3 + 4 * D];
    pair.force = s[4 + 4 * D];
    for (std::size_t j = 0; j < kNumbers<D>; ++j)
      if (!std::isfinite(s[j])) return false;
    if (!pairs_.empty() && !is_before(pairs_.back(), pair)) return false;
    add(pair, slip);
  }
  return true;
}

template class PairMemory<2>;
template class PairMemory<3>;

}  // namespace firn

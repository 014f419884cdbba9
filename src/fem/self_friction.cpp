#include "fem/self_friction.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace firn {
namespace {

// The part of w . q across the normal.
template <int D>
Vec<double, D> sliding_of(const SelfPair<D>& pair, const double* q) {
  Vec<double, D> relative = Vec<double, D>::zero();
  for (int slot = 0; slot <= pair.corners; ++slot) {
    const double* there = q + D * std::size_t(pair.place(slot));
    for (int a = 0; a < D; ++a) relative[a] += pair.share(slot) * there[a];
  }
  return relative - dot(relative, pair.normal) * pair.normal;
}

}  // namespace

template <int D>
void apply_pair_friction(const std::vector<SelfPair<D>>& pairs, double mu, double dt,
                         const double* mass, double* v) {
  for (const SelfPair<D>& pair : pairs) {
    const Vec<double, D> sliding = sliding_of(pair, v);
    double per_mass = 0;
    for (int slot = 0; slot <= pair.corners; ++slot)
      per_mass += pair.share(slot) * pair.share(slot) / mass[pair.place(slot)];
    const double speed = std::sqrt(dot(sliding, sliding));
    if (!(speed > 0 && per_mass > 0)) continue;
    const double stopping = speed / per_mass;
    const double impulse = std::min(stopping, mu * dt * pair.force) / speed;
    for (int slot = 0; slot <= pair.corners; ++slot) {
      const double change = -impulse * pair.share(slot) / mass[pair.place(slot)];
      double* there = v + D * std::size_t(pair.place(slot));
      for (int a = 0; a < D; ++a) there[a] += change * sliding[a];
    }
  }
}

template <int D>
PairFriction<D>::PairFriction(const std::vector<SelfPair<D>>& pairs, std::size_t vertices,
                              double mu, double still, std::vector<Vec<double, D>> slips)
    : pairs_(pairs),
      before_(std::move(slips)),
      mu_(mu),
      law_{still},
      slips_(pairs.size()),
      energies_(pairs.size()) {
  for (std::size_t p = 0; p < before_.size(); ++p)
    before_[p] -= dot(before_[p], pairs_[p].normal) * pairs_[p].normal;
  sums_.list(pairs_, vertices);
}

template <int D>
void PairFriction<D>::set_displacements(const double* u) {
  const auto n = static_cast<std::int64_t>(pairs_.size());
  parallel_for("self contact, friction", n, 256, [&](std::int64_t p, std::int64_t end) {
    for (; p < end; ++p) {
      const SelfPair<D>& pair = pairs_[p];
      Vec<double, D> slip = sliding_of(pair, u);
      if (!before_.empty()) slip += before_[p];
      const double length = std::sqrt(dot(slip, slip)), cap = mu_ * pair.force;
      const double per_length = law_.slope_over_way(length);
      energies_[p] = cap * law_.energy(length);
      slips_[p].way = slip;
      slips_[p].gradient = cap * per_length * slip;
      const double bend = length > 0 ? (law_.second(length) - per_length) / (length * length) : 0;
      const auto across = Mat<double, D>::identity() - outer(pair.normal, pair.normal);
      slips_[p].hessian = across * (cap * per_length) + outer(slip, slip) * (cap * bend);
    }
  });
  energy_ = 0;
  for (double energy : energies_) energy_ += energy;
}

template <int D>
Vec<double, D> PairFriction<D>::kept_slip(std::size_t pair) const {
  const Vec<double, D>& way = slips_[pair].way;
  const double length = std::sqrt(dot(way, way));
  return length > law_.still ? way * (law_.still / length) : way;
}

template <int D>
void PairFriction<D>::add_gradient(double* gradient) const {
  using Part = typename SelfSums<D>::Part;
  sums_.template gather<D>(1, gradient, [&](const Part& part, double* sum) {
    const double share = pairs_[part.pair].share(part.slot);
    for (int a = 0; a < D; ++a) sum[a] += share * slips_[part.pair].gradient[a];
  });
}

template <int D>
void PairFriction<D>::add_product(const double* d, double* out, double factor) const {
  using Part = typename SelfSums<D>::Part;
  sums_.template gather<D>(factor, out, [&](const Part& part, double* sum) {
    const SelfPair<D>& pair = pairs_[part.pair];
    const Vec<double, D> change = slips_[part.pair].hessian * sliding_of(pair, d);
    for (int a = 0; a < D; ++a) sum[a] += pair.share(part.slot) * change[a];
  });
}

template <int D>
void PairFriction<D>::add_diagonal_blocks(double factor, double* blocks) const {
  using Part = typename SelfSums<D>::Part;
  sums_.template gather<D * D>(factor, blocks, [&](const Part& part, double* sum) {
    const double share = pairs_[part.pair].share(part.slot);
    const Mat<double, D>& hessian = slips_[part.pair].hessian;
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) sum[a * D + b] += share * share * hessian(a, b);
  });
}

template void apply_pair_friction<2>(const std::vector<SelfPair<2>>&, double, double, const double*,
                                     double*);
template void apply_pair_friction<3>(const std::vector<SelfPair<3>>&, double, double, const double*,
                                     double*);
template class PairFriction<2>;
template class PairFriction<3>;

}  // namespace firn

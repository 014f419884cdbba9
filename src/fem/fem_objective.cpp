#include "fem/fem_objective.h"

#include <cmath>

namespace firn {

template <int D>
void FemObjective<D>::begin_step(const StepCoefficients& step, const Vector& x, Vector predicted,
                                 Vector base, double reach) {
  step_ = step;
  reach_ = reach;
  way_ = 0;
  predicted_ = std::move(predicted);
  base_ = std::move(base);
  start_ = x;
  slow_ = false;
  products_ = 0;
  self_friction = {};
  for (const auto& body : model_.bodies) body.elastic->begin_step(step.time);
  if (!model_.damped && !model_.viscous) return;
  // Lagged: what resists is the stiffness where the step begins, its positive part.
  damping_.clear();
  for (const auto& body : model_.bodies) {
    if (body.as_given.stiffness_damping > 0)
      body.elastic->add_stiffness(x.data(), true, body.as_given.stiffness_damping, damping_);
    body.elastic->add_viscosity(x.data(), damping_);
  }
}

// Resists v = (x - base) / time: w.D w / (2 time), and by mass.
template <int D>
double FemObjective<D>::damping_energy(const Vector& x) {
  for_nodes([&](std::size_t i) {
    for (int a = 0; a < D; ++a) product_[i * D + a] = x[i * D + a] - base_[i * D + a];
  });
  double sum = 0;
  for (std::size_t i = 0; i < model_.nodes(); ++i) {
    const double rate = model_.mass_damping[i] * model_.mass[i] / step_.time;
    if (rate == 0) continue;
    for (int a = 0; a < D; ++a) {
      const double w = product_[i * D + a];
      sum += 0.5 * rate * w * w;
      raw_[i * D + a] += rate * w;
    }
  }
  if (!model_.damped && !model_.viscous) return sum;
  Vector resisted = space_.make();
  damping_.product(product_.data(), resisted.data());
  for (std::size_t k = 0; k < resisted.size(); ++k) {
    sum += 0.5 * resisted[k] * product_[k] / step_.time;
    raw_[k] += resisted[k] / step_.time;
  }
  return sum;
}

template <int D>
double FemObjective<D>::objective(const Vector& x) {
  for_nodes([&](std::size_t i) {
    for (int a = 0; a < D; ++a) raw_[i * D + a] = 0;
  });
  elastic_ = 0;
  for (const auto& body : model_.bodies) elastic_ += body.elastic->energy(x.data(), raw_.data());
  double sum = elastic_ + damping_energy(x);
  sum += friction.energy(x.data());
  friction.add_gradient(x.data(), raw_.data());
  if (penalty.any()) {
    penalty.meet(x.data());
    sum += penalty.energy();
    penalty.add_gradient(raw_.data());
  }
  // Where the rest is out of reach already nobody looks who is inside of whom (OPT 2.4.3).
  if (self && std::isfinite(sum) && sum < kInadmissibleEnergy * 1e-20) {
    self->detect(x.data());
    sum += self->energy();
    self->add_gradient(raw_.data());
    if (!self_friction.empty()) {
      for (std::size_t k = 0; k < product_.size(); ++k) product_[k] = x[k] - start_[k];
      self_friction.set_displacements(product_.data());
      sum += self_friction.energy();
      self_friction.add_gradient(raw_.data());
    }
  }
  // Less what it is at the start of the step: in long steps that is far more than what changes.
  double inertia = 0, size = 0;
  for (std::size_t i = 0; i < model_.nodes(); ++i)
    for (int a = 0; a < D; ++a) {
      const std::size_t k = i * D + std::size_t(a);
      const double way = x[k] - start_[k];
      const double part = 0.5 * model_.mass[i] * way * (way - 2 * (predicted_[k] - start_[k]));
      inertia += part;
      size += std::abs(part);
    }
  constexpr double kRounding = 2e-15;
  noise_ = kRounding * (size + step_.reach2 * std::abs(sum));
  return inertia + step_.reach2 * sum;
}

template <int D>
void FemObjective<D>::gradient(const Vector& x, Vector& g) {
  for_nodes([&](std::size_t i) {
    const double by_mass = step_.reach2 / model_.mass[i];
    for (int a = 0; a < D; ++a)
      g[i * D + a] = x[i * D + a] - predicted_[i * D + a] + by_mass * raw_[i * D + a];
  });
}

template <int D>
void FemObjective<D>::linearize(const Vector& x, Curvature kind) {
  const bool definite = kind == Curvature::definite;
  matrix_.clear();
  for (const auto& body : model_.bodies)
    body.elastic->add_stiffness(x.data(), definite, 1, matrix_);
  if (model_.damped || model_.viscous) matrix_.set_sum(matrix_, 1 / step_.time, damping_);
  const auto add_block = [&](std::uint32_t node, const Mat<double, D>& block, double factor) {
    double* there = matrix_.block(node, matrix_.place_in_row(node, node));
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) there[j * D + i] += factor * block(i, j);
  };
  friction.for_blocks(x.data(), [&](std::uint32_t node, const auto& m) { add_block(node, m, 1); });
  penalty.for_blocks([&](std::uint32_t node, const auto& m) { add_block(node, m, 1); });
  if (!definite)
    constraints.for_curvatures(x.data(), [&](std::uint32_t node, const auto& m) {
      add_block(node, m, -model_.mass[node] / step_.reach2);
    });
  if (self) self->linearize(kind);
  for_nodes([&](std::size_t i) { scale_[i] = step_.reach2 / model_.mass[i]; });
  invert_blocks();
  build_coarse(x);
}

template <int D>
void FemObjective<D>::build_coarse(const Vector& x) {
  constexpr int kMany = 40;
  slow_ = slow_ || products_ > kMany;
  products_ = 0;
  coarse_.forget();
  if (!slow_) return;
  shift_.resize(model_.nodes());
  for (std::size_t i = 0; i < shift_.size(); ++i) shift_[i] = 1 + drag(i);
  coarse_.build(
      x.data(), matrix_, step_.reach2, shift_.data(), [&](double* d) { constraints.filter(d); },
      [&](auto&& add) {
        if (!self) return;
        self->for_blocks(add);
        self_friction.for_blocks(add);
      });
}

// Of a block that bends down the inverse of its positive part: the search would turn around.
template <int D>
Mat<double, D> positive_inverse(const SymMat<double, D>& block) {
  constexpr double kSingular = 1e-9;
  const Mat<double, D> full = block.full();
  double scale = 1, minor = block(0, 0);
  for (int a = 0; a < D; ++a) scale = std::max(scale, std::abs(block(a, a)));
  const double floor = kSingular * scale, volume = determinant(full);
  const double flat = block(0, 0) * block(1, 1) - block(0, 1) * block(0, 1);
  minor = std::min(minor, flat / scale);
  if (minor > floor && volume > floor * (D == 3 ? scale * scale : scale)) return inverse(full);
  const Spectrum<double, D> spectrum = firn::spectrum(block);
  double largest = 1;
  for (int a = 0; a < D; ++a) largest = std::max(largest, std::abs(spectrum.eigenvalue[a]));
  Vec<double, D> inverted;
  for (int a = 0; a < D; ++a)
    inverted[a] = 1 / std::max(std::abs(spectrum.eigenvalue[a]), kSingular * largest);
  return from_spectrum(spectrum.axes, inverted).full();
}

// Of each node's own block, with what contact between bodies adds to it.
template <int D>
void FemObjective<D>::invert_blocks() {
  std::vector<double> contact;
  if (self && (!self->pairs().empty() || !self_friction.empty())) {
    contact.assign(model_.nodes() * D * D, 0);
    self->add_diagonal_blocks(1, contact.data());
    if (!self_friction.empty()) self_friction.add_diagonal_blocks(1, contact.data());
  }
  for_nodes([&](std::size_t i) {
    const double* own = matrix_.diagonal(static_cast<std::uint32_t>(i));
    SymMat<double, D> block;
    const double own_shift = 1 + drag(i);
    for (int a = 0; a < D; ++a)
      for (int b = a; b < D; ++b) {
        double entry = own[b * D + a];
        if (!contact.empty()) entry += contact[(i * D + std::size_t(a)) * D + std::size_t(b)];
        block(a, b) = scale_[i] * entry + (a == b ? own_shift : 0);
      }
    const Mat<double, D> inverse = positive_inverse(block);
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b)
        inverse_[(i * D + std::size_t(a)) * D + std::size_t(b)] = inverse(a, b);
  });
}

template <int D>
void FemObjective<D>::hessian(const Vector& d, Vector& out) {
  ++products_;
  matrix_.product(d.data(), scale_.data(), 1, out.data());
  const bool meets = self && (!self->pairs().empty() || !self_friction.empty());
  if (meets) {
    for (std::size_t k = 0; k < product_.size(); ++k) product_[k] = 0;
    self->add_product(d.data(), product_.data(), 1);
    if (!self_friction.empty()) self_friction.add_product(d.data(), product_.data(), 1);
  }
  for_nodes([&](std::size_t i) {
    const double own_drag = drag(i);
    for (int a = 0; a < D; ++a) {
      out[i * D + a] += own_drag * d[i * D + a];
      if (meets) out[i * D + a] += scale_[i] * product_[i * D + a];
    }
  });
}

template <int D>
void FemObjective<D>::precondition(const Vector& r, Vector& z) {
  for_nodes([&](std::size_t i) {
    const double *m = inverse_.data() + i * D * D, *in = r.data() + i * D;
    double sum[D];
    for (int a = 0; a < D; ++a) {
      sum[a] = 0;
      for (int b = 0; b < D; ++b) sum[a] += m[a * D + b] * in[b];
    }
    for (int a = 0; a < D; ++a) z[i * D + a] = sum[a];
  });
  if (coarse_.is_built()) coarse_.add(r.data(), z.data());
}

template <int D>
double FemObjective<D>::gradient_norm(const Vector& g) {
  return std::sqrt(space_.dot(g, g) / model_.total_mass) / step_.time;
}

// The objective stays as it is; the way to x is measured.
template <int D>
double FemObjective<D>::renew(const Vector& x, double value) {
  for_nodes([&](std::size_t i) {
    for (int a = 0; a < D; ++a) product_[i * D + a] = x[i * D + a] - start_[i * D + a];
  });
  way_ = std::sqrt(space_.dot(product_, product_) / model_.total_mass);
  return value;
}

template <int D>
void FemObjective<D>::press(const std::vector<SelfPair<D>>& pairs) {
  pressed_.assign(model_.nodes(), 0);
  for (const SelfPair<D>& pair : pairs) pressed_[pair.vertex] += pair.force;
}

template <int D>
void FemObjective<D>::begin_self_friction(double coefficient, double still) {
  if (!self || !(coefficient > 0)) return;
  self_friction =
      PairFriction<D>(rubbed.pairs(), model_.nodes(), coefficient, still, rubbed.slips());
  press(rubbed.pairs());
}

template <int D>
double FemObjective<D>::renew_self_friction(double coefficient, double still) {
  if (!self || !(coefficient > 0)) return 0;
  const std::vector<double> before = std::move(pressed_);
  press(self->pairs());
  double changed = 0, all = 0;
  for (std::size_t i = 0; i < pressed_.size(); ++i) {
    changed += std::abs(pressed_[i] - before[i]);
    all += pressed_[i];
  }
  std::vector<Vec<double, D>> slips;
  for (const SelfPair<D>& pair : self->pairs()) slips.push_back(rubbed.slip_of(pair));
  self_friction =
      PairFriction<D>(self->pairs(), model_.nodes(), coefficient, still, std::move(slips));
  return all > 0 ? changed / all : changed > 0 ? 1 : 0;
}

template <int D>
void FemObjective<D>::end_self_friction() {
  rubbed = {};
  for (std::size_t p = 0; p < self_friction.pairs().size(); ++p)
    rubbed.add(self_friction.pairs()[p], self_friction.kept_slip(p));
}

template <int D>
std::size_t FemObjective<D>::bytes() const {
  return matrix_.bytes() + damping_.bytes() + predicted_.bytes() + base_.bytes() + start_.bytes() +
         raw_.bytes() + product_.bytes() + scale_.bytes() + inverse_.bytes() + constraints.bytes() +
         coarse_.bytes();
}

template class FemObjective<2>;
template class FemObjective<3>;

}  // namespace firn

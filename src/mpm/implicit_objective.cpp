#include "mpm/implicit_objective.h"

#include <algorithm>
#include <cmath>

namespace firn {

template <class T, int D>
ImplicitObjective<T, D>::ImplicitObjective(const NodeSpace<T, D>& space,
                                           const StepContext<T, D>& ctx, MpmState<T, D>& state,
                                           Operators<T, D>& operators, bool relative,
                                           const Vector& free_velocity,
                                           NodeContactSet<T, D>& contacts,
                                           PreconditionerKind preconditioner,
                                           const FollowingNodes<T, D>* mirrors)
    : Base(space),
      ctx_(ctx),
      state_(state),
      operators_(operators),
      relative_(relative),
      free_(free_velocity),
      contacts_(contacts),
      mirrors_(mirrors && !mirrors->empty() ? mirrors : nullptr),
      preconditioner_(space, preconditioner),
      forces_(space.size()),
      whole_(mirrors_ ? space.size() : 0),
      moved_(mirrors_ ? space.size() : 0),
      total_mass_(space.sum([&](std::size_t i) { return double(space.mass()[i]); })) {
  for (auto& set : state.sets) {
    materials_.push_back(implicit_material<T, D>(set.parameters));
    const bool holds = materials_.back().start_holding && set.particles.size() > 0;
    held_.emplace_back(holds ? set.particles.size() : 0);
    if (holds) materials_.back().start_holding(set, ctx.dt, held_.back().data());
    holds_ = holds_ || holds;
    stiffness_ += materials_.back().stiffness(set, ctx.dt);
    tangents_.emplace_back(materials_.back().rough_columns).resize(set.particles.size());
  }
}

template <class T, int D>
void ImplicitObjective<T, D>::start_renewing() {
  next_held_ = held_;
  last_.resize(0);
}

template <class T, int D>
double ImplicitObjective<T, D>::renew(const Vector& v, double value) {
  if (!asks_next_ || !is_last(v)) return value;
  std::swap(held_, next_held_);
  asks_next_ = false;
  const double change = last_energy_.next - last_energy_.now;
  last_energy_.now = last_energy_.next;
  return value + change;
}

template <class T, int D>
bool ImplicitObjective<T, D>::is_last(const Vector& v) const {
  return last_.size() == v.size() && this->space_.same(last_, v);
}

template <class T, int D>
double ImplicitObjective<T, D>::potential(const Vector& v) {
  if (is_last(v)) return last_energy_.now;
  std::vector<Energies> energy(state_.blocks.occupied());
  operators_.map_gradients(
      ctx_, state_, relative_, spread(v, whole_).data(),
      [&](int s, int block, std::uint32_t begin, std::uint32_t end, T* const* rate) {
        energy[block].add(materials_[s].evaluate(state_.sets[s], ctx_.dt, begin, end, held_of(s),
                                                 rate, tangents_[s]));
      },
      forces_.data());
  asks_next_ = !next_held_.empty();
  last_energy_ = {};
  for (const Energies& part : energy) last_energy_.add(part);
  if (last_.size() == 0) last_.resize(v.size());
  this->space_.copy(v, last_);
  return last_energy_.now;
}

template <class T, int D>
double ImplicitObjective<T, D>::objective(const Vector& v) {
  double elastic = 0;
  if (quadratic_) {
    const Vector& all = spread(v, whole_);
    multiply(all, forces_);  // K v
    elastic = this->space_.sum([&](std::size_t i) {
      double sum = 0;
      for (int a = 0; a < D; ++a)
        sum +=
            (0.5 * beta_ * double(forces_[i][a]) + double(start_forces_[i][a])) * double(all[i][a]);
      return sum;
    });
    this->space_.for_nodes(
        [&](std::size_t i) { forces_[i] = forces_[i] * Node<T>(T(beta_)) + start_forces_[i]; });
  } else {
    elastic = potential(v);
  }
  const double rest = without_matter(v, whole_velocities(v));
  last_terms_ = rest + std::abs(elastic);
  return rest + elastic;
}

template <class T, int D>
double ImplicitObjective<T, D>::without_matter(const Vector& v, const Vector& all) const {
  const auto& mass = mirrors_ ? mirrors_->mass() : this->space_.mass();
  const double inertia = this->space_.sum([&](std::size_t i) {
    double sum = 0;
    for (int a = 0; a < D; ++a) {
      const double change = double(all[i][a]) - double(free_[i][a]);
      sum += change * change;
    }
    return 0.5 * double(mass[i]) * sum;
  });
  return inertia + contacts_.friction_energy(v);
}

// out + scale M^-1 forces, for the nodes that have mass.
template <class T, int D>
void ImplicitObjective<T, D>::add_forces(const Vector& forces, Vector& out, double scale) const {
  const auto& mass = this->space_.mass();
  this->space_.for_nodes([&](std::size_t i) {
    if (mass[i] > T(0))
      out[i] = out[i] + forces[i] * Node<T>(T(scale / double(mass[i])));
    else
      out[i] = Node<T>(0);
  });
}

template <class T, int D>
const typename ImplicitObjective<T, D>::Vector& ImplicitObjective<T, D>::spread(const Vector& v,
                                                                                Vector& to) const {
  if (!mirrors_) return v;
  this->space_.copy(v, to);
  mirrors_->spread(to);
  return to;
}

template <class T, int D>
void ImplicitObjective<T, D>::fold(const Vector& v, const Vector& forces, double scale,
                                   Vector& out) const {
  const auto &mass = mirrors_->mass(), &weight = this->space_.mass();
  this->space_.for_nodes(
      [&](std::size_t i) { out[i] = v[i] * Node<T>(mass[i]) + forces[i] * Node<T>(T(scale)); });
  mirrors_->fold(out);
  this->space_.for_nodes([&](std::size_t i) {
    out[i] = weight[i] > T(0) ? out[i] * Node<T>(T(1 / double(weight[i]))) : Node<T>(0);
  });
}

template <class T, int D>
typename ImplicitObjective<T, D>::Vector ImplicitObjective<T, D>::whole_impulses() const {
  Vector g = this->space_.make();
  const auto& mass = mirrors_->mass();
  this->space_.for_nodes([&](std::size_t i) {
    if (mass[i] > T(0)) g[i] = (whole_[i] - free_[i]) * Node<T>(mass[i]) + forces_[i];
  });
  return g;
}

template <class T, int D>
void ImplicitObjective<T, D>::plain_gradient(const Vector& v, Vector& g) const {
  if (mirrors_) {
    this->space_.for_nodes([&](std::size_t i) { g[i] = whole_[i] - free_[i]; });
    return fold(g, forces_, 1, g);
  }
  this->space_.for_nodes([&](std::size_t i) { g[i] = v[i] - free_[i]; });
  add_forces(forces_, g, 1);
}

template <class T, int D>
void ImplicitObjective<T, D>::gradient(const Vector& v, Vector& g) {
  plain_gradient(v, g);
  contacts_.add_friction_gradient(v, g);
}

template <class T, int D>
void ImplicitObjective<T, D>::linearize(const Vector& v, Curvature kind) {
  if (quadratic_ || (kind == Curvature::exact && is_last(v))) return build_preconditioner();
  last_.resize(0);  // whose tangents these are not
  operators_.read_gradients(
      ctx_, state_, relative_, spread(v, moved_).data(),
      [&](int s, int, std::uint32_t begin, std::uint32_t end, T* const* rate) {
        materials_[s].linearize(state_.sets[s], ctx_.dt, begin, end, held_[s].data(), rate,
                                kind == Curvature::definite, tangents_[s]);
      });
  build_preconditioner();
}

template <class T, int D>
void ImplicitObjective<T, D>::build_preconditioner() {
  const double share = quadratic_ ? std::max(beta_, 1e-6) : 1;
  preconditioner_.build(
      ctx_, state_, operators_, materials_, tangents_, share,
      [&](const auto& visit) {
        contacts_.for_each_node(visit);
        if (mirrors_) mirrors_->add_closed([&](std::size_t node, const auto&) { visit(node); });
      },
      [&](const auto& add) { contacts_.add_friction_blocks(add); },
      [&](const auto& add) {
        contacts_.add_closed(add);
        if (mirrors_) mirrors_->add_closed(add);
      });
}

template <class T, int D>
void ImplicitObjective<T, D>::multiply(const Vector& d, Vector& forces) {
  std::vector<ColumnStream<T>> ahead;
  for (const auto& tangent : tangents_) ahead.push_back(ColumnStream<T>({&tangent}));
  operators_.map_gradients(
      ctx_, state_, false, d.data(),
      [&](int s, int, std::uint32_t begin, std::uint32_t end, T* const* rate) {
        materials_[s].apply(tangents_[s], begin, end, rate);
      },
      forces.data(), ahead.data());
}

template <class T, int D>
void ImplicitObjective<T, D>::hessian(const Vector& d, Vector& out) {
  const Vector& all = spread(d, moved_);
  multiply(all, out);
  const double share = quadratic_ ? beta_ : 1;
  const auto& mass = this->space_.mass();
  if (mirrors_)
    fold(all, out, share, out);
  else
    this->space_.for_nodes([&](std::size_t i) {
      out[i] = mass[i] > T(0) ? d[i] + out[i] * Node<T>(T(share / double(mass[i]))) : Node<T>(0);
    });
  contacts_.add_friction_product(d, out);
}

template <class T, int D>
void ImplicitObjective<T, D>::make_quadratic(double beta) {
  // Its tangents are the stiffness itself.
  for (std::size_t s = 0; s < tangents_.size(); ++s) {
    tangents_[s] = Columns<T>(materials_[s].tangent_columns);
    tangents_[s].resize(state_.sets[s].particles.size());
  }
  Vector rest = this->space_.make();
  potential(rest);
  start_forces_ = forces_;
  linearize(rest, Curvature::definite);
  last_.resize(0);
  quadratic_ = true;
  beta_ = beta;
}

template <class T, int D>
double ImplicitObjective<T, D>::gradient_norm(const Vector& g) const {
  return std::sqrt(this->space_.dot(g, g) / total_mass_);
}

template <class T, int D>
std::size_t ImplicitObjective<T, D>::bytes() const {
  std::size_t sum =
      forces_.bytes() + last_.bytes() + start_forces_.bytes() + preconditioner_.bytes();
  for (const auto& tangent : tangents_) sum += tangent.bytes();
  for (const auto& held : held_) sum += held.bytes();
  for (const auto& held : next_held_) sum += held.bytes();
  return sum;
}

template class ImplicitObjective<float, 2>;
template class ImplicitObjective<float, 3>;
template class ImplicitObjective<double, 2>;
template class ImplicitObjective<double, 3>;

}  // namespace firn

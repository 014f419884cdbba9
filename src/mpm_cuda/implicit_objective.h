// The objective of an implicit step on a device: ImplicitObjective of the CPU, with vectors and
// particles in device memory.
#pragma once

#include <cmath>

#include "mpm_cuda/coarse_store.h"
#include "mpm_cuda/implicit_contact_store.h"
#include "mpm_cuda/implicit_following_store.h"
#include "mpm_cuda/implicit_gmres.h"
#include "mpm_cuda/implicit_krylov.h"
#include "mpm_cuda/implicit_maps.h"
#include "mpm_cuda/implicit_material_launch.h"
#include "mpm_cuda/implicit_nodes.h"
#include "mpm_cuda/implicit_transfer.h"
#include "mpm_cuda/set_stores.h"
#include "solvers/problem.h"

namespace firn {

// What the particles of a step need, from step to step.
template <class T, int D>
class ImplicitColumns {
 public:
  // `arenas`: of nodes, as many as the view has.
  void set(const SetStores<T, D>& sets, std::size_t arenas) {
    std::size_t most = 0, sums = 0;
    tangents_.resize(sets.count());
    held_.resize(sets.count());
    next_held_.resize(sets.count());
    strides_.clear();
    first_sum_.clear();
    for (int s = 0; s < sets.count(); ++s) {
      const std::size_t capacity = sets.view(s).capacity;
      most = std::max(most, capacity);
      tangents_[s].allocate(capacity *
                            ImplicitMaterials<T, D>::tangent_columns(sets.parameters(s)));
      const std::size_t holding = ImplicitMaterials<T, D>::holds(sets.parameters(s)) ? capacity : 0;
      held_[s].allocate(holding);
      next_held_[s].allocate(holding);
      strides_.push_back(capacity);
      first_sum_.push_back(sums);
      sums += ImplicitMaterials<T, D>::sums(sets.view(s));
    }
    rates_.allocate(most * D * D);
    sum_count_ = static_cast<int>(std::max<std::size_t>(1, sums));
    sums_.allocate(2 * std::size_t(sum_count_));
    beside_.allocate(arenas);
  }
  ParticleColumns<T> rates(const SetView<T>& set) const { return {rates_.data(), set.capacity}; }
  ParticleColumns<T> tangents(int s) const { return {tangents_[s].data(), strides_[s]}; }
  T* held(int s) const { return held_[s].data(); }
  T* next_held(int s) const { return next_held_[s].data(); }
  void take_next_held() { std::swap(held_, next_held_); }
  // Of thread blocks, those of set s from its place on: with what is held now, and next.
  double* sums(int s) const { return sums_.data() + first_sum_[s]; }
  double* next_sums(int s) const { return sums(s) + sum_count_; }
  int sum_count() const { return sum_count_; }
  DeviceNode<T>* beside() const { return beside_.data(); }
  void clear_sums(cudaStream_t stream) { sums_.fill_zero(stream); }
  std::size_t bytes() const {
    std::size_t total = rates_.bytes() + sums_.bytes() + beside_.bytes();
    for (const auto& of : tangents_) total += of.bytes();
    for (const auto& of : held_) total += 2 * of.bytes();
    return total;
  }

 private:
  DeviceArray<T> rates_;
  std::vector<DeviceArray<T>> tangents_, held_, next_held_;  // by set
  int sum_count_ = 0;
  std::vector<std::size_t> strides_, first_sum_;
  DeviceArray<double> sums_;
  DeviceArray<DeviceNode<T>> beside_;
};

template <class T, int D>
class DeviceObjective : public ProblemDefaults<DeviceSpace<T, D>> {
  using Base = ProblemDefaults<DeviceSpace<T, D>>;
  using Base::space_;
  using Transfer = ImplicitTransfer<T, D>;
  using Materials = ImplicitMaterials<T, D>;

 public:
  using Vector = DeviceVector<T>;

  DeviceObjective(const DeviceSpace<T, D>& space, const View<T, D>& view,
                  const SetStores<T, D>& sets, const MpmSettings& settings,
                  ImplicitColumns<T, D>& columns, CgStore<T, D>& cg, GmresStore<T, D>& gmres,
                  const Vector& free_velocity, ContactStore<T, D>& contacts,
                  const FollowingStore<T, D>& following, CoarseStore<T, D>& coarse)
      : Base(space),
        view_(view),
        sets_(sets),
        settings_(settings),
        columns_(columns),
        cg_(cg),
        gmres_(gmres),
        free_(free_velocity),
        contacts_(contacts),
        following_(following),
        coarse_(coarse) {
    for (int s = 0; s < sets.count(); ++s) {
      if (sets.view(s).capacity == 0 || !Materials::holds(sets.parameters(s))) continue;
      holds_ = true;
      Materials::start_holding(of_set(s), columns_.held(s));
    }
  }
  // Asks for the stiffness of all particles, to be found in totals()[at].
  void start_stiffness(int at) {
    columns_.clear_sums(stream());
    for (int s = 0; s < sets_.count(); ++s) Materials::stiffness(of_set(s), columns_.sums(s));
    sum_particles(columns_.sums(0), at);
  }
  void set_sums(double total_mass, double stiffness) {
    total_mass_ = total_mass;
    stiffness_ = stiffness;
  }

  bool holds() const { return holds_ && !quadratic_; }
  void start_renewing() { renewing_ = true; }
  double renew(const Vector&, double value) {
    if (!asks_next_) return value;
    columns_.take_next_held();
    asks_next_ = false;
    return value + last_change_;
  }
  void make_quadratic(double beta) {
    const Vector rest = space_.make();
    potential(rest);
    space_.copy(forces_, start_forces_);
    linearize(rest, Curvature::definite);
    quadratic_ = true;
    beta_ = beta;
  }

  double objective(const Vector& v) {
    if (quadratic_) {
      const DeviceNode<T>* all = spread(v, following_.whole());
      multiply(all, nullptr);
      HessianProduct<T, D> plain = product(all, mass_of_all());
      plain.with_friction = false;  // no part of the forces
      space_.for_nodes(StoreProduct<T, D>{plain, forces_.data()});
      space_.start_sum(
          QuadraticTerm<T, D>{mass_of_all(), all, start_forces_.data(), forces_.data()}, 1);
    } else {
      potential(v);
      sum_particles(columns_.sums(0), 1);
      sum_particles(columns_.next_sums(0), 2);
    }
    start_rest(v, whole_velocities(v));
    const double* sums = space_.store().fetch();
    last_terms_ = sums[0] + std::abs(sums[1]);
    last_change_ = sums[2] - sums[1];
    asks_next_ = renewing_ && !quadratic_;
    return sums[0] + sums[1];
  }
  double without_matter(const Vector& v) {
    start_rest(v, spread(v, following_.moved()));
    return space_.store().fetch()[0];
  }
  void gradient(const Vector& v, Vector& g) { find_gradient(v, g, true); }
  void plain_gradient(const Vector& v, Vector& g) { find_gradient(v, g, false); }
  void residual(const Vector& v, Vector& r) {
    potential(v);
    gradient(v, r);
  }
  // The velocities of all nodes at the last v, and m g of all of them where there are mirrors.
  const DeviceNode<T>* whole_velocities(const Vector& v) const {
    return following_.empty() ? v.data() : following_.whole();
  }
  DeviceNode<T>* whole_impulses() const {
    space_.for_nodes(FindImpulses<T, D>{mass_of_all(), following_.whole(), free_.data(),
                                        forces_.data(), following_.folded()});
    return following_.folded();
  }
  double residual_norm(const Vector& r) const { return gradient_norm(r); }
  void linearize(const Vector& v) { linearize(v, Curvature::exact); }
  void linearize(const Vector& v, Curvature kind) {
    const DeviceNode<T>* all = quadratic_ ? nullptr : spread(v, following_.moved());
    for (int s = 0; s < sets_.count() && !quadratic_; ++s) {
      find_rates(s, all);
      Materials::linearize(of_set(s), columns_.rates(sets_.view(s)), columns_.held(s),
                           kind == Curvature::definite, columns_.tangents(s));
    }
    build_preconditioner();
  }
  void hessian(const Vector& d, Vector& out) {
    const HessianProduct<T, D> of_nodes = start_product(d, nullptr);
    space_.for_nodes(StoreProduct<T, D>{of_nodes, out.data()});
  }
  void jacobian(const Vector& d, Vector& out) { hessian(d, out); }
  void precondition(const Vector& r, Vector& z) {
    start_cycle(r.data(), nullptr);
    space_.for_nodes(ApplyPreconditioner<T, D>{preconditioner(), r.data(), z.data()});
  }
  double gradient_norm(const Vector& g) const { return std::sqrt(space_.dot(g, g) / total_mass_); }
  double objective_noise() const {
    constexpr double kUnit = sizeof(T) == 4 ? 6e-8 : 1.1e-16;
    if (quadratic_) return 4 * kUnit * last_terms_;
    return 4 * kUnit * stiffness_ / (sizeof(T) == 4 ? std::sqrt(double(sets_.particles())) : 1);
  }
  bool project(Vector& v) {
    contacts_.keep_free(space_, v);
    return contacts_.project(space_, v, nullptr);
  }
  bool project(Vector& v, Vector& d) { return contacts_.project(space_, v, &d); }
  void register_active(const Vector& v, const Vector& g) {
    contacts_.register_active(space_, v, g);
  }
  void filter(Vector& d) { contacts_.filter(space_, d); }
  bool close_met(const Vector& v, const Vector& d) { return contacts_.close_met(space_, v, d); }

  // Linear solves that stay on the device (minimize.h and plain_newton.h ask for them).
  KrylovReport conjugate_gradient(const Vector& b, Vector& x, const CgSettings& settings) {
    return cg_.solve(space_, b, x, settings, contacts_.view(), preconditioner(), products(),
                     cycles());
  }
  KrylovReport gmres(const Vector& b, Vector& x, const GmresSettings& settings) {
    return gmres_.solve(space_, b, x, settings, contacts_.view(), preconditioner(), products(),
                        cycles());
  }

  double total_mass() const { return total_mass_; }
  double stiffness() const { return stiffness_; }

 private:
  const T* mass() const { return space_.mass(); }
  cudaStream_t stream() const { return space_.stream(); }
  ImplicitSet<T, D> of_set(int s) const {
    return {view_, sets_.view(s), sets_.parameters(s), stream()};
  }
  const T* mass_of_all() const { return space_.store().mass(); }
  // Velocities of all nodes; `to` is where they may be.
  const DeviceNode<T>* spread(const Vector& v, DeviceNode<T>* to) const {
    if (following_.empty()) return v.data();
    following_.spread(space_, v, to);
    return to;
  }
  HessianProduct<T, D> product(const DeviceNode<T>* d, const T* masses) const {
    return {view_, contacts_.view(), masses, d, quadratic_ ? beta_ : 1};
  }
  // Starts a product, and gives what makes nodes of it.
  HessianProduct<T, D> start_product(const Vector& d, const std::int32_t* stop) {
    const DeviceNode<T>* all = spread(d, following_.moved());
    multiply(all, stop);
    HessianProduct<T, D> of_nodes = product(d.data(), mass());
    if (following_.empty()) return of_nodes;
    space_.for_nodes(
        WholeProduct<T, D>{view_, mass_of_all(), all, of_nodes.share, following_.folded()});
    following_.fold(following_.folded());
    of_nodes.folded = following_.folded();
    return of_nodes;
  }
  auto products() {
    return [this](const Vector& d, const std::int32_t* stop) { return start_product(d, stop); };
  }
  auto cycles() {
    return [this](const DeviceNode<T>* r, const std::int32_t* stop) { start_cycle(r, stop); };
  }
  bool is(PreconditionerKind kind) const { return settings_.implicit.preconditioner == kind; }
  bool has_coarser() const { return is(PreconditionerKind::multigrid) && !coarse_.empty(); }
  void start_cycle(const DeviceNode<T>* r, const std::int32_t* stop) const {
    if (has_coarser()) coarse_.cycle(r, mass(), stop);
  }
  PreconditionerView<T, D> preconditioner() const {
    if (is(PreconditionerKind::none)) return {};
    PreconditionerView<T, D> made{diagonal_.data(), beside_.data(), {}};
    if (has_coarser()) made.coarser = coarse_.first();
    return made;
  }

  void find_rates(int s, const DeviceNode<T>* v) {
    Transfer::gradient(view_, sets_.view(s), v, true, columns_.rates(sets_.view(s)), settings_,
                       stream());
  }
  // Energies of the particles, by thread block, and dPhi/dv of the nodes.
  void potential(const Vector& v) {
    columns_.clear_sums(stream());
    const DeviceNode<T>* all = spread(v, following_.whole());
    for (int s = 0; s < sets_.count(); ++s) {
      find_rates(s, all);
      const ParticleColumns<T> rates = columns_.rates(sets_.view(s));
      Materials::evaluate(of_set(s), rates, columns_.held(s),
                          renewing_ ? columns_.next_held(s) : nullptr, columns_.sums(s),
                          columns_.next_sums(s));
      Transfer::push(view_, sets_.view(s), rates, s == 0, settings_, stream());
    }
    space_.for_nodes(MergeArenas<T, D>{view_, view_.arenas, forces_.data()});
  }
  // Of the objective what is not the matter's: inertia and friction.
  void start_rest(const Vector& v, const DeviceNode<T>* all) {
    space_.start_sum(
        ObjectiveTerm<T, D>{contacts_.view(), mass_of_all(), all, free_.data(), v.data()}, 0);
  }
  void sum_particles(const double* sums, int at) {
    sum_array_kernel<<<1, kVectorThreads, 0, stream()>>>(sums, columns_.sum_count(),
                                                         space_.store().totals() + at);
    must(cudaGetLastError(), "a sum over particles");
  }
  void find_gradient(const Vector& v, Vector& g, bool with_friction) {
    DeviceNode<T>* const folded = following_.empty() ? nullptr : whole_impulses();
    if (folded) following_.fold(folded);
    space_.for_nodes(FindGradient<T, D>{contacts_.view(), mass(), v.data(), free_.data(),
                                        forces_.data(), folded, with_friction, g.data()});
  }
  // What the tangents of the particles make of velocities of all nodes, into the arenas.
  void multiply(const DeviceNode<T>* d, const std::int32_t* stop) {
    for (int s = 0; s < sets_.count(); ++s)
      Transfer::apply(view_, sets_.view(s), d, columns_.tangents(s), s == 0, stop, settings_,
                      stream());
  }
  void build_preconditioner() {
    if (is(PreconditionerKind::none)) return;
    const double share = quadratic_ ? std::max(beta_, 1e-6) : 1;
    // Particles change little within a step, other things may.
    if (!summed_) sum_blocks(share);
    summed_ = true;
    space_.for_nodes(InvertBlocks<T, D>{contacts_.view(), mass(), sum_.data(), sum_beside_.data(),
                                        share, !is(PreconditionerKind::diagonal), diagonal_.data(),
                                        beside_.data()});
    if (has_coarser()) set_springs(share);
  }
  void set_springs(double share) {
    const FindSprings<T, D> find{contacts_.view(), mass(), sum_.data(), share, coarse_.springs()};
    space_.for_nodes(find);
    if (!following_.empty())
      following_.for_leaders([&](const FollowingRounds& rounds, const FollowingRound& round) {
        return AddLeaderSprings<T, D>{find, rounds, round.first_leader};
      });
    coarse_.set_springs();
  }
  void sum_blocks(double share) {
    for (int s = 0; s < sets_.count(); ++s)
      Transfer::blocks(view_, sets_.view(s), columns_.tangents(s), s == 0, columns_.beside(),
                       settings_, stream());
    space_.for_nodes(MergeArenas<T, D>{view_, view_.arenas, sum_.data()});
    space_.for_nodes(MergeArenas<T, D>{view_, columns_.beside(), sum_beside_.data()});
    if (is(PreconditionerKind::multigrid))
      coarse_.build(mass(), sum_.data(), sum_beside_.data(), share, view_.spacing);
  }

  const View<T, D>& view_;
  const SetStores<T, D>& sets_;
  const MpmSettings& settings_;
  ImplicitColumns<T, D>& columns_;
  CgStore<T, D>& cg_;
  GmresStore<T, D>& gmres_;
  const Vector& free_;
  ContactStore<T, D>& contacts_;
  const FollowingStore<T, D>& following_;
  CoarseStore<T, D>& coarse_;
  Vector forces_ = space_.make();        // dPhi/dv at the velocities of the last objective
  Vector start_forces_ = space_.make();  // quadratic: at v = 0
  Vector sum_ = space_.make(), sum_beside_ = space_.make();  // blocks, over particles
  Vector diagonal_ = space_.make(), beside_ = space_.make();
  double beta_ = 0;
  bool quadratic_ = false, holds_ = false, summed_ = false;
  bool renewing_ = false, asks_next_ = false;  // what laws hold; whether it was found at the last v
  double last_change_ = 0;                     // of the objective, with what is held next
  double total_mass_ = 0, stiffness_ = 0;
  double last_terms_ = 0;  // of the last objective, added up without signs
};

}  // namespace firn

#include "mpm/cpu_mpm.h"

#include <algorithm>
#include <cmath>

#include "mpm/step_limits.h"
#include "solver/source_tools.h"

namespace firn {
namespace {

bool all_finite(const Vec3d& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

// Of a species, in a checkpoint.
std::string grip_name(int species) {
  return species == 0 ? "grip" : "grip" + std::to_string(species);
}

constexpr const char* kTransitionCounts = "transitions";

// Blocks without any are left out.
template <class T, int D>
void save_grip(const std::string& name, const NodeGrip<T, D>& grip, StateImage& image) {
  std::vector<std::uint64_t> keys;
  std::vector<T> impulses;
  for (std::size_t b = 0; b < grip.keys.size(); ++b) {
    if (!grip.any_of(b)) continue;
    const T* first = grip.impulses.data() + b * grip.kNodes;
    keys.push_back(grip.keys[b]);
    impulses.insert(impulses.end(), first, first + grip.kNodes);
  }
  image.arrays[name + "/blocks"] = std::move(keys);
  image.arrays[name + "/impulses"] = std::move(impulses);
}
// Checkpoints of older versions have none.
template <class T, int D>
bool load_grip(const StateImage& image, const std::string& name, const BlockTopology<D>& blocks,
               NodeGrip<T, D>& grip) {
  grip = {};
  const auto found = image.arrays.find(name + "/blocks");
  if (found == image.arrays.end()) return true;
  const auto* keys = std::get_if<std::vector<std::uint64_t>>(&found->second);
  const auto impulses = image.arrays.find(name + "/impulses");
  const auto* values =
      impulses == image.arrays.end() ? nullptr : std::get_if<std::vector<T>>(&impulses->second);
  if (!keys || !values || values->size() / grip.kNodes != keys->size() ||
      values->size() % grip.kNodes != 0)
    return false;
  for (const std::uint64_t key : *keys)
    if (blocks.find(key) < 0) return false;
  for (const T impulse : *values)
    if (!(impulse >= 0 && std::isfinite(impulse))) return false;
  grip.keys = *keys;
  grip.impulses.resize(values->size());
  std::copy(values->begin(), values->end(), grip.impulses.begin());
  return true;
}

}  // namespace

template <class T, int D>
CpuMpm<T, D>::CpuMpm(const MpmSettings& settings, const Surroundings& around,
                     Particles<T, D> particles)
    : around_(around),
      solver_(settings, around.obstacles, around.timers),
      state_(std::move(particles), settings.porous.as_one()) {
  std::copy(around.gravity, around.gravity + 3, gravity_.component);
  for (const Transition& transition : around.transitions)
    changed_.resize(std::max<std::size_t>(changed_.size(), transition.number + 1));
}

template <class T, int D>
Result<StepReport> CpuMpm<T, D>::start(const std::vector<bool>& estimate_volume) {
  StepReport report = solver_.initialize(state_, estimate_volume);
  if (report.bad_set < 0 && !report.varied.is_error()) change_materials(0, report);
  return report;
}

template <class T, int D>
Errors CpuMpm<T, D>::resume(const StateImage& image) {
  const auto found = image.integers.find("volume_age");
  const std::int64_t age = found == image.integers.end() ? -1 : found->second;
  state_.volume_age = static_cast<int>(std::clamp<std::int64_t>(age, 0, 1 << 20));
  const auto told = image.integers.find("fraction_age");
  const std::int64_t steps = told == image.integers.end() ? 0 : told->second;
  state_.fraction_age = static_cast<int>(std::clamp<std::int64_t>(steps, 0, kFractionInterval));
  // Expressions that changed since are looked at in the next step.
  const auto varied = image.integers.find("varied"), looked = image.integers.find("varied_age");
  const bool same = varied != image.integers.end() && looked != image.integers.end() &&
                    varied->second == varied_fingerprint<T, D>(state_);
  state_.varied_age =
      same ? static_cast<int>(std::clamp<std::int64_t>(looked->second, 0, kVariedInterval)) : 0;
  if (!load_counts(image)) return {kDamagedImage};
  for (int s = 0; s < state_.species(); ++s)
    if (!load_grip(image, grip_name(s), state_.blocks, state_.nodes[s].grip))
      return {kDamagedImage};
  solver_.prepare(state_);
  return {};
}

template <class T, int D>
void CpuMpm<T, D>::save(StateImage& image) const {
  for (int s = 0; s < state_.species(); ++s) save_grip(grip_name(s), state_.nodes[s].grip, image);
  image.integers["volume_age"] = state_.volume_age;
  if (state_.fraction_age > 0) image.integers["fraction_age"] = state_.fraction_age;
  if (!changed_.empty()) image.arrays[kTransitionCounts] = changed_;
  if (!any_varied<T, D>(state_)) return;
  image.integers["varied"] = varied_fingerprint<T, D>(state_);
  image.integers["varied_age"] = state_.varied_age;
}

// Checkpoints of a scene that had none yet begin at 0.
template <class T, int D>
bool CpuMpm<T, D>::load_counts(const StateImage& image) {
  const auto found = image.arrays.find(kTransitionCounts);
  if (found == image.arrays.end()) return true;
  const auto* counts = std::get_if<std::vector<std::uint64_t>>(&found->second);
  if (!counts || counts->size() != changed_.size()) return false;
  changed_ = *counts;
  return true;
}

template <class T, int D>
std::vector<double> CpuMpm<T, D>::change_materials(double time, StepReport& report) {
  if (around_.transitions.empty()) return {};
  return around_.timers->measure("transitions", [&]() -> std::vector<double> {
    Changeover<T, D> changes(state_, around_.transitions, time);
    if (!changes.any()) return {};
    report.varied.add(changes.append_changed());
    if (report.varied.is_error()) return {};
    const StepReport fresh = solver_.initialize_new(state_.sets, changes.first_new());
    report.max_signal = std::max(report.max_signal, fresh.max_signal);
    report.bad_set = fresh.bad_set;
    report.bad_particle = fresh.bad_particle;
    if (report.bad_set >= 0) return {};
    changes.append_moved();
    std::vector<double> densities = changes.least_densities();
    changes.count(changed_);
    changes.regroup();
    return densities;
  });
}

template <class T, int D>
StepRule CpuMpm<T, D>::step_rule(const std::vector<double>& least_density) const {
  const MpmSettings& settings = solver_.settings();
  if (settings.implicit.is_explicit())
    return explicit_step_rule<T, D>(settings, state_, most_viscous<T, D>(state_), least_density);
  StepRule rule{settings.fixed_dt, settings.max_dt, settings.cfl * settings.spacing};
  if (!around_.gravity_in_space) {
    Vec3d g;
    for (int a = 0; a < 3; ++a) g[a] = around_.gravity[a].at(Vec3d::zero(), 0);
    rule.acceleration = sqrt_of(dot(g, g));
  }
  return rule;
}

template <class T, int D>
Vec3d CpuMpm<T, D>::gravity_at(double time) {
  gravity_.time = time;
  Vec3d g = Vec3d::zero();
  if (!around_.gravity_in_space)
    for (int a = 0; a < 3; ++a) g[a] = gravity_.component[a].at(Vec3d::zero(), time);
  return g;
}

template <class T, int D>
Result<StretchResult> CpuMpm<T, D>::run(const Stretch& stretch) {
  const double dt = stretch.given_dt;
  if (around_.obstacles->any_moves()) solver_.obstacles_advance(state_, stretch.obstacle_advance);
  if (stretch.force.kind != ForceKind::none && !stretch.tried_before)
    apply_force<T, D>(state_, stretch.force, dt,
                      stretch.force_cells * solver_.settings().spacing / dt);
  StretchResult result(stretch.clock());
  const Vec3d gravity = gravity_at(stretch.time() + dt / 2);
  result.bad_time = gravity_.time;
  if (!all_finite(gravity)) {
    result.report.bad_field = true;
    return result;
  }
  state_.time = stretch.time();
  const int varied_age = state_.varied_age;
  solver_.set_cancelled(stretch.cancelled);
  result.report = solver_.step(state_, dt, gravity, around_.gravity_in_space ? &gravity_ : nullptr,
                               stretch.must_accept);
  if (result.report.bad_field || result.report.varied.is_error()) return result;
  result.refused = result.report.solve.refused || result.report.solve.cancelled;
  if (result.refused) {
    state_.varied_age = varied_age;
    return result;
  }
  result.advance(dt);
  result.sorted = state_.drift == 0 && result.report.drift > 0;
  result.sources_due = true;
  if (result.report.bad_set < 0 && are_transitions_due(stretch.steps_before + result.steps))
    result.changed_density = change_materials(stretch.time() + dt, result.report);
  if (result.report.bad_set >= 0)
    result.bad_id = state_.sets[result.report.bad_set].particles.id[0][result.report.bad_particle];
  result.impulses = solver_.impulses();
  return result;
}

template <class T, int D>
Errors CpuMpm<T, D>::kick(const std::vector<Vec3d>& kicks) {
  apply_kicks<T, D>(state_, kicks);
  return {};
}

template <class T, int D>
Result<std::vector<double>> CpuMpm<T, D>::volume_around(const std::vector<Vec3d>& points,
                                                        double radius) {
  std::vector<double> taken;
  for (const Vec3d& x : points) taken.push_back(firn::volume_around<T, D>(state_, x, radius));
  return taken;
}

template <class T, int D>
Errors CpuMpm<T, D>::exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                              StepReport& report) {
  const ParticleChanges<T, D> changes =
      begin_exchange<T, D>(state_, around_.sinks, traffic, removed);
  if (traffic.comes()) {
    for (std::size_t s = 0; s < state_.sets.size(); ++s) {
      VariedFinding varied =
          vary_new(state_.sets[s], changes.first_new[s], traffic.world[s], traffic.time);
      varied.set = static_cast<int>(s);
      report.varied.add(varied);
    }
    if (report.varied.is_error()) return {};
    const StepReport fresh = solver_.initialize_new(state_.sets, changes.first_new);
    report.max_signal = std::max(report.max_signal, fresh.max_signal);
    report.max_speed = std::max(report.max_speed, fresh.max_speed);
  }
  if (Errors errors = finish_exchange<T, D>(state_, changes); !errors.empty()) return errors;
  solver_.prepare(state_);
  return {};
}

template class CpuMpm<float, 2>;
template class CpuMpm<float, 3>;
template class CpuMpm<double, 2>;
template class CpuMpm<double, 3>;

}  // namespace firn

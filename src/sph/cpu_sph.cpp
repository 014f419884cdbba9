#include "sph/cpu_sph.h"

#include <algorithm>
#include <cmath>

#include "solver/source_tools.h"
#include "sph/air.h"

namespace firn {
namespace {

constexpr const char* kRestVolume = "sph/rest_volume";
constexpr const char* kTravelled = "sph/travelled";
constexpr const char* kWind = "sph/wind";

template <class T, int D>
double fastest(const Particles<T, D>& all) {
  double most2 = 0;
  for (const auto& set : all.sets)
    for (std::size_t p = 0; p < set.particles.size(); ++p) {
      double speed2 = 0;
      for (int a = 0; a < D; ++a) speed2 += square(double(set.particles.velocity[a][p]));
      most2 = std::max(most2, speed2);
    }
  return std::sqrt(most2);
}

// The columns that are the solver's own.
template <class T, int D>
void clear_columns(Particles<T, D>& all) {
  for (auto& set : all.sets)
    for (const ColumnName* name : {&column::stress, &kListedPlace, &kShiftPressure}) {
      Columns<T>& column = set.particles[*name];
      for (int k = 0; k < column.components(); ++k) column.column(k).fill(T(0));
    }
}

}  // namespace

template <class T, int D>
CpuSph<T, D>::CpuSph(const SphSettings& settings, const Surroundings& around,
                     Particles<T, D> particles)
    : around_(around), solver_(settings, around.obstacles, around.timers) {
  state_.all = std::move(particles);
  for (const auto& set : state_.all.sets)
    state_.laws.push_back(YieldLaw<T>::template of<D>(std::get<Sand::Parameters>(set.parameters)));
}

template <class T, int D>
void CpuSph<T, D>::find_rest_volume() {
  if (rest_volume_ == 0 && state_.all.count() > 0) {
    double sum = 0;
    for (const auto& set : state_.all.sets)
      for (std::size_t p = 0; p < set.particles.size(); ++p)
        sum += double(set.particles.volume[0][p]);
    rest_volume_ = sum / double(state_.all.count()) / std::pow(state_.all.spacing, D);
  }
  if (rest_volume_ > 0) solver_.set_rest_volume(rest_volume_);
}

template <class T, int D>
Result<StepReport> CpuSph<T, D>::start(const std::vector<bool>&) {
  clear_columns(state_.all);
  find_rest_volume();
  find_wind();
  StepReport report;
  report.max_speed = report.max_signal = report.max_motion = fastest(state_.all);
  return report;
}

template <class T, int D>
Errors CpuSph<T, D>::resume(const StateImage& image) {
  const auto found = image.reals.find(kRestVolume);
  if (found != image.reals.end()) {
    if (!(found->second > 0 && std::isfinite(found->second))) return {kDamagedImage};
    rest_volume_ = found->second;
  }
  find_rest_volume();
  find_wind();
  if (const auto wind = image.reals.find(kWind); wind != image.reals.end()) {
    if (!(wind->second >= 0)) return {kDamagedImage};
    solver_.set_wind(wind->second);
  }
  solver_.forget_neighbors();
  const auto travelled = image.reals.find(kTravelled);
  if (travelled == image.reals.end()) return {};
  if (!(travelled->second >= 0) || !are_places_finite() ||
      !solver_.restore_neighbors(state_, travelled->second))
    return {kDamagedImage};
  return {};
}

template <class T, int D>
void CpuSph<T, D>::find_wind() {
  const AirSettings& air = solver_.settings().air;
  if (air.present) solver_.set_wind(strongest_wind(air, state_.all, 0));
}

// Those that neighbours were looked for at, in a checkpoint.
template <class T, int D>
bool CpuSph<T, D>::are_places_finite() const {
  constexpr double kFarthest = 2 * BlockShape<D>::kEdge;  // cells, of a place in a block
  for (const auto& set : state_.all.sets)
    for (int a = 0; a < D; ++a)
      for (const T x : set.particles[kListedPlace].column(a))
        if (!(abs_of(x) <= T(kFarthest))) return false;
  return true;
}

template <class T, int D>
void CpuSph<T, D>::save(StateImage& image) const {
  if (std::isfinite(solver_.travelled())) image.reals[kTravelled] = solver_.travelled();
  if (rest_volume_ > 0) image.reals[kRestVolume] = rest_volume_;
  if (solver_.settings().air.present) image.reals[kWind] = solver_.wind();
}

template <class T, int D>
StepRule CpuSph<T, D>::step_rule(const std::vector<double>& least_density) const {
  const SphSettings& settings = solver_.settings();
  double weight = 0, most_drag = 0;
  StepRule rule{settings.fixed_dt, settings.max_dt, settings.cfl * settings.spacing};
  if (!around_.gravity_in_space) {
    Vec3d g;
    for (int a = 0; a < 3; ++a) g[a] = around_.gravity[a].at(Vec3d::zero(), 0);
    rule.acceleration = weight = sqrt_of(dot(g, g));
  }
  // Steps in which weight moves what no friction holds by more than a two-hundredth of a cell let
  // particles pass between each other, and volume is lost. Where it meets a wall they add more
  // compression than the tolerance has unless particles go half as far.
  constexpr double kWithoutFriction = 40;
  const bool flows = std::any_of(state_.laws.begin(), state_.laws.end(),
                                 [](const YieldLaw<T>& law) { return !(law.slope > 0); });
  if (flows) {
    rule.acceleration = std::max(rule.acceleration, kWithoutFriction * weight);
    rule.reach /= 2;
  }
  if (settings.air.present)
    for (const double density : least_density)
      most_drag = std::max(most_drag, settings.air.drag(density));
  rule.acceleration += most_drag * square(solver_.wind());
  return rule;
}

template <class T, int D>
Result<StretchResult> CpuSph<T, D>::run(const Stretch& stretch) {
  const double dt = stretch.given_dt;
  StretchResult result(stretch.clock());
  if (stretch.force.kind != ForceKind::none)
    apply_force(state_.all, stretch.force, dt,
                stretch.force_cells * solver_.settings().spacing / dt);
  SphStepInput in{dt, stretch.time() + dt / 2, around_.gravity, around_.gravity_in_space,
                  stretch.cancelled};
  result.bad_time = in.time;
  result.report = solver_.step(state_, in);
  if (result.report.bad_field) return result;
  result.refused = result.report.solve.cancelled;
  if (result.refused) return result;
  result.advance(dt);
  result.sources_due = true;
  result.sorted = solver_.travelled() > kListSkin / 2;  // and the next step lists neighbours
  if (result.report.bad_set >= 0)
    result.bad_id =
        state_.all.sets[result.report.bad_set].particles.id[0][result.report.bad_particle];
  result.impulses = solver_.impulses();
  return result;
}

template <class T, int D>
Errors CpuSph<T, D>::kick(const std::vector<Vec3d>& kicks) {
  apply_kicks(state_.all, kicks);
  return {};
}

template <class T, int D>
Result<std::vector<double>> CpuSph<T, D>::volume_around(const std::vector<Vec3d>& points,
                                                        double radius) {
  std::vector<double> taken;
  for (const Vec3d& x : points) taken.push_back(firn::volume_around(state_.all, x, radius));
  return taken;
}

template <class T, int D>
void CpuSph<T, D>::prepare_new(ParticleTraffic<T, D>& traffic, StepReport& report) const {
  if (!traffic.comes()) return;
  clear_columns(traffic.fresh);
  report.max_speed = std::max(report.max_speed, fastest(traffic.fresh));
  report.max_signal = std::max(report.max_signal, report.max_speed);
}

template <class T, int D>
Errors CpuSph<T, D>::exchange(ParticleTraffic<T, D>& traffic, RemovedParticles& removed,
                              StepReport& report) {
  // Lists of neighbours hold on where nobody comes or goes.
  if (!traffic.comes() && !any_sunk(state_.all, around_.sinks, traffic.open_sinks)) return {};
  prepare_new(traffic, report);
  const ParticleChanges<T, D> changes = begin_exchange(state_.all, around_.sinks, traffic, removed);
  if (Errors errors = finish_exchange(state_.all, changes); !errors.empty()) return errors;
  find_rest_volume();
  solver_.forget_neighbors();
  return {};
}

template class CpuSph<float, 2>;
template class CpuSph<float, 3>;
template class CpuSph<double, 2>;
template class CpuSph<double, 3>;

}  // namespace firn

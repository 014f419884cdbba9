#include "fem/cpu_fem.h"

#include <algorithm>
#include <cmath>

#include "fem/body_mesh.h"
#include "fem/node_values.h"
#include "particles/sort.h"
#include "solver/source_tools.h"

namespace firn {
namespace {

template <class T, int D>
std::vector<ModelParameters> parameters_of(const Particles<T, D>& all) {
  std::vector<ModelParameters> list;
  for (const auto& set : all.sets) list.push_back(set.parameters);
  return list;
}

// f(set, block, p) for every particle.
template <class All, class F>
void for_particles(All& all, F&& f) {
  for (auto& set : all.sets)
    for (int b = 0; b < all.blocks.occupied(); ++b)
      for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) f(set.particles, b, p);
}

}  // namespace

template <class T, int D>
CpuFem<T, D>::CpuFem(const FemSettings& settings, std::vector<FemBody<D>> bodies,
                     const Surroundings& around, Particles<T, D> particles)
    : around_(around),
      all_(std::move(particles)),
      solver_(settings, FemModel<D>(std::move(bodies), parameters_of(all_)), around.obstacles,
              around.timers) {}

template <class T, int D>
Result<StepReport> CpuFem<T, D>::start(const std::vector<bool>&) {
  Buffer<double> x(solver_.model().nodes() * D), v(x.size());
  StepReport report;
  for_particles(all_, [&](const ParticleSet<T, D>& set, int block, std::uint32_t p) {
    const std::size_t node = solver_.model().node(set.id[0][p]);
    const Vec3d place = world_position(all_, set, block, p);
    double speed2 = 0;
    for (int a = 0; a < D; ++a) {
      x[node * D + a] = place[a];
      v[node * D + a] = double(set.velocity[a][p]);
      speed2 += v[node * D + a] * v[node * D + a];
    }
    report.max_speed = std::max(report.max_speed, std::sqrt(speed2));
  });
  report.max_signal = report.max_motion = report.max_speed;
  solver_.start(std::move(x), std::move(v));
  show_values();
  return report;
}

template <class T, int D>
Errors CpuFem<T, D>::resume(const StateImage& image) {
  const Result<StepReport> started = start({});
  if (!started) return started.errors();
  if (!solver_.load(image)) return {kDamagedImage};
  show_values();
  return {};
}

template <class T, int D>
StepRule CpuFem<T, D>::step_rule(const std::vector<double>&) const {
  const FemSettings& settings = solver_.settings();
  // After steps that had to be halved they grow again by and by.
  const double last = solver_.last_dt();
  StepRule rule{settings.fixed_dt,
                last > 0 ? std::min(settings.max_dt, 2 * last) : settings.max_dt};
  rule.reach = 1e300;  // no speed is too fast
  rule.keeps_length = true;
  return rule;
}

// An interactive force acts on velocities, as on those of particles.
template <class T, int D>
void CpuFem<T, D>::push(const Stretch& stretch) {
  const double dt = stretch.given_dt;
  const double limit = stretch.force_cells * all_.spacing / dt;
  const Buffer<double>& x = solver_.places();
  Buffer<double>& v = solver_.velocities();
  for (std::size_t node = 0; node < solver_.model().nodes(); ++node) {
    Vec3d speed = Vec3d::zero();
    for (int a = 0; a < D; ++a) speed[a] = v[node * D + a];
    const Vec3d moved = stretch.force.moved(in_space<D>(x.data() + node * D), speed, dt, limit);
    for (int a = 0; a < D; ++a) v[node * D + a] = moved[a];
  }
}

template <class T, int D>
Result<StretchResult> CpuFem<T, D>::run(const Stretch& stretch) {
  StretchResult result(stretch.clock());
  // A step that was refused was pushed already.
  if (stretch.force.kind != ForceKind::none && !stretch.tried_before) push(stretch);
  FemStepInput in{stretch.given_dt, stretch.time(), around_.gravity, stretch.cancelled,
                  stretch.must_accept};
  result.report = solver_.step(in);
  result.refused = result.report.solve.refused;
  if (result.refused) return result;
  result.advance(stretch.given_dt);
  if (result.report.bad_set >= 0) {
    result.bad_id = solver_.model().id[result.report.bad_particle];
    return result;
  }
  result.impulses = solver_.impulses();
  const bool shown = around_.timers->measure("particles", [&] { return show_nodes(); });
  if (!shown)
    return Errors{"a vertex flies too far away for /grid/spacing; raise it, or keep bodies in"};
  return result;
}

template <class T, int D>
bool CpuFem<T, D>::show_nodes() {
  std::vector<std::vector<Vec3d>> world(all_.sets.size());
  for (std::size_t s = 0; s < all_.sets.size(); ++s) {
    ParticleSet<T, D>& set = all_.sets[s].particles;
    for (std::size_t p = 0; p < set.size(); ++p) {
      const std::size_t node = solver_.model().node(set.id[0][p]);
      world[s].push_back(in_space<D>(solver_.places().data() + node * D));
      for (int a = 0; a < D; ++a) set.velocity[a][p] = T(solver_.velocities()[node * D + a]);
    }
  }
  if (!sort_from_world(all_, world)) return false;
  show_values();
  return true;
}

template <class T, int D>
void CpuFem<T, D>::show_values() {
  const bool wanted = std::any_of(all_.sets.begin(), all_.sets.end(), [](const auto& set) {
    return set.particles[column::gradient].components() == D * D;
  });
  if (!wanted) return;
  const std::vector<NodeValues<D>> values = node_values(solver_.model(), solver_.places().data());
  for (auto& of_material : all_.sets) {
    ParticleSet<T, D>& set = of_material.particles;
    Columns<T>&gradient = set[column::gradient], &stress = set[column::stress];
    for (std::size_t p = 0; p < set.size(); ++p) {
      const NodeValues<D>& value = values[solver_.model().node(set.id[0][p])];
      for (int k = 0; k < gradient.components(); ++k)
        gradient[k][p] = T(value.deformation(k / D, k % D));
      for (int k = 0; k < stress.components(); ++k) stress[k][p] = T(value.kirchhoff.e[k]);
    }
  }
}

template <class T, int D>
Errors CpuFem<T, D>::kick(const std::vector<Vec3d>& kicks) {
  Buffer<double>& v = solver_.velocities();
  for (std::size_t node = 0; node < solver_.model().nodes(); ++node) {
    const std::uint64_t id = solver_.model().id[node];
    if (id >= kicks.size()) continue;
    for (int a = 0; a < D; ++a) v[node * D + a] += kicks[id][a];
  }
  return {};
}

template <class T, int D>
Result<std::vector<double>> CpuFem<T, D>::volume_around(const std::vector<Vec3d>& points,
                                                        double radius) {
  std::vector<double> taken;
  for (const Vec3d& x : points) taken.push_back(firn::volume_around(all_, x, radius));
  return taken;
}

template <class T, int D>
std::vector<SolverMesh> CpuFem<T, D>::meshes() const {
  std::vector<SolverMesh> list;
  for (const auto& body : solver_.model().bodies)
    list.push_back(body_mesh<D>(body, solver_.model().id, solver_.places().data()));
  return list;
}

template <class T, int D>
std::size_t CpuFem<T, D>::bytes() const {
  std::size_t total = solver_.bytes() + all_.blocks.bytes();
  for (const auto& set : all_.sets) total += set.particles.bytes();
  return total;
}

template class CpuFem<float, 2>;
template class CpuFem<float, 3>;
template class CpuFem<double, 2>;
template class CpuFem<double, 3>;

}  // namespace firn

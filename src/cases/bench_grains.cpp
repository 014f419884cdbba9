#include "cases/bench_grains.h"

#include <chrono>
#include <cmath>

#include "exec/parallel.h"
#include "grains/grain_cloud.h"

namespace firn {
namespace {

constexpr std::int64_t kGrains = 7'000'000;
constexpr double kSpacing = 0.01, kCell = 0.02, kDt = 0.002;

// A layer on the floor, four times as wide as high, on a lattice with a little disorder.
template <int D>
CoarseState<D> layer(std::int64_t particles) {
  const double n = double(particles);
  const int high = std::max(1, static_cast<int>(D == 3 ? std::cbrt(n / 16) : std::sqrt(n / 4)));
  const int wide = 4 * high, deep = D == 3 ? wide : 1;
  CoarseState<D> state;
  for (int i = 0; i < wide; ++i)
    for (int j = 0; j < high; ++j)
      for (int k = 0; k < deep; ++k) {
        const int at[3] = {i, j, k};
        Vec<double, D> x;
        for (int a = 0; a < D; ++a)
          x[a] =
              (at[a] + 0.5 + 0.1 * std::sin(12.9898 * i + 78.233 * j + 37.719 * k + a)) * kSpacing;
        state.id.push_back(state.id.size());
        state.position.push_back(x);
      }
  state.velocity.assign(state.size(), Vec<float, D>::zero());
  state.spacing.assign(state.size(), float(kSpacing));
  state.paint.assign(state.size(), 0);
  return state;
}

// A shear with eddies, a quarter of a spacing a step at most.
template <int D>
CoarseState<D> moved(const CoarseState<D>& before) {
  CoarseState<D> state = before;
  state.time += kDt;
  for (std::size_t i = 0; i < state.size(); ++i) {
    Vec<double, D> v = Vec<double, D>::zero();
    const double x = before.position[i][0] / (20 * kSpacing),
                 y = before.position[i][1] / (20 * kSpacing);
    v[0] = 0.6 + 0.4 * std::sin(x) * std::cos(y);
    v[1] = -0.4 * std::cos(x) * std::sin(y);
    state.position[i] += v * kDt;
    state.velocity[i] = v.template cast<float>();
  }
  return state;
}

Collider flat_floor(int dimension) {
  Collider floor;
  floor.shape.kind = ShapeKind::plane;
  floor.shape.dimension = dimension;
  floor.friction = 0.5;
  return floor;
}

template <int D>
Result<BenchResult> bench(const BenchOptions& options) {
  GrainSettings settings;
  const std::int64_t wanted = options.particles > 0 ? options.particles : kGrains;
  CoarseState<D> now = layer<D>(wanted / settings.per_particle);
  ColliderSet obstacles({flat_floor(D)});
  obstacles.set_step(0, kDt);
  GrainCloud<D> cloud(settings, kCell, kSpacing, {}, 0);
  if (!cloud.start(now, obstacles))
    return Result<BenchResult>::failure("more grains than can be numbered");
  GrainSurroundings around;
  around.obstacles = &obstacles;
  around.gravity = [](const Vec3d&, double) { return Vec3d{{0, -9.81, 0}}; };
  BenchResult result;
  double seconds = 0;
  while (double(cloud.updates()) < options.work || result.steps < 4) {
    options.progress("step " + std::to_string(result.steps));
    CoarseState<D> next = moved(now);
    const auto start = std::chrono::steady_clock::now();
    cloud.advance(now, next, around);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++result.steps;
    now = std::move(next);
  }
  const double updates = double(cloud.updates());
  constexpr double kColumns = 4.0 * (2 * D + 2), kMotion = 4.0 * 2 * D, kPlace = 4.0 * D;
  result.case_name = kGrainBench;
  result.particles = static_cast<std::int64_t>(cloud.size());
  result.threads = thread_count();
  result.particle_steps_per_second = updates / seconds;
  result.bytes_per_particle = double(cloud.bytes()) / double(cloud.size());
  // Places and velocities are read and written, places read once more to count; sorting reads and
  // writes all columns, and places twice more.
  result.bytes_moved_per_particle_step =
      2 * kMotion + kPlace + (2 * kColumns + 2 * kPlace) * double(cloud.moved()) / updates;
  result.phases = {{"grains", seconds}};
  return result;
}

}  // namespace

Result<BenchResult> bench_grains(const BenchOptions& options) {
  if (options.device != Device::cpu)
    return Result<BenchResult>::failure("grains run on the CPU alone in this version");
  return options.dimension == 2 ? bench<2>(options) : bench<3>(options);
}

}  // namespace firn

#include "cost_estimate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <optional>

#include "scene/check.h"
#include "scene/periodic.h"
#include "scene_text.h"
#include "sim/emitter.h"

namespace firn::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double kMeasureSeconds = 0.4;   // on the scene itself
constexpr double kTwinSeconds = 1.0;      // on its coarse twin
constexpr double kTwinParticles = 4000;   // about as many as the twin has
constexpr double kMostArrivals = 20'000;  // in a step of the twin
constexpr double kDiskSpeed = 500e6;      // bytes/s, of frames

// One stretch of a run: how its steps compare with those at the start.
struct Stretch {
  double time = 0;       // s, that it takes in the scene
  double dt_ratio = 1;   // of mean dt
  double particles = 0;  // on average
  double slowness = 1;   // of a step of a particle
};

struct MeasuredSteps {
  double first_dt = 0;  // of the first one, as it was taken
  double seconds = 0;   // that one takes
};

// What time steps take, after a first one has brought everything into memory. More than one, where
// that is quick: only some of them sort.
Result<MeasuredSteps> measure_steps(World& world, std::int64_t frames) {
  const Result<double> first = world.advance_step();
  if (!first) return first.errors();
  const auto start = Clock::now();
  int count = 0;
  do {
    const Result<double> next = world.advance_step();
    if (!next) return next.errors();
    ++count;
  } while (count < 40 && world.frame() < frames && seconds_since(start) < kMeasureSeconds);
  return MeasuredSteps{*first, seconds_since(start) / count};
}

// What a frame takes besides its steps.
double seconds_a_frame(const World& world, const SceneSettings& scene) {
  const auto start = Clock::now();
  world.statistics();
  const PointTable table = world.snapshot(scene.output.fields);
  double bytes = 0;
  for (const Column& column : table.columns) bytes += 8 * static_cast<double>(column.size());
  return seconds_since(start) + bytes / kDiskSpeed;
}

double arrivals_a_second(const SceneSettings& scene) {
  double sum = 0;
  for (std::size_t i = 0; i < scene.emitters.size(); ++i)
    sum += Emitter(scene, i).particles_per_second();
  return sum;
}

// The scene with cells `factor` times as wide; none where it cannot be.
std::optional<SceneSettings> coarser(const SceneSettings& scene, double factor) {
  SceneSettings twin = scene;
  twin.grid.spacing *= factor;
  for (ObjectSettings& object : twin.objects) {
    object.sampling.spacing *= factor;
    if (object.mesh) object.mesh->edge *= factor;
    // The cells of a file cannot be fewer.
    if (factor > 1 && object.has_mesh_file() && scene.solver == SolverKind::fem) return {};
  }
  for (EmitterSettings& emitter : twin.emitters) emitter.sampling.spacing *= factor;
  for (int a = 0; a < 3; ++a)
    if (factor > 1 && !period_problem(twin, a).empty()) return {};
  for (const SceneIssue& issue : check_scene(twin))
    if (!issue.warning) return {};
  return twin;
}

// How a coarse twin of the scene fares, for as long as there is time. Steps are shorter and slower
// once things move, and particles come and go; all of that hardly depends on the cells.
std::vector<Stretch> run_twin(const SceneSettings& twin, Precision precision) {
  std::vector<Stretch> stretches;
  const double rate = arrivals_a_second(twin);
  const auto world = World::create(twin, precision);
  if (!world) return {};
  const auto start = Clock::now();
  double first_dt = 0, first_cost = 0;
  while ((*world)->frame() < twin.frames && seconds_since(start) < kTwinSeconds) {
    Stretch stretch;
    const std::int64_t frame = (*world)->frame();
    const auto begin = Clock::now();
    double particle_steps = 0;
    int steps = 0;
    while ((*world)->frame() == frame && seconds_since(start) < kTwinSeconds) {
      if (rate * (*world)->size().first_dt > kMostArrivals) return stretches;
      // Steps of an empty scene are as long as may be, and tell nothing.
      const bool empty = (*world)->size().particles == 0;
      const Result<double> dt = (*world)->advance_step();
      if (!dt) return stretches;
      if (first_dt == 0 && !empty) first_dt = *dt;
      stretch.time += *dt;
      particle_steps += static_cast<double>((*world)->size().particles);
      ++steps;
    }
    const double cost = seconds_since(begin) / std::max(1.0, particle_steps);
    if (first_cost == 0) first_cost = cost;
    if (first_dt > 0) stretch.dt_ratio = stretch.time / steps / first_dt;
    stretch.particles = particle_steps / steps;
    stretch.slowness = std::clamp(cost / first_cost, 0.5, 4.0);
    stretches.push_back(stretch);
  }
  return stretches;
}

// A twin of a few thousand particles, or as near to that as the scene allows.
std::vector<Stretch> stretches_of(const SceneSettings& scene, double particles, Precision precision,
                                  double& factor) {
  const auto dimension = static_cast<double>(scene.dimension);
  factor = std::max(1.0, std::floor(std::pow(particles / kTwinParticles, 1 / dimension)));
  try {
    for (; factor >= 1; factor = std::floor(factor / 2))
      if (const auto twin = coarser(scene, factor)) return run_twin(*twin, precision);
  } catch (const std::bad_alloc&) {
  }
  factor = 1;
  return {};
}

}  // namespace

Result<CostEstimate> estimate_cost(const SceneSettings& scene, World& world, World* mouths,
                                   Precision precision) {
  CostEstimate estimate;
  const double length = static_cast<double>(scene.frames) / scene.fps;
  const auto count = static_cast<double>(world.size().particles);
  double last = count;
  for (std::size_t i = 0; i < scene.emitters.size(); ++i) last += emitted_particles(scene, i);
  estimate.first_dt = world.size().first_dt;
  if (mouths) estimate.first_dt = std::min(estimate.first_dt, mouths->size().first_dt);
  World& measured = count == 0 && mouths ? *mouths : world;
  const auto measured_count = std::max<double>(1, static_cast<double>(measured.size().particles));
  const double frame_seconds = seconds_a_frame(measured, scene) / measured_count;
  const Result<MeasuredSteps> steps = measure_steps(measured, scene.frames);
  if (!steps) return steps.errors();
  // Moving obstacles and what solves ask for shorten implicit steps.
  estimate.first_dt = std::min(estimate.first_dt, steps->first_dt);
  double factor = 1;
  std::vector<Stretch> stretches = stretches_of(scene, 0.5 * (count + last), precision, factor);
  const double finer = std::pow(factor, static_cast<double>(scene.dimension));
  double covered = 0;
  for (Stretch& stretch : stretches) {
    stretch.particles *= finer;
    // The first particles of an emitter are dear, and those of a full mouth, which were measured,
    // are not.
    if (&measured == mouths) stretch.slowness = std::max(1.0, stretch.slowness);
    covered += stretch.time;
  }
  // What there was no time for goes on like the end of what there was.
  if (covered < length * (1 - 1e-9)) {
    Stretch rest = stretches.empty() ? Stretch{0, 1, 0.5 * (count + last), 1} : stretches.back();
    if (!scene.emitters.empty() && !stretches.empty())
      rest.particles = 0.5 * (rest.particles + std::max(rest.particles, last));
    rest.time = length - covered;
    stretches.push_back(rest);
  }
  for (const Stretch& stretch : stretches) {
    const double taken = std::ceil(stretch.time / (estimate.first_dt * stretch.dt_ratio) - 1e-9);
    estimate.steps += taken;
    estimate.particle_steps += taken * stretch.particles;
    const double a_step = stretch.slowness * steps->seconds / measured_count;
    estimate.seconds +=
        stretch.particles * (taken * a_step + stretch.time * scene.fps * frame_seconds);
  }
  return estimate;
}

}  // namespace firn::cli

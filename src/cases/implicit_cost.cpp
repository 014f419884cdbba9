#include "cases/implicit_cost.h"

#include <algorithm>
#include <chrono>

#include "cases/bench_implicit_scenes.h"
#include "cases/case_tools.h"
#include "cases/drop.h"

namespace firn {
namespace {

constexpr const char* kCase = "drop_fixed_corotated";
constexpr double kStiffness = 5e6;  // Pa
constexpr int kTimedFrames = 2;

// Seconds of the next frame; what is told of it afterwards does not count.
Result<double> time_frame(World& world) {
  const auto start = std::chrono::steady_clock::now();
  if (Errors errors = run_frames(world, 1); !errors.empty()) return errors;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Result<KrylovCost> measure_krylov(const BenchOptions& options, PreconditionerKind preconditioner) {
  const Result<BenchResult> plain = run_bench(kCase, options);
  if (!plain) return plain.errors();
  Result<SceneSettings> scene = drop_scene(kCase, plain->particles);
  if (!scene) return scene.errors();
  scene->mpm.kernel = options.kernel;
  scene->mpm.transfer = options.transfer;
  scene->integrator.kind = IntegratorKind::optimization;
  scene->integrator.preconditioner = preconditioner;
  scene->materials[0].parameters = elastic_material<FixedCorotated>(kStiffness, 0.4);
  auto world = World::create(*scene, options.precision, options.device);
  if (!world) return world.errors();
  if (Errors errors = run_frames(**world, 1); !errors.empty()) return errors;
  KrylovCost cost;
  cost.particles = plain->particles;
  cost.explicit_step = double(plain->particles) / plain->particle_steps_per_second;
  const std::int64_t steps_before = (*world)->total_steps();
  double whole = 0;
  for (int frame = 0; frame < kTimedFrames; ++frame) {
    const Result<double> seconds = time_frame(**world);
    if (!seconds) return seconds.errors();
    whole += *seconds;
    const FrameStats stats = (*world)->statistics();
    if (!stats.solves) continue;
    cost.iterations += stats.solves->krylov_iterations;
    cost.newton_steps += stats.solves->newton_iterations;
  }
  cost.steps = (*world)->total_steps() - steps_before;
  cost.iteration = whole / double(std::max<std::int64_t>(cost.iterations, 1));
  return cost;
}

Result<TimedRun> measure_drop(const BenchOptions& options, PreconditionerKind preconditioner,
                              double stiffness) {
  SceneSettings scene = falling_ball(cells_across(options), stiffness, 0, options);
  scene.integrator.kind = IntegratorKind::optimization;
  scene.integrator.implicit_cfl = IntegratorSettings::kMostImplicitCfl;
  scene.integrator.preconditioner = preconditioner;
  return time_run(scene, options);
}

}  // namespace firn

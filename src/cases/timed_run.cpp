#include "cases/timed_run.h"

#include <algorithm>

#include "cases/bench_clock.h"
#include "cases/case_tools.h"
#include "cases/process_memory.h"
#include "sim/integrator_forecast.h"

namespace firn {
namespace {

constexpr double kMostExplicitSteps = 4000;

}  // namespace

Result<TimedRun> time_run(const SceneSettings& scene, const BenchOptions& options) {
  const PeakMemory memory;
  auto world = World::create(scene, options.precision, options.device);
  if (!world) return world.errors();
  TimedRun run;
  for (std::int64_t frame = 0; frame < scene.frames; ++frame) {
    options.progress(scene.name + ": frame " + std::to_string(frame + 1));
    const BenchClock clock(options.device);
    if (Errors errors = run_frames(**world, 1); !errors.empty()) return errors;
    run.seconds += clock.seconds();
    const FrameStats stats = (*world)->statistics();
    run.steps += static_cast<double>(stats.steps);
    if (!stats.solves) continue;
    run.newton_iterations += static_cast<double>(stats.solves->newton_iterations);
    run.krylov_iterations += static_cast<double>(stats.solves->krylov_iterations);
    run.residual = std::max(run.residual, stats.solves->residual);
  }
  run.bytes = options.device == Device::cpu ? memory.growth()
                                            : static_cast<double>((*world)->device_bytes());
  return run;
}

Result<TimedRun> time_explicit_run(SceneSettings scene, const BenchOptions& options) {
  scene.integrator.kind = IntegratorKind::explicit_;
  const double steps =
      forecast_integrators(scene).explicit_.steps * static_cast<double>(scene.frames);
  const double part = std::min(1.0, kMostExplicitSteps / steps);
  if (part < 1) {
    scene.fps /= part * static_cast<double>(scene.frames);
    scene.frames = 1;
  }
  Result<TimedRun> run = time_run(scene, options);
  if (!run) return run;
  run->part = part;
  run->seconds /= part;
  return run;
}

}  // namespace firn

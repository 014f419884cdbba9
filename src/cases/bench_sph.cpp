#include "cases/bench_sph.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "cases/bench_clock.h"
#include "cases/case_tools.h"
#include "cases/process_memory.h"

namespace firn {
namespace {

constexpr double kFrame = 0.016;                         // s
constexpr int kFramesBefore = 12;                        // the column lands and begins to flow
constexpr double kWorkOnDevice = 4e9, kWorkOnCpu = 4e7;  // particle-iterations to time, about

struct Size {
  std::int64_t particles;
  int grains;     // a particle, where it is timed with them too
  double wanted;  // frames/s with them; 0: none
};

// A column twice as wide as high falls apart, filled as a scene's is by default: a lattice would
// hold for some steps and break along its planes.
SceneSettings falling_column(std::int64_t particles, int dimension, int steps) {
  const double h = 0.02;
  const double cells = double(particles) / std::pow(2.0, dimension);
  const double height = h * (dimension == 3 ? std::cbrt(cells / 4) : std::sqrt(cells / 2));
  SceneSettings scene = case_scene(dimension, h, 1 / kFrame);
  scene.solver = SolverKind::sph;
  scene.gravity = {{0, -9.81, 0}};
  const int sand = add_material(scene, Sand::Parameters{});
  add_box(scene, sand, 1600, {{0, 0, 0}}, {{2 * height, height, dimension == 3 ? 2 * height : 0}})
      .sampling = {};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.5).name = "floor";
  scene.integrator.fixed_dt = kFrame / steps;
  return scene;
}

struct Measured {
  double frames_per_second, iterations_per_second, iterations_per_step, bytes_per_particle;
  double share_of_grains;  // of the time
  std::size_t particles, grains;
};

Result<Measured> measure(const SceneSettings& scene, const BenchOptions& options) {
  const PeakMemory memory;
  auto world = World::create(scene, options.precision, options.device);
  if (!world) return world.errors();
  const std::atomic<bool> never{false};
  // Frames alone are timed, not what statistics of theirs take.
  std::int64_t iterations = 0, steps = 0;
  double seconds = 0;
  const auto advance = [&](int frames) -> Errors {
    iterations = steps = 0;
    seconds = 0;
    for (int frame = 0; frame < frames; ++frame) {
      options.progress("frame " + std::to_string((*world)->frame()));
      const BenchClock clock(options.device);
      const Result<FrameOutcome> done = (*world)->advance_frame(never);
      if (!done) return done.errors();
      seconds += clock.seconds();
      const FrameStats stats = (*world)->statistics();
      iterations += stats.grains->iterations + stats.grains->shift_iterations;
      steps += stats.steps;
    }
    return {};
  };
  if (Errors errors = advance(kFramesBefore); !errors.empty()) return errors;
  Measured found{};
  found.particles = (*world)->size().particles;
  found.grains = (*world)->size().fine_grains;
  const double a_frame = double(found.particles) * double(iterations) / kFramesBefore;
  const double work = options.device == Device::cpu ? kWorkOnCpu : kWorkOnDevice;
  const int frames = std::clamp(static_cast<int>(work / std::max(1.0, a_frame)), 2, 60);
  (*world)->reset_timers();
  if (Errors errors = advance(frames); !errors.empty()) return errors;
  for (const auto& [phase, took] : (*world)->phases())
    if (phase == "grains") found.share_of_grains = took / seconds;
  found.frames_per_second = frames / seconds;
  found.iterations_per_second = double(found.particles) * double(iterations) / seconds;
  found.iterations_per_step = double(iterations) / double(std::max<std::int64_t>(1, steps));
  const double bytes =
      options.device == Device::cpu ? memory.growth() : double((*world)->device_bytes());
  found.bytes_per_particle = bytes / double(found.particles);
  return found;
}

std::string size_text(const Measured& measured, int steps) {
  return ", " + std::to_string(measured.particles) + " particles" +
         (measured.grains > 0 ? ", " + std::to_string(measured.grains) + " grains, " : ", ") +
         std::to_string(steps) + (steps > 1 ? " steps" : " step") + " a frame";
}

Errors tell_of_particles(const SceneSettings& scene, int steps, bool largest,
                         const BenchOptions& options, const OnFigure& found) {
  const auto measured = measure(scene, options);
  if (!measured) return measured.errors();
  const std::string of = size_text(*measured, steps);
  const std::string how = short_number(measured->iterations_per_step) + " iterations a step";
  found(BenchFigure{"frames of 16 ms a second" + of, measured->frames_per_second, {}, {}, how});
  BenchFigure speed{"million particle-iterations a second" + of,
                    measured->iterations_per_second * 1e-6,
                    {},
                    {},
                    how};
  if (largest) speed.at_least = options.device == Device::cpu ? 10 : 1000;
  found(speed);
  if (steps == 3 && largest)
    found(BenchFigure{"bytes a particle" + of, measured->bytes_per_particle, {}, 450.0, ""});
  return {};
}

Errors tell_with_grains(SceneSettings scene, const Size& size, int steps,
                        const BenchOptions& options, const OnFigure& found) {
  scene.grains.emplace();
  scene.grains->per_particle = size.grains;
  const auto measured = measure(scene, options);
  if (!measured) return measured.errors();
  const std::string how = short_number(100 * measured->share_of_grains) + " % of it for the grains";
  BenchFigure rate{"frames of 16 ms a second" + size_text(*measured, steps),
                   measured->frames_per_second,
                   {},
                   {},
                   how};
  if (size.wanted > 0 && steps == 3) rate.at_least = size.wanted;
  found(rate);
  return {};
}

}  // namespace

Errors bench_sph(const BenchOptions& options, const OnFigure& found) {
  const bool on_cpu = options.device == Device::cpu;
  std::vector<Size> sizes{{8192, 70, on_cpu ? 5.0 : 400.0}};
  if (on_cpu)
    sizes.push_back({50'000, 0, 0});
  else
    sizes.insert(sizes.end(), {{100'000, 50, 60}, {1'000'000, 20, 5}});
  if (options.particles > 0) sizes = {{options.particles, 70, 0}};
  for (const Size& size : sizes) {
    const bool largest = size.particles == sizes.back().particles;
    for (const int steps : {3, 1}) {
      if (steps == 1 && size.particles != sizes.front().particles) continue;  // too high a fall
      const SceneSettings scene = falling_column(size.particles, options.dimension, steps);
      if (Errors errors = tell_of_particles(scene, steps, largest, options, found); !errors.empty())
        return errors;
      if (size.grains > 0)
        if (Errors errors = tell_with_grains(scene, size, steps, options, found); !errors.empty())
          return errors;
    }
  }
  return {};
}

}  // namespace firn

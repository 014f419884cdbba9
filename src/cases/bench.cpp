#include "cases/bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "cases/bench_grains.h"
#include "cases/drop.h"
#include "cases/process_memory.h"
#include "exec/parallel.h"
#include "material/presets.h"

namespace firn {
namespace {

struct BenchMaterial {
  std::string name;  // of the case
  int model;
  bool yields;
};

// One for each model.
std::vector<BenchMaterial> bench_materials() {
  std::vector<BenchMaterial> materials;
  for (int model = 0; model < model_count; ++model)
    visit_model(model, [&](auto tag) {
      using Model = typename decltype(tag)::type;
      materials.push_back({bench_name<Model>(), model, Model::kYields});
    });
  return materials;
}

constexpr std::int64_t kWindow = 60;  // steps

// Blocks side by side, one per material, four times as wide as high, just above the floor.
SceneSettings bench_scene(const std::vector<BenchMaterial>& materials,
                          const BenchOptions& options) {
  const int d = options.dimension;
  SceneSettings scene;
  scene.name = "bench";
  scene.dimension = d;
  scene.mpm.kernel = options.kernel;
  scene.mpm.transfer = options.transfer;
  scene.fps = 1000;
  scene.frames = 1;
  const double h = scene.grid.spacing;
  const double per_cell = std::pow(2.0, d);
  const double cells = double(options.particles) / per_cell;
  // cells = 4 height * height (* 4 height) in cells
  const double height = d == 3 ? std::cbrt(cells / 16) : std::sqrt(cells / 4);
  const double width = 4 * height;
  for (std::size_t m = 0; m < materials.size(); ++m) {
    const int model = materials[m].model;
    scene.materials.push_back({materials[m].name, "", default_parameters(model)});
    ObjectSettings object;
    object.name = materials[m].name;
    const double share = width / double(materials.size());
    object.shape.kind = ShapeType::box;
    object.shape.size = {{share * h, height * h, width * h}};
    object.shape.center = {{(double(m) + 0.5) * share * h, (0.5 * height + 1) * h, 0}};
    object.material = static_cast<int>(m);
    object.density = preset_density(model, "");
    object.velocity = {{0.5, -2, 0}};
    object.sampling.kind = SamplingKind::stratified;
    object.sampling.particles_per_cell = per_cell;
    scene.objects.push_back(object);
  }
  ColliderSettings floor;
  floor.name = "floor";
  floor.shape.kind = ShapeType::plane;
  floor.friction.value = 0.4;
  scene.colliders.push_back(floor);
  return scene;
}

// Sand and water in the same place, half of the particles each: as one species, and as two that
// exchange momentum, with more and more of what they may do to each other.
const std::vector<std::string> kPorousCases = {"porous_one", "porous", "porous_buoyancy",
                                               "porous_expressions", "porous_mixture"};

SceneSettings porous_scene(const std::string& case_name, const BenchOptions& options) {
  const std::vector<BenchMaterial> all = bench_materials();
  std::vector<BenchMaterial> both;
  for (const char* name : {"sand", "water"})
    both.push_back(*std::find_if(all.begin(), all.end(),
                                 [&](const BenchMaterial& m) { return m.name == name; }));
  BenchOptions half = options;
  half.particles = options.particles / 2;
  SceneSettings scene = bench_scene(both, half);
  for (ObjectSettings& object : scene.objects) {
    object.shape.size[0] *= 2;
    object.shape.center[0] = object.shape.size[0] / 2;
  }
  if (case_name == "porous_one") return scene;
  for (std::size_t m = 0; m < both.size(); ++m) scene.objects[m].species = both[m].name;
  scene.porous.emplace();
  scene.porous->buoyancy = case_name == "porous_buoyancy";
  if (case_name == "porous_mixture") scene.porous->coupling = CouplingKind::mixture;
  if (case_name == "porous_expressions")
    scene.materials[0].expressions = {{"friction_angle", "35 * (1 - 0.5 * phi)"},
                                      {"cohesion", "200 * (1 - phi)"}};
  PorousPair pair;
  pair.solid = both[0].name;
  pair.fluid = both[1].name;
  scene.porous->pairs.push_back(pair);
  return scene;
}

// Multiplications and additions of the transfers and of F <- (I + dt C) F per particle and step;
// the constitutive model comes on top.
double transfer_flops(const BenchOptions& options) {
  const double k = options.kernel == KernelKind::linear      ? 2
                   : options.kernel == KernelKind::quadratic ? 3
                                                             : 4;
  const double d = options.dimension;
  const double nodes = std::pow(k, d), lines = std::pow(k, d - 1);
  const double scatter = nodes * 12;  // one 4-wide multiply-add and one 4-wide addition
  // 4-wide multiply-adds: along each line, then over lines; the middle place has no moment.
  const double over_lines = d == 3 ? lines + k * (k - 1) : 0;
  const double gather = 8 * (nodes + lines * (k - 1) + over_lines + k + d * (k - 1));
  return scatter + gather + 2 * d * d * d + 4 * d * d * d;
}

// Runs frames until f says so; the last world report is in `stats`.
Errors run_until(World& world, const std::function<bool()>& done) {
  const std::atomic<bool> never{false};
  while (!done()) {
    Result<FrameOutcome> outcome = world.advance_frame(never);
    if (!outcome) return outcome.errors();
  }
  return {};
}

// Until the front of the block has met the floor and, where it can, a fifth of it yields.
Errors warm_up(World& world, bool can_yield, const BenchOptions& options) {
  const std::int64_t most = 2000;
  return run_until(world, [&] {
    if (world.total_steps() >= most) return true;
    const bool landed = world.time() > 0.02;
    const bool yields = !can_yield || world.plastic_fraction() >= 0.2;
    options.progress("warming up: step " + std::to_string(world.total_steps()));
    return landed && yields;
  });
}

// What was timed, summed over windows.
struct Timing {
  std::int64_t steps = 0;
  double seconds = 0;
  std::vector<std::pair<std::string, double>> phases;

  void add_phases(const std::vector<std::pair<std::string, double>>& more) {
    if (phases.empty())
      phases.assign(more.begin(), more.end());
    else
      for (std::size_t i = 0; i < phases.size() && i < more.size(); ++i)
        phases[i].second += more[i].second;
  }
};

// Times frames until `steps` more are done.
Errors time_window(World& world, std::int64_t steps, Timing& timing) {
  const std::int64_t first = world.total_steps();
  world.reset_timers();
  const auto start = std::chrono::steady_clock::now();
  Errors errors = run_until(world, [&] { return world.total_steps() - first >= steps; });
  timing.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  timing.steps += world.total_steps() - first;
  timing.add_phases(world.phases());
  return errors;
}

// All sizes are timed over the same stretch of the motion: small ones, which would need more of it
// to take a measurable time and spread thinner meanwhile, go back to its start again and again.
Errors time_case(const SceneSettings& scene, const BenchOptions& options,
                 std::unique_ptr<World>& world, Timing& timing) {
  const auto particles = static_cast<double>(world->size().particles);
  const auto wanted = static_cast<std::int64_t>(std::ceil(options.work / particles));
  const std::int64_t window = std::min<std::int64_t>(wanted, kWindow);
  if (wanted <= window) return time_window(*world, window, timing);
  const StateImage start = world->save();
  while (timing.steps < wanted) {
    Errors errors = time_window(*world, window, timing);
    if (!errors.empty() || timing.steps >= wanted) return errors;
    auto again = World::restore(scene, options.precision, start, options.device);
    if (!again) return again.errors();
    world = std::move(*again);
  }
  return {};
}

// Frames of the drop from the first contact on, at least kDropSteps, everything included.
constexpr std::int64_t kDropSteps = 600;
constexpr double kDropLanding = 0.02;  // s

Errors time_steps(World& world, std::int64_t steps, Timing& timing) {
  const auto start = std::chrono::steady_clock::now();
  for (; timing.steps < steps; ++timing.steps) {
    const Result<double> dt = world.advance_step();
    if (!dt) return dt.errors();
  }
  timing.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {};
}

Result<BenchResult> run_drop(const std::string& case_name, const BenchOptions& options) {
  Result<SceneSettings> scene = drop_scene(case_name, options.particles);
  if (!scene) return scene.errors();
  scene->mpm.kernel = options.kernel;
  scene->mpm.transfer = options.transfer;
  auto world = World::create(*scene, options.precision, options.device);
  if (!world) return world.errors();
  Errors errors = run_until(**world, [&] { return (*world)->time() > kDropLanding; });
  if (!errors.empty()) return errors;
  const auto particles = static_cast<double>((*world)->size().particles);
  const std::int64_t steps =
      options.device != Device::cpu
          ? kDropSteps
          : std::min(kDropSteps, static_cast<std::int64_t>(options.work / particles) + 1);
  Timing timing;
  errors =
      options.stepwise ? time_steps(**world, steps, timing) : time_window(**world, steps, timing);
  if (!errors.empty()) return errors;
  BenchResult result;
  result.case_name = case_name;
  result.particles = static_cast<std::int64_t>(particles);
  result.threads = thread_count();
  result.steps = timing.steps;
  result.particle_steps_per_second = double(timing.steps) * particles / timing.seconds;
  result.bytes_per_particle = double((*world)->device_bytes()) / particles;
  result.bytes_moved_per_particle_step = (*world)->bytes_moved_per_step() / particles;
  result.flops_per_particle_step = transfer_flops(options);
  result.plastic_fraction = (*world)->plastic_fraction();
  result.phases = timing.phases;
  return result;
}

}  // namespace

std::vector<std::string> bench_case_names() {
  std::vector<std::string> names;
  for (const BenchMaterial& material : bench_materials()) names.push_back(material.name);
  names.push_back("mixed");
  names.push_back(kGrainBench);
  names.insert(names.end(), kPorousCases.begin(), kPorousCases.end());
  return names;
}

Result<BenchResult> run_bench(const std::string& case_name, const BenchOptions& wanted) {
  BenchOptions options = wanted;
  if (options.particles == 0) options.particles = kBenchParticles;
  const std::vector<std::string> drops = drop_case_names();
  if (std::find(drops.begin(), drops.end(), case_name) != drops.end())
    return run_drop(case_name, options);
  if (case_name == kGrainBench) return bench_grains(wanted);
  std::vector<BenchMaterial> materials;
  for (const BenchMaterial& material : bench_materials())
    if (case_name == "mixed" || case_name == material.name) materials.push_back(material);
  const bool porous =
      std::find(kPorousCases.begin(), kPorousCases.end(), case_name) != kPorousCases.end();
  if (materials.empty() && !porous)
    return Result<BenchResult>::failure("no benchmark \"" + case_name + "\"");
  const SceneSettings scene =
      porous ? porous_scene(case_name, options) : bench_scene(materials, options);
  const double before = resident_bytes();
  Result<std::unique_ptr<World>> created = World::create(scene, options.precision, options.device);
  if (!created) return created.errors();
  std::unique_ptr<World> world = std::move(*created);
  Errors errors = warm_up(*world, materials.size() == 1 && materials[0].yields, options);
  if (!errors.empty()) return errors;
  const auto particles = static_cast<double>(world->size().particles);
  BenchResult result;
  result.bytes_per_particle = (resident_bytes() - before) / particles;
  Timing timing;
  errors = time_case(scene, options, world, timing);
  if (!errors.empty()) return errors;
  result.case_name = case_name;
  result.particles = static_cast<std::int64_t>(particles);
  result.threads = thread_count();
  result.steps = timing.steps;
  result.particle_steps_per_second = double(timing.steps) * particles / timing.seconds;
  result.bytes_moved_per_particle_step = world->bytes_moved_per_step() / particles;
  result.flops_per_particle_step = transfer_flops(options);
  result.plastic_fraction = world->plastic_fraction();
  result.phases = timing.phases;
  return result;
}

}  // namespace firn

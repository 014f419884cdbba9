#include "cases/bench.h"

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "exec/parallel.h"
#include "material/presets.h"

namespace firn {
namespace {

struct BenchMaterial {
  const char* name;  // of the case
  const char* model;
  double density;
  bool plastic;
};

constexpr BenchMaterial kMaterials[] = {
    {"neo_hookean", "neo_hookean", 1000, false},
    {"water", "fluid", 1000, false},
    {"fixed_corotated", "fixed_corotated", 1000, false},
    {"snow", "snow", 400, true},
    {"sand", "sand", 2200, true},
    {"st_venant_kirchhoff", "st_venant_kirchhoff", 1000, false},
    {"hencky", "hencky", 1000, false},
};

double resident_bytes() {
  long pages = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return double(resident) * double(sysconf(_SC_PAGESIZE));
}

// Blocks side by side, one per material, four times as wide as high, just above the floor.
SceneSettings bench_scene(const std::vector<BenchMaterial>& materials,
                          const BenchOptions& options) {
  const int d = options.dimension;
  SceneSettings scene;
  scene.name = "bench";
  scene.dimension = d;
  scene.kernel = options.kernel;
  scene.transfer = options.transfer;
  scene.fps = 1000;
  scene.frames = 1;
  const double h = scene.grid.spacing;
  const double per_cell = std::pow(2.0, d);
  const double cells = double(options.particles) / per_cell;
  // cells = 4 height * height (* 4 height) in cells
  const double height = d == 3 ? std::cbrt(cells / 16) : std::sqrt(cells / 4);
  const double width = 4 * height;
  for (std::size_t m = 0; m < materials.size(); ++m) {
    const int model = model_index_by_name(materials[m].model);
    scene.materials.push_back({materials[m].name, "", default_parameters(model)});
    ObjectSettings object;
    object.name = materials[m].name;
    const double share = width / double(materials.size());
    object.shape.kind = ShapeKind::box;
    object.shape.size = {{share * h, height * h, width * h}};
    object.shape.center = {{(double(m) + 0.5) * share * h, (0.5 * height + 1) * h, 0}};
    object.material = static_cast<int>(m);
    object.density = materials[m].density;
    object.velocity = {{0.5, -2, 0}};
    object.sampling.kind = SamplingKind::stratified;
    object.sampling.particles_per_cell = per_cell;
    scene.objects.push_back(object);
  }
  ColliderSettings floor;
  floor.name = "floor";
  floor.shape.kind = ShapeKind::plane;
  floor.friction = 0.4;
  scene.colliders.push_back(floor);
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
  const double gather = nodes * 2 * 8 + lines * 3 * 8 + k * 4 * 8;
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
Errors warm_up(World& world, bool plastic, const BenchOptions& options) {
  const std::int64_t most = 2000;
  return run_until(world, [&] {
    if (world.total_steps() >= most) return true;
    const bool landed = world.time() > 0.02;
    const bool yields = !plastic || world.plastic_fraction() >= 0.2;
    options.progress("warming up: step " + std::to_string(world.total_steps()));
    return landed && yields;
  });
}

}  // namespace

std::vector<std::string> bench_case_names() {
  std::vector<std::string> names;
  for (const BenchMaterial& material : kMaterials) names.push_back(material.name);
  names.push_back("mixed");
  return names;
}

Result<BenchResult> run_bench(const std::string& case_name, const BenchOptions& options) {
  std::vector<BenchMaterial> materials;
  for (const BenchMaterial& material : kMaterials)
    if (case_name == "mixed" || case_name == material.name) materials.push_back(material);
  if (materials.empty()) return Result<BenchResult>::failure("no benchmark \"" + case_name + "\"");
  const double before = resident_bytes();
  Result<std::unique_ptr<World>> created =
      World::create(bench_scene(materials, options), options.precision);
  if (!created) return created.errors();
  World& world = **created;
  const bool plastic =
      std::any_of(materials.begin(), materials.end(), [](const auto& m) { return m.plastic; });
  Errors errors = warm_up(world, plastic && materials.size() == 1, options);
  if (!errors.empty()) return errors;

  const auto particles = static_cast<double>(world.size().particles);
  const std::int64_t first = world.total_steps();
  world.reset_timers();
  const auto start = std::chrono::steady_clock::now();
  errors = run_until(
      world, [&] { return double(world.total_steps() - first) * particles >= options.work; });
  if (!errors.empty()) return errors;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  BenchResult result;
  result.case_name = case_name;
  result.particles = static_cast<std::int64_t>(particles);
  result.threads = thread_count();
  result.steps = world.total_steps() - first;
  result.particle_steps_per_second = double(result.steps) * particles / seconds;
  result.bytes_per_particle = (resident_bytes() - before) / particles;
  result.bytes_moved_per_particle_step = world.bytes_moved_per_step() / particles;
  result.flops_per_particle_step = transfer_flops(options);
  result.plastic_fraction = world.plastic_fraction();
  result.phases = world.phases();
  return result;
}

}  // namespace firn

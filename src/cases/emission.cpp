// Emission: sand and water poured into a bin at the full flow of the mouth, a half and a quarter of
// it. Whatever the particles' distance in the stream, in the bin they take the volume of their
// mass, and in flight they have the mass and momentum that the emitter says.
#include <cmath>

#include "cases/water.h"
#include "scene/defaults.h"

namespace firn {
namespace {

constexpr const char* kCase = "emission";
constexpr double kBin = 0.4;          // m, width
constexpr double kLevel = 0.2;        // m, of what was poured
constexpr double kDepth = 0.16;       // m, of the bin in 3D
constexpr double kMouthHeight = 0.6;  // m above the floor
constexpr double kTolerance = 0.05;
constexpr double kRest = 3;  // s, after the mouth has closed
constexpr double kFps = 50;

struct Pour {
  bool water = false;
  double share = 1;    // of the full flow
  double speed = 1;    // m/s
  double mouth = 0.2;  // m
  double spacing = 0.02;
  double depth = 0;  // m, of the bin; 0: 2D
  KernelKind kernel = KernelKind::quadratic;
  TransferKind transfer = TransferKind::mls;

  // In 3D the mouth is half as deep as the bin.
  double area() const { return mouth * (depth > 0 ? 0.5 * depth : 1); }
  double full_rate() const { return kWaterDensity * area() * speed; }
  double seconds() const {
    return kBin * kLevel * (depth > 0 ? depth : 1) / (share * area() * speed);
  }
  std::string name() const;
};

std::string Pour::name() const {
  constexpr const char* kKernels[] = {"linear", "quadratic", "cubic"};
  constexpr const char* kTransfers[] = {"MLS", "APIC", "FLIP", "PIC"};
  std::string text = std::string(water ? "water" : "sand") + ", " + short_number(share) +
                     " of the flow, " + short_number(speed) + " m/s, mouth " + short_number(mouth) +
                     " m";
  if (depth > 0) text += ", 3D";
  if (kernel != KernelKind::quadratic) text += std::string(", ") + kKernels[int(kernel)];
  if (transfer != TransferKind::mls) text += std::string(", ") + kTransfers[int(transfer)];
  if (spacing != 0.02) text += ", h = " + short_number(spacing) + " m";
  return text;
}

Tank bin_of(const Pour& pour) {
  Tank tank;
  tank.width = kBin;
  tank.depth = pour.depth;
  tank.spacing = pour.spacing;
  tank.bulk_modulus = 5e5;
  tank.kernel = pour.kernel;
  return tank;
}

SceneSettings bin_scene(const Pour& pour) {
  SceneSettings scene = tank_scene(bin_of(pour), kFps);
  scene.mpm.transfer = pour.transfer;
  if (!pour.water) {
    scene.materials.front().parameters = Sand::Parameters{};
    scene.colliders.front().friction.value = 0.5;
  }
  return scene;
}

void add_mouth(SceneSettings& scene, const Pour& pour) {
  EmitterSettings& emitter = scene.emitters.emplace_back();
  emitter.name = "mouth";
  emitter.shape.kind = ShapeType::box;
  emitter.shape.size = {{pour.mouth, 2 * pour.spacing, 0.5 * pour.depth}};
  emitter.shape.center = {{0.5 * kBin, kMouthHeight, 0.5 * pour.depth}};
  emitter.velocity = {{0, -pour.speed, 0}};
  emitter.density = kWaterDensity;
  if (pour.share < 1) emitter.rate = pour.share * pour.full_rate();
  emitter.stop = pour.seconds();
  fill_defaults(scene);
}

// Volume over mass / density once at rest, found in two ways.
struct Volume {
  // The sum over columns a cell wide of twice the height of their centre of mass: drops that still
  // fly do not count.
  double centers = 0;
  // By the highest particles of each column: a fluffy layer at the top counts as if it were full.
  double surface = 0;
};

Volume volume_of(const PointTable& table, const Pour& pour) {
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  const auto cells = [&](double length) {
    return std::max(1L, std::lround(length / pour.spacing));
  };
  const auto cell = [&](double at, long count) {
    return std::clamp(static_cast<long>(std::floor(at / pour.spacing)), 0L, count - 1);
  };
  const long nx = cells(kBin), nz = cells(pour.depth);
  std::vector<double> sum(static_cast<std::size_t>(nx * nz)), count(sum.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto c = static_cast<std::size_t>(cell(x[i], nx) * nz + cell(z[i], nz));
    sum[c] += y[i];
    count[c] += 1;
  }
  const double floor = kBin * (pour.depth > 0 ? pour.depth : 1);
  const double column = floor / static_cast<double>(sum.size());
  Volume volume;
  for (std::size_t c = 0; c < sum.size(); ++c)
    if (count[c] > 0) volume.centers += 2 * sum[c] / count[c] * column;
  volume.surface = surface_level(table, bin_of(pour), 0.5 * pour.spacing) * floor;
  return volume;
}

// Mean over the last half second of those that are given for coming to rest.
Result<Volume> settled_volume(World& world, const Pour& pour) {
  const auto frames = static_cast<std::int64_t>(std::ceil((pour.seconds() + kRest) * kFps));
  Volume mean;
  double samples = 0;
  const auto record = [&](const World& now) {
    if (static_cast<double>(now.frame()) <= static_cast<double>(frames) - kFps / 2) return;
    const Volume volume = volume_of(now.snapshot({}), pour);
    const double full = now.statistics().mass / kWaterDensity;
    mean.centers += volume.centers / full;
    mean.surface += volume.surface / full;
    samples += 1;
  };
  const Errors errors = run_frames(world, frames, record);
  if (!errors.empty()) return errors;
  return Volume{mean.centers / samples, mean.surface / samples};
}

Result<Volume> poured_volume(const Pour& pour) {
  SceneSettings scene = bin_scene(pour);
  add_mouth(scene, pour);
  auto world = World::create(scene, Precision::single);
  if (!world) return world.errors();
  return settled_volume(**world, pour);
}

// The control: the same stream, all of it in the air at the start, as particles that stand apart
// and do not know it.
Result<Volume> unaware_volume(const Pour& pour) {
  SceneSettings scene = bin_scene(pour);
  add_box(scene, 0, kWaterDensity, {{0.5 * (kBin - pour.mouth), 0, 0}},
          {{0.5 * (kBin + pour.mouth), kBin * kLevel / pour.mouth, 0}})
      .velocity = {{0, -pour.speed, 0}};
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return objects.errors();
  for (Vec3d& x : objects->front().position) x[1] = 0.1 + x[1] / pour.share;
  auto world = World::create_from_particles(scene, std::move(*objects), Precision::single);
  if (!world) return world.errors();
  return settled_volume(**world, pour);
}

std::vector<Check> judge_volume(const Result<Volume>& volume, const std::string& name) {
  if (!volume) return {failed_run(kCase, volume.errors())};
  return {
      relative_check(kCase, "volume over mass / density, " + name, volume->centers, 1, kTolerance),
      report(kCase, "the same by the surface, " + name, volume->surface, 1)};
}

// A stream in flight, without gravity: mass by the rate and the time, momentum by mass and
// velocity.
std::vector<Check> judge_flight(Pour pour) {
  SceneSettings scene = bin_scene(pour);
  scene.gravity = {{0, 0, 0}};
  scene.colliders.clear();
  add_mouth(scene, pour);
  const auto world = run_scene(scene, Precision::single, static_cast<std::int64_t>(kFps));
  if (!world) return {failed_run(kCase, world.errors())};
  const FrameStats stats = (*world)->statistics();
  const double rate = pour.share * pour.full_rate();
  const double seconds = std::min(pour.seconds(), stats.time);
  return {
      relative_check(kCase, "mass in flight, kg, " + pour.name(), stats.mass, rate * seconds, 0.03),
      relative_check(kCase, "momentum over mass in flight, m/s, " + pour.name(),
                     -stats.momentum[1] / stats.mass, pour.speed, 1e-4)};
}

// The slope of a heap poured on an open floor as rough as the sand, degrees, once the last grains
// have come down and 2.5 s later. Of a triangle it is the mean height over the mean distance from
// the middle.
struct Heap {
  double soon = 0, late = 0;
};
Result<Heap> poured_heap(const Pour& pour) {
  SceneSettings scene = bin_scene(pour);
  scene.colliders.resize(1);
  scene.colliders.front().friction.value = std::tan(30 * kDegree);
  add_mouth(scene, pour);
  const auto soon = static_cast<std::int64_t>(std::ceil((pour.seconds() + 1) * kFps));
  const std::int64_t late = soon + static_cast<std::int64_t>(2.5 * kFps);
  Heap heap;
  const auto record = [&](const World& world) {
    if (world.frame() != soon && world.frame() != late) return;
    const PointTable table = world.snapshot({});
    const auto x = table.as_double("x"), y = table.as_double("y");
    double up = 0, out = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      up += y[i];
      out += std::abs(x[i] - 0.5 * kBin);
    }
    (world.frame() == late ? heap.late : heap.soon) = std::atan(up / out) / kDegree;
  };
  const auto world = run_scene(scene, Precision::single, late, record);
  if (!world) return world.errors();
  return heap;
}

void report_heap(const Pour& pour, std::vector<Check>& checks) {
  const Result<Heap> heap = poured_heap(pour);
  if (!heap) return checks.push_back(failed_run(kCase, heap.errors()));
  checks.push_back(report(kCase, "slope of a heap, degrees, " + pour.name(), heap->soon));
  checks.push_back(report(kCase, "the same 2.5 s later", heap->late));
}

// Half of the flow with the other kernels and transfers, in 3D, and with half the spacing.
std::vector<Pour> other_schemes(bool water, double spacing) {
  const Pour half{water, 0.5, 1, 0.2, spacing};
  std::vector<Pour> pours(7, half);
  pours[0].kernel = KernelKind::linear;
  pours[1].kernel = KernelKind::cubic;
  pours[2].transfer = TransferKind::apic;
  pours[3].transfer = TransferKind::flip;
  pours[4].transfer = TransferKind::pic;
  pours[5].depth = kDepth;
  pours[6].spacing = 0.5 * spacing;
  return pours;
}

}  // namespace

std::vector<Check> validate_emission(const ValidateOptions& options) {
  const double spacing = options.fine ? 0.01 : 0.02;
  std::vector<Check> checks;
  const auto add = [&](const std::vector<Check>& more) {
    checks.insert(checks.end(), more.begin(), more.end());
  };
  for (const bool water : {false, true}) {
    std::vector<Pour> pours = other_schemes(water, spacing);
    for (const double mouth : {0.2, 0.04})
      for (const double speed : {1.0, 2.0})
        for (const double share : {1.0, 0.5, 0.25})
          pours.push_back({water, share, speed, mouth, spacing});
    for (const Pour& pour : pours) {
      options.progress("emission: " + pour.name());
      add(judge_volume(poured_volume(pour), pour.name()));
    }
    const Pour apart{water, 0.5, 1, 0.2, spacing};
    add(judge_flight(apart));
    options.progress("emission: control");
    for (const Check& check :
         judge_volume(unaware_volume(apart), apart.name() + ", without their dilation"))
      checks.push_back(check.tolerance > 0 || !check.ran ? must_fail(check) : check);
  }
  report_heap({false, 0.5, 1, 0.08, spacing}, checks);
  return checks;
}

}  // namespace firn

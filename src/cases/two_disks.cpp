// Two elastic disks fly towards each other along the diagonal of a unit box, meet, and part.
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "two_disks";
constexpr double kRadius = 0.2, kDensity = 1000, kModulus = 1000, kSpeed = 0.1;
constexpr double kEnergy = 2.513;  // J per metre: 2 pi R^2 rho v^2 / 2 with v^2 = 2 kSpeed^2
constexpr double kEnergyError = 0.005;
constexpr double kMeeting = 1.586;    // s: (0.6 sqrt(2) - 2 R) / closing speed
constexpr double kClosing = 0.28284;  // m/s
constexpr double kEnd = 3.6;          // s: the disks have parted
constexpr double kFps = 100;
// Contact is noticed when a disk has lost this share of its momentum.
constexpr double kNoticed = 0.01;

struct Impact {
  double noticed = 0;            // s, interpolated; 0: never
  double before = 0, after = 0;  // kinetic energy, J
};

SceneSettings disks_scene(double spacing, TransferKind transfer, double direction) {
  SceneSettings scene = case_scene(2, spacing, kFps);
  scene.mpm.transfer = transfer;
  for (const double side : {1.0, -1.0}) {
    const int elastic = add_material(scene, elastic_material<NeoHookean>(kModulus, 0.3));
    const double center = 0.5 - 0.3 * side, v = direction * side * kSpeed;
    add_ball(scene, elastic, kDensity, {{center, center, 0}}, kRadius).velocity = {{v, v, 0}};
  }
  return scene;
}

// Momentum of the first disk along the diagonal, per mass, over its initial value.
double momentum_left(const World& world) {
  const PointTable table = world.snapshot({"velocity", "material"});
  const auto material = table.as<std::int32_t>("material");
  const auto vx = table.as_double("vx"), vy = table.as_double("vy");
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < table.count; ++i)
    if (material[i] == 0) {
      sum += vx[i] + vy[i];
      count += 1;
    }
  return sum / (2 * kSpeed * count);
}

Result<Impact> collide(double spacing, TransferKind transfer, double direction) {
  Impact impact;
  double previous = 1;
  const auto record = [&](const World& world) {
    const FrameStats stats = world.statistics();
    const double left = std::abs(momentum_left(world));
    if (impact.noticed == 0 && left < 1 - kNoticed)
      impact.noticed = stats.time - (1 - kNoticed - left) / (previous - left) / kFps;
    previous = left;
    if (stats.frame == 0) impact.before = stats.kinetic;
    impact.after = stats.kinetic;
  };
  const auto world = run_scene(disks_scene(spacing, transfer, direction), Precision::double_,
                               static_cast<std::int64_t>(kEnd * kFps), record);
  if (!world) return world.errors();
  return impact;
}

// The grid lets the disks feel each other across a gap of two cells or so.
Check judge_meeting(const Impact& impact, double spacing, const std::string& name) {
  return relative_check(kCase, "time of contact, s, " + name, impact.noticed, kMeeting,
                        2 * spacing / kClosing / kMeeting);
}

// No impact makes energy: a gain is only borne as far as the energy before is known.
Check judge_return(const Impact& impact, const std::string& name) {
  return loss_check(kCase, "kinetic energy lost in the impact, relative, " + name,
                    1 - impact.after / impact.before, 0.5, kEnergyError);
}

}  // namespace

std::vector<Check> validate_two_disks(const ValidateOptions& options) {
  const double coarse = options.fine ? 0.025 : 0.05, fine = coarse / 2;
  const auto first = collide(coarse, TransferKind::mls, 1);
  const auto second = collide(fine, TransferKind::mls, 1);
  const auto apart = collide(coarse, TransferKind::mls, -1);
  const auto damped = collide(coarse, TransferKind::pic, 1);
  for (const auto* run : {&first, &second, &apart, &damped})
    if (!*run) return {failed_run(kCase, run->errors())};
  const auto early = [](const Impact& impact) { return std::abs(kMeeting - impact.noticed); };
  const std::string at_coarse = "h = " + short_number(coarse),
                    at_fine = "h = " + short_number(fine);
  return {relative_check(kCase, "kinetic energy before, J", first->before, kEnergy, kEnergyError),
          judge_meeting(*first, coarse, at_coarse),
          judge_meeting(*second, fine, at_fine),
          limit_check(kCase, "error of the time of contact, fine over coarse",
                      early(*second) / early(*first), 0.6),
          judge_return(*first, at_coarse),
          judge_return(*second, at_fine),
          must_fail(judge_meeting(*apart, coarse, "disks that fly apart")),
          must_fail(judge_return(*damped, "pic"))};
}

}  // namespace firn

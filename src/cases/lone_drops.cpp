// Lone drops: one particle of a fluid, and a cluster of 2^d, which start compressed and fly freely
// or rest at one place in their cells. No case bears shorter steps: their nodes carry nothing else.
// J must come back to 1, and the steps must not collapse.
#include <algorithm>
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "lone_drops";
constexpr const char* kKernels[] = {"linear", "quadratic", "cubic"};
constexpr const char* kTransfers[] = {"mls", "apic", "flip", "pic"};
constexpr double kSpacing = 0.01;  // m
constexpr double kModulus = 5e5, kDensity = 1000;
constexpr double kStartJ = 0.95;
constexpr int kSteps = 300, kLate = 50;
constexpr double kSettled = 1e-3;   // |J - 1| at the end
constexpr double kStill = 3e-4;     // by how much J still changes
constexpr double kLeastStep = 0.8;  // of the first one; compression itself takes a seventh of it

struct Liquid {
  const char* name;
  double viscosity;  // Pa s
};
constexpr Liquid kLiquids[] = {{"water", 0}, {"honey", 10}, {"tar", 100}};

struct Drop {
  int dimension = 3;
  KernelKind kernel = KernelKind::quadratic;
  TransferKind transfer = TransferKind::mls;
  double viscosity = 0;
  bool cluster = false;
  double place = 0;        // of the (first) particle in its cell, along each axis
  bool flies = false;      // with gravity
  double fixed_cells = 0;  // steps of so many cells of a sound wave at rest; 0: by the rule
};

// What is worst in a run: distance of J from 1 and range of J in the last steps, and the shortest
// step over the first. Differences of J among the particles of a cluster that cancel on the nodes
// exert no force and may stay.
struct Outcome {
  double off = 0, range = 0, step = 1;

  void include(const Outcome& o) {
    off = std::max(off, o.off);
    range = std::max(range, o.range);
    step = std::min(step, o.step);
  }
};

SceneSettings drop_scene(const Drop& drop) {
  SceneSettings scene = case_scene(drop.dimension, kSpacing, 1);
  scene.mpm.kernel = drop.kernel;
  scene.mpm.transfer = drop.transfer;
  if (drop.flies) scene.gravity = {{0, -9.81, 0}};
  scene.integrator.fixed_dt =
      drop.fixed_cells * kSpacing / std::sqrt(kModulus / kDensity * std::pow(kStartJ, -6));
  Fluid::Parameters fluid;
  fluid.bulk_modulus = kModulus;
  fluid.viscosity = drop.viscosity;
  add_material(scene, fluid);
  return scene;
}

std::vector<ObjectParticles> drop_particles(const Drop& drop) {
  ObjectParticles particles;
  particles.density = kDensity;
  particles.volume = std::pow(kSpacing / 2, drop.dimension);
  particles.palette = {0xcccccc};
  particles.cumulative = {1};
  if (drop.flies) particles.linear_velocity = {{0.9, 0.4, drop.dimension == 3 ? -0.7 : 0.0}};
  for (int k = 0; k < (drop.cluster ? 1 << drop.dimension : 1); ++k) {
    Vec3d x{{0, 0, 0}};
    for (int a = 0; a < drop.dimension; ++a) x[a] = (drop.place + 0.5 * ((k >> a) & 1)) * kSpacing;
    particles.position.push_back(x);
  }
  particles.scalars.push_back({"J", std::vector<double>(particles.size(), kStartJ)});
  return {particles};
}

Result<Outcome> follow(const Drop& drop) {
  auto world =
      World::create_from_particles(drop_scene(drop), drop_particles(drop), Precision::single);
  if (!world) return world.errors();
  // Thick fluids take shorter steps and swell more slowly.
  const int settling = kSteps + static_cast<int>(6 * drop.viscosity);
  Outcome outcome;
  double first = 0;
  std::vector<double> low, high;
  for (int step = 0, late = 0; late < kLate; ++step) {
    const Result<double> dt = (*world)->advance_step();
    if (!dt) return dt.errors();
    if (step == 0) first = *dt;
    outcome.step = std::min(outcome.step, *dt / first);
    if (step < settling) continue;
    const auto J = (*world)->snapshot({"J"}).as_double("J");
    if (late++ == 0) low = high = {J.begin(), J.end()};
    for (std::size_t i = 0; i < J.size(); ++i) {
      low[i] = std::min(low[i], double(J[i]));
      high[i] = std::max(high[i], double(J[i]));
      outcome.off = std::max(outcome.off, std::abs(J[i] - 1));
      outcome.range = std::max(outcome.range, high[i] - low[i]);
    }
  }
  return outcome;
}

// At rest in several places of a cell, and in flight through many of them.
Result<Outcome> follow_all(Drop drop) {
  Outcome worst;
  for (const bool flies : {false, true})
    for (const double place : {1e-4, 0.03, 0.22, 0.501}) {
      drop.flies = flies;
      drop.place = place;
      if (flies && place != 0.03) continue;
      const Result<Outcome> found = follow(drop);
      if (!found) return found;
      worst.include(*found);
    }
  return worst;
}

Check judge_off(const Outcome& outcome, const std::string& name) {
  return limit_check(kCase, "largest |J - 1| at the end, " + name, outcome.off, kSettled);
}
Check judge_range(const Outcome& outcome, const std::string& name) {
  return limit_check(kCase, "change of J in the last steps, " + name, outcome.range, kStill);
}

// With steps that are a little too long J must swing.
Check control(Drop drop, double cells, const std::string& name) {
  drop.fixed_cells = cells;
  drop.place = 0.501;
  const Result<Outcome> found = follow(drop);
  if (!found) return failed_run(kCase, found.errors());
  return must_fail(judge_range(*found, name));
}

}  // namespace

std::vector<Check> validate_lone_drops(const ValidateOptions& options) {
  std::vector<Check> checks;
  for (const Liquid& liquid : kLiquids)
    for (const bool cluster : {false, true}) {
      Outcome all;
      for (int dimension = 2; dimension <= 3; ++dimension)
        for (int k = 0; k < 3; ++k)
          for (int t = 0; t < 4; ++t) {
            const Result<Outcome> found =
                follow_all({dimension, static_cast<KernelKind>(k), static_cast<TransferKind>(t),
                            liquid.viscosity, cluster});
            const std::string name = std::to_string(dimension) + "D " + kKernels[k] + " " +
                                     kTransfers[t] + ", " + liquid.name +
                                     (cluster ? ", cluster" : ", one particle");
            if (!found) {
              checks.push_back(failed_run(kCase, found.errors()));
              options.progress(name + ": " + found.errors().front());
              continue;
            }
            all.include(*found);
            options.progress(name + ": |J - 1| " + short_number(found->off) + ", range " +
                             short_number(found->range) + ", shortest step " +
                             short_number(found->step));
          }
      const std::string name = std::string(liquid.name) + ", " +
                               (cluster ? "clusters" : "single particles") + ", 24 combinations";
      checks.push_back(judge_off(all, name));
      checks.push_back(judge_range(all, name));
      checks.push_back(limit_check(kCase, "first step over the shortest, " + name, 1 / all.step,
                                   1 / kLeastStep));
    }
  Drop flip;
  flip.transfer = TransferKind::flip;
  checks.push_back(control(flip, 0.4, "3D quadratic flip with the steps of mls"));
  Drop tar;
  tar.viscosity = kLiquids[2].viscosity;
  checks.push_back(control(tar, 0.336, "3D quadratic mls, tar with 0.85 of the steps of water"));
  return checks;
}

}  // namespace firn

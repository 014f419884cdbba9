// The longest stable step: that of a lone particle, whose nodes carry nothing else. What
// mpm/step_bound.h says must be what the program bears, neither more nor much less.
#include "mpm/step_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/case_tools.h"
#include "mpm/volume_source.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.01, kDensity = 1000, kModulus = 5e5;
constexpr const char* kKernels[] = {"linear", "quadratic", "cubic"};
constexpr const char* kTransfers[] = {"mls", "apic", "flip", "pic"};

struct Drop {
  int dimension;
  KernelKind kernel;
  TransferKind transfer;
  ModelParameters material;
  double place;  // in its cell, along each axis
};

std::string name_of(const Drop& drop) {
  return std::to_string(drop.dimension) + "D " + kKernels[static_cast<int>(drop.kernel)] + " " +
         kTransfers[static_cast<int>(drop.transfer)];
}

ModelParameters liquid(double viscosity) {
  Fluid::Parameters fluid;
  fluid.bulk_modulus = kModulus;
  fluid.viscosity = viscosity;
  return fluid;
}

// One particle that starts a little compressed. The largest |J - 1| in the last of so many steps of
// fixed_dt, or of the rule's dt where that is 0, and the shortest step over the first.
struct Found {
  double off = NAN, shortest = 1;
};
Found follow(const Drop& drop, double fixed_dt, int steps, double start_J = 0.999) {
  SceneSettings scene = case_scene(drop.dimension, kSpacing, 1);
  scene.mpm.kernel = drop.kernel;
  scene.mpm.transfer = drop.transfer;
  scene.integrator.fixed_dt = fixed_dt;
  const bool fluid = drop.material.index() == liquid(0).index();
  add_material(scene, drop.material);
  ObjectParticles particle;
  particle.density = kDensity;
  particle.volume = std::pow(kSpacing / 2, drop.dimension);
  particle.palette = {0xcccccc};
  particle.cumulative = {1};
  particle.position = {Vec3d::fill(drop.place * kSpacing)};
  if (drop.dimension == 2) particle.position[0][2] = 0;
  if (fluid)
    particle.scalars.push_back({"J", {start_J}});
  else
    particle.gradients = {Mat<double, 3>::identity() * std::pow(start_J, 1.0 / drop.dimension)};
  Found found;
  auto world = World::create_from_particles(scene, {particle}, Precision::double_);
  if (!world) return found;
  double first = 0, off = 0;
  const char* name = fluid ? "J" : "det_F";
  for (int step = 0; step < steps; ++step) {
    const Result<double> dt = (*world)->advance_step();
    if (!dt) return found;
    if (step == 0) first = *dt;
    found.shortest = std::min(found.shortest, *dt / first);
    if (steps - step <= 10)
      off = std::max(off, std::abs((*world)->snapshot({name}).as_double(name)[0] - 1));
  }
  found.off = off;
  return found;
}

// Where a lone particle is stiffest: next to the faces between the quadratic kernel's cells (on
// them it has fewer nodes), near a fifth of the cubic one's.
double worst_place(KernelKind kernel) {
  return kernel == KernelKind::quadratic ? 0.5001 : 0.22;
}

double wave_speed(const ModelParameters& material) {
  if (const auto* solid = std::get_if<NeoHookean::Parameters>(&material))
    return std::sqrt((solid->lambda() + 2 * solid->mu()) / kDensity);
  return std::sqrt(kModulus / kDensity);
}

template <class Test>
void for_each_scheme(const ModelParameters& material, Test&& test) {
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic})
      for (int t = 0; t < 4; ++t)
        test(Drop{dimension, kernel, static_cast<TransferKind>(t), material, worst_place(kernel)});
}

// Steps a little shorter than the bound are stable, a little longer ones are not.
void expect_exact(const ModelParameters& material) {
  for_each_scheme(material, [&](const Drop& drop) {
    const double cells =
        step_bound(drop.kernel, drop.transfer, drop.dimension, material).cells / kStepMargin;
    const double longest = cells * kSpacing / wave_speed(material);
    // Without damping a swing stays as large as it began, here up to four times 1 - J.
    const bool damped =
        material.index() == liquid(0).index() || drop.transfer >= TransferKind::flip;
    EXPECT_LT(follow(drop, 0.97 * longest, 400).off, damped ? 1e-4 : 6e-3) << name_of(drop);
    EXPECT_FALSE(follow(drop, 1.04 * longest, 400).off < 8e-3) << name_of(drop);
  });
}
TEST(StepBound, IsThatOfALoneFluidParticle) {
  expect_exact(liquid(0));
}
TEST(StepBound, IsThatOfALoneSolidParticle) {
  expect_exact(elastic_material<NeoHookean>(1e5, 0.3));
  expect_exact(elastic_material<NeoHookean>(1e5, 0.45));
}

// Viscosity and elasticity share what a step bears: (dt / dt_waves)^2 + dt / dt_viscous < 1.
TEST(StepBound, ViscosityAndElasticityShareIt) {
  for (const double viscosity : {10.0, 100.0, 1000.0}) {
    const ModelParameters honey = liquid(viscosity);
    for_each_scheme(honey, [&](const Drop& drop) {
      const StepBound bound = step_bound(drop.kernel, drop.transfer, drop.dimension, honey);
      const double waves = wave_speed(honey) * kStepMargin / (bound.cells * kSpacing);
      const double viscous = viscosity * kStepMargin * kStepMargin /
                             (bound.viscosity * kDensity * kSpacing * kSpacing);
      const double longest = 2 / (viscous + std::sqrt(viscous * viscous + 4 * waves * waves));
      const int settling = 400 + int(20 * viscous / (waves * waves * longest));
      EXPECT_LT(follow(drop, 0.96 * longest, settling).off, 1e-3)
          << name_of(drop) << " " << viscosity;
      EXPECT_FALSE(follow(drop, 1.05 * longest, settling).off < 2e-3)
          << name_of(drop) << " " << viscosity;
    });
  }
}

// By the rule, at the default cfl, drops settle whatever the scheme, the linear kernel included,
// and dt stays what it is.
TEST(StepBound, TheRuleKeepsIt) {
  for (const double viscosity : {0.0, 10.0})
    for (int dimension = 2; dimension <= 3; ++dimension)
      for (int k = 0; k < 3; ++k)
        for (int t = 0; t < 4; ++t)
          for (const double place : {0.001, 0.22, 0.501}) {
            const Drop drop{dimension, static_cast<KernelKind>(k), static_cast<TransferKind>(t),
                            liquid(viscosity), place};
            const Found found = follow(drop, 0, 250, 0.95);
            EXPECT_LT(found.off, 1e-3) << name_of(drop) << " " << viscosity;
            EXPECT_GT(found.shortest, 0.8) << name_of(drop) << " " << viscosity;
          }
}

// Nearly incompressible solids bear less than waves alone would say.
TEST(StepBound, TheRuleKeepsItForSolids) {
  for (const double poisson : {0.3, 0.4, 0.49})
    for (int t = 0; t < 4; ++t) {
      const Drop drop{3, KernelKind::quadratic, static_cast<TransferKind>(t),
                      elastic_material<NeoHookean>(1e5, poisson), 0.501};
      const Found found = follow(drop, 0, 200, 0.97);
      EXPECT_LT(found.off, 0.1) << name_of(drop) << " " << poisson;
      EXPECT_GT(found.shortest, 0.7) << name_of(drop) << " " << poisson;
    }
}

// What is known of the common cases: their steps are as long as cfl asks for.
TEST(StepBound, MlsBearsTheDefault) {
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic})
      for (int model = 0; model < model_count; ++model)
        EXPECT_GE(step_bound(kernel, TransferKind::mls, dimension, default_parameters(model)).cells,
                  0.4)
            << dimension << " " << model_name(model);
}

// A Neo-Hookean ball bounces on a floor with the linear kernel: no energy is made, and the steps do
// not collapse.
TEST(LinearKernel, ABallBounces) {
  for (int t = 0; t < 4; ++t) {
    SceneSettings scene = case_scene(2, 0.05, 50);
    scene.gravity = {{0, -9.81, 0}};
    scene.mpm.kernel = KernelKind::linear;
    scene.mpm.transfer = static_cast<TransferKind>(t);
    const int rubber = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
    add_ball(scene, rubber, kDensity, {{0.51, 0.63, 0}}, 0.3);
    add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.3);
    auto world = World::create(scene, Precision::single);
    ASSERT_TRUE(world.ok());
    const double first = (*world)->size().first_dt;
    const FrameStats start = (*world)->statistics();
    double shortest = first, most = 0, least_elastic = 1e30;
    const Errors errors = run_frames(**world, 75, [&](const World& w) {
      const FrameStats s = w.statistics();
      shortest = std::min(shortest, s.dt_min);
      most = std::max(most, s.kinetic + s.elastic + s.gravity_potential);
      if (s.time > 0.3) least_elastic = std::min(least_elastic, s.elastic);
    });
    ASSERT_TRUE(errors.empty()) << kTransfers[t] << ": " << errors.front();
    EXPECT_GT(shortest, 0.25 * first) << kTransfers[t];
    EXPECT_LT(most, 1.01 * start.gravity_potential) << kTransfers[t];
    // What impact stored comes out again: no particle keeps a strain that nothing undoes.
    EXPECT_LT(least_elastic, 0.05 * start.gravity_potential) << kTransfers[t];
  }
}

// What is stored with the linear kernel is C f (1 - f), f the place in the cell: on the average the
// volume correction of fluids must see the rate of strain itself.
TEST(LinearKernel, StrainRatesAreSeenInFull) {
  for (const TransferKind transfer : {TransferKind::mls, TransferKind::apic}) {
    double mean = 0;
    for (int i = 0; i < 1000; ++i) {
      const double f = (i + 0.5) / 1000;
      Mat<double, 2> stored = Mat<double, 2>::zero();
      stored(0, 0) = 3 * f * (1 - f);
      mean += strain_rate(stored, strain_scale<LinearKernel>(transfer)) / 1000;
    }
    EXPECT_NEAR(mean, 3, 1e-3);
  }
  EXPECT_EQ(strain_scale<LinearKernel>(TransferKind::flip), 1);
}

// In 32 bits. Weights of the cubic kernel that missed their first moment, and pushes that were
// added to nodes by themselves, made momentum drift by 4e-6 in as many steps.
TEST(Momentum, IsKeptToRoundOff) {
  for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic})
    for (int t = 0; t < 4; ++t) {
      SceneSettings scene = case_scene(3, 0.05, 50);
      scene.mpm.kernel = kernel;
      scene.mpm.transfer = static_cast<TransferKind>(t);
      const int rubber = add_material(scene, elastic_material<NeoHookean>(1e4, 0.3));
      ObjectSettings& box =
          add_box(scene, rubber, kDensity, {{0.013, 0.03, 0.02}}, {{0.31, 0.33, 0.32}});
      box.velocity = {{1, 0.7, 0.4}};
      box.angular_velocity = {{0, 0, 60}};
      auto world = World::create(scene, Precision::single);
      ASSERT_TRUE(world.ok());
      const Vec3d before = (*world)->statistics().momentum;
      for (int step = 0; step < 200; ++step) ASSERT_TRUE((*world)->advance_step().ok());
      const Vec3d change = (*world)->statistics().momentum - before;
      EXPECT_LT(std::sqrt(dot(change, change) / dot(before, before)), 1e-6)
          << kKernels[static_cast<int>(kernel)] << " " << kTransfers[t];
    }
}

}  // namespace
}  // namespace firn

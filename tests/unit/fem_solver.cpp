// The solver of meshed solids on its own: free motion, conservation, orders of schemes, recovery
// from tangled states, checkpoints, threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "exec/parallel.h"
#include "fem/rest_guess.h"
#include "fem_rig.h"

namespace firn {
namespace {

constexpr double kGravity = -9.81;

TEST(FemSolver, FreeFallIsThatOfTheScheme) {
  constexpr double dt = 0.01;
  for (const TimeScheme scheme :
       {TimeScheme::backward_euler, TimeScheme::bdf2, TimeScheme::trapezoid}) {
    Rig<3> run(tight(scheme), cube(2), rubber(1e5), kGravity);
    constexpr int kSteps = 10;
    for (int k = 0; k < kSteps; ++k) EXPECT_FALSE(run.step(dt).solve.missed);
    const double t = kSteps * dt;
    for (std::size_t i = 0; i < run.solver.model().nodes(); ++i)
      EXPECT_NEAR(run.solver.velocities()[i * 3 + 1], kGravity * t, 1e-6);
    // Backward Euler falls n (n + 1) / 2 g dt^2, the others its error of the first step farther.
    const double fallen = run.solver.places()[1] - run.rest(0, 1);
    const double exact = 0.5 * kGravity * t * t;
    const double expected =
        scheme == TimeScheme::backward_euler ? exact * (kSteps + 1) / kSteps : exact;
    EXPECT_NEAR(fallen, expected,
                scheme == TimeScheme::backward_euler ? 1e-6 : std::abs(kGravity) * dt * dt);
  }
}

TEST(FemSolver, FreeBodiesKeepMomentum) {
  for (int order : {1, 2}) {
    Rig<3> run(tight(), cube(2, order), rubber(1e4));
    RandomStream random(5, 0);
    run.start([&](std::size_t i, int a) { return run.rest(i, a); },
              [&](std::size_t, int) { return random.next_double() - 0.3; });
    const Vec3d before = run.momentum();
    double energy = 1e300;
    for (int k = 0; k < 20; ++k) {
      EXPECT_FALSE(run.step(0.01).solve.missed);
      const Vec3d off = run.momentum() - before;
      EXPECT_LT(std::sqrt(dot(off, off)), 1e-7 * std::sqrt(dot(before, before)));
      double now = run.solver.elastic_energy();
      for (std::size_t i = 0; i < run.solver.model().nodes(); ++i)
        for (int a = 0; a < 3; ++a)
          now += 0.5 * run.solver.model().mass[i] *
                 run.solver.velocities()[i * 3 + std::size_t(a)] *
                 run.solver.velocities()[i * 3 + std::size_t(a)];
      EXPECT_LE(now, energy * (1 + 1e-9));
      energy = now;
    }
  }
}

// Where nodes are after 0.15 s of swinging.
Buffer<double> places_after(TimeScheme scheme, int steps) {
  Rig<2> run(tight(scheme), body_of<2>(cut_cubes<2>({3, 3}, 1. / 3), 1), rubber(1e4));
  run.start([&](std::size_t i, int a) { return run.rest(i, a) * (a == 0 ? 1.1 : 1); },
            [&](std::size_t i, int a) { return a == 1 ? run.rest(i, 0) : 0.0; });
  for (int k = 0; k < steps; ++k) EXPECT_FALSE(run.step(0.15 / steps).solve.missed);
  return run.solver.places();
}

double farthest(const Buffer<double>& a, const Buffer<double>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

TEST(FemSolver, SchemesHaveTheirOrders) {
  const Buffer<double> reference = places_after(TimeScheme::trapezoid, 1000);
  const auto order = [&](TimeScheme scheme) {
    const double coarse = farthest(places_after(scheme, 40), reference);
    return std::log2(coarse / farthest(places_after(scheme, 80), reference));
  };
  EXPECT_NEAR(order(TimeScheme::backward_euler), 1, 0.2);
  EXPECT_NEAR(order(TimeScheme::bdf2), 2, 0.2);
  EXPECT_NEAR(order(TimeScheme::trapezoid), 2, 0.2);
}

TEST(FemSolver, TangledBodiesRecover) {
  for (const bool point : {false, true}) {
    FemSettings settings;
    settings.max_newton = 1000;
    Rig<3> run(settings, cube(3), rubber(1e7));
    RandomStream random(3, 1);
    run.start([&](std::size_t, int) { return point ? 0.5 : random.next_double(); },
              [](std::size_t, int) { return 0.0; });
    const StepReport report = run.step(1. / 24);
    EXPECT_FALSE(report.solve.missed);
    std::size_t wrong = 0;
    for (const CellValues& cell :
         run.solver.model().bodies[0].elastic->values(run.solver.places().data()))
      wrong += !(cell.volume_ratio > 0.5 && cell.volume_ratio < 2);
    EXPECT_EQ(wrong, 0u) << report.solve.newton_iterations << " iterations";
  }
}

template <class A, class B>
bool same_bytes(const A& a, const B& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

TEST(FemSolver, TangledBodiesMayBeginAsTheirShapeAtRest) {
  FemModel<3> model({cube(3)}, {rubber(1e5)});
  const double c = std::cos(0.8), s = std::sin(0.8);
  Buffer<double> predicted(model.nodes() * 3), tangled(predicted.size());
  RandomStream random(3, 0);
  for (std::size_t i = 0; i < model.nodes(); ++i) {
    const double* p = model.rest.data() + i * 3;
    predicted[i * 3] = c * p[0] - s * p[2] + 4;
    predicted[i * 3 + 1] = p[1] - 2;
    predicted[i * 3 + 2] = s * p[0] + c * p[2];
    for (std::size_t a = 0; a < 3; ++a) tangled[i * 3 + a] = random.next_double();
  }
  Buffer<double> guess = tangled;
  ASSERT_TRUE(guess_rest_of_tangled(model, predicted, guess));
  for (std::size_t k = 0; k < guess.size(); ++k) EXPECT_NEAR(guess[k], predicted[k], 1e-12);
  guess = predicted;
  EXPECT_FALSE(guess_rest_of_tangled(model, tangled, guess));
  for (std::size_t k = 0; k < guess.size(); ++k) EXPECT_EQ(guess[k], predicted[k]);
}

// A stiff cube whose nodes are anywhere is even again after one step, in as many Newton steps as an
// even one would take.
TEST(FemSolver, StiffTangledBodiesRecoverInOneStep) {
  Rig<3> run(FemSettings{}, cube(6), rubber(1e7));
  RandomStream random(9, 0);
  run.start([&](std::size_t, int) { return random.next_double(); },
            [](std::size_t, int) { return 0.0; });
  const StepReport report = run.step(1. / 24);
  EXPECT_FALSE(report.solve.missed);
  EXPECT_LE(report.solve.newton_iterations, 12);
  EXPECT_LT(run.solver.elastic_energy(), 1e4);  // 7e8 J tangled
}

TEST(FemSolver, ResumesBitForBit) {
  for (const TimeScheme scheme :
       {TimeScheme::backward_euler, TimeScheme::bdf2, TimeScheme::trapezoid}) {
    FemSettings settings;
    settings.scheme = scheme;
    Rig<3> run(settings, cube(2), rubber(1e4), kGravity);
    run.start([&](std::size_t i, int a) { return run.rest(i, a) * (a == 0 ? 1.2 : 1); },
              [](std::size_t, int) { return 0.0; });
    for (int k = 0; k < 5; ++k) run.step(0.01);
    StateImage image;
    run.solver.save(image);
    Rig<3> again(settings, cube(2), rubber(1e4), kGravity);
    ASSERT_TRUE(again.solver.load(image));
    again.time = run.time;
    for (int k = 0; k < 5; ++k) run.step(0.01), again.step(0.01);
    EXPECT_TRUE(same_bytes(run.solver.places(), again.solver.places()));
    EXPECT_TRUE(same_bytes(run.solver.velocities(), again.solver.velocities()));
  }
}

TEST(FemSolver, DamagedCheckpointsAreRefused) {
  Rig<3> run(FemSettings{}, cube(2), rubber(1e4), kGravity);
  run.step(0.01);
  StateImage image;
  run.solver.save(image);
  ASSERT_FALSE(image.arrays.empty());
  for (const auto& [name, array] : image.arrays) {
    StateImage without = image;
    without.arrays.erase(name);
    EXPECT_FALSE(Rig<3>(FemSettings{}, cube(2), rubber(1e4)).solver.load(without)) << name;
  }
}

TEST(FemSolver, ThreadsDoNotMatter) {
  const int before = thread_count();
  std::vector<Buffer<double>> places;
  for (int threads : {1, 2, 5}) {
    set_thread_count(threads);
    Rig<3> run(FemSettings{}, cube(6), rubber(1e4));
    RandomStream random(3, 1);
    run.start([&](std::size_t i, int a) { return run.rest(i, a) + 0.1 * random.next_double(); },
              [](std::size_t, int) { return 0.0; });
    for (int k = 0; k < 3; ++k) run.step(1. / 24);
    places.push_back(run.solver.places());
  }
  set_thread_count(before);
  EXPECT_TRUE(same_bytes(places[0], places[1]));
  EXPECT_TRUE(same_bytes(places[0], places[2]));
}

}  // namespace
}  // namespace firn

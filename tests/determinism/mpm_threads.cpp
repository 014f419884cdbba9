// The same bits whatever the number of threads: two materials that touch above a floor, over a
// sort, for every precision, dimension, kernel and transfer.
#include <gtest/gtest.h>

#include <cstring>

#include "../unit/state_bytes.h"
#include "cases/random_particles.h"
#include "exec/parallel.h"

namespace firn {
namespace {

struct Outcome {
  std::vector<unsigned char> bytes;
  int sorts = 0;
};

template <class T, int D>
Outcome run(KernelKind kernel, TransferKind transfer, int threads) {
  set_thread_count(threads);
  Collider floor;
  floor.shape.kind = ShapeKind::plane;
  floor.friction = 0.3;
  MpmSolver<T, D> solver(scheme_settings(kernel, transfer), std::vector<Collider>{floor});
  MpmState<T, D> state;
  std::vector<std::vector<Vec3d>> world;
  const int count = D == 3 ? 9 : 35;
  // A gentle meeting of soft bodies in fast common motion: particles change blocks, and the linear
  // kernel, which does not survive a crash, stays calm as well.
  NeoHookean::Parameters solid;
  solid.youngs_modulus = 2e4;
  Fluid::Parameters water;
  water.bulk_modulus = 2e4;
  add_box<T, D>(
      state, world, solid, count, {{0, 0.02, 0}},
      [](const Vec3d& x) {
        return Vec3d{{3 + 0.2 * x[1], 0, 0.2 * x[0]}};
      },
      Mat<double, D>::zero());
  add_box<T, D>(
      state, world, water, count, {{0.1, 0.03 + count * 0.025, 0.05}},
      [](const Vec3d& x) {
        return Vec3d{{3, -0.3 + 0.2 * x[0], 0.1}};
      },
      Mat<double, D>::zero());
  EXPECT_TRUE(sort_boxes(state, world, kernel));
  solver.initialize(state, {false, false});
  Outcome outcome;
  double signal = 0;
  for (int step = 0; step < 50; ++step) {
    const StepReport report = solver.step(state, 4e-4, {{0, -9.81, 0}});
    EXPECT_LT(report.bad_set, 0);
    EXPECT_LT(report.max_motion, 20);  // m/s: what falls here is slower than that
    signal += report.max_signal;
    outcome.sorts += state.drift == 0;
  }
  outcome.bytes = bytes_of(state);
  const auto* first = reinterpret_cast<const unsigned char*>(&signal);
  outcome.bytes.insert(outcome.bytes.end(), first, first + sizeof(signal));
  return outcome;
}

template <class T, int D>
void expect_same_bits() {
  const int before = thread_count();
  for (KernelKind kernel : {KernelKind::linear, KernelKind::quadratic, KernelKind::cubic})
    for (TransferKind transfer : {TransferKind::mls, TransferKind::apic, TransferKind::flip}) {
      const Outcome one = run<T, D>(kernel, transfer, 1);
      EXPECT_GT(one.sorts, 0);
      for (int threads : {2, 3}) {
        const Outcome many = run<T, D>(kernel, transfer, threads);
        ASSERT_EQ(one.bytes.size(), many.bytes.size());
        EXPECT_EQ(std::memcmp(one.bytes.data(), many.bytes.data(), one.bytes.size()), 0)
            << "kernel " << int(kernel) << ", transfer " << int(transfer) << ", " << threads
            << " threads";
      }
    }
  set_thread_count(before);
}

TEST(MpmThreads, SameBitsFloat2D) {
  expect_same_bits<float, 2>();
}
TEST(MpmThreads, SameBitsFloat3D) {
  expect_same_bits<float, 3>();
}
TEST(MpmThreads, SameBitsDouble2D) {
  expect_same_bits<double, 2>();
}
TEST(MpmThreads, SameBitsDouble3D) {
  expect_same_bits<double, 3>();
}

}  // namespace
}  // namespace firn

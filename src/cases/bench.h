// Benchmark cases: a block of one material (or of all) falls onto a frictional floor and flows; the
// steps of the ordinary frame loop are timed once it does.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/schemes.h"
#include "sim/world.h"

namespace firn {

inline constexpr std::int64_t kBenchParticles = 1'000'000;

struct BenchOptions {
  std::int64_t particles = 0;  // 0: kBenchParticles, or as the case has them
  int dimension = 3;
  KernelKind kernel = KernelKind::quadratic;
  TransferKind transfer = TransferKind::mls;
  Precision precision = Precision::single;
  Device device = Device::cpu;
  bool stepwise = false;  // drops: the host starts each step, for profilers that see no loops
  double work = 60e6;     // particle-steps to time, at least
  std::function<void(const std::string& line)> progress = [](const std::string&) {};
};

struct BenchResult {
  std::string case_name;
  std::int64_t particles = 0;
  int threads = 1;
  std::int64_t steps = 0;
  double particle_steps_per_second = 0;
  double bytes_per_particle = 0;             // growth of resident memory, or device memory
  double bytes_moved_per_particle_step = 0;  // counted from what the stages read and write
  double flops_per_particle_step = 0;        // counted, transfers and deformation only
  double plastic_fraction = 0;               // at the end
  std::vector<std::pair<std::string, double>> phases;
};

// neo_hookean, water, fixed_corotated, snow, sand, ..., mixed.
std::vector<std::string> bench_case_names();
Result<BenchResult> run_bench(const std::string& case_name, const BenchOptions& options);

// What the machine can do, measured with the threads in use.
struct MachinePeak {
  double bandwidth = 0;   // bytes/s, triad
  double arithmetic = 0;  // 32-bit flop/s, fused multiply-add on packs
};
MachinePeak measure_peak();

}  // namespace firn

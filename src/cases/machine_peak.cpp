#include <algorithm>
#include <atomic>
#include <chrono>

#include "base/lane_ops.h"
#include "cases/bench.h"
#include "exec/buffer.h"
#include "exec/parallel.h"

namespace firn {
namespace {

template <class Work>
double seconds_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// a = b + s c over arrays far larger than the caches.
double triad_bandwidth() {
  const std::int64_t n = 1 << 24;
  Buffer<float> a(n), b(n), c(n);
  a.fill(0);
  b.fill(1);
  c.fill(2);
  double best = 1e30;
  for (int repeat = 0; repeat < 5; ++repeat)
    best = std::min(best, seconds_of([&] {
                      parallel_for("triad", n, 1 << 18, [&](std::int64_t begin, std::int64_t end) {
                        for (std::int64_t i = begin; i < end; ++i) a[i] = b[i] + 0.5f * c[i];
                      });
                    }));
  return 3.0 * sizeof(float) * double(n) / best;
}

// Sixteen independent chains of multiply-adds keep every pipe busy. The sum keeps the compiler from
// leaving them out.
float multiply_add_chains(std::int64_t count, float factor) {
  using P = Simd<float, 4>;
  const P f(factor);
  P chain[16];
  for (int k = 0; k < 16; ++k) chain[k] = P(1.0f + static_cast<float>(k));
  for (std::int64_t i = 0; i < count; ++i)
    unroll<16>([&](auto k) FIRN_INLINE_LAMBDA { chain[k] += chain[k] * f; });
  P sum(0);
  for (const P& c : chain) sum += c;
  return sum[0] + sum[1] + sum[2] + sum[3];
}

double multiply_add_rate() {
  const std::int64_t count = 4'000'000;
  const int threads = thread_count();
  volatile float factor = 1e-9f;  // unknown to the compiler
  std::atomic<float> sink = 0;
  double best = 1e30;
  for (int repeat = 0; repeat < 3; ++repeat)
    best = std::min(best, seconds_of([&] {
                      parallel_for("multiply-add", threads, 1, [&](std::int64_t, std::int64_t) {
                        sink = multiply_add_chains(count, factor);
                      });
                    }));
  return double(threads) * double(count) * 16 * 4 * 2 / best;
}

}  // namespace

MachinePeak measure_peak() {
  return {triad_bandwidth(), multiply_add_rate()};
}

}  // namespace firn

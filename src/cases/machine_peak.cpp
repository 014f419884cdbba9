#include <algorithm>
#include <chrono>

#include "base/pack.h"
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

// Twelve independent chains of multiply-adds keep every pipe busy.
void multiply_add_chains(std::int64_t count) {
  using P = Pack<float, 4>;
  P chain[12];
  for (auto& c : chain) c = P(1.0f);
  P factor(1e-9f), term(1e-3f);
  asm volatile("" : "+m"(factor), "+m"(term));
  const P f = factor, t = term;
  for (std::int64_t i = 0; i < count; ++i)
#pragma GCC unroll 12
    for (int k = 0; k < 12; ++k) chain[k] = t + chain[k] * f;
  for (auto& c : chain) asm volatile("" : : "m"(c));
}

double multiply_add_rate() {
  const std::int64_t count = 4'000'000;
  const int threads = thread_count();
  double best = 1e30;
  for (int repeat = 0; repeat < 3; ++repeat)
    best = std::min(best, seconds_of([&] {
                      parallel_for("multiply-add", threads, 1, [&](std::int64_t, std::int64_t) {
                        multiply_add_chains(count);
                      });
                    }));
  return double(threads) * double(count) * 12 * 4 * 2 / best;
}

}  // namespace

MachinePeak measure_peak() { return {triad_bandwidth(), multiply_add_rate()}; }

}  // namespace firn

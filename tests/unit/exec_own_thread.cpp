// Loops beside loops: the pool serves one thread at a time, the others go on by themselves.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "exec/parallel.h"

namespace firn {
namespace {

// Adds one to every element, many times.
void count_up(std::vector<int>& values, int times) {
  for (int t = 0; t < times; ++t)
    parallel_for("test", static_cast<std::int64_t>(values.size()), 64,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t i = begin; i < end; ++i) ++values[static_cast<std::size_t>(i)];
                 });
}

TEST(OwnThreadScope, LoopsOfTwoThreadsDoNotMeet) {
  set_thread_count(3);
  constexpr int kTimes = 300;
  std::vector<int> main_values(5000), side_values(5000);
  std::atomic<int> strangers{0};
  std::thread side([&] {
    const OwnThreadScope own_thread;
    const std::thread::id self = std::this_thread::get_id();
    count_up(side_values, kTimes);
    parallel_for("test", 1000, 10, [&](std::int64_t, std::int64_t) {
      if (std::this_thread::get_id() != self) ++strangers;
    });
  });
  count_up(main_values, kTimes);
  side.join();
  EXPECT_EQ(main_values, std::vector<int>(5000, kTimes));
  EXPECT_EQ(side_values, std::vector<int>(5000, kTimes));
  EXPECT_EQ(strangers, 0);
}

TEST(ParallelFor, ServesSeveralThreadsAtOnce) {
  set_thread_count(3);
  constexpr int kTimes = 300;
  std::vector<std::vector<int>> values(4, std::vector<int>(5000));
  std::vector<std::thread> threads;
  for (auto& mine : values) threads.emplace_back([&mine] { count_up(mine, kTimes); });
  for (int t = 0; t < 20; ++t) set_thread_count(2 + t % 3);
  for (auto& thread : threads) thread.join();
  for (const auto& each : values) EXPECT_EQ(each, std::vector<int>(5000, kTimes));
}

TEST(ParallelFor, LoopsInsideLoopsStayOnTheirThread) {
  set_thread_count(3);
  std::vector<std::vector<int>> values(64, std::vector<int>(1000));
  parallel_for("outer", 64, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) count_up(values[static_cast<std::size_t>(i)], 5);
  });
  for (const auto& each : values) EXPECT_EQ(each, std::vector<int>(1000, 5));
}

TEST(OwnThreadScope, EndsWithTheObject) {
  set_thread_count(2);
  std::atomic<int> pieces{0};
  { const OwnThreadScope own_thread; }
  parallel_for("test", 100, 1, [&](std::int64_t, std::int64_t) { ++pieces; });
  EXPECT_EQ(pieces, 100);
}

}  // namespace
}  // namespace firn

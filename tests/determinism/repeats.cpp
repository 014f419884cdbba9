// The same bytes of a frame: again, step by step, from a checkpoint, and beside another world in a
// thread of its own. A device is asked the same by `firn_engine repeatability`.
#include "cases/repeatability.h"

#include <gtest/gtest.h>

namespace firn {
namespace {

TEST(Repeats, AreTheSameBytesOnTheCpu) {
  const Result<std::vector<Repeat>> repeats = check_repeats(Device::cpu);
  ASSERT_TRUE(repeats.ok()) << repeats.errors().front();
  EXPECT_GE(repeats->size(), 100u);
  for (const Repeat& repeat : *repeats)
    EXPECT_TRUE(repeat.same()) << repeat.scene << " " << repeat.manner << ": " << repeat.difference;
}

}  // namespace
}  // namespace firn

// The same bytes of a frame: again, step by step, from a checkpoint, and beside another world in a
// thread of its own. A device is asked the same by `firn_engine repeatability`.
#include "cases/repeatability.h"

#include <gtest/gtest.h>

namespace firn {
namespace {

TEST(Repeats, AreTheSameBytesOnTheCpu) {
  int told = 0;
  const Errors errors = check_repeats(Device::cpu, {}, [&](const Repeat& repeat) {
    ++told;
    EXPECT_TRUE(repeat.same()) << repeat.scene << " " << repeat.manner << ": " << repeat.difference;
  });
  ASSERT_TRUE(errors.empty()) << errors.front();
  EXPECT_GE(told, 100);
}

}  // namespace
}  // namespace firn

// The judge of `firn validate`: what passes, what fails, and what a control proves.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

TEST(Judge, AControlPassesWhenTheJudgementRejectsIt) {
  EXPECT_TRUE(must_fail(relative_check("case", "slope", 1.1, 1.0, 0.03)).pass);
  EXPECT_FALSE(must_fail(relative_check("case", "slope", 1.01, 1.0, 0.03)).pass);
}

TEST(Judge, AControlThatDidNotRunFails) {
  EXPECT_FALSE(must_fail(failed_run("case", {"diverged"})).pass);
  EXPECT_FALSE(must_fail(relative_check("case", "slope", std::nan(""), 1.0, 0.03)).pass);
  EXPECT_FALSE(must_fail(limit_check("case", "error", std::nan(""), 0.1)).pass);
  EXPECT_FALSE(must_fail(report("case", "angle", 3)).pass);
}

TEST(Judge, NumbersThatAreNoneFail) {
  EXPECT_FALSE(relative_check("case", "slope", std::nan(""), 1.0, 0.03).pass);
  EXPECT_FALSE(limit_check("case", "error", std::nan(""), 0.1).pass);
  EXPECT_FALSE(loss_check("case", "energy", std::nan(""), 0.1, 0.1).pass);
}

TEST(Judge, EnergyMayNeitherVanishNorAppear) {
  EXPECT_TRUE(loss_check("case", "energy", 0.4, 0.5, 0.01).pass);
  EXPECT_TRUE(loss_check("case", "energy", -0.005, 0.5, 0.01).pass);
  EXPECT_FALSE(loss_check("case", "energy", 0.6, 0.5, 0.01).pass);
  EXPECT_FALSE(loss_check("case", "energy", -0.02, 0.5, 0.01).pass);
  EXPECT_TRUE(must_fail(loss_check("case", "energy", -0.02, 0.5, 0.01)).pass);
}

}  // namespace
}  // namespace firn

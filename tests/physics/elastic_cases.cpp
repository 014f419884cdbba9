// The quick reference cases of `firn validate` among the elastic ones: every check, and every
// control that must fail, comes out as it should.
#include <gtest/gtest.h>

#include "cases/validate.h"

namespace firn {
namespace {

class ElasticCase : public ::testing::TestWithParam<const char*> {};

TEST_P(ElasticCase, EveryCheckPasses) {
  for (const ValidationCase& one : validation_cases()) {
    if (std::string(one.name) != GetParam()) continue;
    const std::vector<Check> checks = one.run({});
    EXPECT_GE(checks.size(), 2u);
    int controls = 0;
    for (const Check& check : checks) {
      EXPECT_TRUE(check.pass) << check.quantity << ": measured " << check.measured << ", reference "
                              << check.reference << ", error " << check.error << ", tolerance "
                              << check.tolerance;
      controls += check.quantity.find("control, must fail") == 0;
    }
    EXPECT_GE(controls, 1);
    return;
  }
  FAIL() << "no case " << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Quick, ElasticCase,
                         ::testing::Values("invariants", "derivatives", "two_disks", "incline"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace firn

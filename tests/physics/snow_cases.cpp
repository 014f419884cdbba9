// Small versions of the snow validation case.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/snow_tools.h"

namespace firn {
namespace {

TEST(SnowCases, PackedRatioBalancesTheLoad) {
  const Snow::Parameters snow;
  const double s = 1 - snow.critical_compression;
  for (const double load : {5e3, 1e4, 2e4}) {
    const double ratio = packed_volume_ratio(snow, load);
    MaterialState<double, 2, Snow::kScalars> state;
    state.F = Mat<double, 2>::diagonal({{1, s}});
    state.scalar[0] = ratio;
    const auto constants = Snow::constants<double, 2>(snow, 1.0);
    const double pressure = -Snow::update<double, 2>(constants, state).tau(1, 1) / (s * ratio);
    EXPECT_NEAR(pressure, load, 1e-6 * load);
  }
  EXPECT_EQ(packed_volume_ratio(snow, 1e3), 1);
}

TEST(SnowCases, ColumnPacksAndHardensUnderItsWeight) {
  const Snow::Parameters snow;
  const Result<PackedColumn> column = pack_column(snow, snow, 4, 0.2);
  ASSERT_TRUE(column) << column.errors().front();
  EXPECT_NEAR(column->compaction, column->expected, 0.05 * column->expected);
  EXPECT_GT(column->hardest, 2);
}

TEST(SnowCases, TensionTearsItUnlessItNeverYields) {
  const Result<int> pieces = tear_bar({}, 0.04);
  ASSERT_TRUE(pieces) << pieces.errors().front();
  EXPECT_GE(*pieces, 2);
  Snow::Parameters elastic;
  elastic.critical_compression = 1;
  elastic.critical_stretch = 100;
  const Result<int> whole = tear_bar(elastic, 0.04);
  ASSERT_TRUE(whole) << whole.errors().front();
  EXPECT_EQ(*whole, 1);
}

TEST(SnowCases, BallSticksToAStickyWallOnly) {
  const Result<ThrownBall> sticky = throw_ball({}, ContactKind::sticky, 0.0125);
  ASSERT_TRUE(sticky) << sticky.errors().front();
  EXPECT_GT(sticky->stuck, 0.5);
  EXPECT_LT(sticky->area, 1.2);
  const Result<ThrownBall> smooth = throw_ball({}, ContactKind::separate, 0.0125);
  ASSERT_TRUE(smooth) << smooth.errors().front();
  EXPECT_LT(smooth->stuck, 0.1);
}

}  // namespace
}  // namespace firn

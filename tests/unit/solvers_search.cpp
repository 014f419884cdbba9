// Searches along a path: what they take fulfils their conditions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "solvers/minimize_scalars.h"
#include "solvers/search_scalars.h"

namespace firn {
namespace {

struct Path {
  double (*value)(double, double);
  double (*slope)(double, double);
};

// Each falls from alpha = 0; the parameter shifts its bottom between 1e-4 and 1e4.
const Path kPaths[] = {
    {[](double a, double s) { return (a - s) * (a - s); },
     [](double a, double s) { return 2 * (a - s); }},
    {[](double a, double s) { return -a / (a * a + s * s); },
     [](double a, double s) { return (a * a - s * s) / std::pow(a * a + s * s, 2); }},
    {[](double a, double s) {
       return a < 2 * s ? a / s - 2 * std::log(a / s + 1) - std::log(2 - a / s) : NAN;
     },
     [](double a, double s) { return (1 - 2 / (a / s + 1) + 1 / (2 - a / s)) / s; }},
    {[](double a, double s) { return std::pow(a / s + 0.04, 5) - 2 * std::pow(a / s + 0.04, 4); },
     [](double a, double s) {
       const double b = a / s + 0.04;
       return (5 * std::pow(b, 4) - 8 * std::pow(b, 3)) / s;
     }},
};

PathSearch run(const Path& path, double shift, const SearchRules& rules) {
  PathSearch search(path.value(0, shift), path.slope(0, shift), rules);
  while (!search.done()) {
    const double value = path.value(search.alpha(), shift);
    const bool wanted = search.wants_slope(value);
    search.judge(value, wanted ? path.slope(search.alpha(), shift) : NAN, false);
  }
  return search;
}

TEST(PathSearch, WhatItTakesFulfilsTheWolfeConditions) {
  for (const Path& path : kPaths)
    for (double shift = 1e-4; shift < 2e4; shift *= 3.7)
      for (const double level : {0.9, 0.1, 1e-3}) {
        SearchRules rules;
        rules.level = level;
        const PathSearch search = run(path, shift, rules);
        ASSERT_TRUE(search.found());
        EXPECT_LT(search.steps(), rules.most_steps);
        const double alpha = search.best().alpha, first = path.slope(0, shift);
        EXPECT_LT(first, 0);
        EXPECT_LE(path.value(alpha, shift), path.value(0, shift) + 1e-4 * alpha * first);
        EXPECT_LE(std::abs(path.slope(alpha, shift)), -level * first);
        EXPECT_EQ(search.best().value, path.value(alpha, shift));
      }
}

TEST(PathSearch, EndsWithTheLowestPointWhenCutShort) {
  for (const Path& path : kPaths)
    for (double shift = 1e-2; shift < 1e2; shift *= 1.1)
      for (const int most : {2, 3, 4}) {
        SearchRules rules;
        rules.level = 1e-3;
        rules.most_steps = most;
        PathSearch search(path.value(0, shift), path.slope(0, shift), rules);
        double lowest = HUGE_VAL;
        while (!search.done()) {
          const double alpha = search.alpha(), value = path.value(alpha, shift);
          const double allowed = path.value(0, shift) + 1e-4 * alpha * path.slope(0, shift);
          if (value <= allowed) lowest = std::min(lowest, value);
          search.judge(value, path.slope(alpha, shift), false);
        }
        if (search.found()) {
          EXPECT_EQ(search.best().value, lowest);
        } else {
          EXPECT_EQ(lowest, HUGE_VAL);
        }
      }
}

TEST(PathSearch, BacktracksByHalves) {
  SearchRules rules;
  rules.kind = SearchKind::armijo;
  for (const Path& path : kPaths)
    for (double shift = 1e-4; shift < 2e4; shift *= 3.7) {
      const PathSearch search = run(path, shift, rules);
      ASSERT_TRUE(search.found());
      const double alpha = search.best().alpha;
      EXPECT_EQ(alpha, std::pow(0.5, search.steps() - 1));
      EXPECT_LT(path.value(alpha, shift), path.value(0, shift));
    }
}

TEST(PathSearch, AGoodStepCostsOneEvaluation) {
  EXPECT_EQ(run(kPaths[0], 1, {}).steps(), 1);
  EXPECT_GT(run(kPaths[0], 0.01, {}).steps(), 1);
}

TEST(PathSearch, FindsNothingWhereEverythingRises) {
  const Path up{[](double a, double) { return a; }, [](double, double) { return 1.0; }};
  const Path nowhere{[](double a, double) { return a > 0 ? double{NAN} : 0; },
                     [](double, double) { return -1.0; }};
  for (const SearchKind kind : {SearchKind::wolfe, SearchKind::armijo})
    for (const Path& path : {up, nowhere}) {
      SearchRules rules;
      rules.kind = kind;
      PathSearch search(0, -1, rules);  // the first slope is a lie
      while (!search.done())
        search.judge(path.value(search.alpha(), 1), path.slope(search.alpha(), 1), false);
      EXPECT_FALSE(search.found());
      EXPECT_EQ(search.steps(), rules.most_steps);
    }
}

// A kink where a path meets a constraint: no slope is level, but the far side is lower.
TEST(PathSearch, TakesTheFarSideOfAKink) {
  const auto valley = [](bool met) {
    PathSearch search(0, -10, {});
    while (!search.done()) {
      const double a = search.alpha(), kink = 0.9;
      const bool beyond = a > kink;
      search.judge(beyond ? -10 * kink + 50 * (a - kink) : -10 * a, beyond ? 50 : -10,
                   met && beyond);
    }
    return search;
  };
  EXPECT_EQ(valley(true).steps(), 1);
  EXPECT_EQ(valley(true).best().alpha, 1);
  EXPECT_GT(valley(false).steps(), 10);
}

TEST(PathSearch, DifferencesLostInRoundingComeFromSlopes) {
  const SearchPoint start{0, 1e12, -2}, bottom{1, 1e12, 0}, beyond{3, 1e12, 4};
  EXPECT_DOUBLE_EQ(rise(start, bottom, 1), -1);
  EXPECT_DOUBLE_EQ(rise(start, beyond, 1), 3);
  EXPECT_DOUBLE_EQ(rise(start, bottom, 0), -1);  // equal values say nothing either
  EXPECT_DOUBLE_EQ(rise(start, {1, 1e12 + 5, 0}, 1), 5);
}

TEST(PathSearch, NothingAboveTheCeilingIsTaken) {
  SearchRules rules;
  rules.noise = 10;
  rules.ceiling = 1;
  PathSearch search(0, -1, rules);
  EXPECT_FALSE(search.wants_slope(2));
  search.judge(2, -1, false);
  EXPECT_FALSE(search.found());
}

TEST(MinimizeScalars, DecideByRatios) {
  EXPECT_DOUBLE_EQ(linear_tolerance(1, 1e-6, 1, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(linear_tolerance(1e-4, 1e-6, 1, 0.5), 1e-2);
  EXPECT_DOUBLE_EQ(linear_tolerance(1e-9, 1e-6, 1, 0.5), 1e-3);
  EXPECT_DOUBLE_EQ(linear_tolerance(1e-4 * 7, 7e-6, 7, 0.5), 1e-2);  // in any units
  EXPECT_EQ(points_down(-0.5, 1, 1, 0.1), Downhill::yes);
  EXPECT_EQ(points_down(0.5, 1, 1, 0.1), Downhill::reversed);
  EXPECT_EQ(points_down(-0.05, 1, 1, 0.1), Downhill::no);
  EXPECT_EQ(points_down(NAN, 1, 1, 0.1), Downhill::no);
  EXPECT_EQ(clamp_factor(3, 6), 1);
  EXPECT_EQ(clamp_factor(12, 6), 0.5);
}

}  // namespace
}  // namespace firn

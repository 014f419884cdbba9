// How long an implicit step is worth its effort: where one takes many iterations, two of half its
// length may take fewer together. Lengths are the longest one, halved some times; what a second of
// each took is remembered for a while.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/step_report.h"

namespace firn {

class StepEffort {
 public:
  double limit(double longest) const { return std::ldexp(longest, -level_); }

  // A step of this length was taken, after these solves; `halved`: longer ones were tried.
  void took(double longest, double dt, const SolveReport& solves, bool halved) {
    if (!(dt > 0) || !(longest > 0)) return;
    const int at = std::clamp(static_cast<int>(std::lround(std::log2(longest / dt))), 0, kMost);
    for (int& age : age_) age = std::min(age + 1, kForgotten);
    // A linearization costs some products.
    const double effort = solves.krylov_iterations + 3.0 * solves.newton_iterations;
    const double rate = effort / dt;
    rate_[at] = knows(at) ? (rate_[at] + rate) / 2 : rate;
    age_[at] = 0;
    if (halved || effort > kMuch)
      level_ = !halved && at > 0 && knows(at - 1) && rate_[at - 1] < rate_[at] ? at - 1
               : promises(at + 1, at)                                          ? at + 1
                                                                               : at;
    else if (level_ > 0 && effort < kLittle && may_be_easy(level_ - 1, at))
      --level_;
  }

  std::vector<double> save() const {
    std::vector<double> saved{double(level_)};
    for (int k = 0; k <= kMost; ++k) saved.insert(saved.end(), {rate_[k], double(age_[k])});
    return saved;
  }
  // False where it is no such thing.
  bool load(const std::vector<double>& saved) {
    if (saved.size() != 2 * (kMost + 1) + 1) return false;
    for (const double value : saved)
      if (!(value >= 0 && value < 1e300)) return false;
    if (saved[0] > kMost) return false;
    level_ = static_cast<int>(saved[0]);
    for (int k = 0; k <= kMost; ++k) {
      rate_[k] = saved[1 + 2 * k];
      age_[k] = static_cast<int>(std::min<double>(saved[2 + 2 * k], kForgotten));
    }
    return true;
  }

 private:
  static constexpr int kMost = 20;  // halvings
  // Products of a step that make half of it worth a try, and twice its length.
  static constexpr double kMuch = 800, kLittle = 120;
  static constexpr int kTryAgain = 5;    // steps, after which long ones may have become easy
  static constexpr int kForgotten = 30;  // steps

  bool knows(int level) const { return age_[level] < kForgotten; }
  bool promises(int level, int than) const {
    return level >= 0 && level <= kMost && (!knows(level) || rate_[level] < rate_[than]);
  }
  bool may_be_easy(int level, int now) const {
    return age_[level] > kTryAgain || rate_[level] < rate_[now];
  }
  static std::array<int, kMost + 1> forgotten() {
    std::array<int, kMost + 1> ages;
    ages.fill(kForgotten);
    return ages;
  }

  int level_ = 0;
  std::array<double, kMost + 1> rate_{};  // 1/s
  std::array<int, kMost + 1> age_ = forgotten();
};

}  // namespace firn

// Decisions of a search along a path of descent, apart from the vectors: which length to try next,
// and which to take. Host and device.
#pragma once

#include <cmath>

#include "base/macros.h"

namespace firn {

enum class SearchKind {
  wolfe,   // strong Wolfe conditions: lower, and nearly level along the path
  armijo,  // lower: halves the step until it is
};

struct SearchRules {
  SearchKind kind = SearchKind::wolfe;
  double sufficient = 1e-4;  // share of the first slope by which the objective must fall
  double level = 0.9;        // share of the first slope that may be left
  double growth = 2;         // from a step that was too short to the next
  int most_steps = 40;
  double noise = 0;           // differences of the objective that rounding may have made
  double ceiling = HUGE_VAL;  // no point above it is taken
};

struct SearchPoint {
  double alpha = 0, value = 0, slope = 0;
};

// The objective of one point less that of another. Where rounding hides it, by the trapezoidal rule
// from the slopes, which keep their digits.
FIRN_HD inline double rise(const SearchPoint& from, const SearchPoint& to, double noise) {
  const double difference = to.value - from.value;
  if (std::abs(difference) > noise) return difference;
  return (from.slope + to.slope) / 2 * (to.alpha - from.alpha);
}

// Brackets a length that will do, then closes in on it (Nocedal and Wright, 3.5 and 3.6). The first
// length is 1, so that a good Newton step costs one evaluation.
class PathSearch {
 public:
  FIRN_HD PathSearch(double value, double slope, const SearchRules& rules)
      : rules_(rules), start_{0, value, slope}, low_(start_), high_(start_) {}

  FIRN_HD bool done() const { return done_; }
  // After the end: whether a lower point was found, and where. Before it: what to try next.
  FIRN_HD bool found() const { return low_.alpha > 0; }
  FIRN_HD const SearchPoint& best() const { return low_; }
  FIRN_HD double alpha() const { return alpha_; }
  FIRN_HD int steps() const { return steps_; }

  // Whether the slope at the length that was tried can still matter.
  FIRN_HD bool wants_slope(double value) const {
    return std::isfinite(value) && value <= rules_.ceiling &&
           value - start_.value <= required(alpha_) + rules_.noise;
  }
  // What was found at alpha(); the slope may be NaN where it was not wanted. A path that met new
  // constraints has a kink there, where no slope is level: it is taken though it rises.
  FIRN_HD void judge(double value, double slope, bool met_constraints) {
    const SearchPoint point{alpha_, value, slope};
    const bool high = too_high(point);
    ++steps_;
    if (!high && suffices(point, met_constraints)) {
      low_ = point;
      done_ = true;
      return;
    }
    if (rules_.kind == SearchKind::armijo)
      alpha_ /= 2;
    else
      close_in(point, high);
    if (steps_ >= rules_.most_steps || !std::isfinite(alpha_)) done_ = true;
  }

 private:
  FIRN_HD double required(double alpha) const { return rules_.sufficient * alpha * start_.slope; }
  FIRN_HD bool too_high(const SearchPoint& p) const {
    if (!std::isfinite(p.value) || !std::isfinite(p.slope) || p.value > rules_.ceiling) return true;
    if (rise(start_, p, rules_.noise) > required(p.alpha)) return true;
    return found() && rise(low_, p, rules_.noise) >= 0;
  }
  FIRN_HD bool suffices(const SearchPoint& p, bool met_constraints) const {
    if (rules_.kind == SearchKind::armijo) return true;
    if (met_constraints && p.slope >= 0) return true;
    return std::abs(p.slope) <= -rules_.level * start_.slope;
  }
  FIRN_HD void close_in(const SearchPoint& p, bool high) {
    if (high) {
      high_ = p;
      bracketed_ = true;
    } else {
      // Beyond the bottom, seen from low: what lies behind is the other end.
      const double onwards = bracketed_ ? high_.alpha - low_.alpha : 1;
      if (p.slope * onwards >= 0) {
        high_ = low_;
        bracketed_ = true;
      }
      low_ = p;
    }
    alpha_ = bracketed_ ? between() : alpha_ * rules_.growth;
    if (bracketed_ && alpha_ == low_.alpha) done_ = true;
  }
  // Between the ends, by slopes or values; by halves where neither helps or it goes slowly.
  FIRN_HD double between() {
    const double width = high_.alpha - low_.alpha;
    double share = 0.5;
    if (std::abs(width) < 0.7 * width_before_) share = bottom_by_parabola(width);
    width_before_ = std::abs(width);
    if (!(share > 0.05)) share = 0.05;
    if (share > 0.95) share = 0.95;
    return low_.alpha + share * width;
  }
  FIRN_HD double bottom_by_parabola(double width) const {
    const double low_slope = low_.slope * width, high_slope = high_.slope * width;
    if (high_slope > 0) return low_slope / (low_slope - high_slope);
    const double bend = high_.value - low_.value - low_slope;
    return std::isfinite(bend) && bend > 0 ? -low_slope / (2 * bend) : 0.5;
  }

  SearchRules rules_;
  SearchPoint start_, low_, high_;
  double alpha_ = 1, width_before_ = HUGE_VAL;
  int steps_ = 0;
  bool bracketed_ = false, done_ = false;
};

}  // namespace firn

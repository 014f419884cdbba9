#include "session/pace_meter.h"

namespace firn {

void PaceMeter::begin(double clock, double simulated) {
  marks_.assign(1, {clock, simulated});
}

void PaceMeter::note(double clock, double simulated) {
  marks_.push_back({clock, simulated});
  while (marks_.size() > 2 && clock - marks_[1].clock >= kLookBack) marks_.pop_front();
}

double PaceMeter::pace() const {
  if (marks_.size() < 2) return 0;
  const double passed = marks_.back().clock - marks_.front().clock;
  return passed > 0 ? (marks_.back().simulated - marks_.front().simulated) / passed : 0;
}

}  // namespace firn

// How fast a simulation plays: simulated seconds a second of the clock, over the last of them.
#pragma once

#include <deque>

namespace firn {

class PaceMeter {
 public:
  // Starts anew, from where the simulation stands.
  void begin(double clock, double simulated);
  // Both in s; neither runs backwards.
  void note(double clock, double simulated);
  // 0: not known yet.
  double pace() const;

 private:
  static constexpr double kLookBack = 1;  // s of the clock

  struct Mark {
    double clock, simulated;
  };
  std::deque<Mark> marks_;  // one before the stretch looked at, and those in it
};

}  // namespace firn

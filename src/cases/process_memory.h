// Memory of this process.
#pragma once

namespace firn {

double resident_bytes();

// The most that is resident from now on, beyond what is now. Where the system does not tell, what
// is resident when asked.
class PeakMemory {
 public:
  PeakMemory();
  double growth() const;  // bytes

 private:
  double before_;
  bool told_;
};

}  // namespace firn

// Wall-clock seconds per named phase.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace firn {

class Timers {
 public:
  template <class Work>
  decltype(auto) measure(const char* phase, Work&& work) {
    struct Scope {
      Timers* timers;
      const char* phase;
      std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
      ~Scope() {
        timers->add(
            phase, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
    } scope{this, phase};
    return work();
  }
  void add(const char* phase, double seconds) {
    for (auto& [name, total] : phases_)
      if (name == phase) {
        total += seconds;
        return;
      }
    phases_.emplace_back(phase, seconds);
  }
  const std::vector<std::pair<std::string, double>>& phases() const { return phases_; }
  void reset() { phases_.clear(); }
  // Seconds per phase since an earlier copy of these timers.
  std::vector<std::pair<std::string, double>> since(const Timers& earlier) const {
    auto result = phases_;
    for (auto& [name, total] : result)
      for (const auto& [old_name, old_total] : earlier.phases_)
        if (name == old_name) total -= old_total;
    return result;
  }

 private:
  std::vector<std::pair<std::string, double>> phases_;
};

}  // namespace firn

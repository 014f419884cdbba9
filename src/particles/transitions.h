// Particles that become another material or species while a world runs: they keep place, velocity,
// mass, id and what the scene gave them, and go on under the stress that they had (docs/porous.md).
#pragma once

#include <cstdint>
#include <vector>

#include "expr/program.h"
#include "particles/particles.h"

namespace firn {

// The variables that conditions know, by number; behind them the scalars of the scene and then
// those of the model that particles have.
struct TransitionVariables {
  static constexpr int kPhi = 0, kPlace = 1, kTime = 4, kSpeed = 5, kPressure = 6, kScalars = 7;
};
inline constexpr int kMostTransitionVariables = 7 + 8 + 4;

struct Transition {
  int number = 0;        // in the list of the scene
  int from = 0, to = 0;  // sets
  double density = 0;    // kg/m^3 of the new material without stress; 0: the volume stays
  Program when{};        // above 0 where it holds
};
using Transitions = std::vector<Transition>;

// Conditions are looked at at the start, and whenever a run has taken another ten steps.
FIRN_HD inline bool are_transitions_due(std::int64_t steps) {
  return steps % 10 == 0;
}

// One look: who changes, and how. After it is made, and where any() is true:
//   append_changed   particles of another material come behind those of their new sets
//                    (their solver then gives those behind first_new() their first stress)
//   append_moved     those of the same material, which keep all of their state, come behind these
//   regroup          the old ones go, the new ones get their places in their blocks
// Blocks stay as they are. The same bytes for any number of threads.
template <class T, int D>
class Changeover {
 public:
  Changeover(Particles<T, D>& all, const Transitions& transitions, double time);

  bool any() const { return any_; }
  // Parameters of the new material that left their range are told.
  VariedFinding append_changed();
  const std::vector<std::size_t>& first_new() const { return first_new_; }
  void append_moved();
  void regroup();

  // Adds how many take each transition of the scene's list.
  void count(std::vector<std::uint64_t>& totals) const;
  // Of the particles that came to each set, kg/m^3; infinite where none did. Before regroup().
  std::vector<double> least_densities() const;

 private:
  using Mark = std::uint16_t;
  // A particle behind those of its new set.
  struct Arrival {
    int block;
    std::uint32_t transition, source;
  };

  void mark_block(int set, int block);
  bool keeps_state(const Transition& transition) const;
  void append(bool that_keep_state);
  void copy_columns(int to, std::size_t first);
  void settle(int to);

  Particles<T, D>& all_;
  const Transitions& transitions_;
  double time_;
  bool any_ = false;
  // By set and particle: the transition that it takes, and one more; 0: none.
  std::vector<std::vector<Mark>> marks_;
  std::vector<std::size_t> first_new_;
  std::vector<std::vector<Arrival>> arrivals_;  // by set
};

}  // namespace firn

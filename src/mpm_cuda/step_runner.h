// Steps as graphs: many that follow each other on the device, or one that the host starts.
#pragma once

#include "cuda/loop_graph.h"
#include "mpm_cuda/launches.h"

namespace firn {

template <class T, int D>
class StepRunner {
 public:
  // The graphs hold the views and the sets as they were.
  void forget() {
    many_.clear();
    one_.clear();
    one_telling_.clear();
  }
  void set_force(bool acts) {
    if (acts != with_force_) forget();
    with_force_ = acts;
  }
  // As many as the control block asks for; the first of them has begun.
  void run_many(const Launches<T, D>& launches, const SpeciesViews<T, D>& views,
                const SetStores<T, D>& sets) {
    if (!many_.built())
      many_.build(
          launches.stream(), views.all.tells_phi ? kStepBranches : kFractionBranch,
          [&](const StepConditions& conditions) {
            launches.step(views, sets, with_force_, conditions);
          },
          [&](int branch, const StepConditions& conditions) {
            if (branch == kSortBranch)
              launches.sort(views, sets, conditions);
            else if (branch == kVolumeBranch)
              launches.volume(views);
            else
              launches.tell_fraction(views);
          });
    many_.launch(launches.stream());
  }
  // tells: particles are told phi in this step.
  void run_one(const Launches<T, D>& launches, const SpeciesViews<T, D>& views,
               const SetStores<T, D>& sets, bool tells) {
    Graph& one = tells ? one_telling_ : one_;
    if (!one.built())
      one.build_once(launches.stream(), [&] {
        launches.begin(views.all);
        if (tells) launches.tell_fraction(views);
        launches.step(views, sets, with_force_, {});
      });
    one.launch(launches.stream());
  }

 private:
  bool with_force_ = false;
  using Graph = LoopGraph<kStepBranches>;
  Graph many_, one_, one_telling_;
};

}  // namespace firn

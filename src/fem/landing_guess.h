// A guess for steps in which bodies run into obstacles, or obstacles into them, by more than a part
// of a cell. Projecting what is inside onto an obstacle crumples the cells there, whose folds take
// many Newton steps to smooth out. Here only the surface is put where the obstacle leaves room, and
// the rest follows by one linear system around the start of the step: a step of sequential
// quadratic programming, whose active set is found in a few rounds.
#pragma once

#include <vector>

#include "fem/fem_objective.h"

namespace firn {

template <int D>
class LandingGuess {
 public:
  using Vector = Buffer<double>;

  explicit LandingGuess(const FemModel<D>& model);

  // For a step from x whose free path leads to `free`, begun in `problem`. False where nothing runs
  // into anything far enough.
  bool find(const ArraySpace<double>& space, FemObjective<D>& problem, const Vector& x,
            const Vector& free, Vector& guess);
  std::size_t bytes() const { return on_surface_.size(); }

 private:
  using V = Vec<double, D>;
  // A node that is to move by `least` along its normal at least; a held one by `way`.
  struct Landing {
    std::uint32_t node;
    bool held = false, active = true;
    V normal, way;
    double least = 0;
  };

  bool list(FemObjective<D>& problem, const Vector& x, const Vector& free);
  void filter(Vector& d) const;
  bool choose_active(const Vector& d, const Vector& left);
  void solve(const ArraySpace<double>& space, FemObjective<D>& problem, const Vector& gradient,
             double& tolerance, Vector& d, Vector& left);

  std::vector<char> on_surface_;
  double edge_ = 1;
  std::vector<Landing> landings_;
};

extern template class LandingGuess<2>;
extern template class LandingGuess<3>;

}  // namespace firn

// The state of a material whose principal Cauchy stresses are given.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "material/models.h"

namespace firn {

// Cauchy stresses along the axes of a frame, Pa, and what rounding makes of them.
struct PrincipalStress {
  Vec3d along{{0, 0, 0}};
  double noise = 0;
  bool yields = false;
};

// Unknown are the logarithmic stretches along the axes, or the one volume ratio of a fluid.
template <class Model, int D>
class ElasticState {
 public:
  static constexpr int kUnknowns = Model::kHasF ? D : 1;
  using State = MaterialState<double, D, Model::kScalars>;
  using Constants = decltype(Model::template constants<double, D>(
      std::declval<const typename Model::Parameters&>(), 1.0));

  // `state` gives the model's scalars at the start.
  ElasticState(const Constants& constants, const State& state)
      : constants_(constants), start_(state) {}

  // Newton's method with a Jacobian by differences; the state it ends at is `result`, its F along
  // the axes. False where the material yields first.
  bool solve(const Vec3d& target, State& result) const {
    double size = 0;
    for (int k = 0; k < kUnknowns; ++k) size = std::max(size, std::abs(target[k]));
    // From a little compression on: free of stress, sand is at the tip of its cone.
    Unknowns u;
    for (int k = 0; k < kUnknowns; ++k) u[k] = kFirstStrain;
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
      const PrincipalStress found = stress(u, result);
      Unknowns rest;
      double error = 0;
      for (int k = 0; k < kUnknowns; ++k) {
        rest[k] = found.along[k] - target[k];
        error = std::max(error, std::abs(rest[k]));
      }
      if (!std::isfinite(error)) return false;
      if (error <= kTolerance * size + found.noise) return !(kFlowsInTime && found.yields);
      if (!take_newton_step(rest, u)) return false;
    }
    return false;
  }

 private:
  using Unknowns = Vec<double, kUnknowns>;
  static constexpr int kMaxIterations = 80;
  static constexpr double kTolerance = 1e-11, kLargestStep = 0.2, kFirstStrain = -1e-4;
  static constexpr double kRounding = 2e-15;
  // Others come back from beyond the yield surface at once, and so never reach such a stress.
  static constexpr bool kFlowsInTime = requires(const Constants& c, State& state) {
    Model::template relax<double, D>(c, 0.0, state);
  };

  // Stress of the model itself, after it brought the state into its elastic range.
  PrincipalStress stress(const Unknowns& u, State& state) const {
    state = start_;
    if constexpr (Model::kHasF) {
      Vec<double, D> stretch;
      for (int a = 0; a < D; ++a) stretch[a] = std::exp(u[a]);
      state.F = Mat<double, D>::diagonal(stretch);
    } else {
      state.scalar[0] = std::exp(u[0]);
    }
    const StressUpdate<double, D> update = Model::template update<double, D>(constants_, state);
    double volume_ratio;
    if constexpr (Model::kHasF)
      volume_ratio = determinant(state.F);
    else
      volume_ratio = state.scalar[0];
    PrincipalStress found;
    for (int a = 0; a < kUnknowns; ++a)
      found.along[a] =
          (Model::kIsotropicStress ? update.tau.e[0] : update.tau(a, a)) / volume_ratio;
    found.noise = kRounding * update.wave_modulus;
    found.yields = update.plastic > 0;
    return found;
  }

  bool take_newton_step(const Unknowns& rest, Unknowns& u) const {
    // Small against the strain, so as not to reach over a nearby yield surface.
    double largest = 0;
    for (int k = 0; k < kUnknowns; ++k) largest = std::max(largest, std::abs(u[k]));
    const double difference = 1e-5 * largest;
    State ignored;
    const PrincipalStress here = stress(u, ignored);
    double rows[kUnknowns][kUnknowns + 1];
    for (int k = 0; k < kUnknowns; ++k) {
      Unknowns shorter = u;
      shorter[k] -= difference;
      const PrincipalStress there = stress(shorter, ignored);
      for (int i = 0; i < kUnknowns; ++i)
        rows[i][k] = (here.along[i] - there.along[i]) / difference;
      rows[k][kUnknowns] = rest[k];
    }
    eliminate(rows);
    for (int k = 0; k < kUnknowns; ++k) {
      const double step = rows[k][kUnknowns];
      if (!std::isfinite(step)) return false;
      u[k] -= std::clamp(step, -kLargestStep, kLargestStep);
    }
    return true;
  }

  // Gauss and Jordan, with the largest pivots; the last column becomes the solution.
  static void eliminate(double (&rows)[kUnknowns][kUnknowns + 1]) {
    for (int k = 0; k < kUnknowns; ++k) {
      int best = k;
      for (int i = k + 1; i < kUnknowns; ++i)
        if (std::abs(rows[i][k]) > std::abs(rows[best][k])) best = i;
      std::swap(rows[k], rows[best]);
      for (int c = kUnknowns; c >= k; --c) rows[k][c] /= rows[k][k];
      for (int i = 0; i < kUnknowns; ++i)
        for (int c = kUnknowns; i != k && c >= k; --c) rows[i][c] -= rows[i][k] * rows[k][c];
    }
  }

  Constants constants_;
  State start_;
};

// The state under these principal stresses, or under the most of them that the material bears: of
// the deviator first less and less is left, then of the mean.
template <class Model, int D>
typename ElasticState<Model, D>::State borne_state(
    const typename ElasticState<Model, D>::Constants& constants,
    const typename ElasticState<Model, D>::State& start, const Vec<double, D>& principal) {
  using State = typename ElasticState<Model, D>::State;
  const ElasticState<Model, D> particle(constants, start);
  const double mean = sum(principal) / D;
  const auto bears = [&](double of_mean, double of_deviator, State& state) {
    Vec3d target = Vec3d::zero();
    for (int a = 0; a < D; ++a)
      target[a] = of_mean * mean + (Model::kHasF ? of_deviator * (principal[a] - mean) : 0.0);
    return particle.solve(target, state);
  };
  State trial = start, borne = start;
  if (!(dot(principal, principal) > 0) || bears(1, 1, trial)) return trial;
  const bool bears_mean = bears(1, 0, trial);
  if (bears_mean) borne = trial;
  constexpr int kMostHalvings = 24;  // what bears less than 1e-7 of the stress bears none
  double low = 0, high = 1;
  for (int i = 0; i < kMostHalvings && high - low > 1e-3 * high; ++i) {
    const double share = 0.5 * (low + high);
    const bool enough = bears_mean ? bears(1, share, trial) : bears(share, 0, trial);
    if (enough) borne = trial;
    (enough ? low : high) = share;
  }
  return borne;
}

}  // namespace firn

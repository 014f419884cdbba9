// What a particle finds among the particles around it, as functions of numbers: host and device.
#pragma once

#include "grains/coarse_state.h"
#include "grains/grain_rules.h"

namespace firn {

// Lengths in spacings of particles.
constexpr double kGradientReach = 2, kCountReach = 1;
constexpr int kWeightSteps = 64;  // of the table of weights of grains, up to kGradientReach

// `support`: of the weights of particles, spacings.
template <int D>
FIRN_INLINE FlowNode<D> flow_node(const CoarseWay<D>& way, const Vec<float, D>& place,
                                  double support, double share) {
  return {place, float(1 / square(support * double(way.spacing))),
          (way.way * share).template cast<float>(), Mat<float, D>::zero(), 1};
}
FIRN_INLINE float spacing_of(float inverse_support2, float support) {
  return 1 / (sqrt_of(inverse_support2) * support);
}

// A particle holds its grains once others are near it: alone 0, one of a pair 0.17 at a spacing,
// the corner of a lattice 0.5.
FIRN_INLINE float hold_of(float weight_of_others) {
  const float t = clamp((weight_of_others - 0.05f) / 0.2f, 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

// A gradient from differences over neighbours is found by least squares: this is the matrix. What
// they do not span is held at zero by a small share of the spacing squared.
template <int D>
FIRN_INLINE Mat<float, D> moment_at_least(float spacing) {
  return Mat<float, D>::identity() * (0.02f * spacing * spacing);
}

template <int D>
FIRN_INLINE float length2(const Mat<float, D>& m) {
  return contract(m, m);
}

// A place in the table of weights, and what stands there; within reach: up to kWeightSteps.
template <class S>
FIRN_INLINE S place_in_weights(S distance2, float spacing) {
  return sqrt_of(distance2) * S(kWeightSteps / float(kGradientReach) / spacing);
}
FIRN_INLINE float weight_at(const float* weights, float place) {
  const int last = static_cast<int>(place), step = last < kWeightSteps ? last : kWeightSteps - 1;
  return weights[step] + (place - float(step)) * (weights[step + 1] - weights[step]);
}

// Sums over the particles around one; S: one of them, or several as lanes.
template <int D, class S = float>
struct GradientSums {
  Mat<S, D> moment, change;
  S others = S(0);  // their weights
  float due = 0;    // weights of all their grains and its own, were these as many as they should be

  // `r`: the way to the other.
  FIRN_INLINE void add(const Vec<S, D>& r, S r2, float wide, float inverse_support2,
                       const Vec<S, D>& change_of_way) {
    const S w = grain_weight(r2, S(wide));
    moment = moment + outer(r, r) * w;
    change = change + outer(change_of_way, r) * w;
    others += grain_weight(r2, S(inverse_support2));
  }
  FIRN_INLINE Mat<float, D> gradient() const {
    constexpr float kMostGradient = 0.5f;
    const Mat<float, D> found = change * inverse(moment);
    const float size = sqrt_of(length2(found));
    return size > kMostGradient ? found * (kMostGradient / size) : found;
  }
};

// How much is missing of what should be around a particle, as a share of it.
FIRN_INLINE float shortage_of(float hold, float count, float due) {
  constexpr float kMostExcess = 0.5f;
  return hold * clamp(1 - count / due, -kMostExcess, kMostExcess);
}

template <int D, class S = float>
struct DriftSums {
  Mat<S, D> moment;
  Vec<S, D> change;

  FIRN_INLINE void add(const Vec<S, D>& r, S weight, S change_of_shortage) {
    moment = moment + outer(r, r) * weight;
    change += r * (weight * change_of_shortage);
  }
  // From where grains are many to where they are few, with the strain of the step.
  FIRN_INLINE Vec<float, D> drift(const FlowNode<D>& own, float spacing, float least_strain) const {
    constexpr float kMostStrain = 0.15f;
    constexpr float kPace = 1.0f;          // spacings^2 a unit of strain
    constexpr float kLongestDrift = 1.0f;  // spacings a unit of strain
    const Mat<float, D> rate = (own.gradient + transpose(own.gradient)) * 0.5f;
    const float strain = clamp(sqrt_of(length2(rate)), least_strain, kMostStrain);
    Vec<float, D> found = inverse(moment) * change * (kPace * spacing * spacing);
    const float size = sqrt_of(dot(found, found)), most = kLongestDrift * spacing;
    if (size > most) found = found * (most / size);
    return found * (strain * own.hold);
  }
};

}  // namespace firn

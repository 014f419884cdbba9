// Momentum that species exchange at a node (docs/porous.md): drag proportional to the difference of
// their velocities. The velocities are those after stress and gravity; contact comes afterwards.
#pragma once

#include "base/math.h"
#include "base/vec.h"
#include "mpm/porous_node.h"

namespace firn {

// A change of velocity by contact counts from this share of the velocities at a node on.
constexpr double kTouched = 1e-3;

// What two bodies of masses a and b, joined by a drag K (kg/s), have of the difference of their
// velocities after a step, as a share of what they had. Implicit: whatever dt is.
template <class T>
FIRN_HD inline T share_left_implicit(T a, T b, T drag, T dt) {
  return T(1) / (T(1) + dt * drag * (T(1) / a + T(1) / b));
}
// The drag as it stands, but no more than `most` of what makes the two equal.
template <class T>
FIRN_HD inline T share_left_explicit(T a, T b, T drag, T dt, T most) {
  return T(1) - min_of(most, dt * drag * (T(1) / a + T(1) / b));
}

// Both get and give the same momentum, to round-off.
template <class T, int D>
FIRN_HD inline void exchange_between(T a, Vec<T, D>& u, T b, Vec<T, D>& v, T left) {
  const Vec<T, D> impulse = (v - u) * ((T(1) - left) * (a * b / (a + b)));
  u += impulse * (T(1) / a);
  v -= impulse * (T(1) / b);
}

// Three and more: (M + dt K) v = M v0, where K has the drags of all pairs. One species after
// another is taken out, and leaves its mass, momentum and drags to the others in the shares in
// which they hold it: nothing is subtracted, so that no drag is too strong for the digits.
// `velocity` has one vector a species, mass[s] > 0; `mass` and `drag` are used up.
template <class T, int D>
FIRN_HD inline void exchange_among(int count, T* mass, T (*drag)[kMostSpecies], T dt,
                                   Vec<T, D>* velocity) {
  T held[kMostSpecies];  // by itself and by those that are left
  for (int i = 0; i < count; ++i) {
    velocity[i] = velocity[i] * mass[i];  // momentum until the way back
    for (int j = 0; j < count; ++j) drag[i][j] *= dt;
  }
  for (int k = count - 1; k > 0; --k) {
    held[k] = mass[k];
    for (int j = 0; j < k; ++j) held[k] += drag[k][j];
    for (int i = 0; i < k; ++i) {
      const T share = drag[i][k] / held[k];
      mass[i] += share * mass[k];
      velocity[i] += velocity[k] * share;
      for (int j = 0; j < k; ++j)
        if (j != i) drag[i][j] += share * drag[k][j];
    }
  }
  velocity[0] = velocity[0] * (T(1) / mass[0]);
  for (int k = 1; k < count; ++k) {
    for (int j = 0; j < k; ++j) velocity[k] += velocity[j] * drag[k][j];
    velocity[k] = velocity[k] * (T(1) / held[k]);
  }
}

// The two of a pair, in either order: masses a and b, which are not zero, velocities u and v.
template <class T, int D>
FIRN_HD inline void exchange_in_pair(const PorousSettings& porous, const PairSettings& pair, T dt,
                                     T cell, const NodeMatter<T>& at, T a, Vec<T, D>& u, T b,
                                     Vec<T, D>& v) {
  const Vec<T, D> apart = u - v;
  const T drag = drag_at_node(porous, pair, at, cell, sqrt_of(dot(apart, apart)));
  const T left = porous.form == DragForm::explicit_
                     ? share_left_explicit(a, b, drag, dt, T(porous.share))
                     : share_left_implicit(a, b, drag, dt);
  exchange_between<T, D>(a, u, b, v, left);
}

// All species at one node; those without mass there are left out. `cell`: volume of a cell, m^D.
template <class T, int D>
FIRN_HD inline void exchange_at_node(const PorousSettings& porous, T dt, T cell,
                                     const NodeMatter<T>& at, Vec<T, D>* velocity) {
  int here[kMostSpecies], count = 0;
  for (int s = 0; s < porous.species; ++s)
    if (at.mass[s] > T(0)) here[count++] = s;
  if (count < 2) return;
  const auto mass_of = [&](int i) { return at.mass[here[i]]; };
  const auto drag_of = [&](int i, int j) {
    const int pair = porous.pair_of[here[i]][here[j]];
    if (pair == 0) return T(0);
    const Vec<T, D> apart = velocity[here[i]] - velocity[here[j]];
    return drag_at_node(porous, porous.pairs[pair - 1], at, cell, sqrt_of(dot(apart, apart)));
  };
  if (count == 2 || porous.form == DragForm::explicit_) {
    // One pair after another: each takes energy away.
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        if (const int pair = porous.pair_of[here[i]][here[j]]; pair > 0)
          exchange_in_pair<T, D>(porous, porous.pairs[pair - 1], dt, cell, at, mass_of(i),
                                 velocity[here[i]], mass_of(j), velocity[here[j]]);
    return;
  }
  T masses[kMostSpecies], drag[kMostSpecies][kMostSpecies];
  Vec<T, D> v[kMostSpecies];
  for (int i = 0; i < count; ++i) {
    masses[i] = mass_of(i);
    v[i] = velocity[here[i]];
    drag[i][i] = T(0);
    for (int j = 0; j < i; ++j) drag[i][j] = drag[j][i] = drag_of(i, j);
  }
  exchange_among<T, D>(count, masses, drag, dt, v);
  for (int i = 0; i < count; ++i) velocity[here[i]] = v[i];
}

// What obstacles did comes after the exchange, and the species that they held was taken for a free
// one there: sand that a floor holds bears the drag of water as the floor does, not as a grain.
// Of (m_a + dt sum K_ab) v_a = m_a v_a* + dt sum K_ab v_b the right side changes by what contact
// did to the others: from the velocities after the exchange (`unmet`) to those after contact
// (`met`). A species that met obstacles itself has from them what it may do, and takes no more of
// it: from none to all as its own change passes a thousandth of the velocities at the node, so that
// rounding decides nothing. Gives whether any changed. Explicit drag is that of the step's
// beginning.
template <class T, int D>
FIRN_HD inline bool exchange_with_held(const PorousSettings& porous, T dt, T cell,
                                       const NodeMatter<T>& at, const Vec<T, D>* unmet,
                                       Vec<T, D>* met) {
  if (porous.form == DragForm::explicit_) return false;
  Vec<T, D> change[kMostSpecies];
  T scale = T(0);
  bool any = false;
  for (int s = 0; s < porous.species; ++s) {
    if (!(at.mass[s] > T(0))) continue;
    change[s] = met[s] - unmet[s];
    any = any || dot(change[s], change[s]) > T(0);
    scale = max_of(scale, dot(unmet[s], unmet[s]));
  }
  if (!any) return false;
  for (int s = 0; s < porous.species; ++s) {
    if (!(at.mass[s] > T(0))) continue;
    T held = at.mass[s];
    Vec<T, D> pull = Vec<T, D>::zero();
    for (int b = 0; b < porous.species; ++b) {
      const int pair = porous.pair_of[s][b];
      if (pair == 0 || !(at.mass[b] > T(0))) continue;
      const Vec<T, D> apart = unmet[s] - unmet[b];
      const T drag =
          dt * drag_at_node(porous, porous.pairs[pair - 1], at, cell, sqrt_of(dot(apart, apart)));
      held += drag;
      pull += change[b] * drag;
    }
    const T own = dot(change[s], change[s]), small = T(kTouched * kTouched) * scale;
    T open = own > T(0) ? T(0) : T(1);
    if (small > T(0)) open = clamp((T(2) * small - own) / small, T(0), T(1));
    met[s] += pull * (open / held);
  }
  return true;
}

// What the grains of the solid `s` take of the impulse of the pressure of the fluid `f`, where
// those of others have got the share `given`: changes its velocity, and gives the share.
template <class T, int D>
FIRN_HD inline T push_grains(const PorousSettings& porous, const NodeMatter<T>& at, int s, int f,
                             T given, const Vec<T, D>& impulse, Vec<T, D>& velocity) {
  const T share = min_of(solid_fraction(porous, at, s, f), T(1 - kLeastPorosity) - given);
  velocity += impulse * (share / at.mass[s]);
  return share;
}
// The impulse of the pressure of the fluid `f` at a node, which the fluid has got whole: the grains
// of the solids that it passes through take their share of it.
template <class T, int D>
FIRN_HD inline void share_pressure(const PorousSettings& porous, const NodeMatter<T>& at, int f,
                                   const Vec<T, D>& impulse, Vec<T, D>* velocity) {
  if (!(at.mass[f] > T(0))) return;
  T given = T(0);
  for (int s = 0; s < porous.species; ++s) {
    if (!porous.is_solid[s] || porous.pair_of[s][f] == 0 || !(at.mass[s] > T(0))) continue;
    given += push_grains<T, D>(porous, at, s, f, given, impulse, velocity[s]);
  }
  velocity[f] -= impulse * (given / at.mass[f]);
}

}  // namespace firn

// The numbers of a model's parameters one by one, in the order of describe(): to look them up by
// name, to give some of them other values, and to have each for several particles at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "material/models.h"

namespace firn {

inline constexpr int kMostNumbers = 16;  // of a model

struct ParameterNumber {
  std::string name;
  double value;
  NumberInfo info;
};

std::vector<ParameterNumber> parameter_numbers(const ModelParameters& parameters);

namespace detail {

// Where the numbers are, and the flags and choices as integers.
template <class U>
struct FindNumbers {
  U* at[kMostNumbers] = {};
  std::uint8_t word[kMostNumbers] = {};
  int numbers = 0, words = 0;

  FIRN_HOST_INLINE void number(const char*, U& value, const NumberInfo&) { at[numbers++] = &value; }
  FIRN_HOST_INLINE void flag(const char*, bool& value, const char*) { word[words++] = value; }
  template <class E, class Names>
  FIRN_HOST_INLINE void choice(const char*, E& value, const Names&, const char*) {
    word[words++] = static_cast<std::uint8_t>(value);
  }
};

// Gives them back their values.
template <class U>
struct SpreadNumbers {
  const FindNumbers<double>& from;
  int numbers = 0, words = 0;

  FIRN_HOST_INLINE void number(const char*, U& value, const NumberInfo&) {
    value = U(ScalarOf<U>(*from.at[numbers++]));
  }
  FIRN_HOST_INLINE void flag(const char*, bool& value, const char*) {
    value = from.word[words++] != 0;
  }
  template <class E, class Names>
  FIRN_HOST_INLINE void choice(const char*, E& value, const Names&, const char*) {
    value = static_cast<E>(from.word[words++]);
  }
};

}  // namespace detail

// Pointers to the numbers of p.
template <class P, class U>
FIRN_HOST_INLINE void find_numbers(P& p, U* (&at)[kMostNumbers]) {
  detail::FindNumbers<U> found;
  p.describe(found);
  for (int i = 0; i < kMostNumbers; ++i) at[i] = found.at[i];
}

// The same parameters with each number in every lane of U.
template <class Model, class U>
typename Model::template ParametersOf<U> spread_parameters(typename Model::Parameters p) {
  detail::FindNumbers<double> found;
  p.describe(found);
  typename Model::template ParametersOf<U> lanes;
  detail::SpreadNumbers<U> spread{found};
  lanes.describe(spread);
  return lanes;
}

}  // namespace firn

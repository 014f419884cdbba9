// Parameters of a material that are expressions: what they are is kept by particle in a column of
// its own (column::varied), one component for each, and found anew every few steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/vec.h"
#include "expr/program.h"
#include "material/parameter_numbers.h"
#include "particles/particle_set.h"

namespace firn {

// The variables that expressions know, by number; behind them the scalars of the scene.
struct VariedVariables {
  static constexpr int kPhi = 0, kPlace = 1, kTime = 4, kScalars = 5;
};
inline constexpr int kMostVariables = 5 + 8;

struct VariedParameter {
  std::string name;
  int number = 0;            // among the model's
  double low = 0, high = 0;  // what particles may have
  double plain = 0;          // where nothing else is known
  Program program{};
};
using VariedParameters = std::vector<VariedParameter>;

// Where it is in the list; -1: it does not vary.
int varied_place(const VariedParameters& list, const char* name);
inline bool varies(const VariedParameters& list, const char* name) {
  return varied_place(list, name) >= 0;
}

// A value that was not what a parameter may be.
struct VariedFinding {
  int set = -1, parameter = -1;  // of the set's list; -1: none
  std::uint64_t id = 0;          // of the particle
  double value = 0;
  bool finite = true;  // and out of range: the nearest that is allowed was taken

  bool found() const { return parameter >= 0; }
  bool is_error() const { return found() && !finite; }
  // What is not finite comes before what is out of range, else what was found first.
  void add(const VariedFinding& later) {
    if (later.found() && (!found() || (finite && !later.finite))) *this = later;
  }
};

template <class T, int D>
struct MaterialSet;
template <class T, int D>
struct Particles;

template <class T, int D>
bool any_varied(const Particles<T, D>& all);

// Sets column::varied of all particles, from where they are.
template <class T, int D>
VariedFinding vary_parameters(Particles<T, D>& all, double time);
// The same for those behind the first of a set, which are at the places given.
template <class T, int D>
VariedFinding vary_new(MaterialSet<T, D>& set, std::size_t first, const std::vector<Vec3d>& places,
                       double time);

// Changes with what the expressions are: values of others are found anew.
template <class T, int D>
std::int64_t varied_fingerprint(const Particles<T, D>& all);

// The largest that the parameter at a place of the list is for any particle of a set, 0 where it
// has none; or `plain` where the parameter does not vary. For those that are not negative.
template <class T, int D>
double largest_value(const MaterialSet<T, D>& set, int place, double plain);

// The parameters of one particle: those of its set, with its own values of what varies.
template <class Model>
class ParticleParameters {
 public:
  using Parameters = typename Model::Parameters;

  ParticleParameters(const Parameters& same, const VariedParameters& varied)
      : same_(same), varied_(varied) {}

  // value(k) is that of the varied parameter k.
  template <class Value>
  Parameters with(const Value& value) const {
    Parameters p = same_;
    double* at[kMostNumbers];
    if (!varied_.empty()) find_numbers(p, at);
    for (std::size_t k = 0; k < varied_.size(); ++k) *at[varied_[k].number] = value(int(k));
    return p;
  }
  template <class T>
  Parameters of(const Columns<T>& values, std::size_t particle) const {
    return with([&](int k) { return double(values[k][particle]); });
  }

 private:
  const Parameters& same_;
  const VariedParameters& varied_;
};

}  // namespace firn

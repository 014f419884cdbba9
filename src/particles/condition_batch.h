// What the conditions of transitions know of particles.
#pragma once

#include <algorithm>
#include <cmath>

#include "expr/program_batch.h"
#include "particles/matter.h"
#include "particles/transitions.h"

namespace firn {

// The variables of up to kBatch particles of a set, as far as some condition names them.
template <class T, int D>
class ConditionBatch {
 public:
  using Variables = TransitionVariables;

  ConditionBatch(const Particles<T, D>& all, const MaterialSet<T, D>& set, int block, double time)
      : all_(all), set_(set), block_(block) {
    for (int v = 0; v < kMostTransitionVariables; ++v) at[v] = value_[v];
    std::fill(value_[Variables::kTime], value_[Variables::kTime] + kBatch, time);
  }

  const double* at[kMostTransitionVariables];

  void load(const bool* named, std::size_t first, int count) {
    const auto& particles = set_.particles;
    load_columns(particles[column::phi], 1, Variables::kPhi, first, count);
    const auto& user = particles[column::user];
    const auto& scalar = particles[column::scalar];
    const int own = Variables::kScalars + static_cast<int>(all_.user_fields.size());
    load_columns(user, user.components(), Variables::kScalars, first, count);
    load_columns(scalar, std::min(scalar.components(), kMostTransitionVariables - own), own, first,
                 count);
    const bool places = std::any_of(named + Variables::kPlace, named + Variables::kTime,
                                    [](bool is_named) { return is_named; });
    for (int i = 0; places && i < count; ++i) {
      const Vec3d x = world_position(all_, particles, block_, first + i);
      for (int a = 0; a < 3; ++a) value_[Variables::kPlace + a][i] = x[a];
    }
    for (int i = 0; named[Variables::kSpeed] && i < count; ++i)
      value_[Variables::kSpeed][i] = speed_of(first + i);
    for (int i = 0; named[Variables::kPressure] && i < count; ++i)
      value_[Variables::kPressure][i] = pressure_of(first + i);
  }

 private:
  void load_columns(const Columns<T>& columns, int components, int variable, std::size_t first,
                    int count) {
    for (int c = 0; c < components; ++c) {
      double* to = value_[variable + c];
      if (c >= columns.components()) {
        std::fill(to, to + count, 0.0);
        continue;
      }
      const T* from = columns[c] + first;
      std::copy(from, from + count, to);
    }
  }
  double speed_of(std::size_t p) const {
    double square = 0;
    for (int a = 0; a < D; ++a) {
      const double v = set_.particles.velocity[a][p];
      square += v * v;
    }
    return std::sqrt(square);
  }
  // Minus the mean of the Cauchy stress.
  double pressure_of(std::size_t p) const {
    const auto& stress = set_.particles[column::stress];
    const int normal = stress.components() == 1 ? 1 : D;
    double mean = 0;
    for (int a = 0; a < normal; ++a) mean += double(stress[a][p]) / normal;
    const double ratio =
        visit_model(static_cast<int>(set_.parameters.index()), [&](auto tag) -> double {
          using Model = typename decltype(tag)::type;
          return elastic_ratio<Model, D>(load_state<Model>(set_.particles, p));
        });
    return -mean / ratio;
  }

  const Particles<T, D>& all_;
  const MaterialSet<T, D>& set_;
  int block_;
  double value_[kMostTransitionVariables][kBatch];
};

}  // namespace firn

// Derivatives: the stress of every model against differences of its energy, in double, at random
// deformations, at (nearly) equal principal stretches, and at inverted ones where a model admits
// them.
#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "derivatives";
constexpr int kStates = 300;
constexpr double kTolerance = 1e-10;

double uniform(RandomStream& random, double low, double high) {
  return low + (high - low) * random.next_double();
}

// Gram-Schmidt on random rows, with the determinant made positive.
template <int D>
Mat<double, D> random_rotation(RandomStream& random) {
  Vec<double, D> row[D];
  for (int i = 0; i < D; ++i) {
    for (int j = 0; j < D; ++j) row[i][j] = uniform(random, -1, 1);
    for (int k = 0; k < i; ++k) row[i] = row[i] - row[k] * dot(row[i], row[k]);
    row[i] = row[i] * (1 / std::sqrt(dot(row[i], row[i])));
  }
  Mat<double, D> q;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) q(i, j) = row[i][j];
  const double sign = determinant(q) < 0 ? -1 : 1;
  for (int j = 0; j < D; ++j) q(0, j) *= sign;
  return q;
}

enum class States { random, near_equal, inverted };

template <int D>
Mat<double, D> random_deformation(RandomStream& random, States states) {
  Vec<double, D> s;
  for (int i = 0; i < D; ++i) s[i] = uniform(random, 0.6, 1.6);
  if (states == States::near_equal) s[1] = s[0] * (1 + std::pow(10, uniform(random, -12, -2)));
  if (states == States::inverted) s[0] = -uniform(random, 0.02, 0.4);
  return random_rotation<D>(random) * Mat<double, D>::diagonal(s) * random_rotation<D>(random);
}

template <class Model, int D>
using StateOf = MaterialState<double, D, Model::kScalars>;

template <class Model, int D>
StateOf<Model, D> random_state(RandomStream& random, States states) {
  StateOf<Model, D> state{};
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = Model::kScalarFields[k].initial;
  if constexpr (Model::kHasF)
    state.F = random_deformation<D>(random, states);
  else
    state.scalar[0] = uniform(random, 0.8, 1.1);
  return state;
}

// Central difference of fourth order of f at 0.
template <class F>
double derivative(F&& f, double step) {
  return (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step);
}

// tau = (dPsi/dF) F^T, or J dPsi/dJ where a model keeps J alone.
template <class Model, int D, class Constants>
Mat<double, D> stress_by_differences(const Constants& constants, const StateOf<Model, D>& at) {
  constexpr double kStep = 1e-4;
  const auto energy = [&](const StateOf<Model, D>& state) {
    return Model::template energy<double, D>(constants, state);
  };
  if constexpr (Model::kHasF) {
    Mat<double, D> first_piola;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        first_piola(i, j) = derivative(
            [&](double e) {
              StateOf<Model, D> state = at;
              state.F(i, j) += e;
              return energy(state);
            },
            kStep);
    return first_piola * transpose(at.F);
  } else {
    const double slope = derivative(
        [&](double e) {
          StateOf<Model, D> state = at;
          state.scalar[0] += e;
          return energy(state);
        },
        kStep);
    return Mat<double, D>::identity() * (slope * at.scalar[0]);
  }
}

// Largest difference of entries, relative to the stiffness of the state. `factor` scales the moduli
// in the energy alone: other than 1 it makes a control.
template <class Model, int D>
double worst_error(States states, double factor,
                   const typename Model::Parameters& parameters = unyielding_parameters<Model>()) {
  RandomStream random(11, static_cast<std::uint64_t>(states));
  const auto constants = Model::template constants<double, D>(parameters, 1.0);
  double worst = 0;
  for (int n = 0; n < kStates; ++n) {
    StateOf<Model, D> state = random_state<Model, D>(random, states);
    const Mat<double, D> expected =
        stress_by_differences<Model, D>(constants.stiffened(factor), state);
    const StressUpdate<double, D> update = Model::template update<double, D>(constants, state);
    const Mat<double, D> stress =
        Model::kIsotropicStress ? Mat<double, D>::identity() * update.tau.e[0] : update.tau.full();
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j)
        worst = std::max(worst, std::abs(stress(i, j) - expected(i, j)) / update.wave_modulus);
  }
  return worst;
}

template <class Model, int D>
Check judge(const std::string& states, double error) {
  return limit_check(kCase,
                     std::string("stress - dPsi/dF F^T over stiffness, ") + Model::kName + " " +
                         std::to_string(D) + "D, " + states,
                     error, kTolerance);
}

template <class Model, int D>
void judge_model(std::vector<Check>& checks) {
  double error = worst_error<Model, D>(States::random, 1);
  if (Model::kHasF) error = std::max(error, worst_error<Model, D>(States::near_equal, 1));
  checks.push_back(
      judge<Model, D>(Model::kHasF ? "random and near-equal stretches" : "random J", error));
  if constexpr (smoothly_invertible<Model>())
    checks.push_back(judge<Model, D>("inverted", worst_error<Model, D>(States::inverted, 1)));
}

}  // namespace

std::vector<Check> validate_derivatives(const ValidateOptions& options) {
  std::vector<Check> checks;
  for (int index = 0; index < model_count; ++index)
    visit_model(index, [&](auto tag) {
      using Model = typename decltype(tag)::type;
      judge_model<Model, 2>(checks);
      judge_model<Model, 3>(checks);
      options.progress(Model::kName);
    });
  Fluid::Parameters linear;
  linear.equation = StateEquation::linear;
  checks.push_back(
      judge<Fluid, 3>("linear equation", worst_error<Fluid, 3>(States::random, 1, linear)));
  checks.push_back(
      must_fail(judge<NeoHookean, 3>("energy of moduli one millionth too large",
                                     worst_error<NeoHookean, 3>(States::random, 1.000001))));
  return checks;
}

}  // namespace firn

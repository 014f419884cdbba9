// What a checkpoint keeps of meshed solids.
#include <cmath>

#include "fem/fem_solver.h"

namespace firn {
namespace {

constexpr const char* kPlaces[] = {"fem/x", "fem/v", "fem/x_before", "fem/v_before",
                                   "fem/acceleration"};
constexpr const char *kLastDt = "fem/last_dt", *kPenalty = "fem/penalty", *kHolds = "fem/holds",
                     *kRubs = "fem/rubs", *kRubbed = "fem/rubbed";

std::string flow_name(std::size_t body) {
  return "fem/flow_" + std::to_string(body);
}

const std::vector<double>* doubles(const StateImage& image, const std::string& name) {
  const auto found = image.arrays.find(name);
  return found == image.arrays.end() ? nullptr : std::get_if<std::vector<double>>(&found->second);
}

}  // namespace

template <int D>
void FemSolver<D>::save(StateImage& image) const {
  const Vector* kept[] = {&x_, &v_, &x_before_, &v_before_, &acceleration_};
  for (int k = 0; k < 5; ++k)
    image.arrays[kPlaces[k]] = std::vector<double>(kept[k]->begin(), kept[k]->end());
  image.reals[kLastDt] = last_dt_;
  image.reals[kPenalty] = objective_.penalty.factor();
  image.arrays[kHolds] = objective_.constraints.save();
  image.arrays[kRubs] = objective_.friction.save();
  image.arrays[kRubbed] = objective_.rubbed.save();
  for (std::size_t b = 0; b < model_.bodies.size(); ++b)
    image.arrays[flow_name(b)] = model_.bodies[b].elastic->save();
}

template <int D>
bool FemSolver<D>::load(const StateImage& image) {
  Vector* kept[] = {&x_, &v_, &x_before_, &v_before_, &acceleration_};
  for (int k = 0; k < 5; ++k) {
    const std::vector<double>* values = doubles(image, kPlaces[k]);
    if (!values || values->size() != space_.size()) return false;
    for (const double value : *values)
      if (!std::isfinite(value)) return false;
    kept[k]->resize(values->size());
    std::copy(values->begin(), values->end(), kept[k]->data());
  }
  const auto dt = image.reals.find(kLastDt), factor = image.reals.find(kPenalty);
  if (dt == image.reals.end() || !(dt->second >= 0) || factor == image.reals.end() ||
      !(factor->second >= 1 && factor->second < 1e6))
    return false;
  last_dt_ = dt->second;
  objective_.penalty.set_factor(factor->second);
  const std::vector<double>*holds = doubles(image, kHolds), *rubs = doubles(image, kRubs);
  if (!holds || !objective_.constraints.load(*holds)) return false;
  if (!rubs || !objective_.friction.load(*rubs, model_.nodes())) return false;
  const std::vector<double>* rubbed = doubles(image, kRubbed);
  if (!rubbed || !objective_.rubbed.load(*rubbed, model_.nodes())) return false;
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
    const std::vector<double>* flow = doubles(image, flow_name(b));
    if (!flow || !model_.bodies[b].elastic->load(*flow)) return false;
  }
  measure_energy();
  return true;
}

template <int D>
std::size_t FemSolver<D>::bytes() const {
  constexpr std::size_t kVectorsOfASolve = 13;  // of the minimizer, the step and CG
  return model_.bytes() + objective_.bytes() + landing_.bytes() +
         x_.bytes() * (5 + kVectorsOfASolve);
}

template void FemSolver<2>::save(StateImage&) const;
template void FemSolver<3>::save(StateImage&) const;
template bool FemSolver<2>::load(const StateImage&);
template bool FemSolver<3>::load(const StateImage&);
template std::size_t FemSolver<2>::bytes() const;
template std::size_t FemSolver<3>::bytes() const;

}  // namespace firn

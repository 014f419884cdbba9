#include "cases/agreement_operators.h"

#include <algorithm>
#include <cmath>

#include "cases/random_particles.h"
#include "mpm/operators.h"
#include "mpm_cuda/device_operators.h"

namespace firn {
namespace {

constexpr double kStep = 1e-3;  // s

// The largest difference and the largest value met so far.
struct Gap {
  double difference = 0, largest = 0;

  void add(double expected, double found) {
    const double gap = std::abs(found - expected);
    if (!(gap <= difference)) difference = gap;
    largest = std::max(largest, std::abs(expected));
  }
  double relative() const { return largest > 0 ? difference / largest : difference; }
};

template <class T, int D>
Gap compare_fields(const NodeField<T, D>& expected, const NodeField<T, D>& found) {
  Gap gap;
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (int c = 0; c < D; ++c) gap.add(expected.data()[i][c], found.data()[i][c]);
  return gap;
}
template <class T, int D>
Gap compare_masses(const NodeField<T, D>& expected, const NodeField<T, D>& found) {
  Gap gap;
  for (std::size_t i = 0; i < expected.size(); ++i)
    gap.add(expected.data()[i][kMassLane], found.data()[i][kMassLane]);
  return gap;
}
template <class T>
Gap compare_columns(const Columns<T>& expected, const Columns<T>& found) {
  Gap gap;
  for (int c = 0; c < expected.components(); ++c)
    for (std::size_t p = 0; p < expected.column(c).size(); ++p)
      gap.add(expected[c][p], found[c][p]);
  return gap;
}

template <class T, int D>
class OperatorCase {
 public:
  explicit OperatorCase(const MpmSettings& settings)
      : settings_(settings),
        state_(two_boxes<T, D>(settings.kernel)),
        operators_(settings.kernel, settings.transfer),
        ctx_(scheme_context<T, D>(settings.transfer, kStep, settings.flip_ratio)) {
    velocity_.fit(state_.blocks);
    change_.fit(state_.blocks);
    before_.fit(state_.blocks);
    std::mt19937 random(9);
    std::uniform_real_distribution<double> value(-1, 1);
    for (std::size_t i = 0; i < velocity_.size(); ++i) {
      velocity_.data()[i].set(kMassLane, T(1));
      for (int a = 0; a < D; ++a) {
        velocity_.data()[i].set(a, T(value(random)));
        before_.data()[i].set(a, T(value(random)));
        change_.data()[i].set(a, velocity_.data()[i][a] - before_.data()[i][a]);
      }
    }
  }
  Errors run() {
    auto device = make_device_operators<T, D>(settings_);
    if (!device) return device.errors();
    Errors errors = (*device)->upload(state_, kStep);
    if (errors.empty()) errors = to_nodes(**device);
    if (errors.empty()) errors = to_particles(**device);
    return errors;
  }
  const Agreement& worst() const { return worst_; }

 private:
  void judge(const std::string& what, const Gap& gap) {
    if (gap.relative() <= worst_.difference && !worst_.field.empty()) return;
    worst_.difference = gap.relative();
    worst_.field = what;
  }
  Errors to_nodes(DeviceOperators<T, D>& device) {
    NodeField<T, D> expected("expected"), found("found");
    found.fit(state_.blocks);
    operators_.momentum_to_nodes(ctx_, state_, expected);
    Errors errors = device.momentum_to_nodes(found);
    judge("momentum to nodes", compare_fields(expected, found));
    judge("mass to nodes", compare_masses(expected, found));
    operators_.stress_to_nodes(ctx_, state_, expected);
    if (errors.empty()) errors = device.stress_to_nodes(found);
    judge("stress to nodes", compare_fields(expected, found));
    return errors;
  }
  Errors to_particles(DeviceOperators<T, D>& device) {
    std::vector<Columns<T>> expected, found;
    operators_.gradient_to_particles(ctx_, state_, velocity_, expected);
    for (const auto& set : state_.sets) found.emplace_back(D * D).resize(set.particles.size());
    Errors errors = device.gradient_to_particles(velocity_, found);
    if (!errors.empty()) return errors;
    for (std::size_t s = 0; s < found.size(); ++s)
      judge("gradient to particles", compare_columns(expected[s], found[s]));
    errors = device.advance(velocity_, before_);
    MpmState<T, D> moved = state_;
    if (errors.empty()) errors = device.download(moved);
    operators_.advance(ctx_, state_, velocity_, &change_);
    for (std::size_t s = 0; s < found.size() && errors.empty(); ++s) {
      const auto &a = state_.sets[s].particles, &b = moved.sets[s].particles;
      judge("positions", compare_columns(a.position, b.position));
      judge("velocities", compare_columns(a.velocity, b.velocity));
      judge("affine matrices", compare_columns(a[column::affine], b[column::affine]));
    }
    return errors;
  }

  MpmSettings settings_;
  MpmState<T, D> state_;
  Operators<T, D> operators_;
  StepContext<T, D> ctx_;
  NodeField<T, D> velocity_{"velocity"}, change_{"change"}, before_{"before"};
  Agreement worst_;
};

template <class T, int D>
Agreement check_scheme(const MpmSettings& settings) {
  OperatorCase<T, D> test(settings);
  const Errors errors = test.run();
  if (!errors.empty()) return Agreement{"", INFINITY, errors.front(), 0};
  return test.worst();
}

template <class T, int D>
void check_schemes(std::vector<Agreement>& results) {
  constexpr const char* kTransfers[] = {"mls", "apic", "flip", "pic"};
  constexpr const char* kKernels[] = {"linear", "quadratic", "cubic"};
  for (int kernel = 0; kernel < 3; ++kernel)
    for (int transfer = 0; transfer < 4; ++transfer)
      for (const bool deterministic : {false, true}) {
        MpmSettings settings =
            scheme_settings(static_cast<KernelKind>(kernel), static_cast<TransferKind>(transfer));
        settings.deterministic = deterministic;
        settings.flip_ratio = 0.9;
        Agreement result = check_scheme<T, D>(settings);
        result.scene = std::string(sizeof(T) == 8 ? "double " : "float ") + std::to_string(D) +
                       "D operators " + kTransfers[transfer] + " " + kKernels[kernel] +
                       (deterministic ? ", fixed order" : "");
        result.tolerance = sizeof(T) == 8 ? 1e-12 : 1e-4;
        results.push_back(std::move(result));
      }
}

}  // namespace

std::vector<Agreement> check_operators() {
  std::vector<Agreement> results;
  check_schemes<double, 2>(results);
  check_schemes<double, 3>(results);
  check_schemes<float, 2>(results);
  check_schemes<float, 3>(results);
  return results;
}

}  // namespace firn

#include "cases/agreement_packs.h"

namespace firn {

Result<std::unique_ptr<World>> world_of(const WorldPack& pack, Precision precision, Device device) {
  return World::create_from_particles(pack.scene, pack.particles, precision, device);
}

namespace {

struct Comparison {
  int steps;
  double tolerance;
};

// Steps are solved so far that what is left of them does not show: floats cannot be, and differ by
// what the scene asks for. Grains are floats in any case.
Comparison make_comparable(SceneSettings& scene, Precision precision) {
  const bool is_double = precision == Precision::double_;
  Comparison with{kAgreementSteps, agreement_tolerance(precision)};
  if (scene.solver == SolverKind::sph) {
    with.steps = agreement_steps_of_sph(precision);
  } else if (!scene.integrator.is_explicit()) {
    if (is_double) scene.integrator.tolerance = 1e-8;
    with.tolerance = is_double ? 1e-5 : 0.02;
  }
  if (scene.grains) with.tolerance = agreement_tolerance(Precision::single);
  return with;
}

}  // namespace

PackCheck check_pack(const WorldPack& pack, Precision precision) {
  PackCheck check;
  const auto ended = [&](PackVerdict verdict, const Errors& errors, const char* where) {
    check.verdict = verdict;
    check.words = where + errors.front();
    return check;
  };
  WorldPack same = pack;
  const Comparison with = make_comparable(same.scene, precision);
  const auto cpu = world_of(same, precision, Device::cpu);
  if (!cpu) return ended(PackVerdict::failed, cpu.errors(), "CPU: ");
  Errors errors = take_steps(**cpu, with.steps);
  if (!errors.empty()) return ended(PackVerdict::failed, errors, "CPU: ");
  check.particles = (*cpu)->size().particles;
  const auto cuda = world_of(same, precision, Device::cuda);
  if (!cuda) return ended(PackVerdict::refused, cuda.errors(), "");
  errors = take_steps(**cuda, with.steps);
  if (!errors.empty()) return ended(PackVerdict::failed, errors, "CUDA: ");
  check.agreement = compare_worlds(pack.scene, **cpu, **cuda);
  check.agreement.tolerance = with.tolerance;
  check.verdict = check.agreement.pass() ? PackVerdict::agrees : PackVerdict::differs;
  return check;
}

}  // namespace firn

#include "cases/agreement_packs.h"

namespace firn {

Result<std::unique_ptr<World>> world_of(const WorldPack& pack, Precision precision, Device device) {
  return World::create_from_particles(pack.scene, pack.particles, precision, device);
}

PackCheck check_pack(const WorldPack& pack, Precision precision) {
  PackCheck check;
  const auto ended = [&](PackVerdict verdict, const Errors& errors, const char* where) {
    check.verdict = verdict;
    check.words = where + errors.front();
    return check;
  };
  const auto cpu = world_of(pack, precision, Device::cpu);
  if (!cpu) return ended(PackVerdict::failed, cpu.errors(), "CPU: ");
  Errors errors = take_steps(**cpu, kAgreementSteps);
  if (!errors.empty()) return ended(PackVerdict::failed, errors, "CPU: ");
  check.particles = (*cpu)->size().particles;
  const auto cuda = world_of(pack, precision, Device::cuda);
  if (!cuda) return ended(PackVerdict::refused, cuda.errors(), "");
  errors = take_steps(**cuda, kAgreementSteps);
  if (!errors.empty()) return ended(PackVerdict::failed, errors, "CUDA: ");
  check.agreement = compare_worlds(pack.scene, **cpu, **cuda);
  check.agreement.tolerance = agreement_tolerance(precision);
  check.verdict = check.agreement.pass() ? PackVerdict::agrees : PackVerdict::differs;
  return check;
}

}  // namespace firn

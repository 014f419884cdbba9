#include "cases/memory_growth.h"

#include <cstdio>

#include "commands.h"

namespace firn::engine {

namespace {

void print(const Growth& growth) {
  constexpr double kMiB = 1 << 20;
  std::printf(
      "%s, particles that spread: %.2f to %.2f MiB on the device, %.2g of %s from the CPU\n",
      growth.scene.c_str(), double(growth.bytes_before) / kMiB, double(growth.bytes_after) / kMiB,
      growth.agreement.difference, growth.agreement.field.c_str());
  std::printf("no room to grow: %s\n", growth.no_room_to_grow.c_str());
  std::printf("no room to start: %s\n", growth.no_room_to_start.c_str());
  std::printf("%s\n", growth.pass() ? "ok" : "FAILED");
}

}  // namespace

int growth() {
  const Result<std::vector<Growth>> all = check_growth();
  if (!all) {
    std::fprintf(stderr, "%s\n", all.errors().front().c_str());
    return kBadUsage;
  }
  bool pass = true;
  for (const Growth& growth : *all) {
    print(growth);
    pass = pass && growth.pass();
  }
  return pass ? kDone : kFailed;
}

}  // namespace firn::engine

#include "cases/memory_growth.h"

#include <cstdio>

#include "commands.h"

namespace firn::engine {

int growth() {
  const Result<Growth> growth = check_growth();
  if (!growth) {
    std::fprintf(stderr, "%s\n", growth.errors().front().c_str());
    return kBadUsage;
  }
  constexpr double kMiB = 1 << 20;
  std::printf("particles that spread: %.2f to %.2f MiB on the device, %.2g of %s from the CPU\n",
              double(growth->bytes_before) / kMiB, double(growth->bytes_after) / kMiB,
              growth->agreement.difference, growth->agreement.field.c_str());
  std::printf("no room to grow: %s\n", growth->no_room_to_grow.c_str());
  std::printf("no room to start: %s\n", growth->no_room_to_start.c_str());
  std::printf("%s\n", growth->pass() ? "ok" : "FAILED");
  return growth->pass() ? kDone : kFailed;
}

}  // namespace firn::engine

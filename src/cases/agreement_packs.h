// Packs on the CPU and on a CUDA device.
#pragma once

#include "cases/compare_devices.h"
#include "pack/world_pack.h"

namespace firn {

// refused: the device does not take the scene; failed: a run ended with an error.
enum class PackVerdict { agrees, differs, refused, failed };

struct PackCheck {
  PackVerdict verdict = PackVerdict::failed;
  std::size_t particles = 0;  // on the CPU, in the end
  Agreement agreement;        // where both ran
  std::string words;          // why not
};

// Runs the pack on the CPU whether there is a device or not.
PackCheck check_pack(const WorldPack& pack, Precision precision);

// A world of the pack.
Result<std::unique_ptr<World>> world_of(const WorldPack& pack, Precision precision, Device device);

}  // namespace firn

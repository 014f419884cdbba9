// What was found out about drivers, kept in the folder of caches (mesh_io/field_cache.h) as one
// small file each. Files that are damaged, old or of other versions are as if they were not there;
// a folder that cannot be used only costs a new trial.
#pragma once

#include <optional>
#include <string>

#include "base/bytes.h"

namespace firn {

enum class DriverFate { works, dies, hangs };

struct DriverVerdict {
  DriverFate fate = DriverFate::works;
  std::string words;  // "dies of SIGILL when it draws"
};

// By the digest of a driver_identity.
std::optional<DriverVerdict> recall_driver(const Digest& identity);
// `lasting`: for weeks. Otherwise for a day: what another load of the machine, or a driver that
// could not be named, may change.
void remember_driver(const Digest& identity, const DriverVerdict& verdict, bool lasting);

}  // namespace firn

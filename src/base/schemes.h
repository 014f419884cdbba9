// Names of the discretisation choices, shared by scene files and solvers.
#pragma once

namespace firn {

enum class KernelKind { linear, quadratic, cubic };
enum class TransferKind { mls, apic, flip, pic };

}  // namespace firn

// Asks another process whether a driver draws. A driver that compiles code for another processor
// dies of a signal at its first picture, long after its context was made; others never come back.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace firn {

// The side of the process that may die. It makes its context (or says why there is none), tells
// about itself on standard output, draws unless the answer is remembered, and ends: never returns.
// `make`: errors, or a current context for as long as the process lives. `draw`: errors, or all is
// well.
[[noreturn]] void answer_driver_check(const std::function<Errors()>& make,
                                      const std::function<Errors()>& draw);

// The side that wants to know: runs a program that answers as above. Empty when its driver draws,
// or one line that says what is wrong. A verdict is remembered (driver_memory.h).
Errors check_driver(const std::vector<std::string>& command);

// Seconds after which a driver counts as one that hangs: 60, or $FIRN_DRIVER_SECONDS. On a machine
// with much to do it has longer, as long as it comes to use the processor now and then.
double driver_patience();

}  // namespace firn

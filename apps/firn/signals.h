// Ctrl-C, SIGTERM and a terminal that goes away end a run after a checkpoint; a second one ends it
// at once.
#pragma once

#include "run/run.h"

namespace firn::cli {

// The signals go to this control as long as the object lives.
class SignalScope {
 public:
  explicit SignalScope(RunControl& control);
  ~SignalScope();
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;
};

// Limits on file sizes and closed pipes shall be errors of a write, not the end of the program.
void ignore_write_signals();

}  // namespace firn::cli

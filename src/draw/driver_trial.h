// Whether a driver can draw at all. One that cannot often takes the process with it, so this is
// asked in a process of its own (driver_check.h).
#pragma once

#include <string>

#include "base/result.h"

namespace firn {

// A few pixels of everything that the renderer draws, by its own shaders, in the current context.
// The error says what is wrong with the pictures.
Errors try_renderer();

// Of the current context: "llvmpipe (LLVM 15.0.6, 128 bits), Mesa 22.3.6".
std::string driver_name();

// All by which drivers, their versions and this machine differ, as far as it can be known: the
// driver's own words, the files of the libraries that are loaded, the processor, and settings of
// the environment. Without a context: before there is any driver.
std::string driver_identity(bool has_context);

}  // namespace firn

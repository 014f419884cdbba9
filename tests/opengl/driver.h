// OpenGL for tests. Where the driver of this machine dies when it draws, tests run with a shim that
// is preloaded (llvm_cpu_shim.cpp); where that does not help either, those that draw are skipped.
#pragma once

#include <string>

namespace firn::test {

// Why nothing can be drawn with OpenGL; empty: it can. For GTEST_SKIP.
const std::string& opengl_problem();

// For main: decides, and may start the program again with the shim. Returns unless it does.
void prepare_opengl(char** arguments);

}  // namespace firn::test

#define FIRN_NEEDS_OPENGL() \
  if (!firn::test::opengl_problem().empty()) GTEST_SKIP() << firn::test::opengl_problem()

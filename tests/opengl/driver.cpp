#include "driver.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "draw/driver_check.h"
#include "draw/driver_trial.h"
#include "draw/gl_context.h"

namespace firn::test {
namespace {

constexpr const char* kTry = "--try-driver";                  // how this program asks itself
constexpr const char* kProblem = "FIRN_TEST_OPENGL_PROBLEM";  // set: decided; empty: all is well

std::string problem;

[[noreturn]] void answer() {
  std::unique_ptr<GlContext> context;
  answer_driver_check(
      [&]() -> Errors {
        Result<std::unique_ptr<GlContext>> made = GlContext::create();
        if (!made) return made.errors();
        context = std::move(*made);
        return {};
      },
      [] { return try_renderer(); });
}

void preload(const std::string& library) {
  const char* others = std::getenv("LD_PRELOAD");
  const std::string list = others && *others ? library + ":" + others : library;
  setenv("LD_PRELOAD", list.c_str(), 1);
  setenv("MESA_SHADER_CACHE_DISABLE", "1", 1);
}

}  // namespace

const std::string& opengl_problem() {
  return problem;
}

void prepare_opengl(char** arguments) {
  if (arguments[1] && std::strcmp(arguments[1], kTry) == 0) answer();
  // What is found out once holds for all tests of this build.
  setenv("FIRN_CACHE", FIRN_TEST_CACHE, 0);
  if (const char* decided = std::getenv(kProblem)) {
    problem = decided;
    return;
  }
  const std::string program = "/proc/self/exe";
  const Errors plain = check_driver({program, kTry});
  if (plain.empty()) {
    setenv(kProblem, "", 1);
    return;
  }
  const char* before = std::getenv("LD_PRELOAD");
  const std::string old = before ? before : "";
  preload(FIRN_LLVM_SHIM);
  if (check_driver({program, kTry}).empty()) {
    setenv(kProblem, "", 1);
    std::printf("OpenGL: with %s, since %s\n", FIRN_LLVM_SHIM, plain.front().c_str());
    std::fflush(stdout);
    execv(program.c_str(), arguments);
  }
  old.empty() ? unsetenv("LD_PRELOAD") : setenv("LD_PRELOAD", old.c_str(), 1);
  unsetenv("MESA_SHADER_CACHE_DISABLE");
  problem = plain.front();
  setenv(kProblem, problem.c_str(), 1);
}

}  // namespace firn::test

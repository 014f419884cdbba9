// Preloaded, it makes any driver a bad one as soon as something is drawn, as $FIRN_BAD_DRIVER says:
// "dies" of an illegal instruction, "hangs", "leaves" the program, or draws "nothing". epoxy keeps
// the functions of OpenGL in variables, and those found here come before its own.
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace {

void misbehave() {
  const char* how = std::getenv("FIRN_BAD_DRIVER");
  if (!how) how = "dies";
  if (std::strcmp(how, "dies") == 0) {
    std::signal(SIGILL, SIG_DFL);
    raise(SIGILL);
  }
  while (std::strcmp(how, "hangs") == 0) pause();
  if (std::strcmp(how, "leaves") == 0) _exit(3);
}

void draw_arrays(unsigned, int, int) {
  misbehave();
}
void draw_arrays_instanced(unsigned, int, int, int) {
  misbehave();
}
void draw_elements(unsigned, int, unsigned, const void*) {
  misbehave();
}

}  // namespace

extern "C" {
void (*epoxy_glDrawArrays)(unsigned, int, int) = draw_arrays;
void (*epoxy_glDrawArraysInstanced)(unsigned, int, int, int) = draw_arrays_instanced;
void (*epoxy_glDrawElements)(unsigned, int, unsigned, const void*) = draw_elements;
}

#include "signals.h"

#include <unistd.h>

#include <csignal>

#include "output.h"

namespace firn::cli {
namespace {

std::atomic<RunControl*> current{nullptr};
static_assert(std::atomic<RunControl*>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free);

void handle(int) {
  RunControl* control = current.load();
  if (!control || control->quit) _exit(kInterrupted);
  control->request_quit();
}

void install(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    // nohup asks for a hangup to be ignored.
    if (signal == SIGHUP && sigaction(signal, nullptr, &before) == 0 &&
        before.sa_handler == SIG_IGN)
      continue;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

SignalScope::SignalScope(RunControl& control) {
  current = &control;
  install(handle);
}

SignalScope::~SignalScope() {
  install(SIG_DFL);
  current = nullptr;
}

void ignore_write_signals() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace firn::cli

// Loops over threads. One pool serves the process; nothing else in Firn names a thread. Loops may
// be run from several threads at once: the pool serves one of them, the others go on by themselves.
// Determinism rule: a body may write only what its own indices own, so the split never matters.
#pragma once

#include <cstdint>
#include <type_traits>

namespace firn {

// Number of threads that loops use, the calling one included. Default: as many as this process may
// use cores.
int thread_count();
void set_thread_count(int n);

// While one lives, loops of the thread that made it run on that thread alone: work beside a
// simulation leaves the pool to it.
class OwnThreadScope {
 public:
  OwnThreadScope();
  ~OwnThreadScope();
  OwnThreadScope(const OwnThreadScope&) = delete;
  OwnThreadScope& operator=(const OwnThreadScope&) = delete;

 private:
  bool before_;
};

namespace detail {
using LoopBody = void (*)(void* context, std::int64_t begin, std::int64_t end);
void run_loop(const char* name, std::int64_t n, std::int64_t grain, LoopBody body, void* context);
}  // namespace detail

// Calls body(begin, end) for pieces of at most `grain` indices that together cover [0, n).
template <class Body>
void parallel_for(const char* name, std::int64_t n, std::int64_t grain, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  detail::run_loop(
      name, n, grain,
      [](void* context, std::int64_t begin, std::int64_t end) {
        (*static_cast<Plain*>(context))(begin, end);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace firn

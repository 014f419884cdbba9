#include "exec/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#ifdef __linux__
#include <sched.h>
#endif

namespace firn {
namespace {

inline void relax() {
#if defined(__aarch64__)
  asm volatile("yield");
#elif defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// A few microseconds of spinning; beyond that the core is better given to someone else.
constexpr int kSpins = 4000;

template <class Done>
void wait_until(Done&& done) {
  for (int i = 0; !done(); ++i) {
    if (i < kSpins)
      relax();
    else
      std::this_thread::yield();
  }
}

thread_local bool inside_loop = false;

// Workers take pieces of the current loop from a shared counter. They spin for a moment between
// loops, because a time step is a handful of loops a millisecond apart, and then sleep.
class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
      generation_.fetch_add(1);
    }
    wake_.notify_all();
    for (auto& worker : workers_) worker.join();
  }
  int size() const { return static_cast<int>(workers_.size()) + 1; }

  void run(std::int64_t n, std::int64_t grain, detail::LoopBody body, void* context) {
    n_ = n;
    grain_ = grain;
    body_ = body;
    context_ = context;
    failure_ = nullptr;
    next_.store(0);
    busy_.store(static_cast<int>(workers_.size()));
    {
      std::lock_guard lock(mutex_);
      generation_.fetch_add(1);
    }
    wake_.notify_all();
    take_pieces();
    wait_until([&] { return busy_.load(std::memory_order_acquire) == 0; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void take_pieces() {
    try {
      for (;;) {
        const std::int64_t begin = next_.fetch_add(grain_);
        if (begin >= n_) return;
        body_(context_, begin, std::min(begin + grain_, n_));
      }
    } catch (...) {
      std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      next_.store(n_);
    }
  }

  void work() {
    inside_loop = true;  // whatever loop its pieces meet
    std::uint64_t seen = 0;
    for (;;) {
      for (int i = 0; i < kSpins && generation_.load(std::memory_order_acquire) == seen; ++i)
        relax();
      if (generation_.load(std::memory_order_acquire) == seen) {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return generation_.load() != seen; });
      }
      seen = generation_.load(std::memory_order_acquire);
      if (stop_) return;
      take_pieces();
      busy_.fetch_sub(1, std::memory_order_release);
    }
  }

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<std::int64_t> next_{0};
  std::atomic<int> busy_{0};
  std::int64_t n_ = 0, grain_ = 1;
  detail::LoopBody body_ = nullptr;
  void* context_ = nullptr;
  std::exception_ptr failure_;
  bool stop_ = false;
};

// Those that this process may run on: batch systems and containers lend some of a machine.
int usable_cores() {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// The pool serves one thread at a time: who has the lock.
struct SharedPool {
  std::mutex serving;
  std::unique_ptr<Pool> pool = std::make_unique<Pool>(usable_cores());
  std::atomic<int> size{pool->size()};
};

SharedPool& shared_pool() {
  static SharedPool instance;
  return instance;
}

}  // namespace

OwnThreadScope::OwnThreadScope() : before_(inside_loop) {
  inside_loop = true;
}

OwnThreadScope::~OwnThreadScope() {
  inside_loop = before_;
}

int thread_count() {
  return shared_pool().size;
}

void set_thread_count(int n) {
  SharedPool& shared = shared_pool();
  const std::lock_guard lock(shared.serving);
  n = std::max(1, n);
  if (n == shared.size) return;
  shared.pool = std::make_unique<Pool>(n);
  shared.size = n;
}

void detail::run_loop(const char*, std::int64_t n, std::int64_t grain, LoopBody body,
                      void* context) {
  if (n <= 0) return;
  grain = std::max<std::int64_t>(1, grain);
  // A loop inside a loop, or of a second thread while the pool serves a first, runs on the thread
  // that met it: what comes of a loop does not depend on who runs its pieces.
  SharedPool& shared = shared_pool();
  std::unique_lock<std::mutex> serving(shared.serving, std::defer_lock);
  if (inside_loop || n <= grain || shared.size == 1 || !serving.try_lock()) {
    for (std::int64_t begin = 0; begin < n; begin += grain)
      body(context, begin, std::min(begin + grain, n));
    return;
  }
  struct Guard {
    Guard() { inside_loop = true; }
    ~Guard() { inside_loop = false; }
  } guard;
  shared.pool->run(n, grain, body, context);
}

}  // namespace firn

#include "draw/driver_check.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "draw/driver_memory.h"
#include "draw/driver_trial.h"

namespace firn {

namespace {

using Clock = std::chrono::steady_clock;

// Each answer is a line that begins so; whatever else a driver prints is not meant.
constexpr std::string_view kMark = "firn-driver ";

void say(const std::string& words) {
  const std::string line = std::string(kMark) + words + "\n";
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = write(STDOUT_FILENO, line.data() + done, line.size() - done);
    if (count < 0 && errno != EINTR) _exit(1);
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

// One line, whatever is in it.
std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Digest tell_identity(bool has_context) {
  const Digest identity = digest_of(driver_identity(has_context));
  say("identity " + std::to_string(identity[0]) + " " + std::to_string(identity[1]) +
      (has_context ? " whole" : " early"));
  return identity;
}

// What a process said before it ended.
struct Answer {
  std::string driver;  // its name
  std::optional<Digest> identity;
  bool whole = false;  // the identity of a driver, and not of the time before there was one
  std::optional<std::string> verdict;
};

Answer parse_answer(const std::string& text) {
  Answer answer;
  for (std::size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at + 1)) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;  // cut off
    const std::string line = text.substr(at + kMark.size(), end - at - kMark.size());
    const auto rest = [&](const char* word) { return line.substr(std::strlen(word)); };
    if (line.starts_with("name ")) answer.driver = rest("name ");
    if (line.starts_with("verdict ")) answer.verdict = rest("verdict ");
    if (line.starts_with("identity ")) {
      char* next = nullptr;
      const std::uint64_t first = std::strtoull(line.c_str() + std::strlen("identity "), &next, 10);
      answer.identity = Digest{first, std::strtoull(next, nullptr, 10)};
      answer.whole = line.ends_with(" whole");
    }
  }
  return answer;
}

[[noreturn]] void become(const std::vector<std::string>& command, std::vector<char*>& arguments,
                         int output, pid_t parent) {
  // Whoever waits for the answer may be ended first, and a core of a dead driver helps nobody.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  execv(command[0].c_str(), arguments.data());
  _exit(1);
}

struct Ended {
  int status = 0;  // of waitpid
  bool in_time = true;
  std::string text;
};

// Seconds of processor time that a process has used.
double processor_seconds(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  // The second field is a name in parentheses, which may hold anything; utime and stime are 14, 15.
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string skipped;
  for (int k = 3; k < 14; ++k) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

// Tells a process that hangs, asleep or in a loop, from one that only waits for its turn on a
// machine with much to do.
class Patience {
 public:
  Patience(pid_t process, double seconds)
      : process_(process), seconds_(seconds), start_(Clock::now()), moved_(start_) {}

  int milliseconds() const { return static_cast<int>(std::clamp(100 * seconds_, 10.0, 500.0)); }
  bool is_over() {
    const auto now = Clock::now();
    const double used = processor_seconds(process_);
    if (used > used_) moved_ = now;
    used_ = std::max(used_, used);
    const auto since = [&](Clock::time_point then) {
      return std::chrono::duration<double>(now - then).count();
    };
    if (since(start_) < seconds_) return false;
    return used_ >= seconds_ || since(moved_) >= 0.5 * seconds_ || since(start_) >= 20 * seconds_;
  }

 private:
  pid_t process_;
  double seconds_, used_ = 0;
  Clock::time_point start_, moved_;
};

// Reads until the process closes its end or the time is over.
void read_all(int input, Patience patience, Ended& ended) {
  char block[4096];
  for (;;) {
    pollfd wait{input, POLLIN, 0};
    const int ready = poll(&wait, 1, patience.milliseconds());
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      if (!patience.is_over()) continue;
      ended.in_time = false;
      return;
    }
    const ssize_t count = read(input, block, sizeof(block));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    if (ended.text.size() < 100'000) ended.text.append(block, static_cast<std::size_t>(count));
  }
}

std::optional<Ended> run(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(command, arguments, ends[1], parent);
  close(ends[1]);
  Ended ended;
  if (child > 0) {
    read_all(ends[0], Patience(child, driver_patience()), ended);
    if (!ended.in_time) kill(child, SIGKILL);
    while (waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  if (child < 0) return std::nullopt;
  return ended;
}

// Signals by which somebody else ends a process: they say nothing about a driver.
bool is_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
}

std::string signal_name(int signal) {
  const char* name = sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

Errors judged(const DriverVerdict& verdict, const std::string& driver) {
  if (verdict.fate == DriverFate::works) return {};
  const std::string name = driver.empty() ? "" : " (" + driver + ")";
  return {"OpenGL cannot be used: its driver" + name + " " + verdict.words};
}

}  // namespace

double driver_patience() {
  constexpr double kUsual = 60;
  const char* given = std::getenv("FIRN_DRIVER_SECONDS");
  if (!given) return kUsual;
  double seconds = 0;
  const char* end = given + std::strlen(given);
  const auto [at, error] = std::from_chars(given, end, seconds);
  return error == std::errc() && at == end && seconds > 0 && seconds < 1e6 ? seconds : kUsual;
}

void answer_driver_check(const std::function<Errors()>& make, const std::function<Errors()>& draw) {
  const auto answer = [](const Errors& errors, const std::string& before) {
    say("verdict " + (errors.empty() ? "works" : before + in_one_line(errors.front())));
    // Whatever the driver does when a process ends, the answer stands.
    _exit(0);
  };
  const auto answer_from_memory = [](const Digest& identity) {
    const std::optional<DriverVerdict> known = recall_driver(identity);
    if (!known) return;
    say("verdict " + (known->fate == DriverFate::works ? "still works" : "known " + known->words));
    _exit(0);
  };
  answer_from_memory(tell_identity(false));
  const Errors missing = make();
  if (!missing.empty()) answer(missing, "missing ");
  say("name " + in_one_line(driver_name()));
  answer_from_memory(tell_identity(true));
  answer(draw(), "wrong ");
  _exit(0);
}

Errors check_driver(const std::vector<std::string>& command) {
  const std::optional<Ended> ended = run(command);
  if (!ended) return {"OpenGL cannot be used: no process can be started to try its driver"};
  const Answer answer = parse_answer(ended->text);
  const auto remember = [&](const DriverVerdict& verdict, bool lasting) {
    if (answer.identity) remember_driver(*answer.identity, verdict, lasting && answer.whole);
    return judged(verdict, answer.driver);
  };
  if (answer.verdict) {
    const std::string& words = *answer.verdict;
    const auto after = [&](const char* word) { return words.substr(std::strlen(word)); };
    if (words == "still works") return {};
    if (words == "works") return remember({DriverFate::works, ""}, true);
    if (words.starts_with("missing ")) return {after("missing ")};
    if (words.starts_with("known "))
      return judged({DriverFate::dies, after("known ")}, answer.driver);
    return remember({DriverFate::dies, after("wrong ")}, true);
  }
  const std::string when = answer.whole ? " when it draws" : " when it starts";
  if (!ended->in_time) return remember({DriverFate::hangs, "hangs" + when}, false);
  if (!WIFSIGNALED(ended->status))
    return remember({DriverFate::dies, "ends the program" + when}, true);
  const int signal = WTERMSIG(ended->status);
  const DriverVerdict verdict{DriverFate::dies, "dies of " + signal_name(signal) + when};
  if (is_from_outside(signal)) return judged(verdict, answer.driver);
  return remember(verdict, true);
}

}  // namespace firn

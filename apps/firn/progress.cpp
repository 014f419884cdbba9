#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "output.h"

namespace firn::cli {
namespace {

constexpr double kSecondsBetweenLines = 1;
constexpr double kSecondsBetweenBars = 0.05;

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// Fills what the line leaves free, up to a point; nothing where that is too little to see.
std::string bar(double share, std::size_t line_size) {
  const std::size_t taken = line_size + 4;
  const std::size_t width = terminal_width();
  const int cells = width > taken ? static_cast<int>(std::min<std::size_t>(width - taken, 20)) : 0;
  if (cells < 5) return "";
  const int filled = static_cast<int>(share * cells);
  return "[" + std::string(filled, '#') + std::string(cells - filled, '.') + "] ";
}

}  // namespace

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(isatty(STDOUT_FILENO) == 1) {}

Progress::~Progress() {
  clear_bar();
}

void Progress::show(std::int64_t done, std::int64_t total, const std::string& details,
                    double seconds_left) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  const double pause = std::chrono::duration<double>(now - last_shown_).count();
  const bool last = done >= total;
  if (any_shown_ && !last && pause < (terminal_ ? kSecondsBetweenBars : kSecondsBetweenLines))
    return;
  any_shown_ = true;
  last_shown_ = now;
  std::string line = fmt::format("frame {}/{}  {}", done, total, details);
  if (!last && seconds_left > 0) line += "  " + duration_text(seconds_left) + " left";
  if (!terminal_) {
    put_aside(line + "\n");
  } else {
    const double share = total > 0 ? double(done) / double(total) : 1;
    line = bar(std::clamp(share, 0.0, 1.0), line.size()) + line;
    put_aside("\r\033[K" + line.substr(0, terminal_width() - 1));
    bar_shown_ = true;
  }
}

void Progress::say(const std::string& line) {
  if (quiet_) return;
  clear_bar();
  put_aside(line + "\n");
}

void Progress::clear_bar() {
  if (!bar_shown_) return;
  put_aside("\n");
  bar_shown_ = false;
}

}  // namespace firn::cli

#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace firn::cli {

std::string program_name() {
  return "firn " FIRN_VERSION;
}

namespace {

int output_error = 0;  // errno of the first failure

// Gives errno, or 0.
int write_out(const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return 0;
  const int error = errno;
  std::clearerr(stdout);
  return error == 0 ? EIO : error;
}

}  // namespace

void put(const std::string& text) {
  const int error = write_out(text);
  if (error != EPIPE && output_error == 0) output_error = error;
}

void put_aside(const std::string& text) {
  write_out(text);
}

void put_passing(const std::string& line) {
  if (isatty(STDOUT_FILENO) == 1) put_aside("\r\033[K" + line + "\r");
}

int finished(int status) {
  if (output_error == 0) return status;
  report(std::string("standard output: cannot write: ") + std::strerror(output_error), kFailed);
  return status == kDone ? kFailed : status;
}

int report(const Errors& errors, int status) {
  for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
  return status;
}

int report(const std::string& error, int status) {
  return report(Errors{error}, status);
}

std::string grouped(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  const int first = number < 0 ? 1 : 0;
  for (int i = static_cast<int>(digits.size()) - 3; i > first; i -= 3) digits.insert(i, ",");
  return digits;
}

std::string bytes_text(double bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 4) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, kUnits[unit]);
}

std::string duration_text(double seconds) {
  if (!(seconds < 1e9)) return "more than 30 years";
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  const long long whole = std::llround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace firn::cli

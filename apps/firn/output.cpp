#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace firn::cli {

std::string program_name() {
  return "firn " FIRN_VERSION;
}

void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void put_passing(const std::string& line) {
  if (isatty(STDOUT_FILENO) == 1) put("\r\033[K" + line + "\r");
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

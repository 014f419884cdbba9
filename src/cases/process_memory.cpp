#include "cases/process_memory.h"

#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstring>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace firn {
namespace {

double highest_resident() {
  double kibibytes = 0;
  if (FILE* file = std::fopen("/proc/self/status", "r")) {
    char line[256];
    while (std::fgets(line, sizeof line, file))
      if (std::strncmp(line, "VmHWM:", 6) == 0) std::sscanf(line + 6, "%lf", &kibibytes);
    std::fclose(file);
  }
  return 1024 * kibibytes;
}

bool forget_highest() {
  FILE* file = std::fopen("/proc/self/clear_refs", "w");
  if (!file) return false;
  const bool written = std::fputs("5", file) >= 0;
  return std::fclose(file) == 0 && written;
}

}  // namespace

double resident_bytes() {
#ifdef __GLIBC__
  malloc_trim(0);  // what was given back earlier is not resident
#endif
  long pages = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return double(resident) * double(sysconf(_SC_PAGESIZE));
}

PeakMemory::PeakMemory() : before_(resident_bytes()), told_(forget_highest()) {}

double PeakMemory::growth() const {
  return std::max((told_ ? highest_resident() : resident_bytes()) - before_, 0.0);
}

}  // namespace firn

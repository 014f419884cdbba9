// What fuzz targets demand of readers.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/result.h"

namespace firn {

inline void require(bool condition, const char* what, const std::string& detail = "") {
  if (condition) return;
  std::fprintf(stderr, "fuzz: %s\n%s\n", what, detail.c_str());
  std::abort();
}

// One clear line each, starting with the name of the file.
inline void check_lines(const Errors& lines, const std::string& name) {
  for (const std::string& line : lines) {
    require(line.rfind(name, 0) == 0, "line does not name the file", line);
    require(line.find('\n') == std::string::npos, "error of several lines", line);
    require(line.size() < 4096, "endless line", line);
  }
}

template <class T>
bool check_result(const Result<T>& result, const std::string& name) {
  if (result.ok()) return true;
  require(!result.errors().empty(), "failure without a line");
  check_lines(result.errors(), name);
  return false;
}

}  // namespace firn

// log.txt: what happened to a run and when. Its first line says that the folder is a run's, and a
// lock on it keeps two programs from writing to the same run.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace firn {

bool is_run_log(const std::filesystem::path& path);

class RunLog {
 public:
  // Creates the file where there is none, and locks it.
  static Result<RunLog> open(const std::filesystem::path& path);
  RunLog(RunLog&& other) noexcept;
  RunLog& operator=(RunLog&& other) noexcept;
  ~RunLog();

  // Forgets earlier lines.
  void clear();
  // With date and time. A log that cannot be written is no reason to stop a run.
  void line(const std::string& text);

 private:
  explicit RunLog(int descriptor) : descriptor_(descriptor) {}
  void put(const std::string& text);
  int descriptor_;
};

}  // namespace firn

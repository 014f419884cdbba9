// What the program says and the status it ends with.
#pragma once

#include <string>

#include "base/result.h"

namespace firn::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;

// Name and version, as files and --version carry it.
std::string program_name();

// Results, on standard output. A reader that went away is no error; anything else that keeps them
// from being written, a full disk above all, makes `finished` say so.
void put(const std::string& text);
// What merely accompanies work whose results are files.
void put_aside(const std::string& text);
// The status to end with: that of the command, unless its results could not be written.
int finished(int status);
// On a terminal a line that the next one replaces; nothing elsewhere.
void put_passing(const std::string& line);

// One line each on standard error; gives back the status for convenience.
int report(const Errors& errors, int status);
int report(const std::string& error, int status);

// 1234567 as 1,234,567
std::string grouped(double number);
std::string bytes_text(double bytes);       // 1.5 GiB
std::string duration_text(double seconds);  // 1:02:03, 2:03, 12 s, 0.3 s

}  // namespace firn::cli

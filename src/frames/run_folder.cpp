#include "frames/run_folder.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

namespace firn {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kFramePrefix = "frame_", kBodiesPrefix = "bodies_",
                           kGrainsPrefix = "grains_";

std::optional<std::int64_t> frame_number(std::string_view name, std::string_view prefix,
                                         const std::string& format) {
  const std::string suffix = "." + format;
  if (name.size() < prefix.size() + suffix.size() || !name.starts_with(prefix) ||
      !name.ends_with(suffix))
    return {};
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (name.size() < 4 || name.size() > 15 || !std::all_of(name.begin(), name.end(), is_digit))
    return {};
  return std::stoll(std::string(name));
}

fs::path file_of(const fs::path& folder, std::string_view prefix, std::int64_t number,
                 const std::string& format) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%04lld.", static_cast<long long>(number));
  return folder / (std::string(prefix) + digits + format);
}

std::vector<std::int64_t> numbers_of(const fs::path& folder, std::string_view prefix,
                                     const std::string& format) {
  std::vector<std::int64_t> numbers;
  for (const std::string& name : names_in(folder))
    if (const auto number = frame_number(name, prefix, format)) numbers.push_back(*number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  return names;
}

fs::path RunFolder::frame(std::int64_t number, const std::string& format) const {
  return file_of(frames(), kFramePrefix, number, format);
}

fs::path RunFolder::grains(std::int64_t number, const std::string& format) const {
  return file_of(frames(), kGrainsPrefix, number, format);
}

fs::path RunFolder::bodies(std::int64_t number) const {
  return file_of(frames(), kBodiesPrefix, number, "json");
}

std::vector<std::int64_t> frame_numbers(const RunFolder& folder, const std::string& format) {
  return numbers_of(folder.frames(), kFramePrefix, format);
}

std::vector<std::int64_t> grain_numbers(const RunFolder& folder, const std::string& format) {
  return numbers_of(folder.frames(), kGrainsPrefix, format);
}

std::vector<std::int64_t> body_numbers(const RunFolder& folder) {
  return numbers_of(folder.frames(), kBodiesPrefix, "json");
}

}  // namespace firn

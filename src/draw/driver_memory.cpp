#include "draw/driver_memory.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "mesh_io/atomic_file.h"
#include "mesh_io/field_cache.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kHeader = "firn driver 1";
constexpr const char* kExtension = ".driver";
constexpr std::uintmax_t kMostBytes = 4096;
constexpr std::int64_t kDay = 24 * 3600, kMonth = 30 * kDay;  // s
constexpr std::array<std::string_view, 3> kFates = {"works", "dies", "hangs"};

std::string hex(const Digest& digest) {
  char text[40];
  std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(digest[0]),
                static_cast<unsigned long long>(digest[1]));
  return text;
}

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

fs::path file_of(const Digest& identity) {
  const fs::path folder = field_cache_folder();
  return folder.empty() ? fs::path() : folder / (hex(identity) + kExtension);
}

// The next line of a text, which loses it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// Names of processes and machines change; without this the folder would fill up for ever.
void remove_old_files(const fs::path& folder) {
  std::error_code error;
  const auto oldest = fs::file_time_type::clock::now() - std::chrono::seconds(kMonth);
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().extension() == kExtension && it->last_write_time(ignored) < oldest)
      fs::remove(it->path(), ignored);
  }
}

}  // namespace

std::optional<DriverVerdict> recall_driver(const Digest& identity) {
  const fs::path file = file_of(identity);
  std::error_code error;
  if (file.empty() || !fs::is_regular_file(file, error) || fs::file_size(file, error) > kMostBytes)
    return std::nullopt;
  const Result<std::string> bytes = read_whole_file(file);
  if (!bytes) return std::nullopt;
  std::string_view text = *bytes;
  const std::string seal(take_line(text));
  if (seal != hex(digest_of(text, identity)) || take_line(text) != kHeader) return std::nullopt;
  const std::int64_t until = std::strtoll(std::string(take_line(text)).c_str(), nullptr, 10);
  // A clock that was set back must not keep a verdict for ever.
  if (until < now() || until > now() + kMonth + kDay) return std::nullopt;
  const std::string_view fate = take_line(text);
  for (std::size_t k = 0; k < kFates.size(); ++k)
    if (fate == kFates[k])
      return DriverVerdict{static_cast<DriverFate>(k), std::string(take_line(text))};
  return std::nullopt;
}

void remember_driver(const Digest& identity, const DriverVerdict& verdict, bool lasting) {
  const fs::path file = file_of(identity);
  if (file.empty()) return;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return;
  remove_old_files(file.parent_path());
  std::string text(kHeader);
  text += "\n" + std::to_string(now() + (lasting ? kMonth : kDay)) + "\n";
  text += std::string(kFates[static_cast<std::size_t>(verdict.fate)]) + "\n" + verdict.words + "\n";
  (void)write_whole_file(file, hex(digest_of(text, identity)) + "\n" + text).ok();
}

}  // namespace firn

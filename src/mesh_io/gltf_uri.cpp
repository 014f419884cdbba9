#include "mesh_io/gltf_uri.h"

#include <cstdint>
#include <system_error>

#include "mesh_io/atomic_file.h"
#include "mesh_io/base64_text.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestFile = 2'000'000'000;

int hex_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string without_percents(std::string_view uri) {
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && hex_of(uri[i + 1]) >= 0 && hex_of(uri[i + 2]) >= 0) {
      out += static_cast<char>(hex_of(uri[i + 1]) * 16 + hex_of(uri[i + 2]));
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

// Whether `path`, links followed, lies below `folder`.
bool is_below(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path base = fs::canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) return false;
  const fs::path file = fs::canonical(path, error);
  if (error) return false;
  auto part = file.begin();
  for (const fs::path& expected : base) {
    if (part == file.end() || *part != expected) return false;
    ++part;
  }
  return true;
}

}  // namespace

std::string file_size_fault(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > kLargestFile) return "larger than 2 GB";
  return "";  // what cannot be read is told by the reader
}

std::string load_uri(std::string_view uri, const fs::path& folder, std::string& out) {
  if (uri.starts_with("data:")) {
    const std::size_t comma = uri.find(";base64,");
    if (comma == std::string_view::npos) return "a data uri without base64";
    return decode_base64(uri.substr(comma + 8), out) ? "" : "broken base64";
  }
  const fs::path relative = without_percents(uri);
  bool outside = relative.empty() || relative.is_absolute() ||
                 relative.native().find_first_of(std::string_view(":\\\0", 3)) != std::string::npos;
  for (const fs::path& part : relative) outside |= part == "..";
  const fs::path path = folder / relative;
  std::error_code error;
  if (!outside && !fs::exists(path, error)) return "there is no file " + quoted_text(uri);
  if (outside || !is_below(path, folder))
    return "the file " + quoted_text(uri) + " is not in the folder of the mesh";
  const std::string size = file_size_fault(path);
  if (!size.empty()) return "the file " + quoted_text(uri) + " is " + size;
  Result<std::string> bytes = read_whole_file(path);
  if (!bytes) return "cannot read the file " + quoted_text(uri);
  out = std::move(*bytes);
  return "";
}

}  // namespace firn

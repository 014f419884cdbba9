#include "mesh_io/field_cache.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "geometry/mesh_field.h"
#include "mesh_io/atomic_file.h"
#include "mesh_io/field_file.h"
#include "mesh_io/mesh_file.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

using Field = std::shared_ptr<const DistanceField>;

constexpr std::uintmax_t kMostBytes = 2'000'000'000;
constexpr const char* kExtension = ".field";

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// A text glTF file may name others, whose bytes the key does not know.
bool stands_alone(const fs::path& path, std::string_view bytes) {
  const std::string extension = path.extension().string();
  if (extension.size() != 5) return true;  // only .gltf is that long
  return count_of(bytes, "\"uri\"") <= count_of(bytes, "\"data:");
}

Digest key_of(const fs::path& path, std::string_view bytes, double spacing,
              const MeshPlacement& placement) {
  const auto bytes_of = [](const auto& value) {
    return std::string_view(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  Digest key = digest_of(bytes);
  key = digest_of(path.extension().string(), key);
  key = digest_of(bytes_of(spacing), key);
  return digest_of(bytes_of(placement), key);
}

fs::path file_of(const fs::path& folder, const Digest& key) {
  char name[40];
  std::snprintf(name, sizeof(name), "%016llx%016llx", static_cast<unsigned long long>(key[0]),
                static_cast<unsigned long long>(key[1]));
  return folder / (std::string(name) + kExtension);
}

std::optional<StoredField> load(const fs::path& file, const Digest& key) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > kMostBytes) return std::nullopt;
  const Result<std::string> bytes = read_whole_file(file);
  if (!bytes) return std::nullopt;
  std::optional<StoredField> stored = decode_field(*bytes, key);
  if (stored) fs::last_write_time(file, fs::file_time_type::clock::now(), error);
  return stored;
}

void store(const fs::path& file, const StoredField& stored, const Digest& key) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return;
  const std::string bytes = encode_field(stored.field, stored.warnings, key);
  if (bytes.size() > kMostBytes) return;
  trim_field_cache(file.parent_path(), kMostBytes - bytes.size());
  (void)write_whole_file(file, bytes).ok();
}

void place(TriangleMesh& mesh, const MeshPlacement& placement) {
  for (Vec3d& v : mesh.vertices) v = placement.matrix * v + placement.shift;
}

// Lines without the name of the file: the same mesh may lie under several.
Result<StoredField> build(const fs::path& path, std::string_view bytes, double spacing,
                          const MeshPlacement& placement) {
  Result<LoadedMesh> loaded = parse_mesh(bytes, path);
  if (!loaded) return loaded.errors();
  place(loaded->mesh, placement);
  Result<DistanceField> field = mesh_distance_field(loaded->mesh, spacing);
  if (!field) return Result<StoredField>::failure(path.string() + ": " + field.errors().front());
  for (std::string& line : loaded->warnings) line.erase(0, path.string().size() + 2);
  return StoredField{std::move(*field), std::move(loaded->warnings)};
}

Result<Field> load_or_build(const fs::path& path, double spacing, const MeshPlacement& placement,
                            std::vector<std::string>& warnings) {
  const Result<std::string> bytes = read_mesh_bytes(path);
  if (!bytes) return bytes.errors();
  const fs::path folder = stands_alone(path, *bytes) ? field_cache_folder() : fs::path();
  const Digest key = key_of(path, *bytes, spacing, placement);
  std::optional<StoredField> stored;
  if (!folder.empty()) stored = load(file_of(folder, key), key);
  if (!stored) {
    Result<StoredField> built = build(path, *bytes, spacing, placement);
    if (!built) return built.errors();
    stored = std::move(*built);
    if (!folder.empty()) store(file_of(folder, key), *stored, key);
  }
  for (const std::string& line : stored->warnings) warnings.push_back(path.string() + ": " + line);
  return Field(std::make_shared<DistanceField>(std::move(stored->field)));
}

}  // namespace

fs::path field_cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const std::string own = variable("FIRN_CACHE");
  if (own == "off") return {};
  if (!own.empty()) return own;
  // The XDG specification has relative paths ignored.
  const fs::path general = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (general.is_absolute()) return general / "firn";
  return home.is_absolute() ? home / ".cache" / "firn" : fs::path();
}

void trim_field_cache(const fs::path& folder, std::uintmax_t most_bytes) {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().extension() != kExtension || !it->is_regular_file(ignored)) continue;
    const Entry entry{it->last_write_time(ignored), it->file_size(ignored), it->path()};
    if (ignored) continue;
    total += entry.size;
    entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.used != b.used ? a.used < b.used : a.path < b.path;
  });
  for (std::size_t i = 0; i < entries.size() && total > most_bytes; ++i) {
    std::error_code ignored;
    if (fs::remove(entries[i].path, ignored)) total -= entries[i].size;
  }
}

Result<Field> cached_mesh_field(const fs::path& path, double spacing,
                                const MeshPlacement& placement,
                                std::vector<std::string>& warnings) {
  try {
    return load_or_build(path, spacing, placement, warnings);
  } catch (const std::bad_alloc&) {
    return Result<Field>::failure(path.string() + ": not enough memory for its distance field");
  } catch (const std::exception& error) {
    return Result<Field>::failure(path.string() + ": " + error.what());
  }
}

}  // namespace firn

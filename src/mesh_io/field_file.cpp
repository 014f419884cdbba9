#include "mesh_io/field_file.h"

#include <cstring>
#include <utility>

#include "geometry/field_parts.h"

namespace firn {
namespace {

// The last digit is the version; also changes when fields of the same key come out differently.
constexpr char kMagic[8] = {'F', 'I', 'R', 'N', 'F', 'L', 'D', '2'};
constexpr std::uint64_t kMostWarnings = 1000;

}  // namespace

std::string encode_field(const DistanceField& field, const std::vector<std::string>& warnings,
                         const Digest& key) {
  ByteWriter writer;
  writer.bytes.reserve(field.bytes() + 4096);
  writer.value(kMagic);
  writer.value(key);
  visit_field_parts(
      field.data(), [&](const auto& value) { writer.value(value); },
      [&](const auto& values) { writer.list(values); });
  writer.value(static_cast<std::uint64_t>(warnings.size()));
  for (const std::string& line : warnings) writer.list(line);
  writer.value(digest_of(writer.bytes));
  return std::move(writer.bytes);
}

std::optional<StoredField> decode_field(std::string_view bytes, const Digest& key) {
  if (bytes.size() < sizeof(kMagic) + 2 * sizeof(Digest)) return std::nullopt;
  Digest expected{}, found_key{};
  std::memcpy(&expected, bytes.data() + bytes.size() - sizeof(Digest), sizeof(Digest));
  bytes.remove_suffix(sizeof(Digest));
  if (std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0 || digest_of(bytes) != expected)
    return std::nullopt;
  ByteReader reader(bytes.substr(sizeof(kMagic)));
  reader.value(found_key);
  if (found_key != key) return std::nullopt;
  DistanceFieldData data;
  visit_field_parts(
      data, [&](auto& value) { reader.value(value); }, [&](auto& values) { reader.list(values); });
  std::uint64_t count = 0;
  reader.value(count);
  if (!reader.fine() || count > kMostWarnings) return std::nullopt;
  std::vector<std::string> warnings(count);
  for (std::string& line : warnings) reader.list(line);
  if (!reader.fine() || !reader.at_end()) return std::nullopt;
  Result<DistanceField> field = DistanceField::from_data(std::move(data));
  if (!field) return std::nullopt;
  return StoredField{std::move(*field), std::move(warnings)};
}

}  // namespace firn

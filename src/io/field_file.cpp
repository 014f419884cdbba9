#include "io/field_file.h"

#include <cstring>
#include <type_traits>
#include <utility>

namespace firn {
namespace {

// The last digit is the version; also changes when fields of the same key come out differently.
constexpr char kMagic[8] = {'F', 'I', 'R', 'N', 'F', 'L', 'D', '2'};
constexpr std::uint64_t kMostWarnings = 1000;

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  template <class List>
  void put_list(const List& list) {
    put(static_cast<std::uint64_t>(list.size()));
    bytes.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
  }
  std::string bytes;
};

// Every read fails once one has: the caller asks at the end.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void get(T& value) {
    if (rest_.size() < sizeof(T)) {
      fine_ = false;
      return;
    }
    std::memcpy(static_cast<void*>(&value), rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
  }
  template <class List>
  void get_list(List& list) {
    std::uint64_t count = 0;
    get(count);
    constexpr std::size_t size = sizeof(list[0]);
    if (!fine_ || count > rest_.size() / size) {
      fine_ = false;
      return;
    }
    list.resize(count);
    if (count > 0) std::memcpy(list.data(), rest_.data(), count * size);
    rest_.remove_prefix(count * size);
  }
  bool fine() const { return fine_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool fine_ = true;
};

// The order of the parts, for writer and reader alike.
template <class Data, class Part, class List>
void visit_field(Data& data, Part&& part, List&& list) {
  part(data.dimension);
  part(data.spacing);
  part(data.origin);
  part(data.blocks);
  part(data.margin);
  part(data.volume);
  part(data.solid);
  list(data.corners);
  list(data.slots);
  list(data.samples);
}

}  // namespace

Digest digest_of(std::string_view bytes, Digest start) {
  std::uint64_t a = start[0] ^ bytes.size(), b = start[1];
  const auto add = [&](std::uint64_t word) {
    a = (a ^ word) * 0x9e3779b97f4a7c15u;
    a ^= a >> 32;
    b = (b + word) * 0xc2b2ae3d27d4eb4fu;
    b ^= b >> 29;
  };
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    add(word);
  }
  std::uint64_t last = 0;
  if (!bytes.empty()) std::memcpy(&last, bytes.data(), bytes.size());
  add(last);
  add(0);
  return {a, b};
}

std::string encode_field(const DistanceField& field, const std::vector<std::string>& warnings,
                         const Digest& key) {
  Writer writer;
  writer.bytes.reserve(field.bytes() + 4096);
  writer.put(kMagic);
  writer.put(key);
  visit_field(
      field.data(), [&](const auto& value) { writer.put(value); },
      [&](const auto& values) { writer.put_list(values); });
  writer.put(static_cast<std::uint64_t>(warnings.size()));
  for (const std::string& line : warnings) writer.put_list(line);
  writer.put(digest_of(writer.bytes));
  return std::move(writer.bytes);
}

std::optional<StoredField> decode_field(std::string_view bytes, const Digest& key) {
  if (bytes.size() < sizeof(kMagic) + 2 * sizeof(Digest)) return std::nullopt;
  Digest expected{}, found_key{};
  std::memcpy(&expected, bytes.data() + bytes.size() - sizeof(Digest), sizeof(Digest));
  bytes.remove_suffix(sizeof(Digest));
  if (std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0 || digest_of(bytes) != expected)
    return std::nullopt;
  Reader reader(bytes.substr(sizeof(kMagic)));
  reader.get(found_key);
  if (found_key != key) return std::nullopt;
  DistanceFieldData data;
  visit_field(
      data, [&](auto& value) { reader.get(value); },
      [&](auto& values) { reader.get_list(values); });
  std::uint64_t count = 0;
  reader.get(count);
  if (!reader.fine() || count > kMostWarnings) return std::nullopt;
  std::vector<std::string> warnings(count);
  for (std::string& line : warnings) reader.get_list(line);
  if (!reader.fine() || !reader.at_end()) return std::nullopt;
  Result<DistanceField> field = DistanceField::from_data(std::move(data));
  if (!field) return std::nullopt;
  return StoredField{std::move(*field), std::move(warnings)};
}

}  // namespace firn

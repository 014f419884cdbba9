#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>

#include "frames/ply.h"
#include "mesh_io/atomic_file.h"
#include "mesh_io/ply_header.h"

namespace firn {

namespace {

template <class T>
T byte_swapped(T value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
T load(const char* from, bool swap) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return swap ? byte_swapped(value) : value;
}

// Calls f with a value of the C++ type that a PLY type names.
template <class F>
void with_type(PlyType type, F&& f) {
  switch (type) {
    case PlyType::int8:
      return f(std::int8_t{});
    case PlyType::uint8:
      return f(std::uint8_t{});
    case PlyType::int16:
      return f(std::int16_t{});
    case PlyType::uint16:
      return f(std::uint16_t{});
    case PlyType::int32:
      return f(std::int32_t{});
    case PlyType::uint32:
      return f(std::uint32_t{});
    case PlyType::float32:
      return f(float{});
    case PlyType::float64:
      return f(double{});
  }
}

// The list count stored at `from`; -1 when negative.
std::int64_t load_count(PlyType type, const char* from, bool swap) {
  std::int64_t count = -1;
  with_type(type,
            [&](auto tag) { count = static_cast<std::int64_t>(load<decltype(tag)>(from, swap)); });
  return count < 0 ? -1 : count;
}

Column make_column(const PlyProperty& property, std::size_t count) {
  switch (property.type) {
    case PlyType::float32:
      return {property.name, std::vector<float>(count)};
    case PlyType::float64:
      return {property.name, std::vector<double>(count)};
    case PlyType::uint8:
      return {property.name, std::vector<std::uint8_t>(count)};
    case PlyType::uint16:
    case PlyType::uint32:
      return {property.name, std::vector<std::uint32_t>(count)};
    default:
      return {property.name, std::vector<std::int32_t>(count)};
  }
}

// Reads the data section element by element; the first problem ends up in reason().
class DataReader {
 public:
  DataReader(std::string_view bytes, const PlyHeader& header)
      : next_(bytes.data() + header.size),
        end_(bytes.data() + bytes.size()),
        ascii_(header.format == PlyFormat::ascii),
        swap_((header.format == PlyFormat::big_endian) !=
              (std::endian::native == std::endian::big)) {}

  // With a table the scalar properties become its columns; without, the element is skipped.
  bool read(const PlyElement& element, PointTable* table) {
    if (element.properties.empty()) return true;
    if (!fits(element)) return false;
    std::vector<Column*> targets(element.properties.size(), nullptr);
    if (table) prepare(element, *table, targets);
    if (ascii_) return read_ascii(element, targets);
    for (const PlyProperty& property : element.properties)
      if (property.is_list) return read_rows(element, targets);
    return read_fixed(element, targets);
  }

  // The faces of an element, as the meshes that comments of the header tell of; polygons become
  // fans of triangles.
  bool read_faces(const PlyElement& element, const PlyHeader& header, Frame& frame) {
    int list = find_list(element, "vertex_indices");
    if (list < 0) list = find_list(element, "vertex_index");
    if (list < 0) return fail("element " + element.name + ": no list vertex_indices");
    if (!fits(element)) return false;
    std::vector<PlyMeshNote> notes = header.meshes;
    if (notes.empty() && element.count > 0) notes.push_back({"mesh", element.count});
    std::uint64_t left = element.count;
    for (const PlyMeshNote& note : notes) {
      if (note.faces > left) return fail("the comments tell of more faces than there are");
      left -= note.faces;
      FrameMesh& mesh = frame.meshes.emplace_back();
      mesh.name = note.name;
      for (std::uint64_t face = 0; face < note.faces; ++face)
        if (!next_face(element, list) || !add_fan(element, frame.count, mesh.triangles))
          return false;
    }
    return left == 0 || fail("the comments do not tell of all faces");
  }

  const std::string& reason() const { return reason_; }

 private:
  static int find_list(const PlyElement& element, std::string_view name) {
    for (std::size_t i = 0; i < element.properties.size(); ++i)
      if (element.properties[i].is_list && element.properties[i].name == name)
        return static_cast<int>(i);
    return -1;
  }

  bool next_value(const PlyElement& element, PlyType type, double& value) {
    if (ascii_) return next_number(element, value);
    if (remaining() < size_of(type)) return ends_early(element);
    with_type(type,
              [&](auto tag) { value = static_cast<double>(load<decltype(tag)>(next_, swap_)); });
    next_ += size_of(type);
    return true;
  }

  // The corners of the next face; its other properties are passed over.
  bool next_face(const PlyElement& element, int list) {
    corners_.clear();
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      double items = 1, value = 0;
      if (property.is_list && !next_value(element, property.count_type, items)) return false;
      if (!(items >= 0 && items <= static_cast<double>(remaining()) + 1))
        return fail("element " + element.name + ": a list of impossible length");
      for (auto k = static_cast<std::size_t>(items); k > 0; --k) {
        if (!next_value(element, property.type, value)) return false;
        if (static_cast<int>(i) == list) corners_.push_back(value);
      }
    }
    return true;
  }

  bool add_fan(const PlyElement& element, std::size_t points, std::vector<std::uint32_t>& to) {
    if (corners_.size() < 3)
      return fail("element " + element.name + ": a face with fewer than three corners");
    for (const double corner : corners_)
      if (!(corner >= 0 && corner < static_cast<double>(points)))
        return fail("element " + element.name + ": a corner that is no vertex");
    for (std::size_t k = 1; k + 1 < corners_.size(); ++k)
      for (const std::size_t c : {std::size_t(0), k, k + 1})
        to.push_back(static_cast<std::uint32_t>(corners_[c]));
    return true;
  }

  bool fail(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - next_); }

  // Whether the file can hold the element at all: asked before anything is allocated.
  bool fits(const PlyElement& element) {
    std::size_t smallest_row = 0;
    for (const PlyProperty& property : element.properties)
      smallest_row += ascii_ ? 2 : size_of(property.is_list ? property.count_type : property.type);
    // In ascii a value takes a character and a separator; the last separator may be missing.
    const std::size_t room = remaining() + (ascii_ ? 1 : 0);
    if (element.count <= room / smallest_row) return true;
    return fail("element " + element.name + " announces " + std::to_string(element.count) +
                " entries, the file ends before them");
  }

  static void prepare(const PlyElement& element, PointTable& table, std::vector<Column*>& targets) {
    table.count = element.count;
    table.columns.reserve(element.properties.size());
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      if (element.properties[i].is_list) continue;
      table.columns.push_back(make_column(element.properties[i], table.count));
      targets[i] = &table.columns.back();
    }
  }

  // Rows of one size, read column after column in chunks that stay in cache.
  bool read_fixed(const PlyElement& element, const std::vector<Column*>& targets) {
    std::size_t stride = 0;
    for (const PlyProperty& property : element.properties) stride += size_of(property.type);
    constexpr std::size_t kRows = 4096;
    for (std::size_t begin = 0; begin < element.count; begin += kRows) {
      const std::size_t end = std::min<std::size_t>(begin + kRows, element.count);
      const char* field = next_ + begin * stride;
      for (std::size_t i = 0; i < targets.size(); ++i) {
        if (targets[i]) gather(element.properties[i].type, field, stride, *targets[i], begin, end);
        field += size_of(element.properties[i].type);
      }
    }
    next_ += element.count * stride;
    return true;
  }

  void gather(PlyType type, const char* from, std::size_t stride, Column& column, std::size_t begin,
              std::size_t end) const {
    with_type(type, [&](auto tag) {
      std::visit(
          [&](auto& values) {
            using Value = typename std::decay_t<decltype(values)>::value_type;
            for (std::size_t i = begin; i < end; ++i, from += stride)
              values[i] = static_cast<Value>(load<decltype(tag)>(from, swap_));
          },
          column.values);
    });
  }

  // Rows whose size varies because of lists.
  bool read_rows(const PlyElement& element, const std::vector<Column*>& targets) {
    for (std::size_t row = 0; row < element.count; ++row)
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        const PlyProperty& property = element.properties[i];
        std::size_t size = size_of(property.type);
        if (property.is_list) {
          if (remaining() < size_of(property.count_type)) return ends_early(element);
          const std::int64_t items = load_count(property.count_type, next_, swap_);
          if (items < 0) return fail("element " + element.name + ": a list of negative length");
          next_ += size_of(property.count_type);
          size *= static_cast<std::size_t>(items);
        }
        if (remaining() < size) return ends_early(element);
        if (targets[i]) gather(property.type, next_, 0, *targets[i], row, row + 1);
        next_ += size;
      }
    return true;
  }

  bool ends_early(const PlyElement& element) {
    return fail("the file ends inside element " + element.name);
  }

  std::string_view next_word() {
    const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    while (next_ < end_ && blank(*next_)) ++next_;
    const char* begin = next_;
    while (next_ < end_ && !blank(*next_)) ++next_;
    return {begin, static_cast<std::size_t>(next_ - begin)};
  }

  bool next_number(const PlyElement& element, double& value) {
    std::string_view word = next_word();
    if (word.empty()) return ends_early(element);
    if (word[0] == '+') word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    // Out of range is an infinity or zero that was printed in full: keep what it rounds to.
    if (error == std::errc::result_out_of_range)
      value = std::strtod(std::string(word).c_str(), nullptr);
    if (error == std::errc::invalid_argument || end != word.data() + word.size())
      return fail("element " + element.name + ": a value is not a number");
    return true;
  }

  bool read_ascii(const PlyElement& element, const std::vector<Column*>& targets) {
    for (std::size_t row = 0; row < element.count; ++row)
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        double value = 0;
        if (!next_number(element, value)) return false;
        if (element.properties[i].is_list) {
          if (!(value >= 0 && value <= static_cast<double>(remaining())))
            return fail("element " + element.name + ": a list of impossible length");
          for (auto items = static_cast<std::size_t>(value); items > 0; --items)
            if (next_word().empty()) return ends_early(element);
        } else if (targets[i] && !store(value, *targets[i], row)) {
          return fail("element " + element.name + ": property " + element.properties[i].name +
                      " is out of the range of its type");
        }
      }
    return true;
  }

  static bool store(double value, Column& column, std::size_t row) {
    return std::visit(
        [&](auto& values) {
          using Value = typename std::decay_t<decltype(values)>::value_type;
          using Limits = std::numeric_limits<Value>;
          if constexpr (Limits::is_integer)
            if (!(value >= Limits::min() && value <= Limits::max())) return false;
          values[row] = static_cast<Value>(value);
          return true;
        },
        column.values);
  }

  const char* next_;
  const char* end_;
  bool ascii_;
  bool swap_;
  std::string reason_;
  std::vector<double> corners_;  // of the newest face
};

bool has_faces_later(const PlyHeader& header, const PlyElement& element) {
  bool later = false;
  for (const PlyElement& other : header.elements) {
    if (later && other.name == "face") return true;
    later = later || &other == &element;
  }
  return false;
}

Result<Frame> parse_parts(std::string_view bytes, const std::string& name, bool points_alone) {
  const Result<PlyHeader> header = parse_ply_header(bytes, name);
  if (!header) return header.errors();
  Frame frame;
  frame.metadata = header->metadata;
  DataReader reader(bytes, *header);
  bool has_points = false;
  for (const PlyElement& element : header->elements) {
    const bool points = element.name == "vertex" && !has_points;
    if (points && element.properties.empty())
      return Result<Frame>::failure(name + ": element vertex has no properties");
    const bool faces = has_points && element.name == "face";
    const bool read = faces ? reader.read_faces(element, *header, frame)
                            : reader.read(element, points ? &frame : nullptr);
    if (!read) return Result<Frame>::failure(name + ": " + reader.reason());
    has_points = has_points || points;
    if (faces || (points && (points_alone || !has_faces_later(*header, element)))) return frame;
  }
  return Result<Frame>::failure(name + ": no vertex element");
}

}  // namespace

Result<Frame> parse_ply(std::string_view bytes, const std::string& name) {
  return parse_parts(bytes, name, false);
}

Result<PointTable> parse_ply_points(std::string_view bytes, const std::string& name) {
  Result<Frame> frame = parse_parts(bytes, name, true);
  if (!frame) return frame.errors();
  return PointTable(std::move(*frame));
}

Result<PlyHeader> read_ply_header(const std::filesystem::path& path) {
  constexpr std::size_t kLongest = 1 << 18;
  std::ifstream file(path, std::ios::binary);
  std::string start(kLongest, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return parse_ply_header(start, path.string());
}

Result<Frame> read_ply(const std::filesystem::path& path) {
  const Result<std::string> bytes = read_whole_file(path);
  if (!bytes) return bytes.errors();
  return parse_ply(*bytes, path.string());
}

}  // namespace firn

#include "frames/bgeo.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>

#include "frames/frame_points.h"
#include "mesh_io/atomic_file.h"

namespace firn {
namespace {

constexpr std::uint32_t kVersion = 5;
constexpr std::size_t kRows = 4096;  // points that are put together at a time

enum class AttributeType : std::uint32_t { floating = 0, integer = 1, vector = 5 };

// One 32-bit word of each point in [begin, begin + n), written to every stride-th place.
using WordFiller =
    std::function<void(std::size_t begin, std::size_t n, std::uint32_t* to, std::size_t stride)>;

struct Attribute {
  std::string name;
  AttributeType type;
  std::vector<WordFiller> words;
};

constexpr std::uint32_t big_endian(std::uint32_t word) {
  return std::endian::native == std::endian::little ? __builtin_bswap32(word) : word;
}

// convert(value) gives the float or the integer to store.
template <class Convert>
WordFiller filler(const Column& column, Convert convert) {
  return [&column, convert](std::size_t begin, std::size_t n, std::uint32_t* to,
                            std::size_t stride) {
    std::visit(
        [&](const auto& values) {
          for (std::size_t i = 0; i < n; ++i)
            to[i * stride] = big_endian(std::bit_cast<std::uint32_t>(convert(values[begin + i])));
        },
        column.values);
  };
}

WordFiller constant(float value) {
  return [value](std::size_t, std::size_t n, std::uint32_t* to, std::size_t stride) {
    for (std::size_t i = 0; i < n; ++i)
      to[i * stride] = big_endian(std::bit_cast<std::uint32_t>(value));
  };
}

WordFiller as_float(const Column& column, float factor = 1) {
  return filler(column, [factor](auto value) { return static_cast<float>(value) * factor; });
}

WordFiller as_integer(const Column& column) {
  return filler(column, [](auto value) { return static_cast<std::int32_t>(value); });
}

WordFiller as_radius(const Column& volume, bool flat) {
  return filler(volume, [flat](auto value) {
    const double v = std::max(0.0, static_cast<double>(value));
    return static_cast<float>(flat ? std::sqrt(v / std::numbers::pi)
                                   : std::cbrt(0.75 * v / std::numbers::pi));
  });
}

bool is_floating(const Column& column) {
  return column.type() == ColumnType::float32 || column.type() == ColumnType::float64;
}

struct Vector {
  const char* name;
  const char* columns[3];
  float factor;
  AttributeType type;
};
// Colours are bytes in frames. Cd is plain floats, as a direction would be turned with the points.
constexpr Vector kVectors[] = {
    {"v", {"vx", "vy", "vz"}, 1, AttributeType::vector},
    {"Cd", {"red", "green", "blue"}, 1.0f / 255, AttributeType::floating},
};

std::vector<Attribute> attributes_of(const PointTable& table) {
  std::vector<Attribute> attributes;
  const auto is_part = [](const Vector& vector, const std::string& name) {
    return std::find(std::begin(vector.columns), std::end(vector.columns), name) !=
           std::end(vector.columns);
  };
  for (const Vector& vector : kVectors) {
    Attribute attribute{vector.name, vector.type, {}};
    for (const char* name : vector.columns)
      if (const Column* column = table.find(name))
        attribute.words.push_back(as_float(*column, vector.factor));
    if (attribute.words.size() == 3) attributes.push_back(std::move(attribute));
  }
  if (const Column* volume = table.find("volume"))
    attributes.push_back({"pscale", AttributeType::floating, {as_radius(*volume, is_flat(table))}});
  for (const Column& column : table.columns) {
    if (column.name == "x" || column.name == "y" || column.name == "z") continue;
    if (is_part(kVectors[0], column.name) || is_part(kVectors[1], column.name)) continue;
    if (is_floating(column))
      attributes.push_back({column.name, AttributeType::floating, {as_float(column)}});
    else
      attributes.push_back({column.name, AttributeType::integer, {as_integer(column)}});
  }
  return attributes;
}

void put(std::string& text, std::uint32_t word) {
  word = big_endian(word);
  text.append(reinterpret_cast<const char*>(&word), sizeof(word));
}

void put_short(std::string& text, std::size_t value) {
  text.push_back(static_cast<char>(value >> 8 & 255));
  text.push_back(static_cast<char>(value & 255));
}

std::size_t triangles_of(const Frame& frame) {
  std::size_t count = 0;
  for (const FrameMesh& mesh : frame.meshes) count += mesh.triangles.size() / 3;
  return count;
}

std::string header_text(const Frame& table, const std::vector<Attribute>& attributes) {
  std::string text = "BgeoV";
  put(text, kVersion);
  put(text, static_cast<std::uint32_t>(table.count));
  put(text, static_cast<std::uint32_t>(triangles_of(table)));
  for (int i = 0; i < 2; ++i) put(text, 0);  // point groups, primitive groups
  put(text, static_cast<std::uint32_t>(attributes.size()));
  for (int i = 0; i < 3; ++i) put(text, 0);  // attributes of vertices, primitives and the whole
  for (const Attribute& attribute : attributes) {
    put_short(text, attribute.name.size());
    text += attribute.name;
    put_short(text, attribute.words.size());
    put(text, static_cast<std::uint32_t>(attribute.type));
    for (std::size_t i = 0; i < attribute.words.size(); ++i) put(text, 0);  // defaults
  }
  return text;
}

// Runs of closed polygons: a mark, how many follow, their kind, and for each its number of corners,
// "<" and its points, in 16 bits where these number all.
void write_polygons(const Frame& frame, AtomicFile& file) {
  constexpr std::uint32_t kRunMark = 0xffffffffu, kPolygon = 1;
  constexpr std::size_t kLongestRun = 32767;
  const bool short_rows = frame.count <= std::numeric_limits<std::uint16_t>::max();
  for (const FrameMesh& mesh : frame.meshes) {
    const std::size_t count = mesh.triangles.size() / 3;
    for (std::size_t begin = 0; begin < count; begin += kLongestRun) {
      const std::size_t end = std::min(count, begin + kLongestRun);
      std::string text;
      put(text, kRunMark);
      put_short(text, end - begin);
      put(text, kPolygon);
      for (std::size_t i = begin; i < end; ++i) {
        put(text, 3);
        text += '<';
        for (std::size_t k = 3 * i; k < 3 * i + 3; ++k)
          short_rows ? put_short(text, mesh.triangles[k]) : put(text, mesh.triangles[k]);
      }
      if (!file.write(text)) return;
    }
  }
}

std::string table_problem(const Frame& table) {
  for (const char* axis : {"x", "y", "z"})
    if (!table.has(axis)) return std::string("no column ") + axis;
  for (const Column& column : table.columns) {
    if (column.size() != table.count)
      return "column " + column.name + " does not have a value for each point";
    if (column.name.size() > std::numeric_limits<std::uint16_t>::max())
      return "a column has a name too long for this format";
  }
  if (table.count > std::numeric_limits<std::int32_t>::max())
    return "more points than this format can hold; write ply";
  if (triangles_of(table) > std::numeric_limits<std::int32_t>::max())
    return "more triangles than this format can hold; write ply";
  return mesh_problem(table);
}

}  // namespace

Result<std::filesystem::path> write_bgeo(const std::filesystem::path& path, const Frame& table) {
  if (const std::string problem = table_problem(table); !problem.empty())
    return Result<std::filesystem::path>::failure(path.string() + ": " + problem);
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.errors();
  const std::vector<Attribute> attributes = attributes_of(table);
  file->write(header_text(table, attributes));
  std::vector<WordFiller> words;
  for (const char* axis : {"x", "y", "z"}) words.push_back(as_float(*table.find(axis)));
  words.push_back(constant(1));  // the homogeneous coordinate
  for (const Attribute& attribute : attributes)
    words.insert(words.end(), attribute.words.begin(), attribute.words.end());
  std::vector<std::uint32_t> rows(kRows * words.size());
  bool good = true;
  for (std::size_t begin = 0; good && begin < table.count; begin += kRows) {
    const std::size_t n = std::min(kRows, table.count - begin);
    for (std::size_t w = 0; w < words.size(); ++w)
      words[w](begin, n, rows.data() + w, words.size());
    good = file->write(rows.data(), n * words.size() * sizeof(rows[0]));
  }
  write_polygons(table, *file);
  file->write(std::string_view("\0\xff", 2));  // no more sections
  return file->commit();
}

}  // namespace firn

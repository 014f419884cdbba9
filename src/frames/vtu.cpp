#include "frames/vtu.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string_view>

#include "frames/base64.h"
#include "mesh_io/atomic_file.h"

namespace firn {

static_assert(std::endian::native == std::endian::little,
              "arrays are written as they lie in memory, which must be little-endian");

namespace {

constexpr const char* kVtuTypeNames[] = {"Float32", "Float64", "Int32", "UInt32", "UInt8"};
constexpr std::size_t kChunk = 4096;  // points that are encoded at a time
constexpr unsigned char kVertex = 1, kTriangle = 5, kTetrahedron = 10;  // types of VTK

// One array of the file; a component that the table lacks (2D) has the same value everywhere.
struct Component {
  std::string column;
  double missing = 0;
};
struct ArrayShape {
  std::string name;
  std::vector<Component> components;
};

// The order of components is VTK's: tensors by rows, symmetric ones xx yy zz xy yz xz.
const std::vector<ArrayShape>& known_groups() {
  static const std::vector<ArrayShape> groups = {
      {"velocity", {{"vx"}, {"vy"}, {"vz"}}},
      {"color", {{"red"}, {"green"}, {"blue"}}},
      {"F",
       {{"F_xx", 1},
        {"F_xy"},
        {"F_xz"},
        {"F_yx"},
        {"F_yy", 1},
        {"F_yz"},
        {"F_zx"},
        {"F_zy"},
        {"F_zz", 1}}},
      {"stress",
       {{"stress_xx"}, {"stress_yy"}, {"stress_zz"}, {"stress_xy"}, {"stress_yz"}, {"stress_xz"}}},
  };
  return groups;
}

bool is_position(std::string_view name) {
  return name == "x" || name == "y" || name == "z";
}

// The arrays of a table in the order of their first columns.
std::vector<ArrayShape> arrays_of(const PointTable& table) {
  std::vector<ArrayShape> arrays;
  for (const Column& column : table.columns) {
    if (is_position(column.name)) continue;
    const ArrayShape* group = nullptr;
    for (const ArrayShape& known : known_groups())
      for (const Component& component : known.components)
        if (component.column == column.name) group = &known;
    if (!group)
      arrays.push_back({column.name, {{column.name}}});
    else if (std::none_of(arrays.begin(), arrays.end(),
                          [&](const ArrayShape& array) { return array.name == group->name; }))
      arrays.push_back(*group);
  }
  return arrays;
}

// Writes one DataArray: its length in bytes and its values, encoded as one stream.
class ArrayWriter {
 public:
  ArrayWriter(AtomicFile& file, const std::string& name, const char* type, std::size_t components,
              std::uint64_t bytes)
      : file_(file) {
    std::string tag = "<DataArray type=\"" + std::string(type) + "\" Name=\"" + name + "\"";
    if (components > 1) tag += " NumberOfComponents=\"" + std::to_string(components) + "\"";
    file_.write(tag + " format=\"binary\">");
    stream_.add(&bytes, sizeof(bytes));
  }
  void add(const void* data, std::size_t size) {
    stream_.add(data, size);
    file_.write(stream_.take());
  }
  ~ArrayWriter() {
    stream_.end();
    file_.write(stream_.take() + "</DataArray>\n");
  }

 private:
  AtomicFile& file_;
  Base64 stream_;
};

template <class T>
void write_values(ArrayWriter& out, const PointTable& table, const ArrayShape& shape) {
  const std::size_t width = shape.components.size();
  std::vector<const std::vector<T>*> columns;
  for (const Component& component : shape.components)
    columns.push_back(table.get<T>(component.column));
  std::vector<T> chunk(kChunk * width);
  for (std::size_t begin = 0; begin < table.count; begin += kChunk) {
    const std::size_t n = std::min(kChunk, table.count - begin);
    for (std::size_t c = 0; c < width; ++c)
      for (std::size_t i = 0; i < n; ++i)
        chunk[i * width + c] =
            columns[c] ? (*columns[c])[begin + i] : static_cast<T>(shape.components[c].missing);
    out.add(chunk.data(), n * width * sizeof(T));
  }
}

// Components of one array have the type of the first that is there.
void write_array(AtomicFile& file, const PointTable& table, const ArrayShape& shape) {
  const Column* first = nullptr;
  for (const Component& component : shape.components)
    if (!first) first = table.find(component.column);
  if (!first) return;
  const std::size_t width = shape.components.size();
  std::visit(
      [&](const auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        ArrayWriter out(file, shape.name, kVtuTypeNames[static_cast<int>(first->type())], width,
                        table.count * width * sizeof(T));
        write_values<T>(out, table, shape);
      },
      first->values);
}

// value(i) for each of n.
template <class T, class Value>
void write_counted(AtomicFile& file, const char* name, const char* type, std::size_t n,
                   Value value) {
  ArrayWriter out(file, name, type, 1, n * sizeof(T));
  std::vector<T> chunk;
  for (std::size_t begin = 0; begin < n; begin += kChunk) {
    chunk.clear();
    for (std::size_t i = begin; i < std::min(n, begin + kChunk); ++i)
      chunk.push_back(static_cast<T>(value(i)));
    out.add(chunk.data(), chunk.size() * sizeof(T));
  }
}

// The cells of a frame: those of meshes, then the particles.
struct VtuCells {
  std::vector<std::uint32_t> corners;  // of meshes
  std::vector<std::size_t> ends;
  std::vector<unsigned char> types;
  std::vector<std::uint32_t> particles;  // rows; empty where all points are particles
  std::size_t particle_count = 0;
  PointTable values;  // one row a cell; none where all cells are particles

  void add(const std::uint32_t* rows, std::size_t count, unsigned char type) {
    corners.insert(corners.end(), rows, rows + count);
    ends.push_back(corners.size());
    types.push_back(type);
  }
  std::size_t count() const { return types.size() + particle_count; }
  std::size_t corner_count() const { return corners.size() + particle_count; }
  std::size_t corner(std::size_t i) const {
    if (i < corners.size()) return corners[i];
    return particles.empty() ? i - corners.size() : particles[i - corners.size()];
  }
  std::size_t end(std::size_t i) const {
    return i < ends.size() ? ends[i] : corners.size() + i - ends.size() + 1;
  }
  unsigned char type(std::size_t i) const { return i < types.size() ? types[i] : kVertex; }
};

void add_mesh_cells(const FrameMesh& mesh, VtuCells& cells) {
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); i += 4)
    cells.add(&mesh.tetrahedra[i], 4, kTetrahedron);
  if (!mesh.tetrahedra.empty()) return;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3)
    cells.add(&mesh.triangles[i], 3, kTriangle);
}

// Puts the values of one mesh where its cells are; the column has the type of the first mesh that
// has it.
void place_values(const Column& column, std::size_t first, PointTable& values) {
  if (!values.has(column.name))
    std::visit(
        [&](const auto& list) {
          values.add<typename std::decay_t<decltype(list)>::value_type>(column.name);
        },
        column.values);
  for (Column& target : values.columns)
    if (target.name == column.name)
      std::visit(
          [&](auto& list) {
            using T = typename std::decay_t<decltype(list)>::value_type;
            const std::vector<T> own = column.as<T>();
            std::copy(own.begin(), own.end(), list.begin() + static_cast<std::ptrdiff_t>(first));
          },
          target.values);
}

void add_cell_values(const Frame& frame, VtuCells& cells) {
  cells.values.count = cells.count();
  std::vector<std::int32_t> numbers(cells.count(), -1);
  std::size_t first = 0;
  for (std::size_t m = 0; m < frame.meshes.size(); ++m) {
    const std::size_t count = frame.meshes[m].cells();
    std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(first), count,
                static_cast<std::int32_t>(m));
    for (const Column& column : frame.meshes[m].values.columns)
      place_values(column, first, cells.values);
    first += count;
  }
  std::erase_if(cells.values.columns, [](const Column& c) { return c.name == "mesh"; });
  cells.values.columns.push_back({"mesh", std::move(numbers)});
}

VtuCells cells_of(const Frame& frame) {
  VtuCells cells;
  cells.particle_count = frame.count;
  if (frame.meshes.empty()) return cells;
  for (const FrameMesh& mesh : frame.meshes) add_mesh_cells(mesh, cells);
  const std::vector<bool> inside = points_in_cells(frame);
  for (std::uint32_t i = 0; i < frame.count; ++i)
    if (!inside[i]) cells.particles.push_back(i);
  cells.particle_count = cells.particles.size();
  add_cell_values(frame, cells);
  return cells;
}

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", x);
  return text;
}

std::string frame_problem(const Frame& frame) {
  for (const Column& column : frame.columns)
    if (column.size() != frame.count)
      return "column " + column.name + " does not have a value for each point";
  return mesh_problem(frame);
}

}  // namespace

Result<std::filesystem::path> write_vtu(const std::filesystem::path& path, const Frame& frame) {
  if (const std::string problem = frame_problem(frame); !problem.empty())
    return Result<std::filesystem::path>::failure(path.string() + ": " + problem);
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.errors();
  const VtuCells cells = cells_of(frame);
  file->write(
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"" +
      std::to_string(frame.count) + "\" NumberOfCells=\"" + std::to_string(cells.count()) +
      "\">\n<Points>\n");
  write_array(*file, frame, {"Points", {{"x"}, {"y"}, {"z"}}});
  file->write("</Points>\n<Cells>\n");
  write_counted<std::int64_t>(*file, "connectivity", "Int64", cells.corner_count(),
                              [&](std::size_t i) { return cells.corner(i); });
  write_counted<std::int64_t>(*file, "offsets", "Int64", cells.count(),
                              [&](std::size_t i) { return cells.end(i); });
  write_counted<unsigned char>(*file, "types", "UInt8", cells.count(),
                               [&](std::size_t i) { return cells.type(i); });
  file->write("</Cells>\n<PointData>\n");
  for (const ArrayShape& shape : arrays_of(frame)) write_array(*file, frame, shape);
  file->write("</PointData>\n");
  if (!frame.meshes.empty()) {
    file->write("<CellData>\n");
    for (const ArrayShape& shape : arrays_of(cells.values)) write_array(*file, cells.values, shape);
    file->write("</CellData>\n");
  }
  file->write("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
  return file->commit();
}

Result<std::filesystem::path> write_pvd(const std::filesystem::path& path,
                                        const std::vector<TimedFile>& files) {
  std::string text = "<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n";
  for (const TimedFile& entry : files)
    text += "<DataSet timestep=\"" + number(entry.time) + "\" file=\"" + entry.file + "\"/>\n";
  return write_whole_file(path, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace firn

#include <bit>
#include <charconv>
#include <utility>

#include "mesh_io/atomic_file.h"
#include "mesh_io/simplex_file.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kSimplexChunk = 1 << 20;  // bytes that are kept before they are written

// Text and bytes, written to the file some at a time.
class SimplexText {
 public:
  explicit SimplexText(AtomicFile& file) : file_(file) {}
  ~SimplexText() { file_.write(text_); }
  SimplexText(const SimplexText&) = delete;
  SimplexText& operator=(const SimplexText&) = delete;

  SimplexText& operator<<(std::string_view text) {
    text_ += text;
    if (text_.size() >= kSimplexChunk) {
      file_.write(text_);
      text_.clear();
    }
    return *this;
  }
  template <class Number>
  requires std::is_arithmetic_v<Number> SimplexText& operator<<(Number number) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof(digits), number);
    return *this << std::string_view(digits, static_cast<std::size_t>(end.ptr - digits));
  }
  template <class Number>
  void bytes(Number number, std::endian order) {
    auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(number);
    if (order != std::endian::native)
      for (std::size_t i = 0; i < sizeof(Number) / 2; ++i)
        std::swap(raw[i], raw[sizeof(Number) - 1 - i]);
    *this << std::string_view(raw.data(), raw.size());
  }

 private:
  AtomicFile& file_;
  std::string text_;
};

template <int D>
double coordinate(const Vec<double, D>& x, int k) {
  return k < D ? x[k] : 0;
}

template <int D>
void write_gmsh(SimplexText& out, const SimplexMesh<D>& mesh) {
  out << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" << mesh.points.size() << "\n";
  std::size_t number = 0;
  for (const auto& x : mesh.points)
    out << ++number << " " << coordinate<D>(x, 0) << " " << coordinate<D>(x, 1) << " "
        << coordinate<D>(x, 2) << "\n";
  out << "$EndNodes\n$Elements\n" << mesh.cells.size() << "\n";
  number = 0;
  for (const auto& cell : mesh.cells) {
    out << ++number << (D == 3 ? " 4 2 1 1" : " 2 2 1 1");
    for (const std::uint32_t corner : cell) out << " " << corner + 1;
    out << "\n";
  }
  out << "$EndElements\n";
}

constexpr int kVtkTriangle = 5, kVtkTetrahedron = 10;

template <int D>
void write_vtk(SimplexText& out, const SimplexMesh<D>& mesh) {
  out << "# vtk DataFile Version 3.0\nfirn\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS "
      << mesh.points.size() << " double\n";
  for (const auto& x : mesh.points)
    for (int k = 0; k < 3; ++k) out.bytes(coordinate<D>(x, k), std::endian::big);
  out << "\nCELLS " << mesh.cells.size() << " " << mesh.cells.size() * (D + 2) << "\n";
  for (const auto& cell : mesh.cells) {
    out.bytes<std::int32_t>(D + 1, std::endian::big);
    for (const std::uint32_t corner : cell) out.bytes(corner, std::endian::big);
  }
  out << "\nCELL_TYPES " << mesh.cells.size() << "\n";
  for (std::size_t i = 0; i < mesh.cells.size(); ++i)
    out.bytes<std::int32_t>(D == 3 ? kVtkTetrahedron : kVtkTriangle, std::endian::big);
  out << "\n";
}

// Four arrays behind each other, each behind its size.
template <int D>
void write_vtu(SimplexText& out, const SimplexMesh<D>& mesh) {
  const std::uint64_t points = mesh.points.size(), cells = mesh.cells.size();
  const std::uint64_t sizes[4] = {points * 24, cells * (D + 1) * 4, cells * 8, cells};
  constexpr const char* kArrays[4] = {
      "<Points><DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\"",
      "</Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\"",
      "<DataArray type=\"Int64\" Name=\"offsets\"", "<DataArray type=\"UInt8\" Name=\"types\""};
  out << "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
         "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\""
      << points << "\" NumberOfCells=\"" << cells << "\">\n";
  std::uint64_t offset = 0;
  for (int i = 0; i < 4; ++i) {
    out << kArrays[i] << " format=\"appended\" offset=\"" << offset << "\"/>\n";
    offset += 8 + sizes[i];
  }
  out << "</Cells>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  constexpr std::endian kOrder = std::endian::little;
  out.bytes(sizes[0], kOrder);
  for (const auto& x : mesh.points)
    for (int k = 0; k < 3; ++k) out.bytes(coordinate<D>(x, k), kOrder);
  out.bytes(sizes[1], kOrder);
  for (const auto& cell : mesh.cells)
    for (const std::uint32_t corner : cell) out.bytes(corner, kOrder);
  out.bytes(sizes[2], kOrder);
  for (std::uint64_t i = 1; i <= cells; ++i) out.bytes<std::uint64_t>(i * (D + 1), kOrder);
  out.bytes(sizes[3], kOrder);
  for (std::uint64_t i = 0; i < cells; ++i)
    out.bytes<std::uint8_t>(D == 3 ? kVtkTetrahedron : kVtkTriangle, kOrder);
  out << "\n</AppendedData>\n</VTKFile>\n";
}

template <int D>
void write_medit(SimplexText& out, const SimplexMesh<D>& mesh) {
  out << "MeshVersionFormatted 2\nDimension " << D << "\nVertices\n" << mesh.points.size() << "\n";
  for (const auto& x : mesh.points) {
    for (int k = 0; k < D; ++k) out << x[k] << " ";
    out << "0\n";
  }
  out << (D == 3 ? "Tetrahedra\n" : "Triangles\n") << mesh.cells.size() << "\n";
  for (const auto& cell : mesh.cells) {
    for (const std::uint32_t corner : cell) out << corner + 1 << " ";
    out << "0\n";
  }
  out << "End\n";
}

template <int D>
void write_tetgen_nodes(SimplexText& out, const SimplexMesh<D>& mesh) {
  out << mesh.points.size() << " " << D << " 0 0\n";
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    out << i;
    for (int k = 0; k < D; ++k) out << " " << mesh.points[i][k];
    out << "\n";
  }
}

template <int D>
void write_tetgen_cells(SimplexText& out, const SimplexMesh<D>& mesh) {
  out << mesh.cells.size() << " " << D + 1 << " 0\n";
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    out << i;
    for (const std::uint32_t corner : mesh.cells[i]) out << " " << corner;
    out << "\n";
  }
}

template <int D>
using WriteSimplices = void (*)(SimplexText&, const SimplexMesh<D>&);

// Null for extensions that are not written.
template <int D>
WriteSimplices<D> writer_of(const std::string& extension) {
  if (extension == ".msh") return write_gmsh<D>;
  if (extension == ".vtk") return write_vtk<D>;
  if (extension == ".vtu") return write_vtu<D>;
  if (extension == ".mesh") return write_medit<D>;
  if (extension == ".node") return write_tetgen_nodes<D>;
  return extension == ".ele" ? write_tetgen_cells<D> : nullptr;
}

template <int D>
Result<fs::path> write_simplex_file(const fs::path& path, const SimplexMesh<D>& mesh) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.errors();
  {
    SimplexText out(*file);
    writer_of<D>(path.extension().string())(out, mesh);
  }
  return file->commit();
}

}  // namespace

std::string simplex_name_fault(const fs::path& path) {
  if (writer_of<3>(path.extension().string()) != nullptr) return "";
  return path.string() + ": no format by this name; choose .msh, .vtk, .vtu, .mesh, .node or .ele";
}

template <int D>
Result<std::vector<fs::path>> write_simplex_mesh(const fs::path& path, const SimplexMesh<D>& mesh) {
  using Answer = Result<std::vector<fs::path>>;
  const std::string fault = simplex_name_fault(path);
  if (!fault.empty()) return Answer::failure(fault);
  std::vector<fs::path> names = {path}, written;
  if (path.extension() == ".node" || path.extension() == ".ele")
    names = {fs::path(path).replace_extension(".node"), fs::path(path).replace_extension(".ele")};
  for (const fs::path& name : names) {
    const Result<fs::path> done = write_simplex_file<D>(name, mesh);
    if (!done) return done.errors();
    written.push_back(*done);
  }
  return written;
}

template Result<std::vector<fs::path>> write_simplex_mesh(const fs::path&, const SimplexMesh<2>&);
template Result<std::vector<fs::path>> write_simplex_mesh(const fs::path&, const SimplexMesh<3>&);

}  // namespace firn

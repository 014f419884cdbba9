// Files of tetrahedra and triangles: every format written and read back, what other programs write,
// mended flaws, and what must be refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "geometry/lattice_mesh.h"
#include "geometry/simplex_check.h"
#include "mesh_io/atomic_file.h"
#include "mesh_io/simplex_file.h"
#include "test_folder.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

template <int D>
SimplexMesh<D> box_cells() {
  Shape box;
  box.dimension = D;
  box.size = {{1, 0.5, 1.0 / 3}};
  box.center = {{0.1, 0.2, D == 3 ? 0.3 : 0}};
  return *lattice_mesh<D>(box, 0.4);
}

template <int D>
void expect_same(const SimplexMesh<D>& a, const SimplexMesh<D>& b, const std::string& name) {
  ASSERT_EQ(a.points.size(), b.points.size()) << name;
  for (std::size_t i = 0; i < a.points.size(); ++i)
    for (int k = 0; k < D; ++k) ASSERT_EQ(a.points[i][k], b.points[i][k]) << name;
  EXPECT_EQ(a.cells, b.cells) << name;
}

template <int D>
std::string first_line(const Result<LoadedSimplexMesh<D>>& result) {
  return result.ok() ? "no error" : result.errors()[0];
}

template <int D>
void expect_round_trips() {
  const TestFolder folder("firn_simplex_files_" + std::to_string(D));
  const SimplexMesh<D> mesh = box_cells<D>();
  for (const char* name : {"a.msh", "a.vtk", "a.vtu", "a.mesh", "b.node", "c.ele"}) {
    const auto written = write_simplex_mesh<D>(folder.path() / name, mesh);
    ASSERT_TRUE(written.ok()) << written.errors()[0];
    EXPECT_EQ(written->size(), name[0] == 'a' ? 1u : 2u);
    for (const fs::path& path : *written) {
      const auto loaded = read_simplex_mesh<D>(path);
      ASSERT_TRUE(loaded.ok()) << first_line(loaded);
      expect_same(loaded->mesh, mesh, path.string());
      EXPECT_TRUE(loaded->warnings.empty()) << loaded->warnings[0];
    }
  }
}

TEST(SimplexFile, WhatIsWrittenIsReadBackExactly) {
  expect_round_trips<3>();
  expect_round_trips<2>();
}

// Bytes of numbers, in either order.
class Bytes {
 public:
  explicit Bytes(std::endian order = std::endian::little) : order_(order) {}
  template <class T>
  requires std::is_arithmetic_v<T> Bytes& add(T value) {
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (order_ != std::endian::native) std::reverse(raw.begin(), raw.end());
    text.append(raw.data(), raw.size());
    return *this;
  }
  Bytes& add(std::string_view more) {
    text += more;
    return *this;
  }

  std::string text;

 private:
  std::endian order_;
};

TetrahedronCells two_tetrahedra() {
  return {{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{1, 1, 1}}},
          {{0, 1, 2, 3}, {1, 2, 3, 4}}};
}

void expect_two(std::string_view bytes, const char* name) {
  const auto loaded = parse_simplex_mesh<3>(bytes, name);
  ASSERT_TRUE(loaded.ok()) << first_line(loaded);
  expect_same(loaded->mesh, two_tetrahedra(), name);
  EXPECT_TRUE(loaded->warnings.empty()) << name;
}

std::string gmsh2(std::endian order) {
  const TetrahedronCells mesh = two_tetrahedra();
  Bytes file(order);
  file.add("$MeshFormat\n2.2 1 8\n").add<std::int32_t>(1).add("\n$EndMeshFormat\n");
  file.add("$PhysicalNames\n1\n3 1 \"$Nodes\"\n$EndPhysicalNames\n$Nodes\n5\n");
  for (int i = 0; i < 5; ++i) {
    file.add<std::int32_t>(10 * i + 7);
    for (int k = 0; k < 3; ++k) file.add(mesh.points[i][k]);
  }
  file.add("\n$EndNodes\n$Elements\n3\n");
  for (const int value : {2, 1, 2, 1, 1, 1, 7, 17, 27, 4, 2, 2}) file.add<std::int32_t>(value);
  for (int c = 0; c < 2; ++c) {
    for (const int value : {c + 2, 1, 1}) file.add<std::int32_t>(value);
    for (const auto corner : mesh.cells[c]) file.add<std::int32_t>(10 * int(corner) + 7);
  }
  return file.add("\n$EndElements\n").text;
}

std::string gmsh4(bool binary, std::endian order = std::endian::little) {
  const TetrahedronCells mesh = two_tetrahedra();
  Bytes file(order);
  const auto entry = [&](auto value) {
    if (binary)
      file.add(value);
    else
      file.add(std::to_string(value) + " ");
  };
  const auto head = [&](int a, int b, int c, std::size_t count) {
    for (const int value : {a, b, c}) entry(std::int32_t{value});
    entry(std::uint64_t{count});
  };
  file.add(binary ? "$MeshFormat\n4.1 1 8\n" : "$MeshFormat\n4.1 0 8\n");
  if (binary) file.add<std::int32_t>(1).add("\n");
  file.add("$EndMeshFormat\n$Entities\n0 0 0 0\n$EndEntities\n$Nodes\n");
  for (const std::size_t value : {2, 5, 1, 5}) entry(std::uint64_t{value});
  head(2, 1, 1, 2);  // with two parameters each
  entry(std::uint64_t{1}), entry(std::uint64_t{2});
  for (int i = 0; i < 2; ++i) {
    for (int k = 0; k < 3; ++k) entry(mesh.points[i][k]);
    entry(0.25), entry(0.75);
  }
  head(3, 1, 0, 3);
  for (int i = 2; i < 5; ++i) entry(std::uint64_t(i + 1));
  for (int i = 2; i < 5; ++i)
    for (int k = 0; k < 3; ++k) entry(mesh.points[i][k]);
  file.add("\n$EndNodes\n$Elements\n");
  for (const std::size_t value : {2, 3, 1, 3}) entry(std::uint64_t{value});
  head(2, 1, 2, 1);
  for (const std::size_t value : {1, 1, 2, 3}) entry(std::uint64_t{value});
  head(3, 1, 4, 2);
  for (int c = 0; c < 2; ++c) {
    entry(std::uint64_t(c + 2));
    for (const auto corner : mesh.cells[c]) entry(std::uint64_t{corner} + 1);
  }
  return file.add("\n$EndElements\n").text;
}

TEST(SimplexFile, GmshWritesTextAndBytes) {
  expect_two(gmsh2(std::endian::little), "a.msh");
  expect_two(gmsh2(std::endian::big), "a.MSH");
  expect_two(gmsh4(false), "a.msh");
  expect_two(gmsh4(true), "a.msh");
  expect_two(gmsh4(true, std::endian::big), "a.msh");
}

TEST(SimplexFile, VtkHasTwoWaysOfWritingCells) {
  const std::string head = "# vtk DataFile Version 5.1\na title\n";
  const std::string text =
      "ASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0\n0 1 0\n0 0 1 1 1 1\n";
  expect_two(head + text +
                 "CELLS 3 13\n2 0 1\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 3\n3\n10\n10\nCELL_DATA 3\n",
             "a.vtk");
  expect_two(head + text +
                 "METADATA\nCELLS 3 8\nOFFSETS vtktypeint64\n0 4 8\nCONNECTIVITY vtktypeint64\n"
                 "0 1 2 3\n1 2 3 4\nCELL_TYPES 2\n10 10\n",
             "a.vtk");
  Bytes file(std::endian::big);
  file.add(head).add("BINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n");
  for (const auto& x : two_tetrahedra().points)
    for (int k = 0; k < 3; ++k) file.add(x[k]);
  file.add("\nCELLS 3 8\nOFFSETS vtktypeint64\n");
  for (const std::int64_t offset : {0, 4, 8}) file.add(offset);
  file.add("\nCONNECTIVITY vtktypeint32\n");
  for (const int corner : {0, 1, 2, 3, 1, 2, 3, 4}) file.add<std::int32_t>(corner);
  file.add("\nCELL_TYPES 2\n").add<std::int32_t>(10).add<std::int32_t>(10).add("\n");
  expect_two(file.text, "a.vtk");
}

std::string in_base64(const std::string& bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
  return text;
}

enum class Encoding { ascii, inline_base64, split_base64, raw, appended_base64 };

std::string vtu(Encoding encoding, std::endian order, bool long_heads) {
  const TetrahedronCells mesh = two_tetrahedra();
  std::string tags, appended;
  const auto array = [&](const std::string& type, const char* name, auto values) {
    tags += "<DataArray type=\"" + type + "\" Name='" + name + "' NumberOfComponents=\"1\" ";
    Bytes head(order), data(order);
    for (const auto value : values) data.add(value);
    if (long_heads)
      head.add<std::uint64_t>(data.text.size());
    else
      head.add<std::uint32_t>(static_cast<std::uint32_t>(data.text.size()));
    if (encoding == Encoding::ascii) {
      tags += "format=\"ascii\">\n";
      for (const auto value : values) tags += std::to_string(+value) + "\n";
      tags += "</DataArray>\n";
    } else if (encoding == Encoding::raw || encoding == Encoding::appended_base64) {
      tags += "format=\"appended\" offset=\"" + std::to_string(appended.size()) + "\"/>\n";
      const std::string bytes = head.text + data.text;
      appended += encoding == Encoding::raw ? bytes : in_base64(bytes);
    } else {
      tags += "format=\"binary\">\n  ";
      tags += encoding == Encoding::inline_base64 ? in_base64(head.text + data.text)
                                                  : in_base64(head.text) + in_base64(data.text);
      tags += "\n</DataArray>\n";
    }
  };
  tags =
      "<?xml version=\"1.0\"?><!-- <VTKFile> --><VTKFile type=\"UnstructuredGrid\" byte_order=\"";
  tags += order == std::endian::big ? "BigEndian\"" : "LittleEndian\"";
  if (long_heads) tags += " header_type=\"UInt64\"";
  tags += "><UnstructuredGrid><Piece NumberOfPoints=\"5\" NumberOfCells=\"2\">\n<PointData>";
  array("Float32", "connectivity", std::vector<float>{1, 2, 3});
  tags += "</PointData><Points>";
  std::vector<float> places;
  for (const auto& x : mesh.points)
    for (int k = 0; k < 3; ++k) places.push_back(static_cast<float>(x[k]));
  array("Float32", "Points", places);
  tags += "</Points><Cells>";
  array("Int64", "connectivity", std::vector<std::int64_t>{0, 1, 2, 3, 1, 2, 3, 4});
  array("UInt32", "offsets", std::vector<std::uint32_t>{4, 8});
  array("UInt8", "types", std::vector<std::uint8_t>{10, 10});
  tags += "</Cells></Piece></UnstructuredGrid>\n";
  if (!appended.empty())
    tags += std::string("<AppendedData encoding=\"") +
            (encoding == Encoding::raw ? "raw" : "base64") + "\">\n  _" + appended +
            "\n</AppendedData>\n";
  return tags + "</VTKFile>\n";
}

TEST(SimplexFile, VtuHasDataInManyForms) {
  for (const Encoding encoding : {Encoding::ascii, Encoding::inline_base64, Encoding::split_base64,
                                  Encoding::raw, Encoding::appended_base64})
    for (const std::endian order : {std::endian::little, std::endian::big})
      for (const bool long_heads : {false, true})
        expect_two(vtu(encoding, order, long_heads), "a.vtu");
}

TEST(SimplexFile, PiecesOfVtuCountTheirPointsAnew) {
  std::string text = vtu(Encoding::ascii, std::endian::little, false);
  const std::size_t begin = text.find("<Piece"), end = text.find("</Piece>") + 8;
  text.insert(end, text.substr(begin, end - begin));
  const auto loaded = parse_simplex_mesh<3>(text, "a.vtu");
  ASSERT_TRUE(loaded.ok()) << first_line(loaded);
  EXPECT_EQ(loaded->mesh.points.size(), 10u);
  EXPECT_EQ(loaded->mesh.cells[3], (TetrahedronCells::Cell{6, 7, 8, 9}));
}

std::string meshb(int version, std::endian order) {
  const TetrahedronCells mesh = two_tetrahedra();
  Bytes file(order);
  const auto integer = [&](std::int64_t value) {
    if (version == 4)
      file.add(value);
    else
      file.add(static_cast<std::int32_t>(value));
  };
  const auto section = [&](int code, std::size_t bytes) {
    file.add<std::int32_t>(code);
    const std::size_t next = file.text.size() + (version >= 3 ? 8 : 4) + bytes;
    if (version >= 3)
      file.add<std::int64_t>(static_cast<std::int64_t>(next));
    else
      file.add<std::int32_t>(static_cast<std::int32_t>(next));
  };
  const std::size_t word = version == 4 ? 8 : 4, real = version == 1 ? 4 : 8;
  file.add<std::int32_t>(1).add<std::int32_t>(version);
  section(3, 4);
  file.add<std::int32_t>(3);
  section(4, word + 5 * (3 * real + word));
  integer(5);
  for (const auto& x : mesh.points) {
    for (int k = 0; k < 3; ++k)
      if (version == 1)
        file.add(static_cast<float>(x[k]));
      else
        file.add(x[k]);
    integer(0);
  }
  section(77, 9);
  file.add("123456789");
  section(8, word + 2 * 5 * word);
  integer(2);
  for (const auto& cell : mesh.cells) {
    for (const auto corner : cell) integer(corner + 1);
    integer(3);
  }
  file.add<std::int32_t>(54).add<std::int32_t>(0);
  return file.text;
}

TEST(SimplexFile, MeditHasFourVersionsOfBytes) {
  for (const int version : {1, 2, 3, 4})
    for (const std::endian order : {std::endian::little, std::endian::big})
      expect_two(meshb(version, order), "a.meshb");
  expect_two(
      "MeshVersionFormatted 1 # text\n# more\nDimension\n3\nVertices 5\n0 0 0 1\n1 0 0 2 0 1 0 3\n"
      "0 0 1 1 # one\n1 1 1 1\nRequiredVertices\n2\n1 2\nTriangles 1\n1 2 3 4\nTetrahedra\n2\n"
      "1 2 3 4 1\n2 3 4 5 1\nEnd\n",
      "a.mesh");
}

TEST(SimplexFile, TetGenCountsFromZeroOrOne) {
  for (const int first : {0, 1, 5}) {
    const auto n = [&](int i) { return std::to_string(i + first); };
    const std::string nodes = "# points\n5 3 1 1\n" + n(0) + " 0 0 0 2.5 1\n" + n(1) +
                              " 1 0 0 2.5 1 # so\n\n" + n(2) + " 0 1 0 2.5 1\n" + n(3) +
                              " 0 0 1 2.5 1\n" + n(4) + " 1 1 1 2.5 1\n";
    const std::string cells = "2 4 1\n" + n(0) + " " + n(0) + " " + n(1) + " " + n(2) + " " + n(3) +
                              " 17\n" + n(1) + " " + n(1) + " " + n(2) + " " + n(3) + " " + n(4) +
                              " 17\n# the end\n";
    const auto loaded = parse_simplex_mesh<3>(nodes, "a.node", cells);
    ASSERT_TRUE(loaded.ok()) << first_line(loaded);
    expect_same(loaded->mesh, two_tetrahedra(), "a.node");
  }
}

TEST(SimplexFile, QuadraticCellsAreReadAsTheirCorners) {
  const auto loaded = parse_simplex_mesh<2>(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n1 0 0 3\n2 1 0 3\n3 0 1 3\n4 .5 0 3\n"
      "5 .5 .5 3\n6 0 .5 3\n$EndNodes\n$Elements\n1\n1 9 0 1 2 3 4 5 6\n$EndElements\n",
      "a.msh");
  ASSERT_TRUE(loaded.ok()) << first_line(loaded);
  EXPECT_EQ(loaded->mesh.points.size(), 3u);
  EXPECT_EQ(loaded->warnings,
            (std::vector<std::string>{"a.msh: its quadratic cells were read as their corners"}));
}

// A .mesh file of the two tetrahedra with other rows.
std::string medit(const std::string& points, const std::string& cells, int point_count = 5,
                  int cell_count = 2, const char* kind = "Tetrahedra") {
  return "MeshVersionFormatted 2\nDimension 3\nVertices " + std::to_string(point_count) + "\n" +
         points + kind + " " + std::to_string(cell_count) + "\n" + cells + "End\n";
}
const std::string kPoints = "0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n";

TEST(SimplexFile, HarmlessFlawsAreMended) {
  const auto turned = parse_simplex_mesh<3>(medit(kPoints, "2 1 3 4 0\n2 3 4 5 0\n"), "a.mesh");
  ASSERT_TRUE(turned.ok()) << first_line(turned);
  EXPECT_TRUE(mesh_problems(turned->mesh).empty());
  ASSERT_EQ(turned->warnings.size(), 1u);
  EXPECT_EQ(turned->warnings[0], "a.mesh: 1 cell was inside out and was turned round");
  const auto single = parse_simplex_mesh<3>(medit(kPoints, "2 3 4 5 0\n", 5, 1), "a.mesh");
  ASSERT_TRUE(single.ok()) << first_line(single);
  EXPECT_EQ(single->mesh.points.size(), 4u);
  EXPECT_EQ(single->warnings[0], "a.mesh: 1 point that no cell names was dropped");
}

template <int D = 3>
void expect_refused(std::string_view bytes, const char* name, const std::string& said,
                    std::string_view beside = {}) {
  const auto result = parse_simplex_mesh<D>(bytes, name, beside);
  ASSERT_FALSE(result.ok()) << said;
  EXPECT_EQ(result.errors().size(), 1u);
  const std::string& line = result.errors()[0];
  EXPECT_NE(line.find(said), std::string::npos) << line;
  EXPECT_EQ(line.rfind(name, 0), 0u) << line;
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
}

TEST(SimplexFile, FlawsOfMeshesGetOneClearLine) {
  expect_refused(medit(kPoints, "1 2 3 4 0\n2 3 4 9 0\n"), "a.mesh",
                 "element 2 names point 9, which the file does not have");
  expect_refused(medit(kPoints, "1 2 3 4 0\n2 3 4 0 0\n"), "a.mesh", "element 2 names point 0");
  expect_refused(medit(kPoints, "1 2 3 4 0\n2 3 4 4 0\n"), "a.mesh", "element 2 is flat");
  expect_refused(medit(kPoints, "1 2 3 4 0\n4 3 2 1 0\n"), "a.mesh",
                 "element 2 has the same corners as element 1");
  expect_refused(medit("nan 0 0 0\n" + kPoints, "1 2 3 4 0\n2 3 4 5 0\n", 6), "a.mesh",
                 "point 1 is not finite");
  expect_refused(medit("0.1 0.1 0.9 0\n" + kPoints, "2 3 4 5 0\n2 3 4 1 0\n", 6), "a.mesh",
                 "overlaps another");
  expect_refused(medit(kPoints, "1 2 3 0\n", 5, 1, "Triangles"), "a.mesh",
                 "no tetrahedra but 1 triangle");
  expect_refused<2>(medit(kPoints, "1 2 3 0\n1 2 4 0\n", 5, 2, "Triangles"), "a.mesh",
                    "one plane of constant z");
  expect_refused<2>(medit(kPoints, "1 2 3 4 0\n", 5, 1), "a.mesh",
                    "element 1 is a tetrahedron, and a 2D scene takes triangles");
  expect_refused(medit(kPoints, "1 2 3 4 5 0\n", 5, 1, "Pyramids"), "a.mesh",
                 "element 1 is a pyramid, and only tetrahedra are read");
  expect_refused(medit(kPoints, "", 5, 0), "a.mesh", "has no tetrahedra");
  std::string twice = gmsh2(std::endian::little);
  twice[twice.find("$Nodes\n5\n") + 9] = 17;
  expect_refused(twice, "a.msh", "point 17 is there twice");
}

TEST(SimplexFile, WrongFormatsAreNamed) {
  expect_refused("", "a.msh", "no $MeshFormat");
  expect_refused("$MeshFormat\n4 0 8\n$EndMeshFormat\n", "a.msh", "save it as 4.1 or 2.2");
  expect_refused("$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", "a.msh", "numbers of 4 bytes");
  expect_refused("", "a.vtk", "is no VTK file");
  expect_refused("# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\n", "a.vtk",
                 "no UNSTRUCTURED_GRID");
  expect_refused("", "a.vtu", "is no VTK file");
  expect_refused("<VTKFile type=\"PolyData\">", "a.vtu", "save the mesh as UnstructuredGrid");
  expect_refused("<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\">",
                 "a.vtu", "is compressed, which is not read; save it without");
  expect_refused("", "a.mesh", "is no Medit file");
  expect_refused("", "a.meshb", "is no Medit file");
  expect_refused("", "a.node", ".node file");
  expect_refused("1 3 0 0\n1 0 0 0\n", "a.node", ".ele file");
  expect_refused("1 3 0 0\n1 0 0 0\n", "a.node", "elements of 7 corners", "1 7 0\n");
  expect_refused("", "a.stl", "not a file of tetrahedra or triangles by its name");
}

TEST(SimplexFile, CountsBeyondTheFileAllocateNothing) {
  expect_refused(medit(kPoints, "", 5, 2000000000), "a.mesh", "the file ends early");
  expect_refused("MeshVersionFormatted 2\nDimension 3\nVertices 9223372036854775807\n", "a.mesh",
                 "the file ends early");
  expect_refused(
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 9223372036854775807 1 1\n"
      "3 1 0 9223372036854775807\n",
      "a.msh", "the file ends early");
  expect_refused(
      "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n"
      "POINTS 9223372036854775807 double\n",
      "a.vtk", "the file ends early");
}

// Wherever a file is cut off, the answer is a line, never a mesh.
TEST(SimplexFile, TruncatedFilesAreRefused) {
  const std::vector<std::pair<std::string, const char*>> files = {
      {gmsh2(std::endian::little), "a.msh"},
      {gmsh4(true), "a.msh"},
      {vtu(Encoding::raw, std::endian::little, false), "a.vtu"},
      {vtu(Encoding::inline_base64, std::endian::little, true), "a.vtu"},
      {meshb(2, std::endian::little), "a.meshb"}};
  for (const auto& [bytes, name] : files) {
    std::size_t read = 0;
    for (std::size_t size = 0; size + 60 < bytes.size(); ++size) {
      const auto result = parse_simplex_mesh<3>(std::string_view(bytes).substr(0, size), name);
      read += result.ok();
      if (!result.ok()) {
        EXPECT_EQ(result.errors()[0].rfind(name, 0), 0u);
      }
    }
    EXPECT_EQ(read, 0u) << name;
  }
}

TEST(SimplexFile, OtherNamesAreNotWritten) {
  EXPECT_NE(simplex_name_fault("a.stl").find("choose .msh"), std::string::npos);
  EXPECT_EQ(simplex_name_fault("a.vtu"), "");
  EXPECT_FALSE(write_simplex_mesh<3>("/nowhere/a.msh", two_tetrahedra()).ok());
}

}  // namespace
}  // namespace firn

#include "frames/surface_file.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <iterator>

#include "mesh_io/atomic_file.h"

namespace firn {

static_assert(std::endian::native == std::endian::little,
              "meshes are written as they lie in memory, which must be little-endian");

namespace {

constexpr std::size_t kPiece = 1 << 20;  // bytes that are written at a time

// Collects bytes and passes them on in large pieces.
class PieceWriter {
 public:
  explicit PieceWriter(AtomicFile& file) : file_(file) { bytes_.reserve(kPiece + 256); }
  ~PieceWriter() { file_.write(bytes_); }
  void add(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
    pass_on();
  }
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(bytes_), text, std::forward<Arguments>(arguments)...);
    pass_on();
  }

 private:
  void pass_on() {
    if (bytes_.size() < kPiece) return;
    file_.write(bytes_);
    bytes_.clear();
  }
  AtomicFile& file_;
  std::string bytes_;
};

std::string ply_header(const SurfaceMesh& mesh) {
  std::string text = "ply\nformat binary_little_endian 1.0\n";
  text += fmt::format("element vertex {}\n", mesh.vertices.size());
  text += "property float x\nproperty float y\nproperty float z\n";
  if (!mesh.velocity.empty()) text += "property float vx\nproperty float vy\nproperty float vz\n";
  text += fmt::format("element face {}\n", mesh.triangles.size());
  return text + "property list uchar int vertex_indices\nend_header\n";
}

}  // namespace

Result<std::filesystem::path> write_mesh_ply(const std::filesystem::path& path,
                                             const SurfaceMesh& mesh) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.errors();
  file->write(ply_header(mesh));
  {
    PieceWriter out(*file);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      out.add(mesh.vertices[v].e, sizeof(Vec3f));
      if (!mesh.velocity.empty()) out.add(mesh.velocity[v].e, sizeof(Vec3f));
    }
    for (const SurfaceMesh::Triangle& triangle : mesh.triangles) {
      char row[1 + sizeof(triangle)] = {3};
      std::memcpy(row + 1, triangle.data(), sizeof(triangle));
      out.add(row, sizeof(row));
    }
  }
  return file->commit();
}

Result<std::filesystem::path> write_mesh_obj(const std::filesystem::path& path,
                                             const SurfaceMesh& mesh) {
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.errors();
  {
    PieceWriter out(*file);
    for (const Vec3f& v : mesh.vertices) out.print("v {:.7g} {:.7g} {:.7g}\n", v[0], v[1], v[2]);
    for (const SurfaceMesh::Triangle& t : mesh.triangles)
      out.print("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  }
  return file->commit();
}

}  // namespace firn

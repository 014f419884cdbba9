#include "mesh_io/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <new>

#include "mesh_io/atomic_file.h"
#include "mesh_io/gltf_uri.h"
#include "mesh_io/mesh_formats.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

std::string extension_of(const fs::path& path) {
  std::string text = path.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_known(const std::string& extension) {
  for (const char* known : {".obj", ".ply", ".stl", ".gltf", ".glb"})
    if (extension == known) return true;
  return false;
}

std::string unknown_extension(const fs::path& path) {
  return path.string() + ": not a mesh file by its name: .obj, .ply, .stl, .gltf or .glb";
}

Result<TriangleMesh> parse_by_extension(std::string_view bytes, const fs::path& path) {
  const std::string extension = extension_of(path), name = path.string();
  if (extension == ".obj") return parse_obj(bytes, name);
  if (extension == ".ply") return parse_ply_mesh(bytes, name);
  if (extension == ".stl") return parse_stl(bytes, name);
  if (extension == ".gltf" || extension == ".glb")
    return parse_gltf(bytes, name, path.parent_path());
  return Result<TriangleMesh>::failure(unknown_extension(path));
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

Result<LoadedMesh> mended(TriangleMesh mesh, const std::string& name) {
  LoadedMesh loaded{std::move(mesh), {}};
  std::string fault = mesh_fault(loaded.mesh);
  if (!fault.empty()) return Result<LoadedMesh>::failure(name + ": " + fault);
  const std::size_t dropped = remove_degenerate_triangles(loaded.mesh);
  weld_vertices(loaded.mesh);
  fault = mesh_fault(loaded.mesh);
  if (!fault.empty())
    return Result<LoadedMesh>::failure(name + ": every triangle of the mesh is without area");
  const std::size_t open = count_open_edges(loaded.mesh);
  if (dropped > 0)
    loaded.warnings.push_back(
        name + ": " + counted(dropped, "triangle without area was", "triangles without area were") +
        " dropped");
  if (open > 0)
    loaded.warnings.push_back(name + ": the mesh has " + counted(open, "open edge", "open edges") +
                              "; filled by winding number");
  return loaded;
}

}  // namespace

Result<LoadedMesh> parse_mesh(std::string_view bytes, const fs::path& path) {
  try {
    Result<TriangleMesh> mesh = parse_by_extension(bytes, path);
    if (!mesh) return mesh.errors();
    return mended(std::move(*mesh), path.string());
  } catch (const std::bad_alloc&) {
    return Result<LoadedMesh>::failure(path.string() + ": not enough memory for the mesh");
  } catch (const std::exception& error) {
    return Result<LoadedMesh>::failure(path.string() + ": cannot be read: " + error.what());
  }
}

Result<std::string> read_mesh_bytes(const fs::path& path) {
  if (!is_known(extension_of(path))) return Result<std::string>::failure(unknown_extension(path));
  const std::string fault = file_size_fault(path);
  if (!fault.empty()) return Result<std::string>::failure(path.string() + ": " + fault);
  return read_whole_file(path);
}

Result<LoadedMesh> read_mesh(const fs::path& path) {
  const Result<std::string> bytes = read_mesh_bytes(path);
  if (!bytes) return bytes.errors();
  return parse_mesh(*bytes, path);
}

}  // namespace firn

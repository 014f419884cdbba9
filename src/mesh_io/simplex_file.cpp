#include "mesh_io/simplex_file.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <new>

#include "mesh_io/atomic_file.h"
#include "mesh_io/gltf_uri.h"
#include "mesh_io/simplex_formats.h"

namespace firn {
namespace fs = std::filesystem;

namespace {

std::string lower_extension(const fs::path& path) {
  std::string text = path.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_simplex_extension(const std::string& extension) {
  for (const char* known : {".msh", ".vtk", ".vtu", ".mesh", ".meshb", ".node", ".ele"})
    if (extension == known) return true;
  return false;
}

std::string unknown_simplex_file(const fs::path& path) {
  return path.string() +
         ": not a file of tetrahedra or triangles by its name: .msh, .vtk, .vtu, .mesh, .meshb, "
         ".node or .ele";
}

std::string parse_by_name(std::string_view bytes, const std::string& extension,
                          std::string_view beside, CellList& cells) {
  if (extension == ".msh") return parse_gmsh(bytes, cells);
  if (extension == ".vtk") return parse_vtk_cells(bytes, cells);
  if (extension == ".vtu") return parse_vtu_cells(bytes, cells);
  if (extension == ".mesh") return parse_medit(bytes, cells);
  if (extension == ".meshb") return parse_medit_binary(bytes, cells);
  return parse_tetgen(bytes, beside, cells);
}

Result<std::string> simplex_bytes(const fs::path& path) {
  const std::string fault = file_size_fault(path);
  if (!fault.empty()) return Result<std::string>::failure(path.string() + ": " + fault);
  return read_whole_file(path);
}

// The other one of .node and .ele, in the spelling of this one.
fs::path beside_of(const fs::path& path) {
  const bool is_nodes = lower_extension(path) == ".node";
  const bool is_small = path.extension() == lower_extension(path);
  fs::path other = path;
  return other.replace_extension(is_nodes ? (is_small ? ".ele" : ".ELE")
                                          : (is_small ? ".node" : ".NODE"));
}

template <int D>
Result<LoadedSimplexMesh<D>> parse_unguarded(std::string_view bytes, const fs::path& path,
                                             std::string_view beside) {
  using Answer = Result<LoadedSimplexMesh<D>>;
  const std::string name = path.string(), extension = lower_extension(path);
  if (!is_simplex_extension(extension)) return Answer::failure(unknown_simplex_file(path));
  CellList cells(D);
  const std::string fault = parse_by_name(bytes, extension, beside, cells);
  if (!fault.empty()) return Answer::failure(name + ": " + fault);
  Answer loaded = cells.mesh<D>();
  if (loaded) {
    for (std::string& line : loaded->warnings) line = name + ": " + line;
    return loaded;
  }
  Errors errors = loaded.errors();
  for (std::string& line : errors) line = name + ": " + line;
  return errors;
}

}  // namespace

template <int D>
Result<LoadedSimplexMesh<D>> parse_simplex_mesh(std::string_view bytes, const fs::path& path,
                                                std::string_view beside) {
  using Answer = Result<LoadedSimplexMesh<D>>;
  try {
    return parse_unguarded<D>(bytes, path, beside);
  } catch (const std::bad_alloc&) {
    return Answer::failure(path.string() + ": not enough memory for the mesh");
  } catch (const std::exception& error) {
    return Answer::failure(path.string() + ": cannot be read: " + error.what());
  }
}

template <int D>
Result<LoadedSimplexMesh<D>> read_simplex_mesh(const fs::path& path) {
  using Answer = Result<LoadedSimplexMesh<D>>;
  const std::string extension = lower_extension(path);
  if (!is_simplex_extension(extension)) return Answer::failure(unknown_simplex_file(path));
  const Result<std::string> bytes = simplex_bytes(path);
  if (!bytes) return bytes.errors();
  if (extension != ".node" && extension != ".ele") return parse_simplex_mesh<D>(*bytes, path);
  const Result<std::string> beside = simplex_bytes(beside_of(path));
  if (!beside) return beside.errors();
  return extension == ".node" ? parse_simplex_mesh<D>(*bytes, path, *beside)
                              : parse_simplex_mesh<D>(*beside, path, *bytes);
}

template Result<LoadedSimplexMesh<2>> parse_simplex_mesh(std::string_view, const fs::path&,
                                                         std::string_view);
template Result<LoadedSimplexMesh<3>> parse_simplex_mesh(std::string_view, const fs::path&,
                                                         std::string_view);
template Result<LoadedSimplexMesh<2>> read_simplex_mesh(const fs::path&);
template Result<LoadedSimplexMesh<3>> read_simplex_mesh(const fs::path&);

}  // namespace firn

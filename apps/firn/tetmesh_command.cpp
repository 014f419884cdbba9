#include <fmt/format.h>

#include <filesystem>

#include "commands.h"
#include "exec/parallel.h"
#include "mesh_io/simplex_file.h"
#include "output.h"
#include "scene/line_text.h"
#include "scene/object_mesh.h"
#include "simulate.h"

namespace firn::cli {
namespace fs = std::filesystem;

namespace {

struct TetmeshArguments {
  SceneOptions scene;
  std::string object, output;
  double edge = 0;  // m; 0: as the scene says
  int threads = 0;
  bool quiet = false;
};

constexpr const char* kTetmeshExamples =
    "Writes the cells that an object is cut into: tetrahedra, in 2D scenes triangles. Scenes of "
    "any\n"
    "solver will do. Copies of an object are written together. The extension says the format: "
    ".msh,\n"
    ".vtk, .vtu, .mesh, .node or .ele (both of these); docs/meshes.md.\n"
    "Examples:\n"
    "  firn tetmesh armadillo_squeeze --object armadillo -o armadillo.vtu\n"
    "  firn tetmesh my.json --object beam --edge 0.02 -o beam.msh\n";

// The object's place in the scene. One that is alone needs no name.
Result<std::size_t> find_object(const SceneSettings& scene, const std::string& name) {
  std::vector<std::string> names;
  for (const ObjectSettings& object : scene.objects) names.push_back(object.name);
  if (name.empty() && names.size() == 1) return std::size_t{0};
  if (names.empty()) return Errors{"the scene has no objects"};
  if (name.empty()) return Errors{"--object is missing" + choices(names)};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  return Errors{"--object: no object " + in_quotes(name) + suggestion(name, names)};
}

// What keeps an object from being cut, and the edge that was asked for. Empty, or what is wrong.
std::string choose_edge(ObjectSettings& object, double edge) {
  if (!object.has_mesh_file() && object.shape.kind == ShapeType::points)
    return "/shape/type: points have no volume to cut into cells; choose another object";
  if (edge <= 0) return "";
  if (object.has_mesh_file()) return "/mesh/file: has edges of its own; leave --edge out";
  ObjectMeshSettings settings = mesh_settings(object);
  settings.edge = edge;
  object.mesh = settings;
  return "";
}

// The corners of all copies.
template <int D>
Result<SimplexMesh<D>> cells_of_object(const SceneSettings& scene, std::size_t object) {
  const Result<ObjectMesh<D>> made = object_mesh<D>(scene, object);
  if (!made) return made.errors();
  SimplexMesh<D> all;
  for (const BodyMesh<D>& body : made->bodies) {
    const SimplexMesh<D> mesh = corner_cells(body, made->order);
    const auto first = static_cast<std::uint32_t>(all.points.size());
    all.points.insert(all.points.end(), mesh.points.begin(), mesh.points.end());
    for (auto cell : mesh.cells) {
      for (std::uint32_t& corner : cell) corner += first;
      all.cells.push_back(cell);
    }
  }
  return all;
}

template <int D>
std::string mesh_lines(const SimplexMesh<D>& mesh, const std::vector<fs::path>& files) {
  const AngleRange angles = mesh_angles(mesh);
  std::string text = fmt::format(
      "cells        {} {}\nnodes        {}\n{:12} {:.6g} {}\nangles       {:.4g} to {:.4g} "
      "degrees\n",
      grouped(static_cast<double>(mesh.cells.size())), D == 3 ? "tetrahedra" : "triangles",
      grouped(static_cast<double>(mesh.points.size())), D == 3 ? "volume" : "area",
      mesh_volume(mesh), D == 3 ? "m^3" : "m^2", angles.least, angles.largest);
  for (const fs::path& file : files) text += fmt::format("file         {}\n", file.string());
  return text;
}

template <int D>
int tetmesh_of(const LoadedScene& scene, std::size_t object, const TetmeshArguments& arguments) {
  const Result<SimplexMesh<D>> mesh = cells_of_object<D>(scene.settings, object);
  if (!mesh) {
    Errors errors;
    for (const std::string& line : mesh.errors())
      errors.push_back(fmt::format("{}: /objects/{}{}", scene.path, object, line));
    return report(errors, kBadInput);
  }
  const Result<std::vector<fs::path>> files = write_simplex_mesh<D>(arguments.output, *mesh);
  if (!files) return report(files.errors(), kFailed);
  if (!arguments.quiet) put(mesh_lines<D>(*mesh, *files));
  return kDone;
}

int tetmesh(const TetmeshArguments& arguments) {
  if (const std::string fault = simplex_name_fault(arguments.output); !fault.empty())
    return report("-o " + fault, kBadInput);
  Result<LoadedScene> scene = load_scene(arguments.scene);
  if (!scene) return report(scene.errors(), kBadInput);
  if (arguments.threads > 0) set_thread_count(arguments.threads);
  const Result<std::size_t> object = find_object(scene->settings, arguments.object);
  if (!object) return report(scene->path + ": " + object.errors()[0], kBadInput);
  if (const std::string fault = choose_edge(scene->settings.objects[*object], arguments.edge);
      !fault.empty())
    return report(fmt::format("{}: /objects/{}{}", scene->path, *object, fault), kBadInput);
  return scene->settings.dimension == 2 ? tetmesh_of<2>(*scene, *object, arguments)
                                        : tetmesh_of<3>(*scene, *object, arguments);
}

}  // namespace

void add_tetmesh_command(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("tetmesh", "Write the tetrahedra that an object is cut into as a file");
  auto arguments = std::make_shared<TetmeshArguments>();
  arguments->scene.add_scene_to(*command,
                                "Scene file, name of a shipped scene, or folder of a run");
  command->add_option("--object", arguments->object,
                      "Name of the object (may be left out where there is one alone)");
  command->add_option("-o,--output", arguments->output, "The file")->required();
  command
      ->add_option("--edge", arguments->edge,
                   "Length of edges in m (default: the scene's, else twice its grid's spacing)")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", arguments->threads, "Number of threads (default: all)")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kTetmeshExamples);
  command->callback([arguments, &status] { status = tetmesh(*arguments); });
}

}  // namespace firn::cli

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>

#include "commands.h"
#include "exec/parallel.h"
#include "frames/grain_files.h"
#include "frames/mesh_frame.h"
#include "frames/ply.h"
#include "frames/run_folder.h"
#include "frames/surface_file.h"
#include "output.h"
#include "progress.h"
#include "scene/line_text.h"
#include "scene_io/scene_reader.h"
#include "signals.h"

namespace firn::cli {
namespace fs = std::filesystem;

namespace {

struct MeshArguments {
  std::string folder, output, format = "ply", frames, material;
  MeshOptions mesh;
  int threads = 0;
  bool quiet = false, grains = false;
};

constexpr const char* kMeshExamples =
    "Surfaces lie where the material ends; every edge belongs to two triangles. PLY meshes carry "
    "the\n"
    "velocity of each vertex (vx vy vz, for motion blur) where the frames do; OBJ cannot.\n"
    "Examples:\n"
    "  firn mesh out/dam                       out/dam/meshes/mesh_0000.ply ...\n"
    "  firn mesh out/dam --frame 10..20 --format obj -o meshes\n"
    "  firn mesh out/demo --material water --smooth 6\n";

// Voxels much finer than particles only cost time, and coarser ones lose them.
constexpr double kFinest = 0.1, kCoarsest = 3;  // particle radii

struct FrameRange {
  std::int64_t first = 0, last = 0;
};

// "7" or "3..9".
std::optional<FrameRange> parse_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  const auto number = [](std::string_view part) -> std::optional<std::int64_t> {
    std::int64_t value = -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size() || value < 0) return {};
    return value;
  };
  const auto first = number(std::string_view(text).substr(0, dots));
  const auto last =
      dots == std::string::npos ? first : number(std::string_view(text).substr(dots + 2));
  if (!first || !last || *last < *first) return {};
  return FrameRange{*first, *last};
}

// The frames to mesh, or why there are none.
Result<std::vector<std::int64_t>> choose_frames(const RunFolder& folder, const std::string& asked,
                                                bool grains) {
  using Frames = Result<std::vector<std::int64_t>>;
  std::vector<std::int64_t> frames = grains ? grain_numbers(folder) : frame_numbers(folder);
  if (frames.empty()) return Frames::failure(folder.frames().string() + ": no frames");
  if (asked.empty()) return frames;
  const std::optional<FrameRange> range = parse_range(asked);
  if (!range)
    return Frames::failure("--frame " + printable(asked) + ": must be a number, or two as 3..9");
  const std::string there = fmt::format("{} to {}", frames.front(), frames.back());
  std::erase_if(frames, [&](std::int64_t n) { return n < range->first || n > range->last; });
  if (frames.empty())
    return Frames::failure(
        fmt::format("{}: no frame {}; the run has {}", folder.root.string(), asked, there));
  return frames;
}

// The number of a material given by name or number.
Result<int> choose_material(const SceneSettings& scene, const std::string& asked) {
  if (asked.empty()) return -1;
  std::vector<std::string> names;
  for (const MaterialSettings& material : scene.materials) names.push_back(material.name);
  const auto found = std::find(names.begin(), names.end(), asked);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  int number = -1;
  const auto [end, error] = std::from_chars(asked.data(), asked.data() + asked.size(), number);
  if (error == std::errc() && end == asked.data() + asked.size() && number >= 0 &&
      number < static_cast<int>(names.size()))
    return number;
  return Result<int>::failure("--material: no material " + in_quotes(asked) +
                              suggestion(asked, names));
}

Errors choose_sizes(const SceneSettings& scene, MeshOptions& mesh) {
  if (mesh.radius <= 0) mesh.radius = particle_radius(scene, mesh.material);
  if (mesh.voxel <= 0) mesh.voxel = mesh.radius;
  const double ratio = mesh.voxel / mesh.radius;
  if (ratio >= kFinest && ratio <= kCoarsest) return {};
  return {
      fmt::format("--voxel: {:.4g} m must be {:.4g} to {:.4g} m with particles of radius {:.4g} m",
                  mesh.voxel, kFinest * mesh.radius, kCoarsest * mesh.radius, mesh.radius)};
}

// The surface of a frame, or what is wrong with the frame; also whether it has meshes of its own.
Result<SurfaceMesh> mesh_of_file(const fs::path& frame, const MeshOptions& options,
                                 bool& has_meshes) {
  const Result<Frame> table = read_ply(frame);
  if (!table) return table.errors();
  has_meshes = has_meshes || !table->meshes.empty();
  Result<SurfaceMesh> mesh = mesh_of_frame(*table, options);
  if (mesh) return mesh;
  return Result<SurfaceMesh>::failure(frame.string() + ": " + mesh.errors().front());
}

int mesh_frames(const RunFolder& folder, const std::vector<std::int64_t>& frames,
                const fs::path& output, const MeshArguments& arguments) {
  std::error_code error;
  fs::create_directories(output, error);
  if (error)
    return report(output.string() + ": cannot create the folder: " + error.message(), kFailed);
  RunControl control;
  const SignalScope signals(control);
  Progress progress(arguments.quiet);
  const auto start = std::chrono::steady_clock::now();
  const auto total = static_cast<std::int64_t>(frames.size());
  std::int64_t made = 0;
  bool has_meshes = false;
  Errors skipped;
  for (std::int64_t done = 0; done < total; ++done) {
    if (control.quit) return report("interrupted", kInterrupted);
    const std::int64_t number = frames[static_cast<std::size_t>(done)];
    const Result<SurfaceMesh> mesh =
        mesh_of_file(arguments.grains ? folder.grains(number) : folder.frame(number),
                     arguments.mesh, has_meshes);
    // One damaged frame does not keep the others back.
    if (!mesh) {
      skipped.push_back("frame skipped: " + mesh.errors().front());
      continue;
    }
    const fs::path path = output / fmt::format("mesh_{:04}.{}", number, arguments.format);
    const auto written =
        arguments.format == "obj" ? write_mesh_obj(path, *mesh) : write_mesh_ply(path, *mesh);
    if (!written) return report(written.errors(), kFailed);
    ++made;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    progress.show(done + 1, total,
                  fmt::format("{}: {} triangles", path.filename().string(),
                              grouped(static_cast<double>(mesh->triangles.size()))),
                  seconds / static_cast<double>(done + 1) * static_cast<double>(total - done - 1));
  }
  report(skipped, kDone);
  if (made == 0) return report("no frame of the run can be meshed", kFailed);
  if (has_meshes)
    progress.say(
        "the frames have meshes of their own, as faces of their PLY files; these surfaces are of "
        "the particles beside them");
  progress.say(fmt::format("{}: {} mesh{}", output.string(), made, made == 1 ? "" : "es"));
  return kDone;
}

int mesh(MeshArguments arguments) {
  const RunFolder folder{arguments.folder};
  std::error_code ignored;
  if (!fs::is_directory(folder.root, ignored))
    return report(folder.root.string() + ": no such folder; simulate with firn run first",
                  kBadInput);
  const Result<SceneSettings> scene = read_scene(folder.scene().string());
  if (!scene) return report(scene.errors(), kBadInput);
  if (scene->dimension != 3)
    return report(folder.root.string() + ": is a 2D run; surface meshes are for 3D runs",
                  kBadInput);
  const Result<std::vector<std::int64_t>> frames =
      choose_frames(folder, arguments.frames, arguments.grains);
  if (!frames) return report(frames.errors(), kBadInput);
  const Result<int> material = choose_material(*scene, arguments.material);
  if (!material) return report(material.errors(), kBadInput);
  arguments.mesh.material = *material;
  const Result<SceneSettings> shown =
      arguments.grains ? scene_of_grains(folder, *scene) : Result<SceneSettings>(*scene);
  if (!shown) return report(shown.errors(), kBadInput);
  const Errors errors = choose_sizes(*shown, arguments.mesh);
  if (!errors.empty()) return report(errors, kBadInput);
  if (arguments.threads > 0) set_thread_count(arguments.threads);
  const fs::path output =
      arguments.output.empty() ? folder.root / "meshes" : fs::path(arguments.output);
  return mesh_frames(folder, *frames, output, arguments);
}

}  // namespace

void add_mesh_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("mesh", "Make surface meshes of the frames of a 3D run");
  auto arguments = std::make_shared<MeshArguments>();
  command->add_option("DIR", arguments->folder, "Folder of a run, finished or not")->required();
  command->add_option("-o,--output", arguments->output,
                      "Folder of the meshes (default: DIR/meshes)");
  command->add_option("--format", arguments->format, "ply or obj (default: ply)")
      ->check(CLI::IsMember({"ply", "obj"}));
  command->add_option("--frame", arguments->frames, "One frame, or a range as 3..9 (default: all)");
  command->add_option("--material", arguments->material,
                      "Only this material, by name or number (default: all)");
  command
      ->add_option("--radius", arguments->mesh.radius,
                   "Radius of a particle in m (default: from the scene's sampling)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--voxel", arguments->mesh.voxel,
                   "Edge in m of the cells that the surface is cut out of (default: the radius)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--smooth", arguments->mesh.smooth, "Passes of smoothing, 0 to 100 (default: 3)")
      ->check(CLI::Range(0, 100));
  command->add_option("--threads", arguments->threads, "Number of threads (default: all)")
      ->check(CLI::Range(1, 1024));
  command->add_flag(
      "--grains", arguments->grains,
      "Mesh the fine grains of the run (see firn upsample) in place of its particles");
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors");
  command->footer(kMeshExamples);
  command->callback([arguments, &status] { status = mesh(*arguments); });
}

}  // namespace firn::cli

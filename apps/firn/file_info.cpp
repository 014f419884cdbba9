#include "file_info.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <set>

#include "frames/body_file.h"
#include "frames/frame_points.h"
#include "frames/run_folder.h"
#include "pack/world_pack.h"
#include "run/checkpoint.h"
#include "run/run_resume.h"
#include "run/stats.h"
#include "scene/check.h"
#include "scene_io/scene_reader.h"

namespace firn::cli {
namespace {

namespace fs = std::filesystem;
using Values = std::vector<double>;

Json column_names(const PointTable& table) {
  Json names = Json::array();
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

// The columns that exist of x, y, z (with a prefix).
std::vector<Values> axes_of(const PointTable& table, const std::string& prefix) {
  std::vector<Values> axes;
  for (const char* axis : {"x", "y", "z"})
    if (table.has(prefix + axis)) axes.push_back(table.as_double(prefix + axis));
  return axes;
}

Json bounds_of(const PointTable& table) {
  Json low = Json::array(), high = Json::array();
  for (const Values& values : axes_of(table, "")) {
    if (values.empty()) continue;
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    low.push_back(*min);
    high.push_back(*max);
  }
  return {{"min", low}, {"max", high}};
}

// What follows from velocities, and from masses where the frame has them.
void add_motion(const PointTable& table, Json& info) {
  const std::vector<Values> velocity = axes_of(table, "v");
  const Values mass = table.as_double("mass");
  if (!mass.empty()) {
    double total = 0;
    for (const double m : mass) total += m;
    info["mass"] = total;
  }
  if (velocity.empty() || table.count == 0) return;
  Values momentum(velocity.size()), mean(velocity.size());
  double fastest = 0, kinetic = 0;
  for (std::size_t p = 0; p < table.count; ++p) {
    double speed2 = 0;
    for (std::size_t a = 0; a < velocity.size(); ++a) {
      const double v = velocity[a][p];
      mean[a] += v / static_cast<double>(table.count);
      if (!mass.empty()) momentum[a] += mass[p] * v;
      speed2 += v * v;
    }
    fastest = std::max(fastest, speed2);
    if (!mass.empty()) kinetic += 0.5 * mass[p] * speed2;
  }
  info["mean_velocity"] = mean;
  info["max_speed"] = std::sqrt(fastest);
  if (mass.empty()) return;
  info["momentum"] = momentum;
  info["kinetic"] = kinetic;
}

// Whether every side of a triangle is that of another, the other way round.
bool is_closed(const FrameMesh& mesh) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> open;
  for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = mesh.triangles[i + k], b = mesh.triangles[i + (k + 1) % 3];
      if (open.erase({b, a}) == 0) open.insert({a, b});
    }
  return open.empty();
}

// Area in m^2, and of closed meshes the volume in m^3 that they enclose.
Json mesh_info(const FrameMesh& mesh, const std::vector<Vec3f>& places) {
  double area = 0, volume = 0;
  for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
    const Vec3d a = places[mesh.triangles[i]].cast<double>();
    const Vec3d b = places[mesh.triangles[i + 1]].cast<double>();
    const Vec3d c = places[mesh.triangles[i + 2]].cast<double>();
    const Vec3d across = cross(b - a, c - a);
    area += 0.5 * std::sqrt(dot(across, across));
    volume += dot(a, cross(b, c)) / 6;
  }
  const std::set<std::uint32_t> vertices(mesh.triangles.begin(), mesh.triangles.end());
  Json info{{"name", mesh.name},
            {"vertices", vertices.size()},
            {"triangles", mesh.triangles.size() / 3},
            {"area", area}};
  if (is_closed(mesh)) info["volume"] = volume;
  return info;
}

Json list_of(const Vec3d& v) {
  return {v[0], v[1], v[2]};
}

Json body_info(const BodyPose& body) {
  const Quaternion& q = body.rotation;
  return {{"name", body.name},
          {"position", list_of(body.position)},
          {"rotation", {q.w, q.x, q.y, q.z}},
          {"scale", body.scale},
          {"velocity", list_of(body.velocity)},
          {"spin", list_of(body.spin)}};
}

// What a frame carries besides points, where it does.
void add_meshes_and_bodies(const Frame& frame, Json& info) {
  const std::vector<Vec3f> places = positions_of(frame);
  for (const FrameMesh& mesh : frame.meshes) info["meshes"].push_back(mesh_info(mesh, places));
  for (const BodyPose& body : frame.bodies) info["bodies"].push_back(body_info(body));
}

Result<Json> frame_info(const std::string& file) {
  const Result<Frame> table = read_frame(file);
  if (!table) return table.errors();
  Json info{{"file", file}, {"kind", "frame"}};
  for (const auto& [key, value] : table->metadata) {
    const Json parsed = Json::parse(value, nullptr, false);
    info[key] = parsed.is_number() ? parsed : Json(value);
  }
  info["particles"] = table->count;
  info["columns"] = column_names(*table);
  info["bounds"] = bounds_of(*table);
  add_motion(*table, info);
  add_meshes_and_bodies(*table, info);
  return info;
}

Result<Json> checkpoint_info(const std::string& file) {
  Result<Checkpoint> checkpoint = read_checkpoint(file);
  if (!checkpoint) return checkpoint.errors();
  const Result<SceneSettings> scene = parse_scene(checkpoint->scene, file);
  if (!scene) return scene.errors();
  ResumePoint point{*scene, std::move(*checkpoint)};
  const Precision precision = point.precision().value_or(usual_precision(*scene));
  const Result<std::unique_ptr<World>> world =
      World::restore(*scene, precision, point.checkpoint->state);
  if (!world) return Result<Json>::failure(file + ": " + world.errors().front());
  Json info{{"file", file},
            {"kind", "checkpoint"},
            {"program", point.checkpoint->program},
            {"scene", scene->name},
            {"precision", precision == Precision::double_ ? "double" : "float"},
            {"total_steps", (*world)->total_steps()}};
  info.update(Json::parse(stats_line((*world)->statistics(), static_cast<int>(scene->dimension))));
  info.erase("phases");
  info["bounds"] = bounds_of((*world)->snapshot({}));
  return info;
}

Result<Json> scene_info(const std::string& file) {
  const Result<SceneSettings> scene = read_scene(file);
  if (!scene) return scene.errors();
  Json materials = Json::array();
  for (const MaterialSettings& material : scene->materials) materials.push_back(material.name);
  return Json{{"file", file},
              {"kind", "scene"},
              {"scene", scene->name},
              {"description", scene->description},
              {"dimension", scene->dimension},
              {"frames", scene->frames},
              {"fps", scene->fps},
              {"materials", materials},
              {"objects", scene->objects.size()},
              {"colliders", scene->colliders.size()},
              {"estimated_particles", std::round(estimated_particles(*scene))}};
}

Result<Json> pack_info(const std::string& file) {
  const Result<WorldPack> pack = read_pack(file);
  if (!pack) return pack.errors();
  std::size_t particles = 0;
  double mass = 0;
  for (const ObjectParticles& object : pack->particles) {
    particles += object.size();
    for (std::size_t i = 0; i < object.size(); ++i) mass += object.mass(i);
  }
  return Json{{"file", file},
              {"kind", "pack"},
              {"scene", pack->scene.name},
              {"description", pack->scene.description},
              {"dimension", pack->scene.dimension},
              {"frames", pack->scene.frames},
              {"fps", pack->scene.fps},
              {"spacing", pack->scene.grid.spacing},
              {"particles", particles},
              {"mass", mass},
              {"colliders", pack->scene.colliders.size()},
              {"emitters", pack->scene.emitters.size()}};
}

bool starts_with_ply(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string start(3, '\0');
  return stream.read(start.data(), 3) && start == "ply";
}

}  // namespace

Result<Json> file_info(const std::string& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return Result<Json>::failure(file + ": no such file");
  if (fs::is_directory(file, ignored)) {
    const fs::path checkpoint = RunFolder{file}.checkpoint();
    if (!fs::exists(checkpoint, ignored))
      return Result<Json>::failure(file + ": is a folder without a checkpoint");
    return checkpoint_info(checkpoint.string());
  }
  const std::string extension = fs::path(file).extension();
  if (extension == ".h5" || looks_like_checkpoint(file)) return checkpoint_info(file);
  if (extension == ".firnpack") return pack_info(file);
  if (extension == ".ply" || starts_with_ply(file)) return frame_info(file);
  return scene_info(file);
}

}  // namespace firn::cli

#include "frames/grain_files.h"

#include <cmath>

#include "frames/ply.h"
#include "scene/defaults.h"

namespace firn {
namespace {

void make_finer(const SceneSettings& scene, double factor, Sampling& sampling) {
  sampling.spacing = factor * particle_spacing(scene, sampling);
  sampling.particles_per_cell = 0;
}

double per_particle_in(const std::map<std::string, std::string>& metadata) {
  const auto found = metadata.find("per_particle");
  const double per = found == metadata.end() ? 0 : std::atof(found->second.c_str());
  return per >= 1 && per < 1e9 ? per : 0;
}

}  // namespace

double grains_per_particle(const PointTable& grains) {
  return per_particle_in(grains.metadata);
}

SceneSettings finer_scene(const SceneSettings& scene, double per_particle) {
  SceneSettings fine = scene;
  const double factor = std::pow(per_particle, -1.0 / double(scene.dimension));
  for (ObjectSettings& object : fine.objects) make_finer(scene, factor, object.sampling);
  for (EmitterSettings& emitter : fine.emitters) make_finer(scene, factor, emitter.sampling);
  fine.view.point_radius *= factor;
  return fine;
}

std::vector<std::filesystem::path> grain_files(const RunFolder& folder) {
  std::vector<std::filesystem::path> files;
  for (const std::int64_t number : grain_numbers(folder)) files.push_back(folder.grains(number));
  return files;
}

Result<SceneSettings> scene_of_grains(const RunFolder& folder, const SceneSettings& scene) {
  using Scene = Result<SceneSettings>;
  const std::vector<std::filesystem::path> files = grain_files(folder);
  if (files.empty())
    return Scene::failure(folder.frames().string() + ": no grains; make them with firn upsample " +
                          folder.root.string());
  const Result<PlyHeader> header = read_ply_header(files.front());
  if (!header) return header.errors();
  const double per = per_particle_in(header->metadata);
  if (per == 0)
    return Scene::failure(files.front().string() +
                          ": does not say how many grains are made of a particle; make them anew "
                          "with firn upsample");
  return finer_scene(scene, per);
}

}  // namespace firn

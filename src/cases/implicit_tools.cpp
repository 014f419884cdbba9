#include "cases/implicit_tools.h"

#include "particles/blocks.h"

namespace firn {
namespace {

template <int D>
void add_places(const StateImage& image, const std::string& set, double spacing,
                std::vector<Vec3d>& places) {
  const auto& keys = std::get<std::vector<std::uint64_t>>(image.arrays.at("blocks"));
  const auto& begin = std::get<std::vector<std::uint32_t>>(image.arrays.at(set + "begin"));
  const auto& id = std::get<std::vector<std::uint64_t>>(image.arrays.at(set + "id0"));
  for (int a = 0; a < D; ++a) {
    const auto& x =
        std::get<std::vector<double>>(image.arrays.at(set + "position" + std::to_string(a)));
    for (std::size_t b = 0; b < keys.size(); ++b) {
      const double corner = double(morton_coord<D>(keys[b])[a]) * BlockShape<D>::kEdge;
      for (std::uint32_t p = begin[b]; p < begin[b + 1]; ++p) {
        if (places.size() <= id[p]) places.resize(id[p] + 1, Vec3d{{0, 0, 0}});
        places[id[p]][a] = (corner + x[p]) * spacing;
      }
    }
  }
}

}  // namespace

std::vector<Vec3d> exact_places(const World& world, const SceneSettings& scene) {
  const StateImage image = world.save();
  std::vector<Vec3d> places;
  for (int s = 0; image.integers.count("set" + std::to_string(s) + "/count") > 0; ++s) {
    const std::string set = "set" + std::to_string(s) + "/";
    if (scene.dimension == 2)
      add_places<2>(image, set, scene.grid.spacing, places);
    else
      add_places<3>(image, set, scene.grid.spacing, places);
  }
  return places;
}

}  // namespace firn

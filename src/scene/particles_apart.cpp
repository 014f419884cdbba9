#include "scene/particles_apart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "scene/check_tools.h"

namespace firn {
namespace {

struct Place {
  std::array<double, 3> cell;  // of a fine lattice
  std::uint32_t object, index;

  bool operator<(const Place& o) const {
    return std::tie(cell, object, index) < std::tie(o.cell, o.object, o.index);
  }
};

// Particles that share a cell with an earlier one are appended to those of their object. The
// lattice is moved by a share of its cells, since places that rounding alone tells apart may lie on
// both sides of a cell's face.
void find_shared(const std::vector<ObjectParticles>& all, double cell, double moved,
                 std::map<std::uint32_t, std::vector<std::uint32_t>>& shared) {
  std::vector<Place> places;
  for (std::uint32_t o = 0; o < all.size(); ++o)
    for (std::uint32_t i = 0; i < all[o].size(); ++i) {
      const Vec3d& x = all[o].position[i];
      places.push_back({{}, o, i});
      for (int a = 0; a < 3; ++a) places.back().cell[a] = std::floor(x[a] / cell + moved);
    }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].cell == places[i - 1].cell) shared[places[i].object].push_back(places[i].index);
}

}  // namespace

Errors coinciding_particles(const SceneSettings& scene, const std::vector<ObjectParticles>& all) {
  constexpr double kSame = 1e-4;  // grid cells
  std::map<std::uint32_t, std::vector<std::uint32_t>> shared;
  for (const double moved : {0.0, 0.5}) find_shared(all, kSame * scene.grid.spacing, moved, shared);
  Errors errors;
  for (auto& [object, found] : shared) {
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    const Vec3d& x = all[object].position[found.front()];
    std::string place = short_number(x[0]);
    for (int a = 1; a < scene.dimension; ++a) place += ", " + short_number(x[a]);
    errors.push_back(at("objects", all[object].object) + ": " + grouped(double(found.size())) +
                     " of its particles lie where others do, the first at (" + place +
                     "); sph cannot part them: move the object, or choose the solver \"mpm\"");
  }
  return errors;
}

}  // namespace firn

// The library as a user has it: read a scene, run it, look at the particles.
#include <cstdio>

#include "scene_io/scene_reader.h"
#include "sim/world.h"

int main() {
  const auto scene = firn::parse_scene(R"({
    "format": 1, "dimension": 2, "grid": {"spacing": 0.1},
    "materials": {"jelly": {"model": "neo_hookean"}},
    "objects": [{"shape": {"type": "disc", "radius": 0.5}, "material": "jelly"}]})",
                                       "disc.json");
  if (!scene) return 1;
  auto world = firn::World::create(*scene, firn::Precision::single);
  if (!world || !(*world)->advance_step()) return 1;
  const double mass = (*world)->statistics().mass;
  std::printf("%zu particles, %g kg\n", (*world)->snapshot({}).count, mass);
  return mass > 700 && mass < 850 ? 0 : 1;  // a disc of 0.785 m2 at 1000 kg/m3
}

// Bodies in water on one grid: a heavy one sinks to the floor although the water between the two
// shares its nodes, one as heavy as water stays, a light one floats with the right draught and
// carries no more water out of it than its nodes hold.
#include <algorithm>
#include <cmath>

#include "cases/water.h"

namespace firn {
namespace {

constexpr const char* kCase = "trapped_water";
constexpr double kWidth = 1, kDepth = 0.5, kSide = 0.25;  // m
constexpr double kSpacing = 1.0 / 32;
constexpr double kFps = 20;

struct Body {
  double density = 2600;
  double bottom = 4 * kSpacing;  // m above the floor at the start
  double seconds = 6;
  bool volume_correction = true;
};

// Water to kDepth with a body in it, which takes the place of water.
SceneSettings body_scene(const Body& body) {
  SceneSettings scene = case_scene(2, kSpacing, kFps);
  scene.gravity = {{0, -kWaterGravity, 0}};
  Fluid::Parameters water;
  water.bulk_modulus = 5e5;
  water.volume_correction = body.volume_correction;
  const int fluid = add_material(scene, water);
  const int solid = add_material(scene, elastic_material<NeoHookean>(1e6, 0.3));
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate);
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::separate);
  add_plane(scene, {{kWidth, 0, 0}}, {{-1, 0, 0}}, ContactKind::separate);
  const Vec3d low{{(kWidth - kSide) / 2, body.bottom, 0}};
  const Vec3d high{{(kWidth + kSide) / 2, body.bottom + kSide, 0}};
  ObjectSettings& around = add_box(scene, fluid, kWaterDensity, {{0, 0, 0}}, {{kWidth, kDepth, 0}});
  around.sampling = {};
  PartSettings all, hole;
  static_cast<ShapeSettings&>(all) = around.shape;
  hole.kind = ShapeType::box;
  hole.center = (low + high) * 0.5;
  hole.size = high - low;
  around.shape = ShapeSettings{};
  around.shape.kind = ShapeType::difference;
  around.shape.parts = {all, hole};
  add_box(scene, solid, body.density, low, high);
  return scene;
}

struct Place {
  double bottom = 0, middle = 0, top = 0;  // of the body, m
  double level = 0;                        // of the water away from it, m
  double carried = 0;  // water above the level, more than a cell and a half from the body, m^2
};

Place place_of(const World& world) {
  const PointTable table = world.snapshot({"material"});
  const auto x = table.as_double("x"), y = table.as_double("y"), m = table.as_double("material");
  constexpr double kHalf = kSpacing / 4;  // of a particle
  Place place{INFINITY, 0, -INFINITY, 0, 0};
  double count = 0, from = INFINITY, to = -INFINITY;
  for (std::size_t i = 0; i < table.count; ++i) {
    if (m[i] != 1) continue;
    place.bottom = std::min(place.bottom, y[i] - kHalf);
    place.top = std::max(place.top, y[i] + kHalf);
    from = std::min(from, x[i] - kHalf);
    to = std::max(to, x[i] + kHalf);
    place.middle += y[i];
    count += 1;
  }
  place.middle /= count;
  // Mean of the highest particles of columns a cell wide, three cells and more from the body.
  std::vector<double> highest(static_cast<std::size_t>(kWidth / kSpacing), 0);
  for (std::size_t i = 0; i < table.count; ++i)
    if (m[i] == 0) {
      const int column = std::clamp(int(x[i] / kSpacing), 0, int(highest.size()) - 1);
      highest[column] = std::max(highest[column], y[i] + kHalf);
    }
  double columns = 0;
  for (std::size_t k = 0; k < highest.size(); ++k) {
    const double middle = (double(k) + 0.5) * kSpacing;
    if (middle > from - 3 * kSpacing && middle < to + 3 * kSpacing) continue;
    place.level += highest[k];
    columns += 1;
  }
  place.level /= columns;
  for (std::size_t i = 0; i < table.count; ++i) {
    const double beside = std::max({from - x[i], x[i] - to, y[i] - place.top});
    if (m[i] == 0 && y[i] > place.level + kSpacing && beside > 1.5 * kSpacing)
      place.carried += kSpacing * kSpacing / 4;
  }
  return place;
}

Result<Place> let_go(const Body& body) {
  const auto world = run_scene(body_scene(body), Precision::single,
                               static_cast<std::int64_t>(body.seconds * kFps));
  if (!world) return world.errors();
  return place_of(**world);
}

Check sunk(const Body& body, const std::string& name) {
  const Result<Place> place = let_go(body);
  if (!place) return failed_run(kCase, place.errors());
  return limit_check(kCase, "height of a sunken body above the floor, cells, " + name,
                     place->bottom / kSpacing, 1);
}

}  // namespace

std::vector<Check> validate_trapped_water(const ValidateOptions& options) {
  std::vector<Check> checks;
  options.progress(std::string(kCase) + ": sinking");
  Body heavy;
  checks.push_back(sunk(heavy, "from 4 cells"));
  Body low = heavy;
  low.bottom = 2 * kSpacing;
  checks.push_back(sunk(low, "from 2 cells"));

  options.progress(std::string(kCase) + ": floating");
  Body even;
  even.density = kWaterDensity;
  even.bottom = 0.2;
  if (const Result<Place> place = let_go(even); place)
    checks.push_back(limit_check(kCase, "way of a body as heavy as water, cells",
                                 std::abs(place->middle - 0.325) / kSpacing, 1));
  else
    checks.push_back(failed_run(kCase, place.errors()));
  Body light;
  light.density = 400;
  light.bottom = 0.25;
  if (const Result<Place> place = let_go(light); place) {
    const double draught = place->level - place->bottom;
    checks.push_back(limit_check(kCase, "error of a floating body's draught, cells",
                                 std::abs(draught - 0.4 * kSide) / kSpacing, 1));
    checks.push_back(limit_check(kCase, "water carried out, off the body, over its volume",
                                 place->carried / (kSide * kSide), 0.01));
  } else {
    checks.push_back(failed_run(kCase, place.errors()));
  }
  // Scatter of J that nothing undoes holds the body.
  Body held = heavy;
  held.volume_correction = false;
  checks.push_back(must_fail(sunk(held, "without the volume correction")));
  return checks;
}

}  // namespace firn

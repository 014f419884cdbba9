// Species that share space, in scenes that have one species otherwise.
#include <cmath>

#include "cases/agreement_scenes.h"
#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kWater = "water";

// Drag of a pair under which the difference of velocities falls by e in about `time`, s, where a
// node holds a whole cell of each.
double drag_within(const SceneSettings& scene, double time) {
  const double mass = 2000 * std::pow(scene.grid.spacing, double(scene.dimension));
  return 1 / (mass * time);
}
void couple(SceneSettings& scene, const std::string& solid, const std::string& fluid, double time) {
  if (!scene.porous) scene.porous.emplace();
  PorousPair& pair = scene.porous->pairs.emplace_back();
  pair.solid = solid;
  pair.fluid = fluid;
  pair.drag = drag_within(scene, time);
}

// Water that comes through the lower part of what is there.
ObjectSettings& add_water(SceneSettings& scene, const Vec3d& velocity) {
  Fluid::Parameters water;
  water.bulk_modulus = 2e4;
  ObjectSettings& box = add_box(scene, add_material(scene, water), 1000, {{0.1, 0.06, 0}},
                                {{0.5, 0.4, scene.dimension == 3 ? 0.4 : 0.0}});
  box.name = "water";
  box.species = kWater;
  for (int a = 0; a < 3; ++a) box.velocity[a].value = velocity[a];
  couple(scene, kDefaultSpecies, kWater, 2e-3);
  return box;
}

// The three boxes of the transfers: sand and an elastic body of one species, pushed together with a
// fluid of another.
SceneSettings meeting_scene(int dimension, bool linear) {
  SceneSettings scene = fall_scene(dimension,
                                   {model_index_by_name("sand"), model_index_by_name("fluid"),
                                    model_index_by_name("neo_hookean")},
                                   linear ? 0.012 : 0.06, linear ? 3 : 1);
  scene.objects[1].species = kWater;
  scene.objects[1].velocity[0].value = -2;
  scene.objects[1].shape.size[0] = 1;  // reaches into both
  couple(scene, kDefaultSpecies, kWater, 1e-3);
  return scene;
}

std::vector<AgreementScene> every_transfer(int dimension) {
  std::vector<AgreementScene> scenes = transfer_scenes(dimension);
  for (AgreementScene& test : scenes) {
    const MpmKeys scheme = test.scene.mpm;
    test.name = "species " + test.name;
    test.scene = meeting_scene(dimension, scheme.kernel == KernelKind::linear);
    test.scene.mpm = scheme;
  }
  return scenes;
}

AgreementScene with_form(int dimension, const char* name, CouplingKind coupling) {
  AgreementScene test{std::string("species ") + name, meeting_scene(dimension, false)};
  test.scene.porous->coupling = coupling;
  return test;
}

// Drag by what the solid is made of, or how fast the fluid flows through it.
AgreementScene with_law(int dimension, const char* name, double PorousPair::*law, double value) {
  AgreementScene test{std::string("species ") + name, meeting_scene(dimension, false)};
  test.scene.porous->pairs[0].*law = value;
  return test;
}

// The fluid has the room that grains leave.
AgreementScene mixed(AgreementScene test) {
  test.name.replace(0, 7, "mixture");
  test.scene.porous->coupling = CouplingKind::mixture;
  for (PorousPair& pair : test.scene.porous->pairs) pair.conductivity = 0.05;
  return test;
}

// Wet sand has less friction, and wet bodies are softer.
AgreementScene softened(AgreementScene test) {
  test.name += " by phi";
  for (MaterialSettings& material : test.scene.materials)
    if (std::holds_alternative<Sand::Parameters>(material.parameters))
      material.expressions.push_back({"friction_angle", "35 * (1 - 0.5 * phi)"});
    else if (std::holds_alternative<NeoHookean::Parameters>(material.parameters))
      material.expressions.push_back({"youngs_modulus", "2e5 * (1 - 0.5 * phi)"});
  return test;
}

// The fluid passes through both solids, which do not know each other.
AgreementScene three_species(int dimension) {
  AgreementScene test{"species three", meeting_scene(dimension, false)};
  test.scene.objects[2].species = "body";
  couple(test.scene, "body", kWater, 3e-3);
  test.scene.objects[2].shape.center[0] -= 0.3;  // into the sand
  return test;
}

// The fluid leaves a rough floor that the solids fall on: the floor holds them alone.
AgreementScene rising_fluid(int dimension) {
  AgreementScene test{"species rising", meeting_scene(dimension, false)};
  for (ObjectSettings& box : test.scene.objects) box.shape.center[1] -= 0.05;
  test.scene.objects[1].velocity[1].value = 2;
  return test;
}

// The fluid falls through a floor of the solids, which lies above that of all.
AgreementScene floor_of_one(int dimension, const char* name, ContactKind contact) {
  AgreementScene test{std::string("species ") + name, meeting_scene(dimension, false)};
  ColliderSettings& sieve = add_plane(test.scene, {{0.5, 0.055, 0}}, {{0.02, 1, 0}}, contact, 0.4);
  sieve.name = "sieve";
  sieve.species = kDefaultSpecies;
  test.scene.mpm.particle_collisions = contact == ContactKind::separate;
  return test;
}

// Every law of drag, forms that need volumes, and phi.
std::vector<AgreementScene> volume_scenes(int dimension) {
  std::vector<AgreementScene> scenes{
      with_law(dimension, "conductivity", &PorousPair::conductivity, 0.02),
      with_law(dimension, "permeability", &PorousPair::permeability, 1e-9),
      with_law(dimension, "grains", &PorousPair::grain_diameter, 2e-3),
      with_law(dimension, "explicit conductivity", &PorousPair::conductivity, 0.5),
      with_form(dimension, "buoyancy", CouplingKind::implicit),
      with_law(dimension, "buoyancy of grains", &PorousPair::grain_diameter, 5e-3),
      with_form(dimension, "binary", CouplingKind::implicit)};
  scenes[3].scene.porous->coupling = CouplingKind::explicit_;
  for (const int k : {4, 5}) scenes[k].scene.porous->buoyancy = true;
  scenes[6].scene.porous->fraction = FractionKind::binary;
  AgreementScene three = three_species(dimension);
  scenes.push_back(mixed(three));
  three.name += " with buoyancy";
  three.scene.porous->buoyancy = true;
  three.scene.porous->pairs[1].permeability = 1e-8;
  scenes.push_back(std::move(three));
  for (AgreementScene& test : every_transfer(dimension)) scenes.push_back(mixed(std::move(test)));
  scenes.push_back(mixed(rising_fluid(dimension)));
  scenes.push_back(softened(with_form(dimension, "soft", CouplingKind::implicit)));
  scenes.push_back(softened(with_form(dimension, "soft limit", CouplingKind::limit)));
  return scenes;
}

// Half of the elastic body joins the fluid, and half of the sand becomes elastic, after ten steps.
AgreementScene melting(int dimension) {
  AgreementScene test{"species melting", meeting_scene(dimension, false), 25};
  SceneSettings& scene = test.scene;
  scene.scalars = {"warmth"};
  for (ObjectSettings& box : scene.objects)
    box.fields.push_back({"warmth", NumberOrExpression(0, "sin(40*x)")});
  TransitionSettings melt;
  melt.name = "melt";
  melt.from = scene.objects[2].material;
  melt.when = "warmth > 0 && t > 0";
  melt.to = scene.objects[1].material;
  melt.to_species = kWater;
  melt.density = 1100;
  TransitionSettings set;
  set.name = "set";
  set.from = scene.objects[0].material;
  set.when = "(warmth > 0) * (pressure > -1e9) * (t > 0)";
  set.to = scene.objects[2].material;
  scene.transitions = {melt, set};
  return test;
}

// The same where what joins the fluid is more viscous than that was.
AgreementScene thickening(int dimension) {
  AgreementScene test = melting(dimension);
  test.name = "species thickening";
  ObjectSettings& fluid = test.scene.objects[1];
  fluid.fields.back().value = NumberOrExpression(0);
  test.scene.materials[fluid.material].expressions.push_back(
      {"viscosity", "200*(1 + phi) + 2000*warmth"});
  return test;
}

// A scene of one species, and water in it.
void add_species(AgreementScene& test) {
  test.name = "species " + test.name;
  if (test.scene.emitters.empty()) {
    add_water(test.scene, {{-1, -2, 0}});
    return;
  }
  test.scene.emitters[0].species = kWater;
  test.scene.emitters[0].shape.center[0] = 0.75;  // beside the box, which it soon enters
  couple(test.scene, kDefaultSpecies, kWater, 2e-3);
}

// What else is done with such a scene.
std::vector<AgreementScene> variants(const AgreementScene& test) {
  if (test.name == "species gravity_in_space") return {softened(test)};
  if (test.name == "species interactive_force") return {};
  if (test.name != "species moving_box") return {mixed(test)};
  AgreementScene carried = test;
  carried.name += " with buoyancy";
  carried.scene.porous->buoyancy = true;
  return {carried};
}

// The body that moves stops the water alone; or the water, in a tank of mirrors, lands on a floor
// that the other does not know. False for all other scenes.
bool stop_water_alone(AgreementScene& test) {
  if (test.name == "species fluid_tank")
    add_plane(test.scene, {{0, 0.1, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.2).name = "shelf";
  else if (test.name != "species moving_box")
    return false;
  test.name += " for one";
  test.scene.colliders.back().species = kWater;
  return true;
}

}  // namespace

std::vector<AgreementScene> species_scenes(int dimension) {
  std::vector<AgreementScene> scenes = every_transfer(dimension);
  scenes.push_back(with_form(dimension, "explicit", CouplingKind::explicit_));
  scenes.push_back(with_form(dimension, "limit", CouplingKind::limit));
  scenes.push_back(three_species(dimension));
  scenes.push_back(rising_fluid(dimension));
  scenes.push_back(melting(dimension));
  scenes.push_back(thickening(dimension));
  scenes.push_back(floor_of_one(dimension, "rough_sieve", ContactKind::separate));
  scenes.push_back(floor_of_one(dimension, "sticky_sieve", ContactKind::sticky));
  for (AgreementScene& test : volume_scenes(dimension)) scenes.push_back(std::move(test));
  for (AgreementScene& test : agreement_scenes(dimension))
    for (const char* name : {"moving_box", "fluid_tank", "gravity_in_space", "emitter_and_sink",
                             "interactive_force", "rough_slope"})
      if (test.name == name) {
        add_species(test);
        scenes.push_back(test);
        for (AgreementScene& variant : variants(test)) scenes.push_back(std::move(variant));
        if (stop_water_alone(test)) scenes.push_back(std::move(test));
        break;
      }
  return scenes;
}

}  // namespace firn

// Particles that become another material or species, in whole scenes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "exec/parallel.h"
#include "scene_io/scene_reader.h"
#include "scene_io/scene_writer.h"
#include "sim/world.h"

namespace firn {
namespace {

using Changes = std::vector<std::string>;

// A box of material "a" under its own weight and a surcharge, on a floor between walls.
std::string box_text(const std::string& materials, const std::string& transitions,
                     const std::string& more = "") {
  return R"j({"dimension": 2, "fps": 30, "frames": 10, "grid": {"spacing": 0.02},
    "scalars": ["temperature"], "integrator": {"type": "explicit", "fixed_dt": 2e-5},
    "materials": )j" +
         materials +
         R"j(, "objects": [{"shape": {"type": "rectangle", "min": [0, 0], "max": [0.2, 0.3]},
      "material": "a", "density": 1000, "fields": {"temperature": "x - 0.1"})j" +
         more + R"j(}], "transitions": )j" + transitions + R"j(,
    "colliders": [{"shape": {"type": "rectangle", "min": [0, 0], "max": [0.2, 2], "inside": true},
      "contact": "slip"}]})j";
}

Result<SceneSettings> box(const std::string& materials, const std::string& transitions,
                          const std::string& more = "", const Changes& changes = {}) {
  return parse_scene(box_text(materials, transitions, more), "test", changes);
}

std::unique_ptr<World> world_of(const Result<SceneSettings>& scene,
                                Precision precision = Precision::double_) {
  EXPECT_TRUE(scene) << scene.errors().front();
  if (!scene) return nullptr;
  auto world = World::create(*scene, precision);
  EXPECT_TRUE(world) << world.errors().front();
  return world ? std::move(*world) : nullptr;
}

void take_steps(World& world, int steps) {
  for (int i = 0; i < steps; ++i) {
    const auto dt = world.advance_step();
    ASSERT_TRUE(dt) << dt.errors().front();
  }
}

std::uint64_t changed(const World& world, const std::string& name) {
  for (const auto& [known, count] : world.statistics().transitions)
    if (known == name) return count;
  ADD_FAILURE() << name;
  return 0;
}

std::vector<double> field(const World& world, const std::string& name,
                          const std::string& column = "") {
  const Frame frame = world.snapshot({name});
  const Column* found = frame.find(column.empty() ? name : column);
  EXPECT_NE(found, nullptr) << name;
  return found ? found->as<double>() : std::vector<double>();
}

std::uint64_t warm_ones(const World& world) {
  const auto warm = field(world, "temperature");
  return std::count_if(warm.begin(), warm.end(), [](double value) { return value > 0; });
}

void expect_close(const std::vector<double>& a, const std::vector<double>& b, double share) {
  ASSERT_EQ(a.size(), b.size());
  double size = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    size = std::max(size, std::abs(a[i]));
    difference = std::max(difference, std::abs(a[i] - b[i]));
  }
  EXPECT_GT(size, 0);
  EXPECT_LE(difference, share * size);
}

const std::string kStress = R"j(, "initial_stress": {"type": "hydrostatic", "surcharge": 3000})j";
const std::string kFluids =
    R"j({"a": {"model": "fluid"}, "b": {"model": "fluid", "bulk_modulus": 2e6, "equation": "linear"}})j";
const std::string kMelting =
    R"j({"a": {"model": "snow"}, "b": {"model": "fluid", "viscosity": 0.1}})j";
const std::string kNow = R"j([{"from": "a", "when": "temperature > 0", "to": "b"}])j";
const std::string kLater =
    R"j([{"name": "melt", "from": "a", "when": "temperature > 0 && t > 15*2e-5", "to": "b"}])j";

// Until the look after twenty steps nothing differs from a world without transitions, and in that
// look nothing but the material.
TEST(Transitions, KeepPlacesVelocitiesMassesIdsAndScalars) {
  const std::string spin = R"j(, "velocity": [0.3, "2*x"], "angular_velocity": 90)j";
  for (const char* dimension : {"2", "3"}) {
    SCOPED_TRACE(dimension);
    std::string with = box_text(kMelting, kLater, spin), without = box_text(kMelting, "[]", spin);
    if (dimension[0] == '3')
      for (std::string* text : {&with, &without}) {
        text->replace(text->find("\"dimension\": 2"), 14, "\"dimension\": 3");
        const std::pair<std::string, std::string> solid[] = {
            {R"("rectangle", "min": [0, 0], "max": [0.2, 0.3])",
             R"("box", "min": [0, 0, 0], "max": [0.2, 0.3, 0.1])"},
            {R"("rectangle", "min": [0, 0], "max": [0.2, 2])",
             R"("box", "min": [0, 0, 0], "max": [0.2, 2, 0.1])"},
            {R"([0.3, "2*x"])", R"([0.3, "2*x", 0])"},
            {R"("angular_velocity": 90)", R"("angular_velocity": [0, 90, 0])"}};
        for (const auto& [flat, deep] : solid) text->replace(text->find(flat), flat.size(), deep);
      }
    const auto melting = world_of(parse_scene(with, "test")),
               plain = world_of(parse_scene(without, "test"));
    ASSERT_TRUE(melting && plain);
    take_steps(*melting, 19);
    take_steps(*plain, 20);
    EXPECT_EQ(changed(*melting, "melt"), 0u);
    take_steps(*melting, 1);
    const std::size_t count = plain->size().particles;
    EXPECT_EQ(changed(*melting, "melt"), warm_ones(*plain));
    EXPECT_EQ(melting->size().particles, count);
    const std::vector<std::string> fields{"id", "velocity", "mass", "color", "temperature"};
    const Frame a = melting->snapshot(fields), b = plain->snapshot(fields);
    for (const Column& column : b.columns) {
      ASSERT_NE(a.find(column.name), nullptr) << column.name;
      EXPECT_EQ(a.find(column.name)->as<double>(), column.as<double>()) << column.name;
    }
    const FrameStats x = melting->statistics(), y = plain->statistics();
    EXPECT_NEAR(x.mass, y.mass, 1e-12 * y.mass);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(x.momentum[k], y.momentum[k], 1e-12 * y.mass);
      EXPECT_NEAR(x.angular_momentum[k], y.angular_momentum[k], 1e-12 * y.mass);
    }
    const auto material = field(*melting, "material"), warm = field(*melting, "temperature");
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(material[i], warm[i] > 0 ? 1 : 0);
    take_steps(*melting, 25);
    EXPECT_EQ(changed(*melting, "melt"), warm_ones(*plain));
  }
}

// Conditions that hold at the start are obeyed there: the same stress in another model.
TEST(Transitions, KeepThePressureOfFluidsAndPressedSolids) {
  const std::string elastic =
      R"j({"a": {"model": "neo_hookean", "youngs_modulus": 2e5, "poisson_ratio": 0.4}, "b": {"model": "fluid"}})j";
  const std::string freezing =
      R"j({"a": {"model": "fluid"}, "b": {"model": "hencky", "youngs_modulus": 1e6}})j";
  for (const std::string& materials : {kFluids, elastic, freezing}) {
    SCOPED_TRACE(materials);
    const auto plain = world_of(box(materials, "[]", kStress)),
               other = world_of(box(materials, kNow, kStress));
    ASSERT_TRUE(plain && other);
    EXPECT_EQ(changed(*other, "transition_1"), warm_ones(*plain));
    expect_close(field(*plain, "pressure"), field(*other, "pressure"), 1e-9);
    expect_close(field(*plain, "volume"), field(*other, "volume"), 1e-9);
  }
}

TEST(Transitions, KeepTheWholeStressBetweenSolids) {
  const std::string stress =
      R"j(, "initial_stress": {"type": "k0", "k0": 0.6, "surcharge": 4000})j";
  for (const std::string second :
       {R"({"model": "hencky", "youngs_modulus": 3e5})", R"({"model": "sand"})",
        R"({"model": "snow", "critical_compression": 0.9})",
        R"({"model": "von_mises", "yield_stress": 1e5})"}) {
    SCOPED_TRACE(second);
    const std::string materials =
        R"j({"a": {"model": "neo_hookean", "youngs_modulus": 2e5}, "b": )j" + second + "}";
    const auto plain = world_of(box(materials, "[]", stress)),
               other = world_of(box(materials, kNow, stress));
    ASSERT_TRUE(plain && other);
    for (const char* column : {"stress_max", "stress_min"})
      expect_close(field(*plain, column), field(*other, column), 1e-8);
  }
}

// V0 tau is what acts on nodes: velocities after a step are those of a world without transitions.
TEST(Transitions, ChangeNoForce) {
  const auto plain = world_of(box(kFluids, "[]", kStress)),
             other = world_of(box(kFluids, kNow, kStress));
  ASSERT_TRUE(plain && other);
  take_steps(*plain, 1);
  take_steps(*other, 1);
  const auto a = field(*plain, "velocity", "vy"), b = field(*other, "velocity", "vy");
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-9 * 9.81 * 2e-5 * 1e3);
}

// A solid takes what its yield surface allows, and no more.
TEST(Transitions, YieldSurfacesCutTheStress) {
  const std::string materials =
      R"j({"a": {"model": "neo_hookean", "youngs_modulus": 2e5}, "b": {"model": "sand", "friction_angle": 20}})j";
  const std::string steep = R"j(, "initial_stress": {"type": "k0", "k0": 0.1, "surcharge": 4000})j";
  const auto plain = world_of(box(materials, "[]", steep)),
             sand = world_of(box(materials, kNow, steep));
  ASSERT_TRUE(plain && sand);
  expect_close(field(*plain, "pressure"), field(*sand, "pressure"), 1e-8);
  const auto high = field(*sand, "stress_max"), low = field(*sand, "stress_min"),
             warm = field(*sand, "temperature");
  for (std::size_t i = 0; i < warm.size(); ++i)
    if (warm[i] > 0) {
      const double sine = (high[i] - low[i]) / -(high[i] + low[i]);
      EXPECT_LE(sine, std::sin(20 * kDegree) * (1 + 1e-9));
      EXPECT_GE(sine, std::sin(20 * kDegree) * 0.99);
    }
}

// Snow that is 400 kg/m3 becomes water of 1000: the same mass in less volume, loose and free of
// stress. Without a density its volume stays.
TEST(Transitions, ADensityMakesRoom) {
  const std::string stress = R"j(, "initial_stress": {"type": "hydrostatic"})j";
  const Changes light{"/objects/0/density=400"};
  const std::string denser =
      R"j([{"from": "a", "when": "temperature > 0", "to": "b", "density": 1000}])j";
  const auto snow = world_of(box(kMelting, "[]", stress, light)),
             same = world_of(box(kMelting, kNow, stress, light)),
             dense = world_of(box(kMelting, denser, stress, light));
  ASSERT_TRUE(snow && same && dense);
  expect_close(field(*snow, "pressure"), field(*same, "pressure"), 1e-8);
  expect_close(field(*snow, "density"), field(*same, "density"), 1e-8);
  const auto warm = field(*dense, "temperature"), density = field(*dense, "density"),
             pressure = field(*dense, "pressure");
  for (std::size_t i = 0; i < warm.size(); ++i)
    if (warm[i] > 0) {
      EXPECT_NEAR(density[i], 1000, 1e-9);
      EXPECT_NEAR(pressure[i], 0, 1e-9);
    }
  EXPECT_NEAR(dense->statistics().mass, snow->statistics().mass, 1e-12 * snow->statistics().mass);
  take_steps(*dense, 50);
}

// Another species of the same material: every bit of the state stays.
TEST(Transitions, AnotherSpeciesKeepsTheState) {
  const auto scene = [](const std::string& when) {
    std::string text = box_text(
        R"j({"a": {"model": "sand"}})j",
        R"j([{"from": "a", "to": "a", "to_species": "other", "when": ")j" + when + "\"}]", kStress);
    return parse_scene(
        text.insert(text.rfind('}'),
                    R"j(, "porous": {"pairs": [{"solid": "default", "fluid": "other"}]})j"),
        "test");
  };
  const auto plain = world_of(scene("0")), moving = world_of(scene("temperature > 0 && t > 0"));
  ASSERT_TRUE(plain && moving);
  take_steps(*plain, 10);
  take_steps(*moving, 10);
  EXPECT_EQ(changed(*moving, "transition_1"), warm_ones(*plain));
  for (const char* name : {"stress", "F", "hardening", "volume"}) {
    const Frame a = plain->snapshot({name}), b = moving->snapshot({name});
    for (const Column& column : a.columns)
      EXPECT_EQ(column.as<double>(), b.find(column.name)->as<double>()) << column.name;
  }
  const auto species = field(*moving, "species"), warm = field(*moving, "temperature");
  for (std::size_t i = 0; i < warm.size(); ++i) EXPECT_EQ(species[i], warm[i] > 0 ? 1 : 0);
  take_steps(*moving, 20);
}

// One link a look.
TEST(Transitions, ChainsAndModelScalars) {
  const std::string materials =
      R"j({"a": {"model": "snow"}, "b": {"model": "fluid"}, "c": {"model": "sand"}})j";
  const std::string chain = R"j([{"name": "one", "from": "a", "when": "J_P - 0.9", "to": "b"},
    {"name": "two", "from": "b", "species": "default", "when": "J > 0 && pressure < 1e9 && speed < 10", "to": "c"},
    {"name": "none", "from": "c", "when": "hardening < 0 || phi > 0 || z != 0", "to": "b",
     "to_species": "never"}])j";
  std::string text = box_text(materials, chain);
  text.insert(text.rfind('}'),
              R"j(, "porous": {"pairs": [{"solid": "default", "fluid": "never"}]})j");
  const auto world = world_of(parse_scene(text, "test"));
  ASSERT_TRUE(world);
  const std::size_t count = world->size().particles;
  EXPECT_EQ(changed(*world, "one"), count);
  EXPECT_EQ(changed(*world, "two"), 0u);
  take_steps(*world, 10);
  EXPECT_EQ(changed(*world, "two"), count);
  EXPECT_EQ(changed(*world, "none"), 0u);
}

TEST(Transitions, TheSameBitsForAnyThreadCountAndAfterResume) {
  const std::string front = R"j([{"from": "a", "when": "t*1e3 > temperature*20 + 0.3", "to": "b",
    "to_species": "water", "density": 1000}])j";
  const Changes changes{"/materials/b/bulk_modulus=\"1e5 + 1e5*x\""};
  std::string text = box_text(kMelting, front);
  text.insert(text.rfind('}'),
              R"j(, "porous": {"pairs": [{"solid": "default", "fluid": "water"}]})j");
  const auto scene = parse_scene(text, "test", changes);
  const int before = thread_count();
  set_thread_count(1);
  const auto one = world_of(scene, Precision::single);
  auto resumed = world_of(scene, Precision::single);
  ASSERT_TRUE(one && resumed);
  for (int round = 0; round < 12; ++round) {
    take_steps(*one, 7);
    take_steps(*resumed, 7);
    auto restored = World::restore(*scene, Precision::single, resumed->save());
    ASSERT_TRUE(restored) << restored.errors().front();
    resumed = std::move(*restored);
  }
  set_thread_count(3);
  const auto three = world_of(scene, Precision::single);
  take_steps(*three, 84);
  set_thread_count(before);
  EXPECT_GT(changed(*one, "transition_1"), 0u);
  EXPECT_LT(changed(*one, "transition_1"), one->size().particles);
  EXPECT_EQ(changed(*resumed, "transition_1"), changed(*one, "transition_1"));
  EXPECT_TRUE(one->save().arrays == three->save().arrays);
  EXPECT_TRUE(one->save().arrays == resumed->save().arrays);
}

// A viscous fluid that was not there at the start bounds the step as one that was.
TEST(Transitions, ViscosityOfWhatComesBoundsTheStep) {
  const std::string thick =
      R"j({"a": {"model": "fluid"}, "b": {"model": "fluid", "viscosity": 2000}})j";
  const auto at_start = world_of(box(thick, kNow, "", {"/integrator=\"explicit\""})),
             thin = world_of(box(thick, "[]", "", {"/integrator=\"explicit\""})),
             later = world_of(box(thick, R"j([{"from": "a", "when": "t > 0", "to": "b"}])j", "",
                                  {"/integrator=\"explicit\""}));
  ASSERT_TRUE(at_start && thin && later);
  EXPECT_LT(at_start->size().first_dt, 0.9 * thin->size().first_dt);
  take_steps(*later, 11);
  EXPECT_LT(later->size().first_dt, 0.9 * thin->size().first_dt);
}

std::string problem_of(const std::string& transitions, const std::string& more = "") {
  std::string text = box_text(kMelting, transitions);
  text.insert(text.rfind('}'), more);
  const auto scene = parse_scene(text, "test");
  if (scene) return "";
  return std::to_string(scene.errors().size()) + ": " + scene.errors().front() + " | " +
         scene.errors().back();
}

TEST(Transitions, BadOnesAreRefusedInOneLine) {
  const auto expect_line = [](const std::string& transitions, const std::string& pointer,
                              const std::string& part, const std::string& more = "") {
    const std::string problem = problem_of(transitions, more);
    EXPECT_TRUE(problem.starts_with("1: ")) << transitions << " -> " << problem;
    EXPECT_NE(problem.find(pointer), std::string::npos) << problem;
    EXPECT_NE(problem.find(part), std::string::npos) << problem;
  };
  EXPECT_EQ(problem_of(kNow), "");
  expect_line(R"([{"from": "a", "to": "b"}])", "/transitions/0", "when");
  expect_line(R"([{"from": "c", "when": "1", "to": "b"}])", "/transitions/0/from", "c");
  expect_line(R"([{"from": "a", "when": "heat > 1", "to": "b"}])", "/transitions/0/when", "heat");
  expect_line(R"([{"from": "a", "when": "", "to": "b"}])", "/transitions/0/when", "");
  expect_line(R"([{"from": "a", "when": "J > 1", "to": "b"}])", "/transitions/0/when", "J");
  expect_line(R"([{"from": "a", "when": "1", "to": "a"}])", "/transitions/0/to", "already");
  expect_line(R"([{"from": "b", "when": "1", "to": "a"}])", "/transitions/0/from", "nothing");
  expect_line(R"([{"from": "a", "species": "x", "when": "1", "to": "b"}])",
              "/transitions/0/species", "nothing");
  expect_line(R"([{"from": "a", "when": "1", "to": "b", "density": -1}])", "/transitions/0/density",
              "");
  expect_line(
      R"([{"from": "a", "when": "t > 1", "to": "b"}, {"from": "b", "when": "t < 1", "to": "a"}])",
      "/transitions", R"("a" -> "b" -> "a")");
  expect_line(R"([{"name": "m", "from": "a", "when": "1", "to": "b"},
                  {"name": "m", "from": "a", "when": "0", "to": "b"}])",
              "/transitions/1/name", "m");
  expect_line(R"([{"from": "a", "when": "1", "to": "b", "to_species": "water"}])", "/porous",
              "water");
  expect_line(
      R"([{"from": "a", "when": "t", "to": "a", "to_species": "water"}])", "/to", "fluid",
      R"(, "porous": {"coupling": "mixture", "pairs": [{"solid": "default", "fluid": "water"}]})");
}

TEST(Transitions, ScenesGoRoundThroughTheWriter) {
  const auto scene = box(kMelting, kLater);
  ASSERT_TRUE(scene) << scene.errors().front();
  const std::string text = write_scene(*scene);
  EXPECT_NE(text.find("transitions"), std::string::npos);
  const auto again = parse_scene(text, "written");
  ASSERT_TRUE(again) << again.errors().front();
  EXPECT_EQ(write_scene(*again), text);
}

}  // namespace
}  // namespace firn

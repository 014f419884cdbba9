// Methods of a scene: a word or an object with keys of its own, older places of those keys, and
// what this version does not have.
#include <nlohmann/json.hpp>

#include "scene_common.h"
#include "scene_io/scene_document.h"
#include "scene_io/scene_read_visitor.h"
#include "scene_io/scene_writer.h"

namespace firn {
namespace {

TEST(SceneMethods, AreWordsOrObjects) {
  for (const char* solver :
       {"/solver=mpm", "/solver={}", "/solver={\"type\":\"mpm\"}", "/solver/type=mpm"})
    EXPECT_EQ(write_scene(scene_with({solver})), write_scene(scene_with({}))) << solver;
  for (const char* integrator :
       {"/integrator=explicit", "/integrator={}", "/integrator={\"type\":\"explicit\"}"})
    EXPECT_EQ(write_scene(scene_with({integrator})), write_scene(scene_with({}))) << integrator;
  const SceneSettings scene =
      scene_with({"/solver={\"type\":\"mpm\",\"kernel\":\"cubic\",\"transfer\":\"flip\","
                  "\"flip_ratio\":0.5,\"particle_collisions\":true}",
                  "/integrator={\"type\":\"explicit\",\"cfl\":0.25}"});
  EXPECT_EQ(scene.solver, SolverKind::mpm);
  EXPECT_EQ(scene.mpm.kernel, KernelKind::cubic);
  EXPECT_EQ(scene.mpm.transfer, TransferKind::flip);
  EXPECT_EQ(scene.mpm.flip_ratio, 0.5);
  EXPECT_TRUE(scene.mpm.particle_collisions);
  EXPECT_EQ(scene.integrator.explicit_cfl, 0.25);
}

// A key beside the solver means what it means in it.
TEST(SceneMethods, OlderPlacesAreShorthand) {
  const Lines keys = {"kernel=cubic", "transfer=apic", "flip_ratio=0.5",
                      "particle_collisions=true"};
  for (const std::string& key : keys)
    EXPECT_EQ(write_scene(scene_with({"/" + key})), write_scene(scene_with({"/solver/" + key})));
  const SceneSettings both = scene_with({"/solver={\"kernel\":\"cubic\"}", "/transfer=apic"});
  EXPECT_EQ(both.mpm.kernel, KernelKind::cubic);
  EXPECT_EQ(both.mpm.transfer, TransferKind::apic);
}

TEST(SceneMethods, ContradictionsNameBothPlaces) {
  const auto with = [](const std::string& keys) {
    std::string text = kSmallScene;
    return text.insert(1, keys + ",");
  };
  EXPECT_EQ(errors_of(with(R"("solver": {"kernel": "cubic"}, "kernel": "linear")")),
            Lines{"s.json: /kernel: is \"linear\", but /solver/kernel is \"cubic\"; give one of "
                  "them"});
  EXPECT_EQ(errors_of(with(R"("flip_ratio": 0.5, "solver": {"type": "mpm", "flip_ratio": 1})")),
            Lines{"s.json: /flip_ratio: is 0.5, but /solver/flip_ratio is 1; give one of them"});
  EXPECT_EQ(errors_of(with(R"("solver": {"flip_ratio": 1}, "flip_ratio": 1.0)")), Lines{});
}

// A value that is set from outside holds against one in the file, wherever the two stand.
TEST(SceneMethods, OverridesHoldInEitherPlace) {
  const std::string written = write_scene(scene_with({"/kernel=cubic"}));
  const auto kernel_with = [&](const Lines& overrides) {
    const auto scene = parse_scene(written, "s.json", overrides);
    EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.errors().front());
    return scene ? scene->mpm.kernel : KernelKind::cubic;
  };
  EXPECT_EQ(kernel_with({"/kernel=linear"}), KernelKind::linear);
  EXPECT_EQ(kernel_with({"/solver/kernel=linear"}), KernelKind::linear);
  EXPECT_EQ(kernel_with({"/solver=mpm"}), KernelKind::quadratic);
  std::string older = kSmallScene;
  older.insert(1, "\"kernel\": \"cubic\", \"solver\": \"mpm\",");
  const auto scene = parse_scene(older, "s.json", {"/solver/kernel=linear"});
  ASSERT_TRUE(scene.ok()) << scene.errors().front();
  EXPECT_EQ(scene->mpm.kernel, KernelKind::linear);
  EXPECT_EQ(errors_of(older, {"/solver/kernel=linear", "/kernel=quadratic"}),
            Lines{"s.json: /kernel: is \"quadratic\", but /solver/kernel is \"linear\"; give one "
                  "of them"});
  EXPECT_EQ(errors_with({"/name=a", "/name/b=1"}),
            Lines{"s.json: /name: expected a string, found an object"});
}

TEST(SceneMethods, MistakesInThem) {
  EXPECT_EQ(errors_with({"/solver={\"kernl\":\"cubic\"}"}),
            Lines{"s.json: /solver/kernl: unknown key; did you mean \"kernel\"?"});
  EXPECT_EQ(errors_with({"/solver=mpn"}),
            Lines{"s.json: /solver: no solver \"mpn\"; did you mean \"mpm\"?"});
  EXPECT_EQ(
      errors_with({"/solver={\"type\":\"lattice\",\"x\":1}"}),
      Lines{"s.json: /solver/type: no solver \"lattice\"; choose from \"mpm\", \"sph\", \"fem\""});
  EXPECT_EQ(errors_with({"/solver=[]"}),
            Lines{"s.json: /solver: expected a word or an object, found a list of 0"});
  EXPECT_EQ(errors_with({"/integrator={\"type\":3}"}),
            Lines{"s.json: /integrator/type: expected a string, found 3"});
  EXPECT_EQ(errors_with({"/integrator={\"kernel\":\"cubic\"}"}).size(), 1u);
}

TEST(SceneMethods, SpeciesNeedToKnowOfEachOther) {
  EXPECT_EQ(scene_with({"/objects/0/species=default"}).objects[0].species, kDefaultSpecies);
  const Lines two = {
      "/emitters=[{\"shape\":{\"type\":\"ball\",\"radius\":0.2,\"center\":[0,3,0]},"
      "\"material\":\"sand\",\"velocity\":[0,-1,0],\"species\":\"water\"}]",
      "/objects/0/species=snow"};
  const auto with = [&](const std::string& porous) {
    Lines edits = two;
    edits.push_back("/porous=" + porous);
    return errors_with(edits);
  };
  EXPECT_EQ(errors_with(two), Lines{"s.json: /porous: the scene has species \"snow\" and "
                                    "\"water\"; say here how they act on each other"});
  EXPECT_EQ(with("{\"pairs\":[{\"solid\":\"snow\",\"fluid\":\"water\"}]}"), Lines{});
  EXPECT_EQ(with("{\"pairs\":[{\"solid\":\"snow\",\"fluid\":\"watr\"}]}"),
            Lines{"s.json: /porous/pairs/0/fluid: no object or emitter is of species \"watr\"; did "
                  "you mean \"water\"?"});
  EXPECT_EQ(with("{}"), Lines{"s.json: /porous/pairs: is empty: the species would pass through "
                              "each other"});
  EXPECT_EQ(with("{\"coupling\":\"limit\"}"), Lines{});
  for (const char* wrong :
       {"\"drag\":-1", "\"drag\":0", "\"porosity\":0", "\"porosity\":1", "\"conductivity\":0",
        "\"drag\":1e31", "\"conductivity\":1,\"permeability\":1"})
    EXPECT_EQ(
        with("{\"pairs\":[{\"solid\":\"snow\",\"fluid\":\"water\"," + std::string(wrong) + "}]}")
            .size(),
        1u)
        << wrong;
  EXPECT_EQ(with("{\"coupling\":\"mixture\",\"pairs\":[{\"solid\":\"snow\",\"fluid\":\"water\"}]}"),
            Lines{"s.json: /emitters/0/material: the fluid of a mixture must be of model "
                  "\"fluid\""});
  // A material that is not there is told once, and looked at by nobody.
  Lines unknown = two;
  unknown.insert(unknown.end(),
                 {"/porous={\"coupling\":\"mixture\",\"pairs\":[{\"solid\":\"snow\",\"fluid\":"
                  "\"water\"}]}",
                  "/emitters/0/material=mud"});
  EXPECT_EQ(errors_with(unknown).size(), 1u);
  EXPECT_EQ(errors_with({"/porous={}"}),
            Lines{"s.json: /porous: the scene has one species; give objects a /species, or remove "
                  "the section"});
  EXPECT_EQ(errors_with({"/objects/0/species=1"}),
            Lines{"s.json: /objects/0/species: expected a string, found 1"});
}

// A scene as it will be with several methods.
enum class Method { grid, mesh };

struct TwoMethods {
  Method method = Method::grid;
  std::int64_t order = 1;
  double edge = 0.5;

  template <class V>
  void describe(V& v) {
    v.typed("solver", method, {{"grid", "mesh"}, "method", {"points"}}, [this](auto& w, Method m) {
      if (m == Method::grid) describe_grid(w);
      if (m == Method::mesh) w.number("edge", edge, {"edge", "m", 0});
    });
    v.also_here("solver", "grid", method == Method::grid, [this](auto& w) { describe_grid(w); });
  }
  template <class V>
  void describe_grid(V& v) {
    v.integer("order", order, {"order", 1, 3});
  }
};

Lines read_two(const char* text, TwoMethods& settings) {
  ReadContext context("s.json");
  ObjectReader::read(*parse_document(text, "s.json"), "", context, settings);
  return context.take_errors();
}

TEST(SceneMethods, KeysOfAnotherMethodAreRefused) {
  TwoMethods two;
  EXPECT_EQ(read_two(R"({"solver": {"type": "mesh", "edge": 2}})", two), Lines{});
  EXPECT_EQ(two.method, Method::mesh);
  EXPECT_EQ(two.edge, 2);
  EXPECT_EQ(read_two(R"({"solver": {"type": "mesh", "order": 2}})", two),
            Lines{"s.json: /solver/order: unknown key; choose from \"type\", \"edge\""});
  two = {};
  EXPECT_EQ(read_two(R"({"solver": "mesh", "order": 2})", two),
            Lines{"s.json: /order: belongs to the solver \"grid\", which this scene does not use"});
  two = {};
  EXPECT_EQ(read_two(R"({"solver": {"order": 2}})", two), Lines{});
  EXPECT_EQ(two.order, 2);
  EXPECT_EQ(two.method, Method::grid);
  EXPECT_EQ(read_two(R"({"order": 3, "edge": 1})", two),
            Lines{"s.json: /edge: unknown key; choose from \"solver\", \"order\""});
}

TEST(SceneMethods, WhatThisVersionLacksIsSaid) {
  TwoMethods two;
  const std::string said =
      "solver \"points\" is not available in this version; choose from \"grid\", \"mesh\"";
  EXPECT_EQ(read_two(R"({"solver": "points"})", two), Lines{"s.json: /solver: " + said});
  EXPECT_EQ(read_two(R"({"solver": {"type": "points", "radius": 1}})", two),
            Lines{"s.json: /solver/type: " + said});
}

TEST(SceneMethods, AreWrittenAsObjects) {
  const auto json = nlohmann::json::parse(write_scene(scene_with({"/kernel=cubic"})));
  EXPECT_EQ(json["solver"], nlohmann::json::parse(R"({"type": "mpm", "kernel": "cubic",
      "transfer": "mls", "flip_ratio": 0.95, "particle_collisions": false})"));
  EXPECT_EQ(json["/integrator/type"_json_pointer], "explicit");
  EXPECT_EQ(json["/objects/0/species"_json_pointer], "default");
  for (const char* key : {"kernel", "transfer", "flip_ratio", "particle_collisions", "porous"})
    EXPECT_FALSE(json.contains(key)) << key;
}

}  // namespace
}  // namespace firn

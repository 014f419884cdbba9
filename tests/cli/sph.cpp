// What the program says of granular SPH.
#include "program.h"

namespace firn::test {
namespace {

class Sph : public ProgramTest {
 protected:
  std::string scene_ = write("sand.json", R"({
      "dimension": 2, "frames": 2, "fps": 50, "grid": {"spacing": 0.05}, "solver": {"type": "sph"},
      "materials": {"dry": {"model": "sand", "friction_angle": 30}},
      "objects": [{"name": "block", "material": "dry", "density": 1500,
                   "shape": {"type": "rectangle", "size": [0.3, 0.3], "center": [0, 0.16]}}],
      "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, 0]},
                     "friction": 0.5}]})");
};

TEST_F(Sph, RunsAndSaysWhatItDid) {
  const Outcome run = firn({"run", scene_, "--out", "a"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find(" iterations, density "), std::string::npos) << run.out;
  const std::string stats = content(path("a/stats.jsonl"));
  for (const char* key : {"\"iterations\"", "\"mean_density_error\"", "\"max_density_error\"",
                          "\"strain_rate_error\"", "\"missed_steps\""})
    EXPECT_NE(stats.find(key), std::string::npos) << key;
  EXPECT_EQ(stats.find("newton_iterations"), std::string::npos);
}

TEST_F(Sph, APresetIsWhatARunWritesDown) {
  const auto solver_of = [&](const std::vector<std::string>& settings) {
    std::vector<std::string> arguments = {"run",         scene_,  "--out",    "a",
                                          "--overwrite", "--set", "/frames=1"};
    for (const std::string& setting : settings) {
      arguments.push_back("--set");
      arguments.push_back(setting);
    }
    const Outcome run = firn(arguments);
    EXPECT_EQ(run.status, 0) << run.err;
    const std::string written = content(path("a/scene.json"));
    const std::size_t from = written.find("\"solver\"");
    return written.substr(from, written.find('}', from) - from);
  };
  const auto expect_keys = [](const std::string& solver, const std::vector<std::string>& keys) {
    for (const std::string& key : keys) EXPECT_NE(solver.find(key), std::string::npos) << solver;
  };
  expect_keys(solver_of({}),
              {"\"preset\": \"default\"", "\"tolerance\": 0.001,", "\"max_iterations\": 200"});
  expect_keys(solver_of({"/solver/preset=interactive"}),
              {"\"preset\": \"interactive\"", "\"tolerance\": 0.01,", "\"max_iterations\": 20"});
  // What is given holds, wherever it stands.
  expect_keys(solver_of({"/solver={\"tolerance\":0.005,\"type\":\"sph\",\"preset\":"
                         "\"interactive\"}"}),
              {"\"tolerance\": 0.005,", "\"max_iterations\": 20"});
  const Outcome unknown = firn({"check", scene_, "--set", "/solver/preset=interactiv"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("/solver/preset: no preset \"interactiv\"; did you mean "
                             "\"interactive\"?"),
            std::string::npos)
      << unknown.err;
}

TEST_F(Sph, WhatLiesAtOnePlaceIsNamed) {
  const std::string grid = "/objects/0/sampling={\"type\":\"grid\"}";
  const std::string second =
      "/objects/1={\"name\":\"again\",\"material\":\"dry\",\"sampling\":{\"type\":\"grid\"},"
      "\"shape\":{\"type\":\"rectangle\",\"size\":[0.3,0.3],\"center\":[0,0.16]}}";
  const Outcome run = firn({"run", scene_, "--out", "a", "--set", grid, "--set", second});
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("/objects/1: 144 of its particles lie where others do"), std::string::npos)
      << run.err;
  EXPECT_EQ(firn({"check", scene_, "--set", grid, "--set", second, "--set", "/solver=mpm"}).status,
            0);
  write("points.txt", "0 0.5\n0.02 0.5\n0 0.5\n");
  const Outcome points = firn(
      {"check", scene_, "--set", "/objects/0/shape={\"type\":\"points\",\"file\":\"points.txt\"}"});
  EXPECT_EQ(points.status, 2);
  EXPECT_NE(points.err.find("/objects/0: 1 of its particles"), std::string::npos) << points.err;
  // Bodies that share space, but no places, only press each other apart.
  const Outcome apart = firn({"check", scene_, "--set", grid, "--set", second, "--set",
                              "/objects/1/shape/center=[0.003,0.163]"});
  EXPECT_EQ(apart.status, 0) << apart.err;
}

// No step may end in numbers that are none, and no particle be below the floor.
TEST_F(Sph, TightPlacesLoseNothing) {
  const std::vector<std::vector<std::string>> all = {
      {"/emitters=[{\"shape\":{\"type\":\"rectangle\",\"size\":[0.2,0.1],\"center\":[0,0.16]},"
       "\"material\":\"dry\",\"velocity\":[0,-1]}]"},
      {"/colliders/1={\"shape\":{\"type\":\"rectangle\",\"size\":[0.6,0.002],\"center\":[0,0.1]}}"},
      {"/colliders/1={\"shape\":{\"type\":\"rectangle\",\"size\":[2,0.1],\"center\":[0,0.37]},"
       "\"motion\":{\"keyframes\":[{\"time\":0},{\"time\":0.04,\"translation\":[0,-0.05]}]}}"}};
  for (const auto& settings : all) {
    std::vector<std::string> arguments = {"run", scene_, "--out", "a", "--overwrite", "--quiet"};
    for (const std::string& setting : settings) {
      arguments.push_back("--set");
      arguments.push_back(setting);
    }
    const Outcome run = firn(arguments);
    ASSERT_EQ(run.status, 0) << settings.front() << run.err;
    const Outcome info = firn({"info", "a/frames/frame_0002.ply"});
    EXPECT_EQ(info.status, 0) << info.err;
    EXPECT_EQ(info.out.find("nan"), std::string::npos) << info.out;
  }
}

TEST_F(Sph, AnySandSceneTakesIt) {
  const Outcome check = firn({"check", scene_, "--set", "/solver=mpm"});
  EXPECT_EQ(check.status, 0) << check.err;
  const Outcome back = firn({"check", scene_, "--set", "/solver=sph"});
  EXPECT_EQ(back.status, 0) << back.err;
  EXPECT_EQ(back.out.find("integrators"), std::string::npos) << back.out;
}

TEST_F(Sph, WhatItCannotObeyIsNamed) {
  struct Wrong {
    const char *setting, *place, *said;
  };
  const std::vector<Wrong> all = {
      {"/materials/dry={\"model\":\"snow\"}", "/materials/dry/model", "sph computes sand alone"},
      {"/materials/dry/friction_angle=-1", "/materials/dry/friction_angle", "no hardening"},
      {"/materials/dry/cohesion=\"10*x\"", "/materials/dry/cohesion", "no expressions"},
      {"/integrator=newton", "/integrator/type", "an integrator of its own"},
      {"/objects/0/initial_stress={}", "/objects/0/initial_stress", "remove it"},
      {"/objects/0/volume=estimated", "/objects/0/volume", "remove it"},
      {"/objects/0/fields={\"stiffness_scale\":2}", "/objects/0/fields/stiffness_scale", "rigid"},
      {"/objects/0/sampling={\"particles_per_cell\":1}", "/objects/0/sampling",
       "too few neighbours"},
      {"/objects/0/sampling={\"spacing\":0.04}", "/objects/0/sampling", "too few neighbours"},
      {"/emitters=[{\"shape\":{\"type\":\"disc\",\"radius\":0.1,\"center\":[0,1]},\"material\":"
       "\"dry\",\"velocity\":[0,-1],\"sampling\":{\"particles_per_cell\":1}}]",
       "/emitters/0/sampling", "too few neighbours"},
      {"/objects=[]", "/objects", "is empty"},
      {"/objects/0/shape/size=[1e-6,1e-6]", "/objects/0", "no particles"},
      {"/grains={\"per_particle\":1000000000}", "/grains/per_particle", "between"},
      {"/air={\"velocity\":[\"1/0\",0]}", "/air/velocity/0", "finite"},
      {"/solver/kernel=quadratic", "/solver/kernel", "spiky"},
      {"/solver/tolerance=0", "/solver/tolerance", "between"},
      {"/air={\"velocity\":[1]}", "/air/velocity", "2"},
      {"/air={\"velocity\":[\"x+\",0]}", "/air/velocity/0", "expression"},
      {"/air={\"density\":-1}", "/air/density", "between"},
      {"/air={\"grain_diameter\":0}", "/air/grain_diameter", "between"},
      {"/air={\"cone_angle\":91}", "/air/cone_angle", "90"},
      {"/air={\"wind\":1}", "/air/wind", "unknown"},
      {"/solver/max_iterations=1", "/solver/max_iterations", "between"},
  };
  for (const Wrong& wrong : all) {
    const Outcome run = firn({"check", scene_, "--set", wrong.setting});
    EXPECT_EQ(run.status, 2) << wrong.setting;
    EXPECT_NE(run.err.find(wrong.place), std::string::npos) << run.err;
    EXPECT_NE(run.err.find(wrong.said), std::string::npos) << run.err;
  }
}

TEST_F(Sph, AloneKnowsAir) {
  const Outcome run = firn({"check", scene_, "--set", "/solver=mpm", "--set", "/air={}"});
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("/air: sph alone knows it"), std::string::npos) << run.err;
}

TEST_F(Sph, RunsOnTheCpuAlone) {
  const Outcome run = firn({"run", scene_, "--out", "a", "--device", "cuda"});
  EXPECT_NE(run.status, 0);
}

TEST_F(Sph, ExtremeSettingsEndWell) {
  for (const char* setting :
       {"/gravity=[0,0]", "/gravity=[0,-1e6]", "/materials/dry/friction_angle=0",
        "/materials/dry/friction_angle=89", "/materials/dry/cohesion=1e6",
        "/objects/0/density=1e-3", "/objects/0/density=1e9", "/solver/kernel=wendland",
        "/solver/kernel=cubic_spline",
        "/objects/0/sampling={\"type\":\"random\",\"particles_per_cell\":20}",
        "/objects/0/sampling={\"type\":\"grid\",\"particles_per_cell\":2}",
        "/integrator/fixed_dt=0.02", "/air={\"velocity\":[1e4,0],\"density\":1e3}",
        "/objects/0/shape/center=[0,0.1]"}) {
    const Outcome run =
        firn({"run", scene_, "--out", "a", "--overwrite", "--quiet", "--set", setting});
    EXPECT_TRUE(run.status == 0 || run.status == 1) << setting << run.status << run.err;
  }
}

}  // namespace
}  // namespace firn::test

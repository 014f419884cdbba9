// What the program says of meshed solids.
#include <nlohmann/json.hpp>

#include "program.h"

namespace firn::test {
namespace {

class Fem : public ProgramTest {
 protected:
  std::string scene_ = write("beam.json", R"({
      "solver": "fem", "frames": 2, "fps": 24, "grid": {"spacing": 0.1},
      "materials": {"rubber": {"model": "fixed_corotated", "youngs_modulus": 1e5}},
      "objects": [{"name": "beam", "material": "rubber", "density": 1000,
                   "shape": {"type": "box", "size": [1, 0.2, 0.2], "center": [0, 1, 0]},
                   "mesh": {"type": "lattice", "edge": 0.1}}]})");

  // Asks for a scene that is wrong: one line, and exit status 2.
  void expect_refused(const std::vector<std::string>& settings, const std::string& said) {
    std::vector<std::string> arguments = {"check", scene_};
    for (const std::string& setting : settings) {
      arguments.push_back("--set");
      arguments.push_back(setting);
    }
    const Outcome run = firn(arguments);
    EXPECT_EQ(run.status, 2) << settings.front();
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_NE(run.err.find(said), std::string::npos) << run.err;
  }
};

TEST_F(Fem, CheckCountsVerticesAndCells) {
  const Outcome check = firn({"check", scene_});
  ASSERT_EQ(check.status, 0) << check.err;
  for (const char* said :
       {"vertices of rubber", "vertices     99\n", "bodies       1\n",
        "cells        200 tetrahedra, angles 54.7", "unknowns     297\n", "memory ", "time step "})
    EXPECT_NE(check.out.find(said), std::string::npos) << said << check.out;
  EXPECT_EQ(check.out.find("grid "), std::string::npos) << check.out;
}

TEST_F(Fem, RunsInDoubleWithOneStepAFrame) {
  const Outcome run = firn({"run", scene_, "--out", "a"});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto stats = nlohmann::json::parse(lines_of(content(path("a/stats.jsonl"))).back());
  EXPECT_EQ(stats.at("steps"), 1);
  EXPECT_EQ(stats.at("particles"), 99);
  EXPECT_NEAR(stats.at("mass").get<double>(), 40, 1e-9);
  const Outcome info = firn({"info", "a/checkpoint.h5", "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  EXPECT_EQ(nlohmann::json::parse(info.out).at("precision"), "double");
  const auto scene = nlohmann::json::parse(content(path("a/scene.json")));
  EXPECT_EQ(scene.at("/integrator/type"_json_pointer), "optimization");
  EXPECT_EQ(firn({"run", scene_, "--out", "a", "--resume", "--frames", "3"}).status, 0);
  const Outcome four =
      firn({"run", scene_, "--out", "b", "--set", "/integrator/steps_per_frame=4"});
  ASSERT_EQ(four.status, 0) << four.err;
  EXPECT_EQ(nlohmann::json::parse(lines_of(content(path("b/stats.jsonl"))).back()).at("steps"), 4);
}

TEST_F(Fem, RunsOnTheCpuAlone) {
  const Outcome run = firn({"run", scene_, "--out", "a", "--device", "cuda"});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
}

TEST_F(Fem, WrongInputsGetOneLine) {
  expect_refused({"/materials/rubber={\"model\":\"snow\"}"}, "/materials/rubber/model: ");
  expect_refused({"/integrator=explicit"}, "/integrator/type: ");
  expect_refused({"/objects/0/mesh/edge=1e-5"}, "/objects/0/mesh: ");
  expect_refused({"/objects/0/mesh={\"type\":\"stuffing\",\"edge\":3}"}, "/objects/0/mesh/edge: ");
  expect_refused({"/objects/0/start=random", "/materials/rubber={\"model\":\"neo_hookean\"}"},
                 "/objects/0/start: ");
  expect_refused({"/sinks=[{\"shape\":{\"type\":\"plane\"}}]"}, "/sinks: ");
  expect_refused({"/solver=mpm"}, "/objects/0/mesh: belongs to the solver \"fem\"");
}

}  // namespace
}  // namespace firn::test

// What the program says of integrators.
#include "program.h"

namespace firn::test {
namespace {

class Integrators : public ProgramTest {
 protected:
  std::string scene_ = test_scene("mixed_2d.json");

  // A small scene that any integrator takes.
  std::string soft_block() const {
    return write("block.json", R"({
      "dimension": 2, "frames": 2, "fps": 50, "grid": {"spacing": 0.05},
      "materials": {"jelly": {"model": "neo_hookean", "youngs_modulus": 1e6}},
      "objects": [{"name": "block", "material": "jelly", "velocity": [1, -1],
                   "shape": {"type": "rectangle", "size": [0.3, 0.3], "center": [0, 0.16]}}],
      "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, 0]},
                     "friction": 0.3}]})");
  }
};

TEST_F(Integrators, TheChoiceOfAutoIsNoWarning) {
  const Outcome run =
      firn({"run", scene_, "--frames", "1", "--out", "a", "--set", "/integrator=auto"});
  ASSERT_EQ(run.status, 0) << run.err;
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].find("a: integrator explicit: some "), 0u) << run.out;
  EXPECT_EQ((run.out + run.err).find("warning"), std::string::npos) << run.out << run.err;
  const Outcome quiet =
      firn({"run", scene_, "--frames", "1", "--out", "b", "--quiet", "--set", "/integrator=auto"});
  EXPECT_EQ(quiet.out + quiet.err, "");
  const Outcome check = firn({"check", scene_, "--set", "/integrator=auto"});
  EXPECT_NE(check.out.find("\nintegrators  explicit: some "), std::string::npos) << check.out;
  EXPECT_EQ(check.err, "");
}

TEST_F(Integrators, WrongKeysAreOneLineAndStatusTwo) {
  struct Wrong {
    const char *type, *setting, *named;
  };
  const std::vector<Wrong> all = {
      {"optimization", "/integrator/tolerance=0", "between 1e-12 and 1"},
      {"optimization", "/integrator/tolerance=-1", "between 1e-12 and 1"},
      {"optimization", "/integrator/tolerance=nan", "expected a number"},
      {"optimization", "/integrator/tolerance=1e300", "between 1e-12 and 1"},
      {"optimization", "/integrator/tolerance=1e999", "expected a number"},
      {"newton", "/integrator/max_newton=0", "between 1 and 10000"},
      {"newton", "/integrator/max_newton=-1", "between 1 and 10000"},
      {"newton", "/integrator/max_newton=1e12", "between 1 and 10000"},
      {"newton", "/integrator/max_newton=1.5", "whole number"},
      {"semi_implicit", "/integrator/beta=-0.1", "between 0 and 1"},
      {"semi_implicit", "/integrator/beta=1.1", "between 0 and 1"},
      {"optimization", "/integrator/beta=1", "unknown key"},
      {"explicit", "/integrator/tolerance=0.1", "unknown key"},
      {"optimization", "/integrator/cfl=0", "at most 16"},
      {"optimization", "/integrator/cfl=17", "at most 16"},
      {"optimization", "/integrator/max_dt=-1", "at least 0"},
      {"optimization", "/integrator/fixed_dt=-1", "at least 0"},
      {"optimization", "/integrator/type=implicit", "\"explicit\""},
      {"optimization", "/integrator/preconditioner=jacobi", "\"multigrid\""},
      {"optimization", "/integrator/positions=sideways", "\"backward\""},
      {"optimization", "/integrator=[]", "a word or an object"},
      {"optimization", "/materials/jelly={\"model\":\"sand\"}", "\"newton\""},
      {"optimization", "/materials/jelly/youngs_modulus=1e30", "at most 1e+13"},
      {"optimization", "/objects=[]", "give at least one"}};
  const std::string scene = soft_block();
  for (const Wrong& wrong : all) {
    const Outcome outcome =
        firn({"check", scene, "--set", std::string("/integrator/type=") + wrong.type, "--set",
              wrong.setting});
    EXPECT_EQ(outcome.status, 2) << wrong.setting;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << wrong.setting << ": " << outcome.err;
    EXPECT_NE(outcome.err.find(wrong.named), std::string::npos) << outcome.err;
  }
  const Outcome far = firn({"check", scene, "--set", "/integrator/type=newton", "--set",
                            "/integrator/positions=backward", "--set", "/integrator/cfl=4"});
  EXPECT_EQ(far.status, 2);
  EXPECT_EQ(lines_of(far.err).size(), 1u) << far.err;
  const Outcome species =
      firn({"check", test_scene("species_2d.json"), "--set", "/integrator=optimization"});
  EXPECT_EQ(species.status, 2);
  EXPECT_EQ(lines_of(species.err).size(), 1u) << species.err;
  EXPECT_NE(species.err.find("one species alone"), std::string::npos) << species.err;
}

TEST_F(Integrators, ExtremesRun) {
  const std::vector<std::vector<std::string>> all = {
      {"/integrator/tolerance=1e-12"},
      {"/integrator/tolerance=1"},
      {"/integrator/max_newton=1"},
      {"/integrator/cfl=16"},
      {"/integrator/max_dt=1e300"},
      {"/integrator/fixed_dt=1"},
      {"/integrator/fixed_dt=0.01", "/integrator/max_dt=0.001"},
      {"/materials/jelly/youngs_modulus=1e13"},
      {"/materials/jelly/youngs_modulus=1e-30"},
      {"/objects/0/density=1e-20"},
      {"/objects/0/shape/size=[0.02,0.02]"}};  // one particle
  const std::string scene = soft_block();
  for (const char* type : {"optimization", "semi_implicit", "newton"})
    for (const std::vector<std::string>& settings : all) {
      SCOPED_TRACE(std::string(type) + " " + settings[0]);
      std::vector<std::string> arguments = {
          "run",        scene, "--frames", "1",
          "--out",      "run", "--set",    "/integrator/type=" + std::string(type),
          "--overwrite"};
      for (const std::string& setting : settings) {
        arguments.push_back("--set");
        arguments.push_back(setting);
      }
      const Outcome outcome = firn(arguments);
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      expect_whole_run(path("run"), 1);
      const bool contradicts = settings.size() > 1;
      EXPECT_EQ(outcome.err.find("/integrator/max_dt: has no effect") != std::string::npos,
                contradicts)
          << outcome.err;
    }
}

// A checkpoint that is due within a step waits for its end.
TEST_F(Integrators, CheckpointsComeBetweenImplicitSteps) {
  const auto run = [&](const char* out, const char* interval) {
    return firn({"run", scene_, "--frames", "1", "--out", out, "--set", "/integrator=newton",
                 "--set", "/grid/spacing=0.02", "--set",
                 std::string("/output/checkpoint_interval=") + interval});
  };
  ASSERT_EQ(run("a", "0").status, 0);
  ASSERT_EQ(run("b", "1e-4").status, 0);
  expect_same_frames(path("a"), path("b"));
  std::string before;
  for (const std::string& line : lines_of(content(path("b/log.txt")))) {
    const std::size_t told = line.find("checkpoint at ");
    if (told == std::string::npos) continue;
    EXPECT_NE(line.substr(told), before);
    before = line.substr(told);
  }
  EXPECT_NE(before, "");
}

}  // namespace
}  // namespace firn::test

// What the program says of integrators.
#include "program.h"

namespace firn::test {
namespace {

class Integrators : public ProgramTest {
 protected:
  std::string scene_ = test_scene("mixed_2d.json");
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

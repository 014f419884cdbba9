// Packs and devices from the command line.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cuda/device.h"
#include "program.h"

namespace firn::test {
namespace {

using Packs = ProgramTest;

// The number behind a word of the engine's line.
double number_after(const std::string& text, const std::string& word) {
  const std::size_t at = text.rfind(word);
  return at == std::string::npos ? NAN : std::stod(text.substr(at + word.size()));
}

TEST_F(Packs, TheEngineRunsWhatFirnRuns) {
  const Outcome packed = firn({"pack", test_scene("flow_2d.json"), "-o", "deep/flow.firnpack"});
  ASSERT_EQ(packed.status, 0) << packed.err;
  EXPECT_NE(packed.out.find("deep/flow.firnpack: "), std::string::npos) << packed.out;
  ASSERT_EQ(firn({"run", test_scene("flow_2d.json"), "--out", "run", "--frames", "3"}).status, 0);
  const auto stats = nlohmann::json::parse(lines_of(content(path("run/stats.jsonl"))).back());
  const Outcome run = engine({"run", "deep/flow.firnpack", "--frames", "3"});
  ASSERT_EQ(run.status, 0) << run.err;
  ASSERT_EQ(lines_of(run.out).size(), 3u);
  for (const char* key : {"kinetic", "elastic", "mass"})
    EXPECT_NEAR(number_after(run.out, key + std::string(" ")), stats.at(key),
                1e-8 * std::abs(stats.at(key).get<double>()))
        << key;
  EXPECT_EQ(number_after(run.out, "steps, "), stats.at("particles"));
  EXPECT_EQ(engine({"run", "deep/flow.firnpack", "--steps", "5", "--precision", "double"}).status,
            0);
}

TEST_F(Packs, HaveAPlaceOfTheirOwn) {
  ASSERT_EQ(firn({"pack", test_scene("mixed_2d.json"), "--quiet"}).out, "");
  EXPECT_EQ(files_below(path("")), std::vector<std::string>{"out/mixed_2d.firnpack"});
  const Outcome info = firn({"info", "out/mixed_2d.firnpack", "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  EXPECT_EQ(nlohmann::json::parse(info.out).at("kind"), "pack");
  EXPECT_GT(nlohmann::json::parse(info.out).at("particles"), 100);
  write("file", "");
  EXPECT_EQ(firn({"pack", test_scene("mixed_2d.json"), "-o", "file/x.firnpack"}).status, 1);
}

TEST_F(Packs, BadOnesGetOneLine) {
  ASSERT_EQ(firn({"pack", test_scene("mixed_2d.json"), "-o", "good.firnpack"}).status, 0);
  const std::string good = content(path("good.firnpack"));
  std::string flipped = good;
  flipped[good.size() / 2] ^= 1;
  write("flipped.firnpack", flipped);
  write("short.firnpack", good.substr(0, good.size() / 3));
  write("other.firnpack", "{}");
  for (const char* name :
       {"flipped.firnpack", "short.firnpack", "other.firnpack", "none.firnpack", "."}) {
    const Outcome run = engine({"run", name, "--steps", "1"});
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_EQ(firn({"info", name}).status, 2) << name;
    EXPECT_EQ(lines_of(run.err).size(), 1u) << run.err;
    EXPECT_EQ(run.err.find(name), 0u) << run.err;
  }
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"run"},
                                                {"run", "good.firnpack", "--steps", "-1"},
                                                {"run", "good.firnpack", "--device", "gpu"},
                                                {"agreement", "flipped.firnpack"}})
    EXPECT_EQ(engine(wrong).status, 2);
}

TEST_F(Packs, AgreementRunsTheCpuWithoutADevice) {
  ASSERT_EQ(firn({"pack", test_scene("mixed_2d.json"), "-o", "mixed.firnpack"}).status, 0);
  const Outcome agree = engine({"agreement", "mixed.firnpack"});
  if (device_name()) {
    EXPECT_EQ(agree.status, 0) << agree.out << agree.err;
    EXPECT_NE(agree.out.find("2 agree"), std::string::npos) << agree.out;
  } else {
    EXPECT_EQ(agree.status, 2);
    EXPECT_EQ(lines_of(agree.err).size(), 1u) << agree.err;
    EXPECT_NE(agree.out.find("0 agree, 0 differ, 2 not yet"), std::string::npos) << agree.out;
    EXPECT_EQ(agree.out.find(" 0 particles"), std::string::npos) << agree.out;
  }
}

// Whether the build has no CUDA or the machine no device: one sentence, and nothing is written.
TEST_F(Packs, ADeviceThatIsNotThereIsOneSentence) {
  if (device_name()) GTEST_SKIP() << "there is a device";
  ASSERT_EQ(firn({"pack", test_scene("mixed_2d.json"), "-o", "mixed.firnpack"}).status, 0);
  const std::string sentence = device_name().errors().front();
  const std::vector<std::vector<std::string>> commands = {
      {"run", test_scene("mixed_2d.json"), "--device", "cuda"},
      {"bench", "sand", "--device", "cuda"},
      {"view", test_scene("mixed_2d.json"), "--device", "cuda", "--close-after", "1"}};
  for (const auto& arguments : commands) {
    const Outcome outcome = firn(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments[0];
    EXPECT_EQ(outcome.err, sentence + "\n") << arguments[0];
    EXPECT_EQ(outcome.out, "") << arguments[0];
  }
  EXPECT_FALSE(fs::exists(path("out")));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"run", "mixed.firnpack", "--device", "cuda"}, {"growth"}}) {
    const Outcome outcome = engine(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, sentence + "\n");
  }
  EXPECT_NE(sentence.find("--device cuda"), std::string::npos);
}

}  // namespace
}  // namespace firn::test

// Frames that are gone or cut off: a run that lacks some is never called complete.
#include "program.h"
#include "run/frame_check.h"

namespace firn::test {
namespace {

class LostFrames : public ProgramTest {
 protected:
  Outcome run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "run", test_scene("mixed_2d.json"), "--threads", "1", "--out", "a"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return firn(arguments);
  }
  void expect_incomplete(const Outcome& outcome, const std::string& frames) {
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out.find("complete"), std::string::npos) << outcome.out;
    ASSERT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(frames), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("--overwrite"), std::string::npos) << outcome.err;
  }
};

TEST_F(LostFrames, AFinishedRunThatLostFramesIsNotComplete) {
  ASSERT_EQ(run({"--frames", "5"}).status, 0);
  EXPECT_EQ(run({"--resume"}).status, 0);
  fs::remove(path("a/frames/frame_0001.ply"));
  fs::resize_file(path("a/frames/frame_0003.ply"),
                  fs::file_size(path("a/frames/frame_0003.ply")) - 1);
  fs::resize_file(path("a/frames/frame_0004.ply"), 0);
  expect_incomplete(run({"--resume"}), "frames 1, 3 to 4 missing or cut off");
}

TEST_F(LostFrames, AContinuedRunGoesOnAndSaysWhatItLacks) {
  ASSERT_EQ(run({"--frames", "2"}).status, 0);
  fs::remove(path("a/frames/frame_0001.ply"));
  fs::create_directory(path("a/frames/frame_0001.ply"));
  expect_incomplete(run({"--resume", "--frames", "4"}), "frame 1 missing or cut off");
  EXPECT_TRUE(is_whole_frame(path("a/frames/frame_0004.ply")));
  fs::remove(path("a/frames/frame_0001.ply"));
  ASSERT_EQ(run({"--overwrite", "--frames", "4"}).status, 0);
  expect_whole_run(path("a"), 4);
}

// Frames after the checkpoint are computed again, whatever happened to them.
TEST_F(LostFrames, FramesAfterTheCheckpointAreMadeAgain) {
  ASSERT_EQ(run({"--frames", "2"}).status, 0);
  write("a/frames/frame_0003.ply", "ply");
  write("a/frames/frame_0004.ply", "");
  ASSERT_EQ(run({"--resume", "--frames", "4"}).status, 0);
  expect_whole_run(path("a"), 4);
}

TEST_F(LostFrames, ListsOfFramesAreShort) {
  EXPECT_EQ(frame_list({7}), "frame 7");
  EXPECT_EQ(frame_list({1, 2, 3, 9}), "frames 1 to 3, 9");
  std::vector<std::int64_t> many;
  for (int i = 0; i < 1000; ++i) many.push_back(2 * i);
  EXPECT_LT(frame_list(many).size(), 60u);
}

}  // namespace
}  // namespace firn::test

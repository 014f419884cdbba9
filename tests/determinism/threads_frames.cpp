// The frames of a scene of many materials are the same bytes whatever the number of threads.
#include "../cli/program.h"

namespace firn::test {
namespace {

using ThreadsFrames = ProgramTest;

TEST_F(ThreadsFrames, AreTheSameBytesForAnyNumber) {
  for (const std::string scene :
       {"mixed_2d.json", "mixed_3d.json", "varied_2d.json", "flow_2d.json"}) {
    for (const std::string threads : {"1", "2", "3"}) {
      const Outcome outcome = firn({"run", test_scene(scene), "--threads", threads, "--out",
                                    scene + threads, "--frames", "3"});
      ASSERT_EQ(outcome.status, 0) << outcome.err;
    }
    expect_same_frames(path(scene + "1"), path(scene + "2"));
    expect_same_frames(path(scene + "1"), path(scene + "3"));
  }
}

TEST_F(ThreadsFrames, ButDifferWithTheSeed) {
  for (const std::string seed : {"1", "2"})
    ASSERT_EQ(firn({"run", test_scene("mixed_2d.json"), "--out", seed, "--frames", "1", "--set",
                    "/seed=" + seed})
                  .status,
              0);
  EXPECT_NE(content(path("1/frames/frame_0001.ply")), content(path("2/frames/frame_0001.ply")));
}

}  // namespace
}  // namespace firn::test

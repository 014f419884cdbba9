// Interrupts, kills, full disks and damaged files: nothing incomplete has a final name, and what
// can be resumed gives the bytes of a run that nothing happened to.
#include <signal.h>
#include <sys/mount.h>

#include <chrono>
#include <thread>

#include "frames/run_folder.h"
#include "program.h"

namespace firn::test {
namespace {

constexpr const char* kEndless = "100000";  // frames

class Faults : public ProgramTest {
 protected:
  std::vector<std::string> arguments(const std::string& out,
                                     const std::vector<std::string>& more) const {
    std::vector<std::string> all = {"run", test_scene("mixed_2d.json"), "--threads", "1", "--out",
                                    out};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Outcome run(const std::string& out, const std::vector<std::string>& more, Limits limits = {}) {
    return firn(arguments(out, more), limits);
  }
  // Resumes until `last` and compares with a run without faults.
  void expect_resumes_exactly(const std::string& out, int last) {
    const std::string frames = std::to_string(last);
    const Outcome resumed = run(out, {"--resume", "--frames", frames});
    ASSERT_EQ(resumed.status, 0) << resumed.err;
    expect_whole_run(path(out), last);
    ASSERT_EQ(run("reference", {"--overwrite", "--frames", frames}).status, 0);
    expect_same_frames(path(out), path("reference"));
  }
  int last_frame(const std::string& out) const {
    const std::vector<std::int64_t> frames = frame_numbers(RunFolder{path(out)});
    return frames.empty() ? -1 : static_cast<int>(frames.back());
  }
};

class Interrupt : public Faults, public ::testing::WithParamInterface<int> {};

TEST_P(Interrupt, CheckpointsAndResumesExactly) {
  const pid_t process = start(arguments("a", {"--frames", kEndless}));
  ASSERT_TRUE(wait_until_exists(path("a/frames/frame_0003.ply"), process));
  kill(process, GetParam());
  const Outcome outcome = wait_for(process);
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.err, "");
  expect_whole_run(path("a"), last_frame("a"));
  expect_resumes_exactly("a", last_frame("a") + 2);
}
INSTANTIATE_TEST_SUITE_P(Signals, Interrupt, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST_F(Faults, KilledRunResumesExactly) {
  const std::vector<std::string> often = {"--set", "/output/checkpoint_interval=0.02"};
  int last = 0;
  for (int attempt = 0; attempt < 3; ++attempt) {
    std::vector<std::string> more = {"--frames", kEndless, "--resume"};
    more.insert(more.end(), often.begin(), often.end());
    const pid_t process = start(arguments("a", more));
    RunFolder folder{path("a")};
    ASSERT_TRUE(wait_until_exists(folder.frame(last + 2), process));
    ASSERT_TRUE(wait_until_exists(folder.checkpoint(), process));
    std::this_thread::sleep_for(std::chrono::milliseconds(7 * attempt));
    kill(process, SIGKILL);
    EXPECT_EQ(wait_for(process).status, 128 + SIGKILL);
    last = last_frame("a");
  }
  expect_resumes_exactly("a", last + 2);
}

// There is nothing to continue from, and nobody asked for the frames to be thrown away.
TEST_F(Faults, KilledBeforeTheFirstCheckpointIsNotStartedAnewUnasked) {
  const pid_t process = start(arguments("a", {"--frames", kEndless}));
  ASSERT_TRUE(wait_until_exists(path("a/frames/frame_0001.ply"), process));
  kill(process, SIGKILL);
  wait_for(process);
  ASSERT_FALSE(fs::exists(path("a/checkpoint.h5")));
  const std::vector<std::string> before = files_below(path("a"));
  const Outcome refused = run("a", {"--resume", "--frames", "2"});
  EXPECT_EQ(refused.status, 2);
  ASSERT_EQ(lines_of(refused.err).size(), 1u) << refused.err;
  EXPECT_NE(refused.err.find("no checkpoint to continue from"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--overwrite"), std::string::npos) << refused.err;
  EXPECT_EQ(files_below(path("a")), before);
  ASSERT_EQ(run("a", {"--overwrite", "--frames", "2"}).status, 0);
  expect_whole_run(path("a"), 2);
}

TEST_F(Faults, TwoProgramsCannotShareAFolder) {
  const pid_t process = start(arguments("a", {"--frames", kEndless}));
  ASSERT_TRUE(wait_until_exists(path("a/frames/frame_0001.ply"), process));
  const Outcome second = run("a", {"--resume"});
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.err.find("another firn"), std::string::npos);
  kill(process, SIGINT);
  wait_for(process);
}

TEST_F(Faults, FilesThatCannotGrowStopTheRun) {
  ASSERT_EQ(run("a", {"--frames", "2"}).status, 0);
  const std::string checkpoint = content(path("a/checkpoint.h5"));
  const long too_small = static_cast<long>(fs::file_size(path("a/frames/frame_0000.ply"))) / 2;
  const Outcome stopped = run("a", {"--resume", "--frames", "4"}, {too_small});
  EXPECT_EQ(stopped.status, 1);
  EXPECT_NE(stopped.err.find("frame_0003.ply"), std::string::npos) << stopped.err;
  EXPECT_EQ(content(path("a/checkpoint.h5")), checkpoint);
  expect_whole_run(path("a"), 2);
  expect_resumes_exactly("a", 4);
}

TEST_F(Faults, CheckpointThatDoesNotFitLeavesTheOldOne) {
  ASSERT_EQ(run("a", {"--frames", "2"}).status, 0);
  const std::string checkpoint = content(path("a/checkpoint.h5"));
  const long frame = static_cast<long>(fs::file_size(path("a/frames/frame_0000.ply")));
  ASSERT_GT(static_cast<long>(checkpoint.size()), frame + 100);
  const Outcome stopped = run("a", {"--resume", "--frames", "4"}, {frame + 100});
  EXPECT_EQ(stopped.status, 1);
  EXPECT_NE(stopped.err.find("checkpoint.h5"), std::string::npos) << stopped.err;
  EXPECT_EQ(content(path("a/checkpoint.h5")), checkpoint);
  expect_resumes_exactly("a", 5);
}

TEST_F(Faults, FullDiskStopsTheRunAndLaterItGoesOn) {
  const fs::path disk = path("disk");
  fs::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m") != 0)
    GTEST_SKIP() << "mounting a small disk needs more rights";
  const Outcome stopped =
      run("disk/a", {"--frames", kEndless, "--set", "/output/checkpoint_interval=0.01"});
  EXPECT_EQ(stopped.status, 1);
  EXPECT_NE(stopped.err.find("No space left"), std::string::npos) << stopped.err;
  EXPECT_EQ(mount("tmpfs", disk.c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
  expect_resumes_exactly("disk/a", last_frame("disk/a") + 1);
  umount(disk.c_str());
}

TEST_F(Faults, FolderThatCannotBeMadeIsBadInput) {
  write("file", "");
  const Outcome outcome = run("file/below", {"--frames", "1"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(lines_of(outcome.err).size(), 1u);
  EXPECT_NE(outcome.err.find("file/below"), std::string::npos);
  EXPECT_EQ(run("file", {"--frames", "1"}).status, 2);
}

TEST_F(Faults, DamagedCheckpointIsSaidSo) {
  ASSERT_EQ(run("a", {"--frames", "1"}).status, 0);
  const std::string good = content(path("a/checkpoint.h5"));
  std::string flipped = good;
  flipped[good.size() / 2] ^= 1;
  for (const std::string& bad : {flipped, good.substr(0, good.size() / 2), good.substr(0, 100),
                                 std::string(), std::string(5000, 'x')}) {
    write("a/checkpoint.h5", bad);
    for (const Outcome& outcome :
         {run("a", {"--resume", "--frames", "3"}), firn({"info", "a/checkpoint.h5"})}) {
      EXPECT_EQ(outcome.status, 2);
      EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
      EXPECT_NE(outcome.err.find("damaged"), std::string::npos) << outcome.err;
    }
  }
  write("a/checkpoint.h5", good);
  expect_resumes_exactly("a", 2);
}

TEST_F(Faults, UnstableRunStopsWithItsReason) {
  const Outcome outcome =
      run("a", {"--frames", "50", "--set", "/integrator/fixed_dt=0.05", "--set", "/fps=10"});
  EXPECT_EQ(outcome.status, 1);
  ASSERT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find("unstable"), std::string::npos);
  EXPECT_NE(outcome.err.find("fixed_dt"), std::string::npos);
  EXPECT_NE(content(path("a/log.txt")).find("unstable"), std::string::npos);
}

}  // namespace
}  // namespace firn::test

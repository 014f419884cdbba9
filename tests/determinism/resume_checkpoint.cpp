// Checkpoint files: everything comes back, and damage anywhere is found.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../unit/test_folder.h"
#include "mesh_io/atomic_file.h"
#include "run/checkpoint.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

class CheckpointFile : public ::testing::Test {
 protected:
  static Checkpoint sample() {
    Checkpoint checkpoint{"firn test", std::string(100000, '{'), {}};
    checkpoint.state.arrays["set0/position0"] = std::vector<float>{1.5f, -2, 1e-40f};
    checkpoint.state.arrays["set0/id0"] = std::vector<std::uint64_t>{1, 1ull << 63};
    checkpoint.state.arrays["set10/begin"] = std::vector<std::uint32_t>(5000, 7);
    checkpoint.state.arrays["blocks"] = std::vector<double>{0.1};
    checkpoint.state.arrays["set1/empty"] = std::vector<float>{};
    checkpoint.state.reals = {{"drift", 0.1}, {"a/b", -1e300}};
    for (int i = 0; i < 300; ++i)
      checkpoint.state.integers["set" + std::to_string(i) + "/count"] = i - (1ll << 62);
    return checkpoint;
  }
  const TestFolder test_folder_{"checkpoint"};
  const fs::path folder_ = test_folder_.path(), path_ = folder_ / "checkpoint.h5";
};

TEST_F(CheckpointFile, GivesEverythingBack) {
  const Checkpoint before = sample();
  ASSERT_TRUE(write_checkpoint(path_, sample()));
  EXPECT_TRUE(looks_like_checkpoint(path_));
  const Result<Checkpoint> after = read_checkpoint(path_);
  ASSERT_TRUE(after) << after.errors().front();
  EXPECT_EQ(after->program, before.program);
  EXPECT_EQ(after->scene, before.scene);
  EXPECT_TRUE(after->state.arrays == before.state.arrays);
  EXPECT_EQ(after->state.reals, before.state.reals);
  EXPECT_EQ(after->state.integers, before.state.integers);
}

TEST_F(CheckpointFile, IsTheSameBytesForTheSameState) {
  ASSERT_TRUE(write_checkpoint(path_, sample()));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // HDF5 counts times in seconds
  ASSERT_TRUE(write_checkpoint(folder_ / "again.h5", sample()));
  EXPECT_EQ(*read_whole_file(path_), *read_whole_file(folder_ / "again.h5"));
}

TEST_F(CheckpointFile, DamageAnywhereIsFound) {
  ASSERT_TRUE(write_checkpoint(path_, sample()));
  const std::string good = *read_whole_file(path_);
  const auto is_accepted = [&](std::string_view bytes) {
    const fs::path file = folder_ / "bad.h5";
    std::ofstream(file, std::ios::binary) << bytes;
    return read_checkpoint(file).ok();
  };
  EXPECT_TRUE(is_accepted(good));
  for (std::size_t at = 0; at < good.size(); at += at < 600 ? 3 : 1999) {
    std::string flipped = good;
    flipped[at] ^= 0x10;
    EXPECT_FALSE(is_accepted(flipped)) << at;
  }
  for (std::size_t size = 0; size < good.size(); size += 4999)
    EXPECT_FALSE(is_accepted(std::string_view(good).substr(0, size))) << size;
  EXPECT_FALSE(is_accepted(good + "x"));
}

TEST_F(CheckpointFile, FailureKeepsTheOldOneAndSaysWhy) {
  EXPECT_FALSE(read_checkpoint(folder_ / "missing.h5"));
  EXPECT_FALSE(read_checkpoint(folder_));
  const Result<fs::path> written =
      write_checkpoint(folder_ / "no" / "such" / "folder.h5", sample());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.errors().size(), 1u);
  EXPECT_NE(written.errors()[0].find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace firn

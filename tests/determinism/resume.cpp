// A world that went through a checkpoint file at any step continues to the same bits.
#include <gtest/gtest.h>

#include <filesystem>

#include "../unit/test_folder.h"
#include "run/checkpoint.h"
#include "scene_io/scene_reader.h"
#include "sim/world.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

struct Variant {
  const char* scene;
  Precision precision;
  const char* transfer;
};

class Resume : public ::testing::TestWithParam<Variant> {
 protected:
  std::unique_ptr<World> through_file(const World& world, const SceneSettings& scene) const {
    const fs::path path = test_folder_.path() / "checkpoint.h5";
    EXPECT_TRUE(write_checkpoint(path, {"test", "{}", world.save()}));
    const Result<Checkpoint> read = read_checkpoint(path);
    EXPECT_TRUE(read) << read.errors().front();
    auto restored = World::restore(scene, GetParam().precision, read->state);
    EXPECT_TRUE(restored) << restored.errors().front();
    return std::move(*restored);
  }

  const TestFolder test_folder_{"resume"};
};

void take_steps(World& world, int count) {
  for (int i = 0; i < count; ++i) ASSERT_TRUE(world.advance_step());
}

void expect_same(const World& a, const World& b) {
  const StateImage x = a.save(), y = b.save();
  EXPECT_TRUE(x.arrays == y.arrays);
  EXPECT_EQ(x.integers, y.integers);
  for (const auto& [name, value] : x.reals) {
    if (name == "frame_wall") continue;  // s on the clock
    EXPECT_EQ(value, y.reals.at(name)) << name;
  }
}

TEST_P(Resume, AtAnyStepGivesTheSameBits) {
  const std::string file = std::string(FIRN_SOURCE_DIR) + "/tests/cli/scenes/" + GetParam().scene;
  const auto scene = read_scene(file, {std::string("/transfer=") + GetParam().transfer});
  ASSERT_TRUE(scene) << scene.errors().front();
  auto straight = World::create(*scene, GetParam().precision);
  ASSERT_TRUE(straight) << straight.errors().front();
  std::unique_ptr<World> stopped = through_file(**straight, *scene);
  for (const int steps : {1, 7, 30, 2}) {
    take_steps(**straight, steps);
    take_steps(*stopped, steps);
    stopped = through_file(*stopped, *scene);
    expect_same(**straight, *stopped);
  }
  // A restart must not be the only thing that is the same: the state did change.
  EXPECT_NE((*straight)->save().arrays,
            World::create(*scene, GetParam().precision).value()->save().arrays);
}

INSTANTIATE_TEST_SUITE_P(Variants, Resume,
                         ::testing::Values(Variant{"mixed_2d.json", Precision::single, "mls"},
                                           Variant{"mixed_2d.json", Precision::double_, "flip"},
                                           Variant{"varied_2d.json", Precision::single, "mls"},
                                           Variant{"varied_2d.json", Precision::double_, "flip"},
                                           Variant{"flow_2d.json", Precision::single, "mls"},
                                           Variant{"flow_2d.json", Precision::double_, "apic"},
                                           Variant{"mixed_3d.json", Precision::single, "mls"},
                                           Variant{"mixed_3d.json", Precision::double_, "apic"}));

}  // namespace
}  // namespace firn

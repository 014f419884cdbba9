// A world made of a pack takes the steps of the world made of its scene, to the bit.
#include "../unit/pack_common.h"
#include "sim/world.h"

namespace firn {
namespace {

struct Variant {
  const char* scene;  // null: the full scene
  Precision precision;
};

SceneSettings scene_of(const char* name) {
  if (name == nullptr) return full_scene();
  const auto scene = read_scene(std::string(FIRN_SOURCE_DIR "/tests/cli/scenes/") + name);
  EXPECT_TRUE(scene.ok()) << scene.errors().front();
  return *scene;
}

class PackWorld : public ::testing::TestWithParam<Variant> {};

TEST_P(PackWorld, TakesTheSameSteps) {
  const SceneSettings scene = scene_of(GetParam().scene);
  auto direct = World::create(scene, GetParam().precision);
  ASSERT_TRUE(direct.ok()) << direct.errors().front();
  const Result<WorldPack> made = make_pack(scene);
  ASSERT_TRUE(made.ok()) << made.errors().front();
  const Result<WorldPack> pack = decode_pack(encode_pack(*made));
  ASSERT_TRUE(pack.ok()) << pack.errors().front();
  auto packed = World::create_from_particles(pack->scene, pack->particles, GetParam().precision);
  ASSERT_TRUE(packed.ok()) << packed.errors().front();
  const StateImage start = (*direct)->save();
  for (int step = 0; step < 20; ++step) {
    const Result<double> a = (*direct)->advance_step(), b = (*packed)->advance_step();
    ASSERT_TRUE(a.ok()) << a.errors().front();
    ASSERT_TRUE(b.ok()) << b.errors().front();
    ASSERT_EQ(*a, *b);
  }
  const StateImage expected = (*direct)->save(), found = (*packed)->save();
  EXPECT_TRUE(expected.arrays == found.arrays);
  EXPECT_EQ(expected.integers, found.integers);
  EXPECT_FALSE(expected.arrays == start.arrays);
  const FrameStats x = (*direct)->statistics(), y = (*packed)->statistics();
  EXPECT_EQ(x.kinetic, y.kinetic);
  ASSERT_EQ(x.probes.size(), y.probes.size());
}

INSTANTIATE_TEST_SUITE_P(Variants, PackWorld,
                         ::testing::Values(Variant{nullptr, Precision::single},
                                           Variant{nullptr, Precision::double_},
                                           Variant{"mixed_2d.json", Precision::single},
                                           Variant{"varied_2d.json", Precision::double_},
                                           Variant{"flow_2d.json", Precision::single},
                                           Variant{"mixed_3d.json", Precision::double_}));

}  // namespace
}  // namespace firn

// A pack gives back what went into it, and a damaged one a line that says so.
#include <filesystem>

#include "pack_common.h"
#include "scene_io/scene_writer.h"
#include "sim/world.h"

namespace firn {
namespace {

void expect_round_trip(const WorldPack& pack) {
  const std::string bytes = encode_pack(pack);
  const Result<WorldPack> again = decode_pack(bytes);
  ASSERT_TRUE(again.ok()) << again.errors().front();
  EXPECT_EQ(write_scene(again->scene), write_scene(pack.scene));
  EXPECT_TRUE(encode_pack(*again) == bytes);
}

TEST(Pack, EveryShippedSceneSurvives) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(FIRN_SOURCE_DIR "/scenes")) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "schema.json") continue;
    SCOPED_TRACE(entry.path().string());
    const auto scene = read_scene(entry.path().string());
    ASSERT_TRUE(scene.ok()) << scene.errors().front();
    expect_round_trip({*scene, {}});
    ++count;
  }
  EXPECT_GE(count, 50);
}

TEST(Pack, EveryModelAndPresetSurvives) {
  for (int model = 0; model < model_count; ++model)
    for (const std::string& preset : preset_names(model)) {
      SceneSettings scene = scene_with({});
      scene.materials = {{"m \"1\"/~", preset, preset_parameters(model, preset)}};
      SCOPED_TRACE(std::string(model_name(model)) + " " + preset);
      expect_round_trip({scene, {}});
    }
}

TEST(Pack, ParticlesAndFieldsSurvive) {
  const Result<WorldPack> pack = make_pack(full_scene());
  ASSERT_TRUE(pack.ok()) << pack.errors().front();
  expect_round_trip(*pack);
  const Result<WorldPack> again = decode_pack(encode_pack(*pack));
  ASSERT_EQ(again->particles.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const ObjectParticles &a = pack->particles[i], &b = again->particles[i];
    ASSERT_GT(a.size(), 10u);
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.velocities, b.velocities);
    EXPECT_EQ(a.mass_scales, b.mass_scales);
    EXPECT_EQ(a.color(3), b.color(3));
  }
  // Files of colliders are baked, those of objects are not needed any more.
  EXPECT_FALSE(again->scene.objects[1].shape.asset);
  ASSERT_TRUE(again->scene.colliders[1].shape.asset);
  EXPECT_EQ(again->scene.colliders[1].shape.asset->field->data().samples,
            pack->scene.colliders[1].shape.asset->field->data().samples);
}

// A line that is none: it has a break, or no words.
bool is_one_line(const Errors& errors) {
  return errors.size() == 1 && errors[0].size() > 10 && errors[0].find('\n') == std::string::npos;
}

TEST(Pack, DamageIsFound) {
  const std::string good = encode_pack(*make_pack(full_scene()));
  for (std::size_t at = 0; at < good.size(); at += at < 600 ? 1 : 997) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    const Result<WorldPack> flipped = decode_pack(bad);
    ASSERT_FALSE(flipped.ok()) << at;
    EXPECT_TRUE(is_one_line(flipped.errors())) << flipped.errors().front();
    const Result<WorldPack> cut = decode_pack(std::string_view(good).substr(0, at));
    ASSERT_FALSE(cut.ok()) << at;
    EXPECT_TRUE(is_one_line(cut.errors())) << cut.errors().front();
  }
  EXPECT_FALSE(decode_pack(good + "x").ok());
  EXPECT_FALSE(decode_pack(std::string(5000, 'x')).ok());
}

// What a checksum cannot find is found by the reader, or harmless: the world is made of it. Mouths
// of emitters that became large would only take their time.
TEST(Pack, DamageBehindTheChecksumIsHarmless) {
  SceneSettings scene = full_scene();
  scene.emitters.clear();
  const std::string sealed = encode_pack(*make_pack(scene));
  const std::string good(*unsealed_pack(sealed));
  int refused = 0, count = 0;
  for (std::size_t at = 0; at < good.size(); at += 61)
    for (const int value : {0, 1, 0x7f, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(value);
      const Result<WorldPack> pack = decode_pack(sealed_pack(bad));
      ++count;
      if (!pack) {
        ++refused;
        EXPECT_TRUE(is_one_line(pack.errors())) << pack.errors().front();
      } else if (at % 7 == 0) {
        (void)World::create_from_particles(pack->scene, pack->particles, Precision::single).ok();
      }
    }
  for (std::size_t at = 0; at < good.size(); at += 401)
    EXPECT_FALSE(decode_pack(sealed_pack(good.substr(0, at))).ok()) << at;
  EXPECT_GT(refused, count / 20);
}

TEST(Pack, HugeCountsAllocateNothing) {
  const std::string good(*unsealed_pack(encode_pack(*make_pack(full_scene()))));
  for (std::size_t at = 0; at + 8 <= good.size() && at < 20000; at += 13) {
    std::string bad = good;
    for (int i = 0; i < 8; ++i) bad[at + i] = static_cast<char>(i == 7 ? 0x0f : 0xff);
    const Result<WorldPack> pack = decode_pack(sealed_pack(bad));
    EXPECT_TRUE(pack.ok() || is_one_line(pack.errors())) << at;
  }
}

TEST(Pack, OtherVersionsAndFilesAreNamed) {
  std::string bytes = encode_pack(*make_pack(scene_with({})));
  bytes[8] = 77;
  EXPECT_NE(decode_pack(bytes).errors().front().find("version 77"), std::string::npos);
  EXPECT_NE(decode_pack("{}").errors().front().find("not a pack"), std::string::npos);
  // Settings under other keys are those of another version.
  std::string content(*unsealed_pack(encode_pack(*make_pack(scene_with({})))));
  content[content.find("kernel") + 1] = 'a';
  EXPECT_EQ(
      decode_pack(sealed_pack(content)).errors(),
      Lines{"the pack cannot be read: its settings are those of another version of firn; pack "
            "the scene again"});
  EXPECT_NE(read_pack("missing.firnpack").errors().front().find("missing.firnpack: "),
            std::string::npos);
  EXPECT_NE(read_pack("/").errors().front().find("folder"), std::string::npos);
}

}  // namespace
}  // namespace firn

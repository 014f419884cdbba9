// The cache of distance fields: hits give the same field without reading the mesh, damage and
// missing folders are as if there were no cache, the oldest files go first.
#include "mesh_io/field_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "mesh_io/atomic_file.h"
#include "mesh_io/field_file.h"
#include "test_folder.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = fs::path(FIRN_SOURCE_DIR) / "tests/fuzz/corpus/mesh";

class FieldCache : public testing::Test {
 protected:
  FieldCache() : folder_("cache") { setenv("FIRN_CACHE", cache().c_str(), 1); }
  ~FieldCache() override { unsetenv("FIRN_CACHE"); }

  fs::path cache() const { return folder_.path() / "fields"; }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(cache(), ignored))
      found.push_back(entry.path());
    return found;
  }
  // A cube without its last face.
  fs::path open_cube(const std::string& name) const {
    std::string text = *read_whole_file(kCorpus / "cube.obj");
    text.resize(text.rfind("f 5 6 8 7"));
    return folder_.write(name, text);
  }
  Result<std::shared_ptr<const DistanceField>> load(const fs::path& path, double spacing = 0.1) {
    warnings_.clear();
    return cached_mesh_field(path, spacing, {}, warnings_);
  }

  TestFolder folder_;
  std::vector<std::string> warnings_;
};

TEST_F(FieldCache, HitIsTheSameFieldWithTheSameWarnings) {
  const fs::path mesh = open_cube("open.obj"), copy = open_cube("copy.obj");
  const auto built = load(mesh);
  ASSERT_TRUE(built.ok()) << built.errors()[0];
  ASSERT_EQ(warnings_.size(), 1u);
  ASSERT_EQ(files().size(), 1u);
  const auto again = load(copy);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(files().size(), 1u);
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0], copy.string() + ": the mesh has 4 open edges; filled by winding number");
  EXPECT_EQ((*built)->data().samples, (*again)->data().samples);
  EXPECT_EQ((*built)->data().slots, (*again)->data().slots);
  EXPECT_EQ((*built)->volume(), (*again)->volume());
}

TEST_F(FieldCache, HitReadsNoMesh) {
  const auto built = load(kCorpus / "cube.obj");
  ASSERT_TRUE(built.ok());
  // The stored field is replaced by that of a ball under the same key: it comes back as it is.
  const fs::path file = files().at(0);
  std::string bytes = *read_whole_file(file);
  Digest key;
  std::memcpy(&key, bytes.data() + 8, sizeof(key));
  const auto ball = build_distance_field(3, {Vec3d::fill(-1), Vec3d::fill(1)}, 0.2,
                                         [](const Vec3d& p) { return std::sqrt(dot(p, p)) - 1; });
  ASSERT_TRUE(write_whole_file(file, encode_field(*ball, {}, key)).ok());
  const auto again = load(kCorpus / "cube.obj");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ((*again)->volume(), ball->volume());
}

TEST_F(FieldCache, WhatTheFieldIsMadeOfIsInTheKey) {
  ASSERT_TRUE(load(kCorpus / "cube.obj", 0.1).ok());
  ASSERT_TRUE(load(kCorpus / "cube.obj", 0.2).ok());
  EXPECT_EQ(files().size(), 2u);
  MeshPlacement larger;
  larger.matrix = Mat<double, 3>::diagonal({{2, 2, 2}});
  const auto scaled = cached_mesh_field(kCorpus / "cube.obj", 0.2, larger, warnings_);
  ASSERT_TRUE(scaled.ok());
  EXPECT_NEAR((*scaled)->volume(), 8, 1e-9);
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(FieldCache, DamagedFilesAreWrittenAnew) {
  const auto built = load(kCorpus / "cube.obj");
  ASSERT_TRUE(built.ok());
  const fs::path file = files().at(0);
  const std::string good = *read_whole_file(file);
  std::string flipped = good;
  flipped[good.size() / 2] ^= 1;
  for (const std::string& bad : {flipped, good.substr(0, 100), std::string(), good + "x"}) {
    ASSERT_TRUE(write_whole_file(file, bad).ok());
    const auto again = load(kCorpus / "cube.obj");
    ASSERT_TRUE(again.ok());
    EXPECT_EQ((*again)->data().samples, (*built)->data().samples);
    EXPECT_EQ(*read_whole_file(file), good);
  }
}

TEST_F(FieldCache, WorksWithoutAFolder) {
  setenv("FIRN_CACHE", "off", 1);
  EXPECT_TRUE(field_cache_folder().empty());
  EXPECT_TRUE(load(kCorpus / "cube.obj").ok());
  EXPECT_TRUE(files().empty());
  setenv("FIRN_CACHE", (folder_.write("a_file", "x") / "below").c_str(), 1);
  EXPECT_TRUE(load(kCorpus / "cube.obj").ok());
}

TEST_F(FieldCache, FilesThatNameOthersAreNotKept) {
  auto text = *read_whole_file(kCorpus / "data.gltf");
  ASSERT_TRUE(load(folder_.write("alone.gltf", text)).ok());
  EXPECT_EQ(files().size(), 1u);
  text.insert(text.rfind('}'), R"(,"images":[{"uri":"a.png"}])");
  ASSERT_TRUE(load(folder_.write("other.gltf", text)).ok());
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(FieldCache, ErrorsNameTheFileAndAreNotKept) {
  const fs::path sheet = folder_.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const auto failed = load(sheet);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.errors()[0].rfind(sheet.string() + ": ", 0), 0u);
  EXPECT_FALSE(load(kCorpus / "cube.obj", 1e-9).ok());
  EXPECT_FALSE(load("missing.obj").ok());
  EXPECT_TRUE(files().empty());
}

TEST_F(FieldCache, OldestFilesGoFirst) {
  const auto now = fs::file_time_type::clock::now();
  for (int k = 0; k < 4; ++k) {
    const fs::path file =
        folder_.write("fields/" + std::to_string(k) + ".field", std::string(100, 'x'));
    fs::last_write_time(file, now - std::chrono::hours(k));
  }
  folder_.write("fields/other.txt", std::string(1000, 'x'));
  trim_field_cache(cache(), 250);
  EXPECT_TRUE(fs::exists(cache() / "0.field"));
  EXPECT_TRUE(fs::exists(cache() / "1.field"));
  EXPECT_FALSE(fs::exists(cache() / "2.field"));
  EXPECT_FALSE(fs::exists(cache() / "3.field"));
  EXPECT_TRUE(fs::exists(cache() / "other.txt"));
}

}  // namespace
}  // namespace firn

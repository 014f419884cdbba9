// Frames made by hand with scenes around them, for painters.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../unit/scene_common.h"
#include "draw/slice_view.h"
#include "render/frame_painter.h"

namespace firn {

inline bool is_reddish(const std::uint8_t* p) {
  return p[0] > 2 * p[1] && p[0] > 2 * p[2];
}

struct PaintedRun {
  SceneSettings scene;
  Frame table;
  RenderRunOptions options;

  Survey survey() const {
    Result<Survey> made = survey_run({table}, scene, options);
    EXPECT_TRUE(made.ok());
    return std::move(*made);
  }
  Image paint(FramePainter& painter) const {
    const Survey all = survey();
    Result<Image> image = painter.paint(table, all, all.scene, all.camera);
    EXPECT_TRUE(image.ok()) << (image ? "" : image.errors()[0]);
    return image ? std::move(*image) : Image(1, 1);
  }
  GridSliceOptions slice(const std::string& field) const {
    const Result<GridSliceOptions> made = parse_slice(field, scene);
    EXPECT_TRUE(made.ok());
    return *made;
  }
};

inline void add_positions(PaintedRun& run, const std::vector<Vec3d>& places, int dimension) {
  PointTable& table = run.table;
  table.count = places.size();
  table.columns.reserve(32);
  table.metadata["dimension"] = std::to_string(dimension);
  const char* names[] = {"x", "y", "z"};
  for (int k = 0; k < dimension; ++k) {
    auto& column = table.add<float>(names[k]);
    for (std::size_t i = 0; i < places.size(); ++i) column[i] = static_cast<float>(places[i][k]);
  }
  for (const char* name : {"red", "green", "blue"}) {
    auto& column = table.add<std::uint8_t>(name);
    std::fill(column.begin(), column.end(), std::uint8_t(name[0] == 'r' ? 210 : 20));
  }
}

// A ball of radius 0.5 m made of red particles, 20 across, whose F stretches along x; above a floor
// and beside a box.
inline PaintedRun stretched_ball() {
  PaintedRun run;
  run.scene = scene_with({}, R"({
    "grid": {"spacing": 0.1}, "materials": {"a": {"model": "neo_hookean"}},
    "objects": [{"shape": {"type": "ball", "radius": 0.5, "center": [0, 0.6, 0]}, "material": "a"}],
    "colliders": [{"shape": {"type": "plane"}},
                  {"shape": {"type": "box", "size": [0.3, 0.3, 0.3], "center": [0.9, 0.15, 0]}}]
  })");
  std::vector<Vec3d> places;
  constexpr int kSide = 20;
  for (int k = 0; k < kSide * kSide * kSide; ++k) {
    Vec3d p;
    for (int a = 0, rest = k; a < 3; ++a, rest /= kSide) p[a] = (rest % kSide + 0.5) / kSide - 0.5;
    if (dot(p, p) < 0.25) places.push_back(p + Vec3d{{0, 0.6, 0}});
  }
  add_positions(run, places, 3);
  const char* names[] = {"F_xx", "F_xy", "F_xz", "F_yx", "F_yy", "F_yz", "F_zx", "F_zy", "F_zz"};
  for (int k = 0; k < 9; ++k) {
    auto& column = run.table.add<float>(names[k]);
    std::fill(column.begin(), column.end(), k == 0 ? 1.4f : k % 4 == 0 ? 1.0f : 0.0f);
  }
  auto& volume = run.table.add<float>("volume");
  std::fill(volume.begin(), volume.end(), static_cast<float>(1.0 / (kSide * kSide * kSide)));
  run.options.width = 240;
  run.options.height = 180;
  return run;
}

// A block of 1 m around the origin that moves along x with the speed x.
inline PaintedRun sheared_block(int dimension) {
  PaintedRun run;
  const char* solid = R"({
    "grid": {"spacing": 0.1}, "materials": {"a": {"model": "neo_hookean"}},
    "objects": [{"shape": {"type": "box", "size": [1, 1, 1]}, "material": "a"}]})";
  const char* flat = R"({
    "dimension": 2, "grid": {"spacing": 0.1}, "materials": {"a": {"model": "neo_hookean"}},
    "objects": [{"shape": {"type": "box", "size": [1, 1]}, "material": "a"}]})";
  run.scene = scene_with({}, dimension == 3 ? solid : flat);
  constexpr int kSide = 20;
  std::vector<Vec3d> places;
  for (int k = 0; k < (dimension == 3 ? kSide : 1) * kSide * kSide; ++k) {
    Vec3d p = Vec3d::zero();
    for (int a = 0, rest = k; a < dimension; ++a, rest /= kSide)
      p[a] = (rest % kSide + 0.5) / kSide - 0.5;
    places.push_back(p);
  }
  add_positions(run, places, dimension);
  const char* names[] = {"vx", "vy", "vz"};
  for (int k = 0; k < dimension; ++k) {
    auto& column = run.table.add<float>(names[k]);
    for (std::size_t i = 0; i < places.size(); ++i)
      column[i] = k == 0 ? static_cast<float>(places[i][0]) : 0.0f;
  }
  run.options.width = 240;
  run.options.height = 180;
  return run;
}

}  // namespace firn

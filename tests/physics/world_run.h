// Worlds of scenes made in code, in double precision; whatever goes wrong fails the test.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "cases/case_tools.h"

namespace firn {

inline std::unique_ptr<World> started(const SceneSettings& scene) {
  auto world = World::create(scene, Precision::double_);
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.errors().front());
  return std::move(*world);
}

inline void advance(World& world, int frames) {
  const Errors errors = run_frames(world, frames);
  ASSERT_TRUE(errors.empty()) << errors.front();
}

}  // namespace firn

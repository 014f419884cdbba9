// Probes, what they read, and still water to read.
#pragma once

#include <gtest/gtest.h>

#include "cases/case_tools.h"

namespace firn {

constexpr double kGravity = 9.81;

inline ProbeSettings probe(const char* name, ProbeKind kind, const Vec3d& position,
                           double radius = 0) {
  ProbeSettings p;
  p.name = name;
  p.kind = kind;
  p.position = position;
  p.radius = radius;
  return p;
}

inline std::optional<double> value(const FrameStats& stats, const std::string& probe,
                                   const std::string& name) {
  for (const ProbeReading& reading : stats.probes)
    for (const auto& [key, found] : reading.values)
      if (reading.name == probe && key == name) return found;
  ADD_FAILURE() << "no " << probe << "." << name;
  return std::nullopt;
}

// Water 0.6 m deep in a tank, at rest from the start.
inline SceneSettings tank(int dimension, double spacing, double density, double fps) {
  SceneSettings scene = case_scene(dimension, spacing, fps);
  scene.gravity = {{0, -kGravity, 0}};
  const int water = add_material(scene, Fluid::Parameters());
  add_box(scene, water, density, {{0, 0, 0}}, {{0.6, 0.6, 0.4}}).initial_stress =
      InitialStressSettings{InitialStressKind::hydrostatic};
  add_container(scene, {{0, 0, 0}}, {{0.6, 2, 0.4}}, ContactKind::separate);
  return scene;
}

}  // namespace firn

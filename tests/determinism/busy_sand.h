// Sand falls onto a wheel that turns, under a stream that a sink swallows.
#pragma once

#include "cases/case_tools.h"

namespace firn {

// `sink_at`: the middle of the sink along x, m.
inline SceneSettings busy_sand(SolverKind solver, std::int64_t dimension, double sink_at) {
  SceneSettings scene = case_scene(dimension, 0.05, 50);
  scene.solver = solver;
  scene.gravity = {{0, -9.81, 0}};
  const int sand = add_material(scene, Sand::Parameters());
  const double depth = dimension == 3 ? 0.1 : 0;
  add_box(scene, sand, 1500, {{0, 0.1, 0}}, {{0.4, 0.4, depth}}).velocity = {{2, -1, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.5);
  ColliderSettings& wheel = scene.colliders.emplace_back();
  wheel.shape.kind = ShapeType::ball;
  wheel.shape.center = {{0.6, 0.15, 0}};
  wheel.shape.radius = 0.15;
  wheel.friction.value = 0.5;
  wheel.motion.emplace();
  wheel.motion->pivot = wheel.shape.center;
  wheel.motion->rotation[2] = {0, "200*t"};
  EmitterSettings& stream = scene.emitters.emplace_back();
  stream.material = sand;
  stream.shape.kind = ShapeType::box;
  stream.shape.size = {{0.2, 0.1, depth}};
  stream.shape.center = {{0.2, 0.6, depth / 2}};
  stream.velocity = {{0, -2, 0}};
  SinkSettings& sink = scene.sinks.emplace_back();
  sink.shape.kind = ShapeType::box;
  sink.shape.size = {{0.2, 2, 1}};
  sink.shape.center = {{sink_at, 0, 0}};
  return scene;
}

}  // namespace firn

#include "cases/agreement_scenes.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05;
// Enough for two looks at the volume of fluids.
constexpr int kManySteps = 40;

ModelParameters material(const char* model) {
  return default_parameters(model_index_by_name(model));
}
ModelParameters soft_water() {
  Fluid::Parameters water;
  water.bulk_modulus = 2e4;
  return water;
}

// A box of the material above a floor, moving down and aside.
SceneSettings falling_box(int dimension, const ModelParameters& parameters) {
  SceneSettings scene = case_scene(dimension, kSpacing, 100);
  scene.gravity = {{0, -9.81, 0}};
  const double depth = dimension == 3 ? 0.4 : 0.0;
  ObjectSettings& box =
      add_box(scene, add_material(scene, parameters), 1000, {{0, 0.06, 0}}, {{0.6, 0.56, depth}});
  box.name = "box";
  box.velocity = {{1, -4, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.4).name = "floor";
  return scene;
}

// A box-shaped obstacle that nothing moves yet.
ColliderSettings& add_block(SceneSettings& scene, const Vec3d& center, const Vec3d& size) {
  ColliderSettings& block = add_plane(scene, center, {{0, 1, 0}}, ContactKind::separate, 0.3);
  block.shape.kind = ShapeType::box;
  block.shape.size = size;
  block.name = "block";
  block.motion.emplace();
  return block;
}

// Driven into the box by keyframes.
AgreementScene moving_box(int dimension) {
  SceneSettings scene = falling_box(dimension, material("sand"));
  ColliderSettings& block = add_block(scene, {{0.8, 0.3, 0.2}}, {{0.3, 0.5, 1}});
  block.motion->keyframes.resize(2);
  block.motion->keyframes[1].time = 0.1;
  block.motion->keyframes[1].translation = {{-0.5, 0.05, 0}};
  block.motion->interpolation = Interpolation::linear;
  return {"moving_box", scene, kManySteps};
}

// A paddle of two bars that turns in water.
AgreementScene rotating_paddle(int dimension) {
  SceneSettings scene = falling_box(dimension, soft_water());
  ColliderSettings& paddle = add_block(scene, {{0.3, 0.3, 0.2}}, {{0.3, 0.06, 1}});
  paddle.shape.kind = ShapeType::union_;
  paddle.shape.parts.resize(2);
  for (int i = 0; i < 2; ++i) {
    PartSettings& bar = paddle.shape.parts[i];
    bar.kind = ShapeType::box;
    bar.center = {{0.3, 0.3, 0.2}};
    bar.size = i == 0 ? Vec3d{{0.3, 0.06, 1}} : Vec3d{{0.06, 0.3, 1}};
  }
  paddle.motion->rotation[2] = {0, "700*t"};
  paddle.motion->pivot = Vec3d{{0.3, 0.3, 0.2}};
  return {"rotating_paddle", scene, kManySteps};
}

// A ball as a mesh is one: a sampled distance, driven up into snow.
AgreementScene moving_mesh(int dimension) {
  SceneSettings scene = falling_box(dimension, material("snow"));
  ColliderSettings& mesh = add_block(scene, {{0.3, -0.05, 0.2}}, {{1, 1, 1}});
  mesh.contact = ContactKind::sticky;
  mesh.shape.kind = ShapeType::mesh;
  const Vec3d half{{0.15, 0.15, 0.15}};
  const auto ball = build_distance_field(dimension, Bounds{-half, half}, 0.02, [](const Vec3d& x) {
    return std::sqrt(dot(x, x)) - 0.15;
  });
  if (ball) {
    auto asset = std::make_shared<ShapeAsset>();
    asset->field = std::make_shared<DistanceField>(*ball);
    mesh.shape.asset = asset;
  }
  mesh.motion->translation[1] = {0, "4*t"};
  return {"moving_mesh", scene, kManySteps};
}

// A ball that becomes an ellipsoid and a ball again under soft matter. It stays so far away that
// the guard of particles is not needed: whether a particle that rides on the surface is put back
// depends on its last digit, and moves it by 1e-4 cells.
AgreementScene deforming_body(int dimension) {
  SceneSettings scene = falling_box(dimension, material("neo_hookean"));
  scene.colliders.clear();
  ColliderSettings& body = add_block(scene, {{0.31, -0.16, 0.17}}, {{0.3, 0.36, 0.34}});
  body.motion.reset();
  body.shape.kind = ShapeType::ball;
  body.deformation.resize(3);
  for (int i = 0; i < 3; ++i) {
    body.deformation[i].time = 0.01 * i;
    body.deformation[i].shape = body.shape;
    body.deformation[i].shape.radius = 0.15 + 0.02 * i;
  }
  body.deformation[1].shape.kind = ShapeType::ellipsoid;
  return {"deforming_body", scene, 20};
}

AgreementScene fluid_tank(int dimension) {
  SceneSettings scene = falling_box(dimension, soft_water());
  scene.colliders.clear();
  const double depth = dimension == 3 ? 0.4 : 0.0;
  add_container(scene, {{-0.01, 0.02, -0.01}}, {{0.7, 1, depth + 0.01}}, ContactKind::separate)
      .name = "tank";
  add_box(scene, add_material(scene, soft_water()), 1000, {{0.2, 0.6, 0}}, {{0.4, 0.7, depth}})
      .name = "drop";
  return {"fluid_tank", scene, 4 * kManySteps};
}

AgreementScene gravity_in_space(int dimension) {
  SceneSettings scene = falling_box(dimension, material("sand"));
  scene.gravity = {{{0, "4*sin(30*t)*y"}, {0, "-20*x-10"}, {0, "5*(0.2-z)"}}};
  if (dimension == 2) scene.gravity[2] = 0;
  return {"gravity_in_space", scene, kManySteps};
}

AgreementScene gravity_in_time(int dimension) {
  SceneSettings scene = falling_box(dimension, material("snow"));
  scene.gravity[0] = {0, "30*sin(50*t)"};
  scene.colliders[0].friction = {0, "0.5+0.5*sin(100*t+x)"};
  return {"gravity_in_time", scene, kManySteps};
}

// Water from two mouths, one of which stops where it is full, into the box; a corner drinks it.
AgreementScene emitter_and_sink(int dimension) {
  SceneSettings scene = falling_box(dimension, soft_water());
  for (int i = 0; i < 2; ++i) {
    EmitterSettings& emitter = scene.emitters.emplace_back();
    emitter.name = "emitter" + std::to_string(i);
    emitter.shape.kind = ShapeType::box;
    emitter.shape.size = {{0.2, 0.1, 0.2}};
    emitter.shape.center = {{0.9 - 0.6 * i, 0.3, 0.2}};
    emitter.material = i == 0 ? add_material(scene, soft_water()) : 0;
    emitter.density = 900;
    emitter.velocity = {{-1, -3, 0}};
    emitter.until_full = i == 1;
    emitter.colors.resize(1);
    emitter.sampling.particles_per_cell = dimension == 2 ? 4 : 8;
  }
  SinkSettings& sink = scene.sinks.emplace_back();
  sink.name = "sink";
  sink.shape.kind = ShapeType::ball;
  sink.shape.center = {{0.7, 0.1, 0.2}};
  sink.shape.radius = 0.2;
  sink.start = 0.01;
  return {"emitter_and_sink", scene, 3 * kManySteps};
}

// Nothing but what an emitter brings. Later on, whether a particle still finds room is a matter of
// rounding.
AgreementScene emitter_alone(int dimension) {
  SceneSettings scene = emitter_and_sink(dimension).scene;
  scene.objects.clear();
  scene.sinks.clear();
  scene.emitters.pop_back();
  std::get<Fluid::Parameters>(scene.materials[1].parameters).viscosity = 50;
  return {"emitter_alone", scene, kManySteps / 2};
}

// A parameter that bounds dt by viscosity, as an expression.
AgreementScene with_expression(AgreementScene test, int material, const char* parameter,
                               const char* expression) {
  test.scene.materials[material].expressions.push_back({parameter, expression});
  return test;
}
AgreementScene varied_viscosity(int dimension) {
  return with_expression({"varied_viscosity", falling_box(dimension, soft_water()), kManySteps}, 0,
                         "viscosity", "300 + 500*x + 2e4*t");
}
AgreementScene varied_det_max(int dimension) {
  Fluid::Parameters honey;
  honey.bulk_modulus = 2e4;
  honey.viscosity = 400;
  return with_expression({"varied_det_max", falling_box(dimension, honey), kManySteps}, 0,
                         "det_max", "1.05 + 0.1*x + 20*t");
}
AgreementScene varied_paste(int dimension) {
  return with_expression(
      {"varied_paste", falling_box(dimension, material("viscoelastic")), kManySteps}, 0,
      "viscosity", "200 + 500*y + 1e4*t");
}
// The most viscous particles are those that come in, and those that leave.
AgreementScene varied_emitter(int dimension) {
  AgreementScene test = with_expression(emitter_and_sink(dimension), 0, "viscosity", "100 + 900*x");
  test.name = "varied_emitter";
  return with_expression(std::move(test), 1, "viscosity", "1000*x");
}

AgreementScene force(int dimension) {
  return {"interactive_force", falling_box(dimension, material("fixed_corotated")), kManySteps,
          [](World& world) {
            InteractiveForce pull;
            pull.kind = ForceKind::pull;
            pull.center = {{0.4, 0.4, 0.2}};
            pull.velocity = {{0.5, 1, 0}};
            pull.radius = 0.2;
            world.set_force(pull);
          }};
}

AgreementScene body_force(int dimension) {
  return {"body_force", falling_box(dimension, material("neo_hookean")), 20, [](World& world) {
            world.set_body_force([](const Vec3d& x, double t) {
              return Vec3d{{10 * std::sin(5 * x[1]), 20 * x[0] + t, 0}};
            });
          }};
}

// A block that is pushed down a rough slope: its nodes are held, keep grip and lose it again, while
// blocks are sorted.
AgreementScene rough_slope(int dimension) {
  SceneSettings scene = falling_box(dimension, material("neo_hookean"));
  scene.gravity = {{3, -9, 0}};
  scene.colliders.clear();
  scene.objects[0].velocity = {{1, -0.5, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.4);
  return {"rough_slope", scene, kManySteps};
}

// More obstacles at each node of a corner than are listed for it.
AgreementScene many_obstacles(int dimension) {
  SceneSettings scene = falling_box(dimension, material("neo_hookean"));
  scene.colliders.clear();
  for (int i = 0; i < 10; ++i) {
    const double angle = (i < 9 ? 80 - 4 * i : 0) * kDegree;
    add_plane(scene, {{0, 0, 0}}, {{std::sin(angle), std::cos(angle), 0}}, ContactKind::separate,
              0.1);
  }
  return {"many_obstacles", scene, kManySteps};
}

// A ball beside a ball beside a ball..., each pair a shape of the next: deep calls of functions.
AgreementScene nested_shapes(int dimension) {
  constexpr int kLevels = 12;
  SceneSettings scene = falling_box(dimension, material("neo_hookean"));
  ColliderSettings& block = add_block(scene, {{0, 0.02, 0.2}}, {{0.04, 0.04, 0.04}});
  block.motion.reset();
  PartSettings shape;
  static_cast<ShapeSettings&>(shape) = block.shape;
  for (int i = 1; i <= kLevels; ++i) {
    PartSettings ball;
    ball.kind = ShapeType::ball;
    ball.center = {{0.05 * i, 0.02, 0.2}};
    ball.radius = 0.03;
    PartSettings both;
    both.kind = ShapeType::union_;
    both.parts = {shape, ball};
    shape = both;
  }
  static_cast<ShapeSettings&>(block.shape) = shape;
  return {"nested_shapes", scene, kManySteps / 2};
}

// Devices take the steps of a frame by themselves, so that one comes first.
void run_frame(World& world) {
  const std::atomic<bool> stop{false};
  // Where it fails, so do the steps that follow.
  if (!world.advance_frame(stop)) return;
}

}  // namespace

bool is_among(const std::string& scene, const std::vector<std::string>& names) {
  return names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& name) {
           return scene == name || scene.starts_with(name + " ");
         });
}

std::vector<AgreementScene> agreement_scenes(int dimension) {
  std::vector<AgreementScene> scenes{
      moving_box(dimension),      rotating_paddle(dimension),  deforming_body(dimension),
      moving_mesh(dimension),     fluid_tank(dimension),       gravity_in_space(dimension),
      gravity_in_time(dimension), emitter_and_sink(dimension), emitter_alone(dimension),
      force(dimension),           body_force(dimension),       rough_slope(dimension),
      many_obstacles(dimension),  nested_shapes(dimension),    varied_viscosity(dimension),
      varied_det_max(dimension),  varied_paste(dimension),     varied_emitter(dimension)};
  for (AgreementScene& test : scenes)
    test.prepare = [prepare = test.prepare](World& world) {
      if (prepare) prepare(world);
      run_frame(world);
    };
  return scenes;
}

}  // namespace firn

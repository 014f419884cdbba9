// Implicit steps on both devices. Solved to eight digits in double precision they leave the same
// state, however each side gets there.
#include <algorithm>

#include "cases/agreement_scenes.h"
#include "cases/case_tools.h"
#include "cases/compare_devices.h"
#include "cases/implicit_tools.h"

namespace firn {
namespace {

// In double precision, after kAgreementSteps; and where little of a velocity is what a step adds.
constexpr double kAgrees = 1e-6, kAgreesRoughly = 1e-5;
// Longer steps of sand and fluids, or where much happens around them, may miss their tolerance and
// be halved: whether they do is a matter of rounding, and particles then come and go at other
// times.
constexpr double kShortStep = 1e-3;  // s
// Otherwise their length would follow from how many iterations each side takes.
constexpr double kLongStep = 1.0 / 96;  // s

ModelParameters model(const char* name) {
  return default_parameters(model_index_by_name(name));
}
double spacing_of(int dimension) {
  return dimension == 3 ? 0.1 : 0.05;
}

// The one that a scene can have.
IntegratorKind kind_for(const SceneSettings& scene) {
  const bool sand =
      std::any_of(scene.materials.begin(), scene.materials.end(), [](const MaterialSettings& m) {
        return std::holds_alternative<Sand::Parameters>(m.parameters);
      });
  return sand ? IntegratorKind::newton : IntegratorKind::optimization;
}

// Two balls that meet above a floor. No particle lies on a border of cells: one that does has nodes
// of almost no mass beside it, and whether it has, with kernels whose gradients vanish more slowly
// than their weights, is a matter of the last digit that strains it by a tenth.
SceneSettings balls_scene(int dimension, const ModelParameters& parameters, double friction) {
  SceneSettings scene = case_scene(dimension, spacing_of(dimension), 48);
  scene.gravity = {{0, -9.81, 0}};
  const int material = add_material(scene, parameters);
  for (int i = 0; i < 2; ++i) {
    ObjectSettings& ball = add_ball(scene, material, 1000, {{0.111 + 0.5 * i, 0.267, 0.322}}, 0.22);
    ball.name = "ball" + std::to_string(i);
    ball.velocity = {{i == 0 ? 2.0 : -1.0, -1, 0}};
  }
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, friction).name = "floor";
  scene.integrator.fixed_dt = kLongStep;
  return scene;
}

AgreementScene wedge(int dimension) {
  SceneSettings scene = case_scene(dimension, spacing_of(dimension), 120);
  scene.gravity = {{2, -9.81, 0}};
  add_box(scene, add_material(scene, model("sand")), 1600, {{0, 0, 0}},
          {{1, 0.4, dimension == 3 ? 0.4 : 0.0}})
      .name = "sand";
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.6).name = "floor";
  scene.integrator.fixed_dt = kShortStep;
  return {"wedge", scene};
}

// Elastic balls with every integrator and preconditioner, and other materials.
std::vector<AgreementScene> material_scenes(int dimension) {
  std::vector<AgreementScene> scenes;
  const ModelParameters soft = elastic_material<NeoHookean>(2e5, 0.3);
  for (const auto& [kind, name] : kImplicitKinds) {
    scenes.push_back({std::string(name) + " balls", balls_scene(dimension, soft, 0)});
    scenes.back().scene.integrator.kind = kind;
    scenes.push_back({std::string(name) + " rough_balls", balls_scene(dimension, soft, 0.3)});
    scenes.back().scene.integrator.kind = kind;
  }
  for (const PreconditionerKind kind : {PreconditionerKind::none, PreconditionerKind::diagonal}) {
    scenes.push_back({kind == PreconditionerKind::none ? "unconditioned balls" : "diagonal balls",
                      balls_scene(dimension, soft, 0)});
    scenes.back().scene.integrator.preconditioner = kind;
  }
  for (int m = 0; m < model_count; ++m)
    if (model_name(m) != std::string("sand"))
      scenes.push_back({model_name(m), balls_scene(dimension, default_parameters(m), 0.2)});
  // What yields of snow is found again after each solve, and not to eight digits in long steps;
  // metal begins to yield all at once.
  for (AgreementScene& test : scenes)
    if (test.name == "snow" || test.name == "von_mises")
      test.scene.integrator.fixed_dt = kShortStep;
  for (const char* name : {"snow", "fluid"}) {
    scenes.push_back(
        {std::string("semi_implicit ") + name, balls_scene(dimension, model(name), 0.2)});
    scenes.back().scene.integrator.kind = IntegratorKind::semi_implicit;
    scenes.back().scene.integrator.fixed_dt = kShortStep;
  }
  scenes.push_back(wedge(dimension));
  return scenes;
}

// Balls whose particles move with the velocity at their new places, on a floor that holds them too.
std::vector<AgreementScene> backward_scenes(int dimension) {
  std::vector<AgreementScene> scenes;
  for (const auto& [kernel, name] :
       {std::pair{KernelKind::linear, "linear"}, std::pair{KernelKind::quadratic, "quadratic"},
        std::pair{KernelKind::cubic, "cubic"}}) {
    SceneSettings scene = balls_scene(dimension, elastic_material<NeoHookean>(2e5, 0.3), 0);
    scene.mpm.kernel = kernel;
    if (kernel == KernelKind::cubic) scene.mpm.transfer = TransferKind::apic;
    if (kernel == KernelKind::quadratic) scene.colliders.back().contact = ContactKind::sticky;
    scene.integrator.positions = PositionKind::backward;
    scenes.push_back({std::string("backward ") + name, scene});
  }
  return scenes;
}

void add_smooth_ball(SceneSettings& scene, const char* name, const Vec3d& center, double radius) {
  ColliderSettings& ball = scene.colliders.emplace_back();
  ball.name = name;
  ball.shape.kind = ShapeType::ball;
  ball.shape.center = center;
  ball.shape.radius = radius;
  ball.contact = ContactKind::separate;
}

// Stiff balls that cross many cells in a step, late in the run to where they meet a floor and a
// post.
std::vector<AgreementScene> flight_scenes(int dimension, Precision precision) {
  std::vector<AgreementScene> scenes;
  for (const double cells : {2.0, 12.0}) {
    // In single precision some of these steps miss their tolerance and are halved.
    if (cells > 2 && precision == Precision::single) continue;
    constexpr double kWave = 33;  // cells a step
    const double h = spacing_of(dimension), stride = 0.9 * cells * h, speed = stride / kLongStep;
    const double modulus = 1000 * square(kWave * h / kLongStep);
    SceneSettings scene = balls_scene(dimension, elastic_material<NeoHookean>(modulus, 0.3), 0);
    for (int i = 0; i < 2; ++i) {
      scene.objects[i].shape.center[1] += 13.3 * stride;
      scene.objects[i].velocity = {{(i == 0 ? 0.1 : -0.1) * speed, -speed, 0}};
    }
    add_smooth_ball(scene, "post", {{0.05, 0.1, 0.3}}, 0.2);
    scene.integrator.implicit_cfl = cells;
    scenes.push_back({"cfl_" + std::to_string(static_cast<int>(cells)), scene});
  }
  return scenes;
}

// Water between smooth walls and around a ball: mirrors along the grid and askew, and where several
// meet.
SceneSettings basin_scene(int dimension, IntegratorKind kind) {
  SceneSettings scene = case_scene(dimension, spacing_of(dimension), 48);
  scene.gravity = {{-1, -9.81, 0}};
  Fluid::Parameters water;
  water.bulk_modulus = 2e4;
  ObjectSettings& box = add_box(scene, add_material(scene, water), 1000, {{0.013, 0.021, 0.017}},
                                {{0.8, 0.6, dimension == 3 ? 0.5 : 0.0}});
  box.name = "water";
  box.velocity = {{-0.4, -1, dimension == 3 ? -0.2 : 0.0}};
  add_plane(scene, {{0, 0, 0}}, {{0.1, 1, 0}}, ContactKind::slip).name = "slope";
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::separate).name = "wall";
  if (dimension == 3)
    add_plane(scene, {{0, 0, 0}}, {{0, 0.2, 1}}, ContactKind::separate).name = "back";
  scene.integrator.kind = kind;
  scene.integrator.fixed_dt = kShortStep;
  add_smooth_ball(scene, "ball", {{0.5, 0.2, 0.25}}, 0.13);
  return scene;
}
std::vector<AgreementScene> mirror_scenes(int dimension) {
  std::vector<AgreementScene> scenes;
  for (const auto& [kind, name] : kImplicitKinds)
    scenes.push_back({std::string(name) + " mirrors", basin_scene(dimension, kind)});
  AgreementScene gradients{"apic mirrors", basin_scene(dimension, IntegratorKind::optimization)};
  gradients.scene.mpm.transfer = TransferKind::apic;
  gradients.scene.mpm.kernel = KernelKind::cubic;
  scenes.push_back(gradients);
  return scenes;
}

// Coarser grids in the preconditioner: a few nodes of them, and many.
std::vector<AgreementScene> multigrid_scenes(int dimension) {
  std::vector<AgreementScene> scenes;
  const ModelParameters soft = elastic_material<NeoHookean>(2e5, 0.3);
  for (const auto& [kind, name] : kImplicitKinds) {
    scenes.push_back({std::string(name) + " rough_balls", balls_scene(dimension, soft, 0.3)});
    scenes.back().scene.integrator.kind = kind;
  }
  scenes.push_back({"fine_balls", balls_scene(dimension, soft, 0)});
  scenes.back().scene.grid.spacing = dimension == 3 ? 0.03 : 0.01;
  scenes.push_back({"fluid", balls_scene(dimension, model("fluid"), 0.2)});
  scenes.push_back({"held", balls_scene(dimension, soft, 0)});
  scenes.back().scene.colliders.back().contact = ContactKind::sticky;
  scenes.push_back({"mirrors", basin_scene(dimension, IntegratorKind::optimization)});
  for (AgreementScene& test : scenes) test.name = "multigrid " + test.name;
  return scenes;
}

// Velocities near mirrors are known far worse than residuals say: two tolerances or preconditioners
// of the CPU may differ by as much.
void solve_mirrors(Precision precision, AgreementScene& test) {
  const bool is_double = precision == Precision::double_;
  IntegratorSettings& integrator = test.scene.integrator;
  integrator.tolerance = is_double ? 1e-10 : 1e-6;
  test.tolerance = is_double ? kAgreesRoughly : 0.02;
}

// In single precision strains of the linear kernel, which jump from cell to cell, are known to a
// tenth after long steps.
std::vector<AgreementScene> scheme_scenes(int dimension, Precision precision) {
  std::vector<AgreementScene> scenes = transfer_scenes(dimension);
  for (AgreementScene& test : scenes) {
    const MpmKeys scheme = test.scene.mpm;
    test.scene = balls_scene(dimension, elastic_material<FixedCorotated>(2e5, 0.3), 0.2);
    test.scene.mpm = scheme;
    test.scene.mpm.particle_collisions = false;
    if (precision == Precision::single && scheme.kernel == KernelKind::linear)
      test.scene.integrator.fixed_dt = kShortStep;
  }
  return scenes;
}

}  // namespace

std::vector<AgreementScene> implicit_scenes(int dimension, Precision precision) {
  std::vector<AgreementScene> scenes = scheme_scenes(dimension, precision);
  for (AgreementScene& test : material_scenes(dimension)) scenes.push_back(std::move(test));
  for (AgreementScene& test : mirror_scenes(dimension)) scenes.push_back(std::move(test));
  for (AgreementScene& test : multigrid_scenes(dimension)) scenes.push_back(std::move(test));
  for (AgreementScene& test : backward_scenes(dimension)) scenes.push_back(std::move(test));
  for (AgreementScene& test : flight_scenes(dimension, precision))
    scenes.push_back(std::move(test));
  for (AgreementScene& test : agreement_scenes(dimension)) {
    // In 3D friction among so many planes has several solutions.
    if (dimension == 3 && test.name == "many_obstacles") continue;
    // Those at a mesh are not solved to many digits, in single precision to none that counts.
    if (test.name == "moving_mesh" && precision != Precision::double_) continue;
    test.scene.grid.spacing = spacing_of(dimension);
    test.scene.integrator.fixed_dt = kShortStep;
    scenes.push_back(std::move(test));
  }
  for (AgreementScene& test : scenes) {
    test.name = "implicit " + test.name;
    test.steps = kAgreementSteps;
    IntegratorSettings& integrator = test.scene.integrator;
    if (integrator.is_explicit()) integrator.kind = kind_for(test.scene);
    // Smoothing steps of coarser grids are not the same on both sides.
    if (integrator.preconditioner == PreconditionerKind::multigrid &&
        !test.name.starts_with("implicit multigrid"))
      integrator.preconditioner = PreconditionerKind::blocks;
    const bool brief = integrator.fixed_dt == kShortStep;
    if (precision == Precision::double_) test.tolerance = brief ? kAgreesRoughly : kAgrees;
    integrator.tolerance = precision == Precision::double_ ? 1e-8 : brief ? 1e-5 : 1e-4;
    if (test.name == "implicit moving_mesh") integrator.tolerance = 1e-7;
    if (integrator.implicit_cfl > 1) integrator.tolerance /= 10;
    if (test.name.ends_with(" mirrors")) solve_mirrors(precision, test);
  }
  return scenes;
}

}  // namespace firn

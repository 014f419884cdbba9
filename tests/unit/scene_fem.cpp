// Scenes of meshed solids: keys and their defaults, meshes of objects, what becomes a particle, and
// what is refused.
#include <cmath>

#include "geometry/simplex_check.h"
#include "pack/world_pack.h"
#include "scene/check.h"
#include "scene/object_mesh.h"
#include "scene_common.h"
#include "scene_io/scene_writer.h"
#include "test_folder.h"

namespace firn {
namespace {

const char* const kSolidScene = R"({
  "solver": "fem", "fps": 24, "grid": {"spacing": 0.1},
  "materials": {"rubber": {"model": "fixed_corotated"}, "jelly": {"model": "neo_hookean"}},
  "objects": [
    {"name": "beam", "shape": {"type": "box", "size": [1, 0.4, 0.4], "center": [0, 1, 0]},
     "material": "rubber", "mesh": {"type": "lattice"}}],
  "colliders": [{"name": "floor", "shape": {"type": "plane"}}]
})";

const char* const kFlatSolid = R"({
  "solver": "fem", "dimension": 2, "gravity": [0, -9.81], "grid": {"spacing": 0.05},
  "materials": {"rubber": {"model": "st_venant_kirchhoff"}},
  "objects": [{"shape": {"type": "disc", "radius": 0.5, "center": [1, 1]}, "material": "rubber"}]
})";

SceneSettings solid(const Lines& overrides = {}) {
  return scene_with(overrides, kSolidScene);
}
TEST(SceneFem, KeysHaveDefaults) {
  const SceneSettings scene = solid();
  EXPECT_EQ(scene.solver, SolverKind::fem);
  EXPECT_EQ(scene.integrator.kind, IntegratorKind::optimization);
  EXPECT_EQ(scene.integrator.scheme, TimeScheme::backward_euler);
  EXPECT_EQ(scene.integrator.minimizer, MinimizerKind::robust);
  EXPECT_EQ(scene.integrator.steps_per_frame, 1);
  EXPECT_EQ(scene.integrator.fem_max_newton, 200);
  EXPECT_FALSE(scene.fem.self_collision.has_value());
  EXPECT_EQ(scene.fem.friction, FrictionMethod::inside);
  EXPECT_EQ(scene.colliders[0].method, ObstacleMethod::automatic);
  EXPECT_EQ(scene.objects[0].start, MeshStart::rest);
  EXPECT_EQ(scene.objects[0].mesh->order, 1);
  EXPECT_DOUBLE_EQ(mesh_edge(scene, scene.objects[0]), 0.2);
  EXPECT_FALSE(scene.materials[0].damping.has_value());
}

TEST(SceneFem, KeysAreReadAndWrittenBack) {
  const Lines all = {
      "/solver={\"type\":\"fem\",\"friction\":\"afterwards\",\"self_collision\":{\"stiffness\":1e5,"
      "\"friction\":0.4}}",
      "/integrator={\"scheme\":\"bdf2\",\"minimizer\":\"plain_newton\",\"steps_per_frame\":4,"
      "\"max_newton\":17,\"tolerance\":1e-5}",
      "/objects/0/mesh={\"type\":\"stuffing\",\"edge\":0.15,\"order\":2}",
      "/objects/0/start=random",
      "/materials/rubber/damping={\"stiffness\":0.01,\"mass\":0.2}",
      "/colliders/0/method=penalty"};
  const SceneSettings scene = solid(all);
  EXPECT_EQ(scene.fem.friction, FrictionMethod::afterwards);
  ASSERT_TRUE(scene.fem.self_collision.has_value());
  EXPECT_EQ(scene.fem.self_collision->stiffness, 1e5);
  EXPECT_EQ(scene.fem.self_collision->friction, 0.4);
  EXPECT_EQ(scene.integrator.scheme, TimeScheme::bdf2);
  EXPECT_EQ(scene.integrator.minimizer, MinimizerKind::plain_newton);
  EXPECT_EQ(scene.integrator.steps_per_frame, 4);
  EXPECT_EQ(scene.integrator.fem_max_newton, 17);
  EXPECT_EQ(scene.objects[0].mesh->kind, MeshKind::stuffing);
  EXPECT_EQ(scene.objects[0].mesh->edge, 0.15);
  EXPECT_EQ(scene.objects[0].mesh->order, 2);
  EXPECT_EQ(scene.objects[0].start, MeshStart::random);
  const auto rubber = scene.objects[0].material;
  EXPECT_EQ(scene.materials[rubber].damping->stiffness, 0.01);
  EXPECT_EQ(scene.materials[rubber].damping->mass, 0.2);
  EXPECT_EQ(scene.colliders[0].method, ObstacleMethod::penalty);
  const std::string written = write_scene(scene);
  const auto again = parse_scene(written, "s.json");
  ASSERT_TRUE(again.ok()) << again.errors().front();
  EXPECT_EQ(write_scene(*again), written);
}

TEST(SceneFem, OtherSolversRefuseItsKeys) {
  const std::string said = "belongs to the solver \"fem\"; remove it, or choose that solver";
  const auto line = [&](const std::string& place) {
    return Lines{"s.json: " + place + ": " + said};
  };
  for (const char* key : {"scheme=bdf2", "minimizer=robust", "steps_per_frame=1"}) {
    const std::string name = std::string(key).substr(0, std::string(key).find('='));
    const Lines lines = errors_with({"/integrator=optimization", std::string("/integrator/") + key,
                                     "/materials/sand={\"model\":\"hencky\"}"});
    EXPECT_EQ(lines, line("/integrator/" + name));
    // Explicit steps know none of the keys of implicit ones.
    EXPECT_EQ(errors_with({"/integrator=explicit", std::string("/integrator/") + key}).size(), 1u);
  }
  EXPECT_EQ(errors_with({"/objects/0/mesh={}"}), line("/objects/0/mesh"));
  EXPECT_EQ(errors_with({"/objects/0/start=point"}), line("/objects/0/start"));
  EXPECT_EQ(errors_with({"/colliders/0/method=penalty"}), line("/colliders/0/method"));
  EXPECT_EQ(errors_with({"/materials/snow/damping={\"mass\":1}"}), line("/materials/snow/damping"));
  EXPECT_EQ(errors_with({"/objects/0/start=rest", "/colliders/0/method=automatic"}), Lines{});
}

TEST(SceneFem, MostScenesOfElasticSolidsTakeIt) {
  const SceneSettings flat = scene_with({"/solver=fem"}, kFlatScene);
  EXPECT_EQ(flat.integrator.kind, IntegratorKind::optimization);
  const auto particles = initial_particles(flat);
  ASSERT_TRUE(particles.ok()) << particles.errors().front();
  EXPECT_GT((*particles)[0].size(), 10u);
  // Keys that it does not need do no harm.
  EXPECT_EQ(errors_of(kFlatScene, {"/solver=fem", "/integrator={\"cfl\":0.5,\"max_dt\":0.01}"}),
            Lines{});
}

struct Refused {
  const char *setting, *place, *said;
};

TEST(SceneFem, WhatItCannotObeyIsNamed) {
  const std::vector<Refused> all = {
      {"/integrator=explicit", "/integrator/type", "write \"optimization\""},
      {"/integrator=semi_implicit", "/integrator/type", "write \"optimization\""},
      {"/integrator=newton", "/integrator/type", "write \"optimization\""},
      {"/integrator=auto", "/integrator/type", "write \"optimization\""},
      {"/materials/rubber={\"model\":\"snow\"}", "/materials/rubber/model", "\"snow\" is none"},
      {"/materials/rubber={\"model\":\"sand\"}", "/materials/rubber/model", "\"sand\" is none"},
      {"/materials/rubber={\"model\":\"fluid\"}", "/materials/rubber/model", "\"fluid\" is none"},
      {"/materials/rubber={\"model\":\"von_mises\"}", "/materials/rubber/model", "is none"},
      {"/materials/rubber={\"model\":\"herschel_bulkley\"}", "/materials/rubber/model", "is none"},
      {"/materials/rubber/youngs_modulus=\"1e5 + x\"", "/materials/rubber/youngs_modulus",
       "no expressions"},
      {"/emitters=[{\"shape\":{\"type\":\"ball\",\"radius\":0.2,\"center\":[0,3,0]},"
       "\"material\":\"rubber\",\"velocity\":[0,-1,0]}]",
       "/emitters", "fem knows none"},
      {"/sinks=[{\"shape\":{\"type\":\"plane\"}}]", "/sinks", "fem knows none"},
      {"/transitions=[{\"from\":\"rubber\",\"to\":\"jelly\",\"when\":\"t > 1\"}]", "/transitions",
       ""},
      {"/grains={}", "/grains", "fem knows none"},
      {"/porous={}", "/porous", "fem knows none"},
      {"/air={}", "/air", "sph alone knows it"},
      {"/grid/periodic={\"x\":[-1.6,1.6]}", "/grid/periodic/x", "fem knows none"},
      {"/objects/0/initial_stress={\"type\":\"k0\"}", "/objects/0/initial_stress",
       "free of stress"},
      {"/objects/0/volume=estimated", "/objects/0/volume", "remove it"},
      {"/objects/0/fields={\"stiffness_scale\":2}", "/objects/0/fields/stiffness_scale",
       "the same throughout"},
      {"/objects/0/fields={\"mass_scale\":2}", "/objects/0/fields/mass_scale",
       "the same throughout"},
      {"/objects/0/mesh/edge=0", "/objects/0/mesh/edge", "greater than 0"},
      {"/objects/0/mesh/order=3", "/objects/0/mesh/order", "between 1 and 2"},
      {"/objects/0/mesh/type=delaunay", "/objects/0/mesh/type", "stuffing"},
      {"/objects/0/mesh/file=a.msh", "/objects/0/mesh/file", "is for the type \"file\""},
      {"/objects/0/mesh/edge=1e-6", "/objects/0/mesh", "raise the edge"},
      {"/colliders/0/method=push", "/colliders/0/method", "constraint"},
      {"/solver/friction=after", "/solver/friction", "afterwards"},
      {"/solver/self_collision={\"friction\":-1}", "/solver/self_collision/friction", "between"},
      {"/integrator/steps_per_frame=0", "/integrator/steps_per_frame", "between"},
      {"/integrator/scheme=bdf3", "/integrator/scheme", "bdf2"},
      {"/materials/rubber/damping={\"mass\":-1}", "/materials/rubber/damping/mass", "between"},
  };
  for (const Refused& wrong : all) {
    const Lines lines = errors_of(kSolidScene, {wrong.setting});
    ASSERT_FALSE(lines.empty()) << wrong.setting;
    const std::string start = std::string("s.json: ") + wrong.place + ": ";
    EXPECT_TRUE(lines[0].starts_with(start)) << lines[0];
    EXPECT_NE(lines[0].find(wrong.said), std::string::npos) << lines[0];
  }
}

TEST(SceneFem, OnlyModelsThatBearInversionStartAnywhere) {
  for (const char* start : {"random", "point"}) {
    const std::string given = std::string("/objects/0/start=") + start;
    EXPECT_EQ(errors_of(kSolidScene, {given}), Lines{});
    const Lines lines = errors_of(kSolidScene, {given, "/objects/0/material=jelly"});
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0], std::string("s.json: /objects/0/start: \"") + start +
                            "\" turns cells inside out, for which \"neo_hookean\" (material "
                            "\"jelly\") has no energy; choose \"rest\", or the model "
                            "\"stable_neo_hookean\" or \"fixed_corotated\"");
  }
}

TEST(SceneFem, LatticesOfBoxesAreExact) {
  for (const int order : {1, 2}) {
    const SceneSettings scene = solid({"/objects/0/mesh/order=" + std::to_string(order)});
    const auto particles = initial_particles(scene);
    ASSERT_TRUE(particles.ok()) << particles.errors().front();
    const ObjectParticles& beam = (*particles)[0];
    double mass = 0, volume = 0;
    for (std::size_t i = 0; i < beam.size(); ++i) {
      EXPECT_GT(beam.volume_of(i), 0);
      mass += beam.mass(i);
      volume += beam.volume_of(i);
    }
    EXPECT_NEAR(volume, 0.16, 1e-12) << order;
    EXPECT_NEAR(mass, 0.16 * scene.objects[0].density, 1e-9) << order;
    EXPECT_GE(beam.size(), order == 1 ? 6u * 3 * 3 : 4u * 6 * 3 * 3) << order;
  }
}

TEST(SceneFem, SharesOfNodesAddUp) {
  EXPECT_DOUBLE_EQ(4 * node_share(3, 1, true), 1);
  EXPECT_DOUBLE_EQ(3 * node_share(2, 1, true), 1);
  EXPECT_DOUBLE_EQ(4 * node_share(3, 2, true) + 6 * node_share(3, 2, false), 1);
  EXPECT_DOUBLE_EQ(3 * node_share(2, 2, true) + 3 * node_share(2, 2, false), 1);
}

TEST(SceneFem, BodiesAndParticlesAgree) {
  const SceneSettings scene = solid(
      {"/objects/1={\"name\":\"balls\",\"material\":\"jelly\",\"density\":500,\"shape\":{\"type\":"
       "\"ball\",\"radius\":0.5,\"center\":[0,3,0]},\"repeat\":{\"x\":2,\"step\":[2,0,0],"
       "\"turn\":true},\"velocity\":[1,0,0],\"angular_velocity\":[0,90,0]}",
       "/materials/jelly/damping={\"mass\":3}"});
  const auto particles = initial_particles(scene);
  const auto bodies = fem_bodies<3>(scene);
  ASSERT_TRUE(particles.ok()) << particles.errors().front();
  ASSERT_TRUE(bodies.ok()) << bodies.errors().front();
  ASSERT_EQ(bodies->size(), 3u);
  EXPECT_EQ((*bodies)[0].name, "beam");
  EXPECT_EQ((*bodies)[1].name, "balls_1");
  EXPECT_EQ((*bodies)[2].name, "balls_2");
  EXPECT_EQ((*bodies)[1].density, 500);
  EXPECT_EQ((*bodies)[1].mass_damping, 3);
  EXPECT_EQ((*bodies)[0].mass_damping, 0);
  std::uint64_t next = 0;
  for (const SceneBody<3>& body : *bodies) {
    EXPECT_EQ(body.first_id, next);
    for (const Vec3d& x : body.mesh.nodes) {
      const ObjectParticles& of = (*particles)[next < (*particles)[1].first_id ? 0 : 1];
      EXPECT_EQ(body.set, of.set);
      EXPECT_EQ(of.position[next - of.first_id], x);
      ++next;
    }
    EXPECT_EQ(mesh_problems(corner_cells(body.mesh, body.order)), Errors{}) << body.name;
  }
  EXPECT_EQ(next, (*particles)[1].first_id + (*particles)[1].size());
  // Each copy spins about its own centre.
  const ObjectParticles& balls = (*particles)[1];
  Vec3d momentum = Vec3d::zero();
  double mass = 0;
  for (std::size_t i = balls.size() / 2; i < balls.size(); ++i) {
    momentum += balls.velocity(i) * balls.mass(i);
    mass += balls.mass(i);
  }
  EXPECT_NEAR(momentum[0] / mass, 1, 1e-3);
  EXPECT_NEAR(momentum[2] / mass, 0, 1e-3);
}

TEST(SceneFem, TheSameSceneGivesTheSameMesh) {
  const SceneSettings scene = solid({"/objects/0/mesh={\"order\":2}"});
  const auto first = fem_bodies<3>(scene), second = fem_bodies<3>(scene);
  const auto meshed = with_meshes(scene);
  ASSERT_TRUE(first.ok() && second.ok() && meshed.ok());
  EXPECT_FALSE(has_meshes(scene));
  EXPECT_TRUE(has_meshes(*meshed));
  const auto kept = fem_bodies<3>(*meshed);
  ASSERT_TRUE(kept.ok());
  for (const auto* other : {&(*second)[0].mesh, &(*kept)[0].mesh}) {
    EXPECT_EQ((*first)[0].mesh.cells, other->cells);
    EXPECT_EQ((*first)[0].mesh.nodes, other->nodes);
  }
}

TEST(SceneFem, MeshesFollowTheShape) {
  for (const char* kind : {"stuffing", "lattice"})
    for (const int order : {1, 2}) {
      const SceneSettings scene =
          scene_with({"/objects/0/mesh={\"edge\":0.05,\"type\":\"" + std::string(kind) +
                      "\",\"order\":" + std::to_string(order) + "}"},
                     kFlatSolid);
      const auto particles = initial_particles(scene);
      ASSERT_TRUE(particles.ok()) << particles.errors().front();
      const ObjectParticles& disc = (*particles)[0];
      double volume = 0;
      for (std::size_t i = 0; i < disc.size(); ++i) {
        volume += disc.volume_of(i);
        EXPECT_EQ(disc.position[i][2], 0);
        EXPECT_LT(std::hypot(disc.position[i][0] - 1, disc.position[i][1] - 1), 0.55);
      }
      EXPECT_NEAR(volume, kPi * 0.25, 0.03 * kPi * 0.25) << kind;
    }
}

TEST(SceneFem, StartsAreInTheBoxOrInAPoint) {
  const auto rest = initial_particles(solid());
  const auto random = initial_particles(solid({"/objects/0/start=random"}));
  const auto again = initial_particles(solid({"/objects/0/start=random"}));
  const auto other = initial_particles(solid({"/objects/0/start=random", "/objects/0/seed=9"}));
  const auto point = initial_particles(solid({"/objects/0/start=point"}));
  ASSERT_TRUE(rest.ok() && random.ok() && again.ok() && other.ok() && point.ok());
  EXPECT_EQ((*random)[0].position, (*again)[0].position);
  EXPECT_NE((*random)[0].position, (*other)[0].position);
  ASSERT_EQ((*random)[0].size(), (*rest)[0].size());
  Vec3d spread = Vec3d::zero();
  for (std::size_t i = 0; i < (*rest)[0].size(); ++i) {
    const Vec3d d = (*random)[0].position[i] - Vec3d{{0, 1, 0}};
    EXPECT_LE(std::abs(d[0]), 0.5);
    EXPECT_LE(std::abs(d[1]), 0.2 + 1e-12);
    EXPECT_LE(std::abs(d[2]), 0.2);
    for (int a = 0; a < 3; ++a) spread[a] = std::max(spread[a], std::abs(d[a]));
    const Vec3d off = (*point)[0].position[i] - Vec3d{{0, 1, 0}};
    EXPECT_LT(dot(off, off), 1e-24);
    EXPECT_EQ((*random)[0].mass(i), (*rest)[0].mass(i));
  }
  EXPECT_GT(spread[0], 0.4);
}

}  // namespace
}  // namespace firn

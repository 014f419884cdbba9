// Isosurface stuffing: angles, closed surfaces on the shape, volumes, whatever the shape.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>

#include "base/random.h"
#include "exec/parallel.h"
#include "geometry/mesh_field.h"
#include "geometry/simplex_boundary.h"
#include "geometry/simplex_check.h"
#include "geometry/stuffing_mesh.h"
#include "test_meshes.h"

namespace firn {
namespace {

Shape primitive(ShapeKind kind, const Vec3d& size, int dimension = 3) {
  Shape shape;
  shape.kind = kind;
  shape.size = size;
  shape.dimension = dimension;
  return shape;
}

Shape placed(Shape shape, const Vec3d& center) {
  shape.center = center;
  return shape;
}

Shape sphere_of_triangles() {
  const auto field = mesh_distance_field(sphere_mesh({{0, 0, 0}}, 0.5, 24), 0.04);
  EXPECT_TRUE(field.ok());
  return make_field_shape(std::make_shared<DistanceField>(*field), 1.3, 0, 3);
}

// The least angles of boxes and the like are found in corners; all have holes, edges or curves.
std::vector<Shape> solids(int dimension) {
  const auto make = [&](ShapeKind kind, const Vec3d& size) {
    return primitive(kind, size, dimension);
  };
  std::vector<Shape> shapes = {
      make(ShapeKind::ball, {{.5, 0, 0}}),          make(ShapeKind::box, {{.5, .4, .3}}),
      make(ShapeKind::torus, {{.5, .2, 0}}),        make(ShapeKind::cylinder, {{.4, .5, 0}}),
      make(ShapeKind::capsule, {{.3, .3, 0}}),      make(ShapeKind::cone, {{.5, .5, .15}}),
      make(ShapeKind::ellipsoid, {{.6, .35, .45}}),
  };
  const Shape ball = shapes[0], box = shapes[1];
  const Shape bite =
      placed(make(ShapeKind::ball, {{.35, 0, 0}}), {{.4, .3, dimension == 3 ? .2 : 0}});
  shapes.push_back(make_compound(SetOperation::subtract, {box, bite}, dimension));
  shapes.push_back(make_compound(SetOperation::unite, {box, bite}, dimension));
  shapes.push_back(make_compound(SetOperation::intersect, {box, ball}, dimension));
  shapes.push_back(make_blend(box, ball, 0.5));
  const Vec3d turn{{dimension == 3 ? 20.0 : 0, dimension == 3 ? -50.0 : 0, 33}};
  shapes.push_back(transformed(box, rotation_from_degrees(turn), 1.2, {{3, -2, 0}}));
  if (dimension == 3) shapes.push_back(sphere_of_triangles());
  return shapes;
}

template <int D>
SimplexMesh<D> stuffing(const Shape& shape, double edge) {
  auto mesh = stuffing_mesh<D>(shape, edge);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.errors()[0]);
  return mesh.ok() ? *mesh : SimplexMesh<D>{};
}

template <int D>
Vec3d solid_point(const Vec<double, D>& x) {
  Vec3d p = Vec3d::zero();
  for (int i = 0; i < D; ++i) p[i] = x[i];
  return p;
}

template <int D>
void expect_sound(const SimplexMesh<D>& mesh) {
  const Errors problems = mesh_problems(mesh);
  EXPECT_TRUE(problems.empty()) << problems[0];
  const BoundarySurvey survey = survey_boundary(mesh);
  EXPECT_EQ(survey.crowded_faces, 0u);
  EXPECT_EQ(survey.open_ridges, 0u);
  EXPECT_EQ(survey.pinched_points, 0u);
  const AngleRange angles = mesh_angles(mesh);
  EXPECT_GE(angles.least, D == 2 ? kLeastStuffingAngleFlat : kLeastStuffingAngle);
  EXPECT_LE(angles.largest, D == 2 ? kLargestStuffingAngleFlat : kLargestStuffingAngle);
}

template <int D>
void expect_on_surface(const SimplexMesh<D>& mesh, const Shape& shape, double edge) {
  double farthest = 0;
  for (const auto& face : boundary_faces(mesh))
    for (const std::uint32_t corner : face.corners)
      farthest =
          std::max(farthest,
                   std::fabs(signed_distance(shape, solid_point<D>(mesh.points[corner])).distance));
  EXPECT_LE(farthest, 1e-6 * edge);
}

template <int D>
void expect_solids() {
  const double edge = D == 3 ? 0.05 : 0.02;
  int number = 0;
  for (const Shape& shape : solids(D)) {
    SCOPED_TRACE("shape " + std::to_string(number++));
    for (const double finer : {1.0, 0.93}) {
      const SimplexMesh<D> mesh = stuffing<D>(shape, finer * edge);
      expect_sound(mesh);
      expect_on_surface(mesh, shape, edge);
      EXPECT_NEAR(mesh_volume(mesh) / volume(shape), 1, 0.01);
      EXPECT_EQ(count_bodies(mesh), 1u);
    }
    expect_sound(stuffing<D>(shape, 0.13));  // hardly resolved
  }
}

TEST(StuffingMesh, SolidsHaveSoundTetrahedra) {
  expect_solids<3>();
}

TEST(StuffingMesh, FlatShapesHaveSoundTriangles) {
  expect_solids<2>();
}

TEST(StuffingMesh, SurfacesHaveTheTopologyOfTheirShape) {
  EXPECT_EQ(survey_boundary(stuffing<3>(primitive(ShapeKind::ball, {{1, 0, 0}}), 0.1)).euler, 2);
  EXPECT_EQ(survey_boundary(stuffing<3>(primitive(ShapeKind::torus, {{1, .3, 0}}), 0.1)).euler, 0);
  const Shape ball = primitive(ShapeKind::ball, {{1, 0, 0}});
  const Shape hollow =
      make_compound(SetOperation::subtract, {ball, primitive(ShapeKind::ball, {{.5, 0, 0}})}, 3);
  EXPECT_EQ(survey_boundary(stuffing<3>(hollow, 0.1)).euler, 4);
  const Shape two = make_compound(SetOperation::unite, {ball, placed(ball, {{2.5, 0, 0}})}, 3);
  EXPECT_EQ(count_bodies(stuffing<3>(two, 0.1)), 2u);
}

// By the divergence theorem; one face turned inwards would miss twice its share.
TEST(StuffingMesh, SurfacesLookOutwards) {
  const TetrahedronCells mesh = stuffing<3>(primitive(ShapeKind::torus, {{1, .3, 0}}), 0.1);
  double enclosed = 0;
  for (const auto& face : boundary_faces(mesh))
    enclosed += dot(mesh.points[face.corners[0]],
                    cross(mesh.points[face.corners[1]], mesh.points[face.corners[2]])) /
                6;
  EXPECT_NEAR(enclosed, mesh_volume(mesh), 1e-12);
}

// Two boxes side by side have no surface between them.
TEST(StuffingMesh, PartsThatTouchAreOneBody) {
  const Shape box = primitive(ShapeKind::box, {{.5, .5, .5}});
  const Shape both = make_compound(SetOperation::unite, {box, placed(box, {{1, 0, 0}})}, 3);
  const TetrahedronCells mesh = stuffing<3>(both, 0.125);
  expect_sound(mesh);
  EXPECT_EQ(count_bodies(mesh), 1u);
  EXPECT_NEAR(mesh_volume(mesh), 2, 0.02);
}

// A sum of waves, cut at a ball: thin sheets and bridges, far below what the lattice resolves.
DistanceSource waves(std::uint64_t seed, double size, int dimension) {
  RandomStream random(seed, 0);
  struct Wave {
    Vec3d along;
    double phase, height;
  };
  std::vector<Wave> sum;
  DistanceSource source;
  source.steepness = 1;
  const auto any = [&] { return 2 * random.next_double() - 1; };
  for (int i = 0; i < 12; ++i) {
    Wave wave{{{8 * any(), 8 * any(), dimension == 3 ? 8 * any() : 0}}, 9 * any(), 0};
    wave.height = any() / (1 + std::sqrt(dot(wave.along, wave.along)));
    source.steepness += std::fabs(wave.height) * std::sqrt(dot(wave.along, wave.along));
    sum.push_back(wave);
  }
  source.distance = [sum, size](const Vec3d& x) {
    double height = 0;
    for (const Wave& wave : sum) height += wave.height * std::sin(dot(wave.along, x) + wave.phase);
    return std::max(height, std::sqrt(dot(x, x)) - size);
  };
  source.bounds = {Vec3d::fill(-size), Vec3d::fill(size)};
  return source;
}

template <int D>
void expect_sound_noise(int fields, double size) {
  for (int seed = 0; seed < fields; ++seed) {
    SCOPED_TRACE("field " + std::to_string(seed));
    const auto mesh = stuffing_mesh<D>(waves(static_cast<std::uint64_t>(seed), size, D), 1.0);
    ASSERT_TRUE(mesh.ok()) << mesh.errors()[0];
    expect_sound(*mesh);
  }
}

TEST(StuffingMesh, NoiseStaysWithinTheBoundsToo) {
  expect_sound_noise<3>(12, 8);
  expect_sound_noise<2>(60, 40);
}

TEST(StuffingMesh, ThreadsDoNotMatter) {
  const Shape shape = solids(3)[7];
  const int before = thread_count();
  set_thread_count(1);
  const TetrahedronCells one = stuffing<3>(shape, 0.05);
  set_thread_count(5);
  const TetrahedronCells five = stuffing<3>(shape, 0.05);
  set_thread_count(before);
  EXPECT_EQ(one.cells, five.cells);
  ASSERT_EQ(one.points.size(), five.points.size());
  for (std::size_t i = 0; i < one.points.size(); ++i)
    for (int k = 0; k < 3; ++k) ASSERT_EQ(one.points[i][k], five.points[i][k]);
}

// Turned and moved shapes have the same cells.
TEST(StuffingMesh, MeshesTurnWithTheirShape) {
  const Shape box = primitive(ShapeKind::box, {{.5, .4, .3}});
  const Shape moved = transformed(box, rotation_from_degrees({{10, 20, 30}}), 1, {{1, 2, 3}});
  const TetrahedronCells here = stuffing<3>(box, 0.1), there = stuffing<3>(moved, 0.1);
  EXPECT_EQ(here.cells, there.cells);
  EXPECT_NEAR(mesh_volume(here), mesh_volume(there), 1e-12);
}

TEST(StuffingMesh, AMillionCellsTakeSeconds) {
  const auto start = std::chrono::steady_clock::now();
  const TetrahedronCells mesh = stuffing<3>(primitive(ShapeKind::ball, {{1, 0, 0}}), 0.0365);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GT(mesh.cells.size(), 1'000'000u);
  RecordProperty("seconds", std::to_string(seconds));
#ifdef NDEBUG
  EXPECT_LT(seconds, 10);
#endif
}

TEST(StuffingMesh, RequestsThatCannotBeMetAreRefused) {
  const auto error = [](const Shape& shape, double edge) {
    const auto mesh = stuffing_mesh<3>(shape, edge);
    return mesh.ok() ? std::string("no error") : mesh.errors()[0];
  };
  const Shape ball = primitive(ShapeKind::ball, {{1, 0, 0}});
  EXPECT_EQ(error(ball, 0), "an edge length of 0 m is none; give one above 0");
  EXPECT_NE(error(ball, 1e-3).find("million tetrahedra, more than 50 million; use 0.0"),
            std::string::npos)
      << error(ball, 1e-3);
  EXPECT_NE(error(ball, 1e-300).find("more than 50 million"), std::string::npos)
      << error(ball, 1e-300);
  EXPECT_NE(error(ball, 3).find("too coarse"), std::string::npos) << error(ball, 3);
  const Shape sheet = primitive(ShapeKind::box, {{1, 1, 0.001}});
  EXPECT_NE(error(sheet, 0.3).find("too coarse"), std::string::npos) << error(sheet, 0.3);
  Shape container = ball;
  container.inside = true;
  EXPECT_NE(error(container, 0.1).find("no end"), std::string::npos);
  EXPECT_NE(error(primitive(ShapeKind::ball, {{1, 0, 0}}, 2), 0.1).find("2 dimensions"),
            std::string::npos);
  DistanceSource steep;
  steep.bounds = {Vec3d::fill(-1), Vec3d::fill(1)};
  steep.distance = [](const Vec3d& x) { return 50 * (std::sqrt(dot(x, x)) - 0.7); };
  const auto mesh = stuffing_mesh<3>(steep, 0.1);
  ASSERT_FALSE(mesh.ok());
  EXPECT_NE(mesh.errors()[0].find("steeper"), std::string::npos) << mesh.errors()[0];
}

}  // namespace
}  // namespace firn

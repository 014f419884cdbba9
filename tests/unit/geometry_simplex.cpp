// Meshes of simplices: measures, surfaces, flaws, nodes of edges, cut boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/lattice_mesh.h"
#include "geometry/simplex_boundary.h"
#include "geometry/simplex_check.h"
#include "geometry/simplex_nodes.h"

namespace firn {
namespace {

TetrahedronCells one_tetrahedron() {
  return {{{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}, {{0, 1, 2, 3}}};
}

Shape box(const Vec3d& half, int dimension = 3) {
  Shape shape;
  shape.size = half;
  shape.dimension = dimension;
  return shape;
}

template <int D>
SimplexMesh<D> lattice(const Shape& shape, double edge) {
  auto mesh = lattice_mesh<D>(shape, edge);
  EXPECT_TRUE(mesh.ok()) << (mesh.ok() ? "" : mesh.errors()[0]);
  return mesh.ok() ? *mesh : SimplexMesh<D>{};
}

std::string first_problem(const TetrahedronCells& mesh) {
  const Errors problems = mesh_problems(mesh);
  return problems.empty() ? "" : problems[0];
}

TEST(SimplexMesh, MeasuresOfOneCell) {
  const TetrahedronCells mesh = one_tetrahedron();
  EXPECT_DOUBLE_EQ(mesh_volume(mesh), 1.0 / 6);
  const AngleRange angles = mesh_angles(mesh);
  EXPECT_NEAR(angles.least, std::acos(1 / std::sqrt(3.0)) * 180 / 3.14159265358979, 1e-9);
  EXPECT_NEAR(angles.largest, 90, 1e-9);
  const TriangleCells flat{{{{0, 0}}, {{2, 0}}, {{0, 2}}}, {{0, 1, 2}}};
  EXPECT_DOUBLE_EQ(mesh_volume(flat), 2);
  EXPECT_NEAR(mesh_angles(flat).least, 45, 1e-9);
  EXPECT_NEAR(mesh_angles(flat).largest, 90, 1e-9);
}

// By the divergence theorem the outward faces enclose the volume.
TEST(SimplexMesh, BoundaryFacesLookOutwards) {
  const TetrahedronCells mesh = lattice<3>(box({{1, .5, .75}}), 0.25);
  double volume = 0;
  for (const auto& face : boundary_faces(mesh)) {
    const Vec3d &a = mesh.points[face.corners[0]], &b = mesh.points[face.corners[1]],
                &c = mesh.points[face.corners[2]];
    volume += dot(a, cross(b, c)) / 6;
  }
  EXPECT_NEAR(volume, 3, 1e-12);
  const TriangleCells flat = lattice<2>(box({{1, .5, 0}}, 2), 0.25);
  double area = 0;
  for (const auto& face : boundary_faces(flat)) {
    const auto &a = flat.points[face.corners[0]], &b = flat.points[face.corners[1]];
    area += (a[0] * b[1] - a[1] * b[0]) / 2;
  }
  EXPECT_NEAR(area, 2, 1e-12);
}

TEST(SimplexMesh, SurveysTellClosedFromPinched) {
  TetrahedronCells mesh = one_tetrahedron();
  EXPECT_TRUE(survey_boundary(mesh).is_closed_manifold());
  EXPECT_EQ(survey_boundary(mesh).euler, 2);
  // A second one that shares a point, an edge, a face.
  mesh.points.insert(mesh.points.end(), {{{-1, 0, 0}}, {{0, -1, 0}}, {{0, 0, -1}}, {{1, 1, 1}}});
  mesh.cells.push_back({0, 4, 6, 5});
  EXPECT_GT(cell_volume(mesh, 1), 0);
  EXPECT_EQ(survey_boundary(mesh).pinched_points, 1u);
  EXPECT_EQ(survey_boundary(mesh).open_ridges, 0u);
  EXPECT_EQ(count_bodies(mesh), 2u);
  mesh.cells[1] = {0, 1, 5, 6};
  EXPECT_EQ(survey_boundary(mesh).open_ridges, 1u);
  mesh.cells[1] = {1, 2, 3, 7};
  EXPECT_GT(cell_volume(mesh, 1), 0);
  EXPECT_TRUE(survey_boundary(mesh).is_closed_manifold());
  EXPECT_EQ(count_bodies(mesh), 1u);
  mesh.cells.push_back({1, 2, 3, 6});  // a third cell on the same face
  EXPECT_EQ(survey_boundary(mesh).crowded_faces, 1u);
}

TEST(SimplexMesh, ProblemsAreToldWithTheirCell) {
  EXPECT_EQ(first_problem({}), "the mesh has no tetrahedra");
  TetrahedronCells mesh = one_tetrahedron();
  EXPECT_EQ(first_problem(mesh), "");
  mesh.cells.push_back({3, 2, 1, 0});
  EXPECT_EQ(first_problem(mesh), "cell 1 has the same corners as cell 0");
  mesh.cells[1] = {0, 1, 2, 9};
  EXPECT_EQ(first_problem(mesh), "cell 1 names point 9 of 4");
  mesh.cells[1] = {0, 1, 2, 2};
  EXPECT_EQ(first_problem(mesh), "cell 1 is flat: it has no volume");
  mesh = one_tetrahedron();
  mesh.points.push_back({{1, 1, 1}});
  EXPECT_EQ(first_problem(mesh), "point 4 is in no cell");
  mesh.cells.push_back({1, 2, 4, 3});
  EXPECT_EQ(first_problem(mesh), "cell 1 is inverted: exchange two of its corners");
  mesh.points[2][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(first_problem(mesh), "point 2 is not finite or beyond 1e12 m");
}

TEST(SimplexMesh, LongListsOfProblemsEndWithACount) {
  TetrahedronCells mesh = one_tetrahedron();
  mesh.points.resize(30, {{2, 2, 2}});
  const Errors problems = mesh_problems(mesh);
  ASSERT_EQ(problems.size(), 9u);
  EXPECT_EQ(problems.back(), "and 18 more points that no cell names");
}

TEST(SimplexMesh, CellsThatOverlapAreFound) {
  TetrahedronCells mesh = lattice<3>(box({{1, 1, 1}}), 1);
  EXPECT_EQ(survey_boundary(mesh).crowded_faces, 0u);
  std::swap(mesh.cells[3][0], mesh.cells[3][1]);
  EXPECT_EQ(first_problem(mesh), "cell 3 is inverted: exchange two of its corners");
  EXPECT_GT(survey_boundary(mesh).crowded_faces, 0u);
  mesh = one_tetrahedron();
  mesh.points.push_back({{0.1, 0.1, 0.9}});
  mesh.cells.push_back({0, 1, 2, 4});
  EXPECT_EQ(survey_boundary(mesh).crowded_faces, 1u);
  EXPECT_EQ(mesh_problems(mesh, [](std::size_t cell) { return "part " + std::to_string(cell); }),
            Errors{});
  mesh.cells[1][3] = 2;
  EXPECT_EQ(mesh_problems(mesh, [](std::size_t cell) { return "part " + std::to_string(cell); })[0],
            "part 1 is flat: it has no volume");
}

template <int D>
void expect_middles(const SimplexMesh<D>& mesh) {
  const SimplexNodes<D> nodes = quadratic_nodes(mesh);
  ASSERT_EQ(nodes.points.size(), mesh.points.size() + nodes.ends.size());
  std::vector<bool> named(nodes.points.size(), false);
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    for (int c = 0; c <= D; ++c) EXPECT_EQ(nodes.cells[i][c], mesh.cells[i][c]);
    for (int e = 0; e < SimplexEdges<D>::kCount; ++e) {
      const auto& ends = SimplexEdges<D>::kCorners[e];
      const auto middle =
          (mesh.points[mesh.cells[i][ends[0]]] + mesh.points[mesh.cells[i][ends[1]]]) * 0.5;
      const auto off = nodes.points[nodes.cells[i][D + 1 + e]] - middle;
      EXPECT_EQ(dot(off, off), 0);
      named[nodes.cells[i][D + 1 + e]] = true;
    }
  }
  EXPECT_EQ(static_cast<std::size_t>(std::count(named.begin(), named.end(), true)),
            nodes.ends.size());
}

TEST(SimplexMesh, MiddlesOfEdgesAreSharedByCells) {
  const TetrahedronCells solid = lattice<3>(box({{1, 1, 1}}), 0.5);
  expect_middles(solid);
  // Euler's formula for a ball: points - edges + faces - cells = 1.
  const std::size_t faces = (4 * solid.cells.size() + boundary_faces(solid).size()) / 2;
  EXPECT_EQ(solid.points.size() + faces - solid.cells.size() - 1,
            quadratic_nodes(solid).ends.size());
  expect_middles(lattice<2>(box({{1, 1, 0}}, 2), 0.25));
}

TEST(LatticeMesh, BoxesAreExactWhereverTheyLie) {
  for (const double degrees : {0.0, 90.0, 33.0}) {
    Shape shape = box({{1.03, 0.5, 0.21}});
    shape = transformed(shape, rotation_from_degrees({{degrees, 20, -degrees}}), 1.5, {{3, -2, 7}});
    const TetrahedronCells mesh = lattice<3>(shape, 0.3);
    EXPECT_EQ(mesh.cells.size(), 10u * 5 * 2 * 5);
    EXPECT_EQ(mesh.points.size(), 11u * 6 * 3);
    EXPECT_NEAR(mesh_volume(mesh), volume(shape), 1e-9);
    EXPECT_TRUE(mesh_problems(mesh).empty());
    const BoundarySurvey survey = survey_boundary(mesh);
    EXPECT_TRUE(survey.is_closed_manifold());
    EXPECT_EQ(survey.euler, 2);
    for (const auto& face : boundary_faces(mesh))
      for (const auto corner : face.corners)
        EXPECT_NEAR(signed_distance(shape, mesh.points[corner]).distance, 0, 1e-12);
  }
  EXPECT_EQ(lattice<3>(box({{1, 1, 1}}), 100).cells.size(), 5u);
}

TEST(LatticeMesh, SquaresHaveAlternatingDiagonals) {
  Shape shape = box({{1, 0.5, 0}}, 2);
  shape.rotation = rotation_from_degrees({{0, 0, 30}});
  const TriangleCells mesh = lattice<2>(shape, 0.25);
  EXPECT_EQ(mesh.cells.size(), 8u * 4 * 2);
  EXPECT_NEAR(mesh_volume(mesh), 2, 1e-12);
  EXPECT_TRUE(mesh_problems(mesh).empty());
  EXPECT_TRUE(survey_boundary(mesh).is_closed_manifold());
  EXPECT_NEAR(mesh_angles(mesh).least, 45, 1e-9);
  std::vector<int> uses(mesh.points.size(), 0);
  for (const auto& cell : mesh.cells)
    for (const auto corner : cell) ++uses[corner];
  EXPECT_EQ(*std::max_element(uses.begin(), uses.end()), 8);
}

TEST(LatticeMesh, OtherShapesAreStairs) {
  Shape ball;
  ball.kind = ShapeKind::ball;
  ball.size = {{1, 0, 0}};
  ball.center = {{4, 5, 6}};
  const TetrahedronCells mesh = lattice<3>(ball, 0.1);
  EXPECT_NEAR(mesh_volume(mesh), volume(ball), 0.02 * volume(ball));
  EXPECT_TRUE(mesh_problems(mesh).empty());
  EXPECT_EQ(count_bodies(mesh), 1u);
  ball.dimension = 2;
  EXPECT_NEAR(mesh_volume(lattice<2>(ball, 0.05)), volume(ball), 0.02 * volume(ball));
}

TEST(LatticeMesh, RequestsThatCannotBeMetAreRefused) {
  const auto error = [](const Shape& shape, double edge) {
    const auto mesh = lattice_mesh<3>(shape, edge);
    return mesh.ok() ? std::string("no error") : mesh.errors()[0];
  };
  EXPECT_EQ(error(box({{1, 1, 1}}), 0), "an edge length of 0 m is none; give one above 0");
  EXPECT_EQ(error(box({{1, 1, 1}}), 1e-3),
            "an edge of 0.001 m would make about 40000 million tetrahedra, more than 50 million; "
            "use 0.0095 m or more");
  EXPECT_TRUE(lattice_mesh<3>(box({{.1, .1, .1}}), 0.0095).ok());
  Shape container = box({{1, 1, 1}});
  container.inside = true;
  EXPECT_NE(error(container, 0.1).find("no end"), std::string::npos);
  EXPECT_NE(error(box({{1, 1, 0}}, 2), 0.1).find("2 dimensions"), std::string::npos);
  EXPECT_NE(error(box({{1, 0, 1}}), 0.1).find("flat"), std::string::npos);
  Shape shell;
  shell.kind = ShapeKind::torus;
  shell.size = {{1, 0.01, 0}};
  EXPECT_NE(error(shell, 2).find("too coarse"), std::string::npos);
}

}  // namespace
}  // namespace firn

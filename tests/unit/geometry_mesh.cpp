// Triangle meshes and the tree over them: nearest points against brute force, winding numbers of
// closed, open, hollow and nested bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "geometry/mesh_tree.h"
#include "geometry/triangle_mesh.h"
#include "test_meshes.h"

namespace firn {
namespace {

double norm(const Vec3d& v) {
  return std::sqrt(dot(v, v));
}

Vec3d random_in(RandomStream& random, double reach) {
  Vec3d x;
  for (int i = 0; i < 3; ++i) x[i] = reach * (2 * random.next_double() - 1);
  return x;
}

double segment_distance(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
  const Vec3d ab = b - a;
  const double l2 = dot(ab, ab);
  const double t = l2 > 0 ? std::clamp(dot(ab, p - a) / l2, 0.0, 1.0) : 0;
  return norm(p - a - ab * t);
}

// By another way than the tree: the plane where the foot lies inside, else the edges.
double triangle_distance(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
  const Vec3d n = cross(b - a, c - a);
  const double edges =
      std::min({segment_distance(a, b, p), segment_distance(b, c, p), segment_distance(c, a, p)});
  const bool over = dot(cross(b - a, p - a), n) > 0 && dot(cross(c - b, p - b), n) > 0 &&
                    dot(cross(a - c, p - c), n) > 0;
  return over ? std::min(edges, std::fabs(dot(n, p - a)) / norm(n)) : edges;
}

TriangleMesh random_soup(int count, std::uint64_t seed) {
  RandomStream random(seed, 0);
  TriangleMesh m;
  for (std::uint32_t t = 0; t < std::uint32_t(count); ++t) {
    const Vec3d center = random_in(random, 1);
    // Small ones, large ones, needles and segments.
    const double size = t % 7 == 0 ? 1.0 : 0.1;
    for (int k = 0; k < 3; ++k) m.vertices.push_back(center + random_in(random, size));
    if (t % 5 == 1) m.vertices[3 * t + 2] = m.vertices[3 * t + 1] + random_in(random, 1e-5);
    if (t % 5 == 2) m.vertices[3 * t + 2] = m.vertices[3 * t + 1];
    m.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return m;
}

TEST(MeshTree, NearestIsThatOfAllTriangles) {
  for (const int count : {1, 2, 4, 5, 9, 12, 13, 40, 700}) {
    TriangleMesh m = random_soup(count, 3 + count);
    const Vec3d shift{{1000, -50, 3}};
    for (Vec3d& v : m.vertices) v += shift;
    const MeshTree tree(m);
    RandomStream random(9, count);
    std::uint32_t hint = 0;
    for (int k = 0; k < 400; ++k) {
      const Vec3d p = shift + random_in(random, k % 2 ? 1.5 : 20.0);
      double expected = 1e30;
      for (const Triangle& t : m.triangles)
        expected = std::min(
            expected, triangle_distance(m.vertices[t[0]], m.vertices[t[1]], m.vertices[t[2]], p));
      const NearestPoint found = tree.nearest(p, hint);
      hint = found.triangle;
      ASSERT_NEAR(std::sqrt(found.distance2), expected, 4e-6) << count << " triangles";
      ASSERT_NEAR(norm(p - found.point), std::sqrt(found.distance2), 1e-9);
    }
  }
}

TEST(MeshTree, WindingOfSphereIsOneInsideAndNoneOutside) {
  const MeshTree tree(sphere_mesh({{5, 0, 0}}, 1, 40));
  RandomStream random(1, 0);
  for (int k = 0; k < 3000; ++k) {
    const Vec3d p = random_in(random, 1.4);
    if (std::fabs(norm(p) - 1) < 0.01) continue;
    ASSERT_NEAR(tree.winding_number(p + Vec3d{{5, 0, 0}}), norm(p) < 1 ? 1 : 0, 0.1);
  }
}

TEST(MeshTree, WindingOfHollowNestedAndOpenCubes) {
  const Vec3d o{{0, 0, 0}};
  TriangleMesh hollow = cube_mesh(o, 1);
  append(hollow, cube_mesh(o, 0.5), true);
  EXPECT_NEAR(MeshTree(hollow).winding_number(o), 0, 0.05);
  EXPECT_NEAR(MeshTree(hollow).winding_number({{0.75, 0, 0}}), 1, 0.05);

  TriangleMesh nested = cube_mesh(o, 1);
  append(nested, cube_mesh(o, 0.5));
  EXPECT_NEAR(MeshTree(nested).winding_number(o), 2, 0.05);

  // Without one face the centre of a cube still sees five sixths.
  TriangleMesh open = cube_mesh(o, 1);
  open.triangles.resize(10);
  EXPECT_NEAR(MeshTree(open).winding_number(o), 5.0 / 6, 0.02);
  EXPECT_NEAR(MeshTree(open).winding_number({{0, 0, 1}}), 0.5, 0.02);
  EXPECT_LT(MeshTree(open).winding_number({{0, 0, 1.5}}), 0.5);
}

TEST(MeshTree, GradientOfWindingIsItsSlope) {
  TriangleMesh open = cube_mesh({{0, 0, 0}}, 1);
  open.triangles.resize(10);
  const MeshTree tree(open);  // so small a tree has no far field: smooth
  RandomStream random(4, 0);
  for (int k = 0; k < 100; ++k) {
    const Vec3d p = random_in(random, 0.9);
    const Vec3d slope = tree.winding_gradient(p);
    for (int i = 0; i < 3; ++i) {
      Vec3d step{{0, 0, 0}};
      step[i] = 1e-5;
      const double expected =
          (tree.winding_number(p + step) - tree.winding_number(p - step)) / 2e-5;
      ASSERT_NEAR(slope[i], expected, 1e-5);
    }
  }
}

TEST(TriangleMesh, VolumeAreaAndBounds) {
  const TriangleMesh cube = cube_mesh({{100, 200, 300}}, 0.5);
  EXPECT_NEAR(signed_volume(cube), 1, 1e-12);
  EXPECT_NEAR(surface_area(cube), 6, 1e-9);
  EXPECT_DOUBLE_EQ(mesh_bounds(cube).low[1], 199.5);
  EXPECT_DOUBLE_EQ(mesh_bounds(cube).high[2], 300.5);
  TriangleMesh inverted;
  append(inverted, cube, true);
  EXPECT_NEAR(signed_volume(inverted), -1, 1e-12);
}

TEST(TriangleMesh, OpenEdgesAreCountedAfterWelding) {
  TriangleMesh loose;  // every triangle with vertices of its own, as STL files are
  const TriangleMesh cube = cube_mesh({{0, 0, 0}}, 1);
  for (const Triangle& t : cube.triangles) {
    const auto base = static_cast<std::uint32_t>(loose.vertices.size());
    for (const std::uint32_t v : t) loose.vertices.push_back(cube.vertices[v]);
    loose.triangles.push_back({base, base + 1, base + 2});
  }
  EXPECT_EQ(count_open_edges(loose), 0u);
  weld_vertices(loose);
  EXPECT_EQ(loose.vertices.size(), 8u);
  EXPECT_EQ(count_open_edges(loose), 0u);
  loose.triangles.pop_back();
  EXPECT_EQ(count_open_edges(loose), 3u);
  TriangleMesh turned = cube;
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_EQ(count_open_edges(turned), 3u);
  append(loose, cube_mesh({{5, 0, 0}}, 1));
  EXPECT_EQ(count_parts(loose), 2u);
}

TEST(TriangleMesh, DegenerateTrianglesGo) {
  TriangleMesh m = cube_mesh({{0, 0, 0}}, 1);
  m.triangles.push_back({0, 0, 1});
  m.triangles.push_back({3, 3, 3});
  EXPECT_EQ(remove_degenerate_triangles(m), 2u);
  EXPECT_EQ(m.triangles.size(), 12u);
}

TEST(TriangleMesh, FaultsAreNamed) {
  TriangleMesh m = cube_mesh({{0, 0, 0}}, 1);
  EXPECT_EQ(mesh_fault(m), "");
  EXPECT_NE(mesh_fault({}).find("no triangles"), std::string::npos);
  TriangleMesh broken = m;
  broken.triangles[3][1] = 8;
  EXPECT_NE(mesh_fault(broken).find("does not exist"), std::string::npos);
  m.vertices[2][1] = std::nan("");
  EXPECT_NE(mesh_fault(m).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace firn

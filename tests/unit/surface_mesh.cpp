// Surfaces of particles: closed, facing outwards, of the right volume, and where they should be.
#include "surface/surface_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <numbers>
#include <random>

#include "exec/parallel.h"
#include "surface/fog.h"
#include "surface/marching_table.h"

namespace firn {
namespace {

// Each side of a triangle once in each direction: closed, one surface on either side of it, and all
// triangles facing the same way.
void expect_closed(const SurfaceMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (const auto& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      ASSERT_NE(t[i], t[(i + 1) % 3]);
      ++sides[{t[i], t[(i + 1) % 3]}];
    }
  for (const auto& [side, count] : sides) {
    ASSERT_EQ(count, 1) << side.first << " to " << side.second;
    ASSERT_EQ(sides.count({side.second, side.first}), 1u);
  }
}

// A ball filled with jittered particles `spacing` apart.
std::vector<Vec3f> ball(double radius, double spacing, const Vec3d& center) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> jitter(-0.3, 0.3);
  std::vector<Vec3f> points;
  const int n = static_cast<int>(radius / spacing) + 1;
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j)
      for (int k = -n; k <= n; ++k) {
        const Vec3d x{{(i + jitter(random)) * spacing, (j + jitter(random)) * spacing,
                       (k + jitter(random)) * spacing}};
        if (dot(x, x) <= radius * radius) points.push_back((x + center).cast<float>());
      }
  return points;
}

double particle_radius(double spacing) {
  return std::cbrt(0.75 / std::numbers::pi) * spacing;
}

SurfaceMesh mesh_of(const std::vector<Vec3f>& points, double voxel, double radius, int smooth) {
  LevelSet set = make_level_set(bin_points(points, voxel), voxel, radius);
  if (smooth > 0) make_signed_distance(set, 4);
  smooth_level_set(set, 0.5 * radius, smooth);
  return make_mesh(set);
}

TEST(MarchingTable, SidesWithinACellAreSharedOrCutAFace) {
  const auto& table = cell_triangles();
  std::size_t most = 0;
  for (int inside = 0; inside < 256; ++inside) {
    std::map<std::pair<int, int>, int> sides;
    for (const auto& t : table[static_cast<std::size_t>(inside)])
      for (std::size_t i = 0; i < 3; ++i) ++sides[{t[i], t[(i + 1) % 3]}];
    std::map<int, int> open;  // lines on faces that leave and reach each edge
    for (const auto& [side, count] : sides) {
      EXPECT_EQ(count, 1);
      if (sides.count({side.second, side.first})) continue;
      ++open[side.first];
      --open[side.second];
    }
    int crossing = 0;
    for (int e = 0; e < 12; ++e) {
      const CellEdge edge = cell_edge(e);
      const int other = edge.corner | 1 << edge.axis;
      const bool crosses = (inside >> edge.corner & 1) != (inside >> other & 1);
      crossing += crosses;
      EXPECT_EQ(open.count(e), crosses ? 1u : 0u) << inside << " edge " << e;
      EXPECT_EQ(open[e], 0);
    }
    EXPECT_EQ(crossing == 0, sides.empty());
    most = std::max(most, table[static_cast<std::size_t>(inside)].size());
  }
  EXPECT_LE(most, 6u);
}

// Noise has every ambiguous cell there is.
TEST(SurfaceMesh, OfNoiseIsClosed) {
  LevelSet noise;
  noise.voxel = 0.5;
  noise.outside = 1;
  for (int i = -1; i < 2; ++i)
    for (int j = -1; j < 2; ++j) noise.grid.insert({i, j, 3});
  noise.grid.sort();
  std::mt19937 random(3);
  std::uniform_real_distribution<float> value(-1, 1);
  noise.values.resize(static_cast<std::size_t>(noise.grid.size()) * kBlockSamples);
  for (int b = 0; b < noise.grid.size(); ++b)
    for (int s = 0; s < kBlockSamples; ++s)  // the first layer outside, as around particles
      noise.block(b)[s] = s % 8 == 0 || s / 8 % 8 == 0 || s / 64 == 0 ? 1 : value(random);
  const SurfaceMesh mesh = make_mesh(noise);
  ASSERT_GT(mesh.triangles.size(), 1000u);
  expect_closed(mesh);
}

TEST(SurfaceMesh, OfABallHasItsVolumeAndPlace) {
  const Vec3d center{{3, -2, 40}};
  const double spacing = 0.05, radius = 0.6;
  const std::vector<Vec3f> points = ball(radius, spacing, center);
  const double exact = static_cast<double>(points.size()) * spacing * spacing * spacing;
  for (const int smooth : {0, 3}) {
    SCOPED_TRACE(smooth);
    const SurfaceMesh mesh =
        mesh_of(points, particle_radius(spacing), particle_radius(spacing), smooth);
    expect_closed(mesh);
    EXPECT_NEAR(mesh_volume(mesh), exact, (smooth > 0 ? 0.045 : 0.03) * exact);
    double mean = 0, worst = 0;
    for (const Vec3f& x : mesh.vertices) {
      const Vec3d d = x.cast<double>() - center;
      const double off = std::sqrt(dot(d, d)) - radius;
      mean += off / static_cast<double>(mesh.vertices.size());
      worst = std::max(worst, std::abs(off));
    }
    EXPECT_NEAR(mean, 0, 0.2 * spacing);
    EXPECT_LT(worst, 0.7 * spacing);
  }
}

TEST(SurfaceMesh, SmoothingTakesTheBumpsAway) {
  const double spacing = 0.05, radius = particle_radius(spacing);
  const std::vector<Vec3f> points = ball(0.6, spacing, {{0, 0, 0}});
  const auto roughness = [&](int passes) {
    const SurfaceMesh mesh = mesh_of(points, radius, radius, passes);
    double sum = 0, squares = 0;
    for (const Vec3f& x : mesh.vertices) {
      const double r = std::sqrt(dot(x, x));
      sum += r, squares += r * r;
    }
    const double n = static_cast<double>(mesh.vertices.size());
    return std::sqrt(squares / n - sum / n * sum / n);
  };
  EXPECT_LT(roughness(3), 0.8 * roughness(0));
}

TEST(SurfaceMesh, LoneParticlesAreBallsOfTheirVolume) {
  const double radius = 0.1;
  // Six radii apart: nothing may appear between the two.
  const std::vector<Vec3f> points = {Vec3f{{0, 0, 0}}, Vec3f{{0.6f, 0, 0}}};
  const SurfaceMesh mesh = mesh_of(points, 0.02, radius, 0);
  expect_closed(mesh);
  expect_closed(mesh_of(points, radius, radius, 20));
  EXPECT_GT(mesh_volume(mesh_of(points, radius, radius, 20)), 0);
  const double exact = 2 * 4.0 / 3 * std::numbers::pi * radius * radius * radius;
  EXPECT_NEAR(mesh_volume(mesh), exact, 0.03 * exact);
  for (const Vec3f& x : mesh.vertices) EXPECT_TRUE(x[0] < 0.15 || x[0] > 0.45);
}

// A flat face lies where the material ends: half a spacing beyond the last layer of particles.
TEST(SurfaceMesh, OfABoxHasFlatFacesInPlace) {
  const double spacing = 0.1, radius = particle_radius(spacing);
  std::vector<Vec3f> points;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j)
      for (int k = 0; k < 12; ++k)
        points.push_back(
            Vec3d{{(i + 0.5) * spacing, (j + 0.5) * spacing, (k + 0.5) * spacing}}.cast<float>());
  for (const int smooth : {0, 4})
    for (const Vec3f& x : mesh_of(points, 0.5 * radius, radius, smooth).vertices)
      if (x[1] > 0.5 && x[1] < 0.7 && x[2] > 0.5 && x[2] < 0.7 && x[0] > 0.6) {
        EXPECT_NEAR(x[0], 1.2, 0.1 * spacing);
      }
}

// A rigid rotation: every vertex moves as a point of the body would.
TEST(SurfaceMesh, VerticesMoveWithTheParticles) {
  const double spacing = 0.05, radius = particle_radius(spacing);
  const std::vector<Vec3f> points = ball(0.5, spacing, {{1, 1, 1}});
  std::vector<Vec3f> velocity;
  const Vec3f spin{{0.2f, 1, -0.5f}}, shift{{3, 0, 1}};
  for (const Vec3f& x : points) velocity.push_back(cross(spin, x) + shift);
  const PointBins bins = bin_points(points, radius);
  LevelSet set = make_level_set(bins, radius, radius);
  make_signed_distance(set, 4);
  smooth_level_set(set, 0.5 * radius, 3);
  SurfaceMesh mesh = make_mesh(set);
  add_velocity(mesh, bins, velocity, radius, radius);
  ASSERT_EQ(mesh.velocity.size(), mesh.vertices.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3f off = mesh.velocity[v] - (cross(spin, mesh.vertices[v]) + shift);
    EXPECT_LT(std::sqrt(dot(off, off)), 1.2 * spacing);  // |spin| times the depth of the mean
  }
}

TEST(SignedDistance, OfABallIsExactToAFewTenthsOfAVoxel) {
  const double spacing = 0.05, radius = particle_radius(spacing), voxel = 0.04, ball_radius = 0.6;
  LevelSet set =
      make_level_set(bin_points(ball(ball_radius, spacing, {{0, 0, 0}}), voxel), voxel, radius);
  // The exact surface instead of that of the particles, with slopes far from one.
  const auto distance = [&](int b, int s) {
    const SampleBlockCoord c = set.grid.coord(b);
    const Vec3d x{
        {(c.x * 8 + s / 64) * voxel, (c.y * 8 + s / 8 % 8) * voxel, (c.z * 8 + s % 8) * voxel}};
    return std::sqrt(dot(x, x)) - ball_radius;
  };
  for (int b = 0; b < set.grid.size(); ++b)
    for (int s = 0; s < kBlockSamples; ++s)
      set.block(b)[s] = static_cast<float>(3 * distance(b, s));
  make_signed_distance(set, 3);
  EXPECT_FLOAT_EQ(set.outside, 3 * static_cast<float>(voxel));
  for (int b = 0; b < set.grid.size(); ++b)
    for (int s = 0; s < kBlockSamples; ++s) {
      const double expected = std::clamp(distance(b, s), -3 * voxel, 3 * voxel);
      ASSERT_NEAR(set.block(b)[s], expected, 0.3 * voxel);
    }
}

TEST(Fog, KeepsMassAndMomentum) {
  const double voxel = 0.07;
  const std::vector<Vec3f> points = ball(0.5, 0.05, {{-4, 2, 0.3}});
  std::vector<float> mass;
  std::vector<Vec3f> velocity;
  double total = 0, momentum = 0;
  for (const Vec3f& x : points) {
    mass.push_back(1 + x[1]);
    velocity.push_back({{x[0], 1, x[2] * x[2]}});
    total += mass.back();
    momentum += mass.back() * x[0];
  }
  const Fog fog = make_fog(bin_points(points, voxel), mass, velocity, voxel);
  double fog_mass = 0, fog_momentum = 0;
  for (std::size_t s = 0; s < fog.density.size(); ++s) {
    const double m = fog.density[s] * voxel * voxel * voxel;
    fog_mass += m;
    fog_momentum += m * fog.velocity[s][0];
    if (m > 0) {
      EXPECT_NEAR(fog.velocity[s][1], 1, 1e-5);
    }
  }
  EXPECT_NEAR(fog_mass, total, 1e-4 * total);
  EXPECT_NEAR(fog_momentum, momentum, 1e-4 * std::abs(momentum));
}

TEST(SurfaceMesh, IsTheSameForAnyNumberOfThreads) {
  const double radius = particle_radius(0.05);
  const std::vector<Vec3f> points = ball(0.5, 0.05, {{0, 0, 0}});
  const auto made = [&](int threads) {
    set_thread_count(threads);
    const PointBins bins = bin_points(points, radius);
    LevelSet set = make_level_set(bins, radius, radius);
    make_signed_distance(set, 4);
    smooth_level_set(set, 0.5 * radius, 2);
    SurfaceMesh mesh = make_mesh(set);
    add_velocity(mesh, bins, points, radius, radius);
    return mesh;
  };
  const SurfaceMesh one = made(1), three = made(3);
  ASSERT_EQ(one.triangles, three.triangles);
  ASSERT_EQ(one.vertices.size(), three.vertices.size());
  EXPECT_EQ(
      std::memcmp(one.vertices.data(), three.vertices.data(), one.vertices.size() * sizeof(Vec3f)),
      0);
  EXPECT_EQ(
      std::memcmp(one.velocity.data(), three.velocity.data(), one.velocity.size() * sizeof(Vec3f)),
      0);
}

TEST(PointBins, RefusesWhatHasNoPlace) {
  EXPECT_EQ(bin_problem({Vec3f{{1, 2, 3}}}, 0.1), "");
  EXPECT_NE(bin_problem({Vec3f{{1, NAN, 3}}}, 0.1), "");
  EXPECT_NE(bin_problem({Vec3f{{1, 2, 1e9f}}}, 0.1), "");
}

}  // namespace
}  // namespace firn

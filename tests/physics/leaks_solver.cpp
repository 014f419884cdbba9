// Nothing passes a wall, through the whole solver: a million particles of sand shot about inside
// closed vessels of every shape, one grid cell thick, at rest and tumbling.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "../unit/test_folder.h"
#include "scene_io/scene_reader.h"
#include "sim/world.h"

namespace firn {
namespace {

constexpr double kCell = 0.01;  // m
constexpr double kApart = 0.6;  // m, from vessel to vessel
constexpr double kTurn = 700;   // degrees a second, of vessels that tumble
constexpr double kSpeed = 20;   // m/s, of the sand at most
constexpr int kSteps = 24;

struct Vessel {
  std::string hollow, solid;  // shapes without their centre
  // How far a point in the frame of the vessel is outside of its hollow, m.
  double (*beyond)(double x, double y, double z);
};

double length(double x, double y) {
  return std::hypot(x, y);
}

std::vector<Vessel> vessels() {
  return {
      {R"("type": "box", "size": [0.26, 0.2, 0.3])", R"("type": "box", "size": [0.28, 0.22, 0.32])",
       [](double x, double y, double z) {
         return std::max({std::fabs(x) - 0.13, std::fabs(y) - 0.1, std::fabs(z) - 0.15});
       }},
      {R"("type": "ball", "radius": 0.155)", R"("type": "ball", "radius": 0.165)",
       [](double x, double y, double z) { return length(length(x, y), z) - 0.155; }},
      {R"("type": "cylinder", "radius": 0.13, "height": 0.28)",
       R"("type": "cylinder", "radius": 0.14, "height": 0.3)",
       [](double x, double y, double z) {
         return std::max(length(x, z) - 0.13, std::fabs(y) - 0.14);
       }},
      {R"("type": "capsule", "radius": 0.13, "height": 0.4)",
       R"("type": "capsule", "radius": 0.14, "height": 0.42)",
       [](double x, double y, double z) {
         return length(length(x, z), std::max(0.0, std::fabs(y) - 0.07)) - 0.13;
       }},
      {R"("type": "cone", "radius": 0.19, "top_radius": 0.05, "height": 0.3)",
       R"("type": "cone", "radius": 0.206, "top_radius": 0.066, "height": 0.32)",
       [](double x, double y, double z) {
         return std::max(length(x, z) - 0.12 + y * 0.14 / 0.3, std::fabs(y) - 0.15);
       }},
      {R"("type": "torus", "radius": 0.17, "tube": 0.075)",
       R"("type": "torus", "radius": 0.17, "tube": 0.085)",
       [](double x, double y, double z) { return length(length(x, z) - 0.17, y) - 0.075; }},
      {R"("type": "ellipsoid", "size": [0.4, 0.24, 0.3])",
       R"("type": "ellipsoid", "size": [0.42, 0.26, 0.32])",
       [](double x, double y, double z) {
         return (length(length(x / 0.2, y / 0.12), z / 0.15) - 1) * 0.12;
       }},
      {R"("type": "box", "size": [0.24, 0.24, 0.24])",
       R"("type": "mesh", "file": "shell.obj", "resolution": 0.005)",
       [](double x, double y, double z) {
         return std::max({std::fabs(x), std::fabs(y), std::fabs(z)}) - 0.12 - 0.5 * kCell;
       }},
  };
}

// The faces of a cube and, turned round, of a smaller one inside.
std::string shell_mesh() {
  std::string text;
  char line[96];
  for (const double half : {0.12 + kCell, 0.12})
    for (int corner = 0; corner < 8; ++corner) {
      std::snprintf(line, sizeof(line), "v %g %g %g\n", corner & 1 ? half : -half,
                    corner & 2 ? half : -half, corner & 4 ? half : -half);
      text += line;
    }
  const int faces[6][4] = {{1, 5, 7, 3}, {2, 4, 8, 6}, {1, 2, 6, 5},
                           {3, 7, 8, 4}, {1, 3, 4, 2}, {5, 6, 8, 7}};
  for (const auto& f : faces) {
    std::snprintf(line, sizeof(line), "f %d %d %d %d\nf %d %d %d %d\n", f[0], f[1], f[2], f[3],
                  f[3] + 8, f[2] + 8, f[1] + 8, f[0] + 8);
    text += line;
  }
  return text;
}

// The sand of every vessel flies in all directions, by place.
std::string scene_text(bool tumbling) {
  std::string objects, colliders;
  char more[512];
  const std::vector<Vessel> all = vessels();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string comma = k == 0 ? "" : ",\n";
    std::snprintf(more, sizeof(more), R"(, "center": [%g, 0, 0]})", kApart * double(k));
    const bool mesh = all[k].solid.find("mesh") != std::string::npos;
    const std::string hollow = "{" + all[k].hollow + more, solid = "{" + all[k].solid + more;
    std::snprintf(more, sizeof(more),
                  R"j(, "velocity": ["%g*noise(9*x,9*y,9*z)", "%g*noise(9*y,9*z,9*x+5)",
                      "%g*noise(9*z,9*x+7,9*y)"]})j",
                  kSpeed, kSpeed, kSpeed);
    objects += comma + R"({"material": "sand", "shape": )" + hollow + more;
    colliders +=
        comma + R"({"friction": 0.2, "shape": )" +
        (mesh ? solid : R"({"type": "difference", "shapes": [)" + solid + ", " + hollow + "]}");
    if (tumbling) {
      std::snprintf(more, sizeof(more),
                    R"(, "motion": {"pivot": [%g, 0, 0], "rotation": [0, 0, "%g*t"]})",
                    kApart * double(k), kTurn);
      colliders += more;
    }
    colliders += "}";
  }
  return R"({"gravity": [0, 0, 0], "grid": {"spacing": 0.01}, "fps": 100, "integrator": {"cfl": 1},
             "materials": {"sand": {"model": "sand", "youngs_modulus": 5e3}}, "objects": [)" +
         objects + R"(], "colliders": [)" + colliders + "]}";
}

// Particles beyond the hollow of their vessel after a few steps of up to a cell each.
std::size_t escaped(bool tumbling, std::size_t& particles, double& farthest) {
  TestFolder folder("leaks");
  folder.write("shell.obj", shell_mesh());
  const auto file = folder.write("scene.json", scene_text(tumbling));
  const auto scene = read_scene(file.string());
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.errors().front());
  auto world = World::create(*scene, Precision::single);
  EXPECT_TRUE(world.ok()) << (world.ok() ? "" : world.errors().front());
  farthest = 0;
  for (int step = 0; step < kSteps; ++step) {
    const auto dt = (*world)->advance_step();
    EXPECT_TRUE(dt.ok()) << (dt.ok() ? "" : dt.errors().front());
    farthest = std::max(farthest, *dt * (*world)->statistics().max_speed / kCell);
  }
  const double angle = tumbling ? kTurn * (*world)->time() * 3.14159265358979 / 180 : 0;
  const double c = std::cos(angle), s = std::sin(angle);
  const PointTable table = (*world)->snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y"), z = table.as_double("z");
  particles = x.size();
  const std::vector<Vessel> all = vessels();
  std::size_t count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto k = std::clamp(std::lround(x[i] / kApart), 0l, long(all.size()) - 1);
    const double dx = x[i] - kApart * double(k);
    count += !(all[k].beyond(c * dx + s * y[i], c * y[i] - s * dx, z[i]) < 0.02 * kCell);
  }
  return count;
}

class LeaksOfTheSolver : public ::testing::TestWithParam<bool> {};

TEST_P(LeaksOfTheSolver, AMillionParticlesStayInTheirVessels) {
  std::size_t particles = 0;
  double farthest = 0;
  EXPECT_EQ(escaped(GetParam(), particles, farthest), 0u);
  EXPECT_GT(particles, 1'000'000u);
  EXPECT_GT(farthest, 0.6);  // cells in a step
}

INSTANTIATE_TEST_SUITE_P(AtRestAndTumbling, LeaksOfTheSolver, ::testing::Bool());

}  // namespace
}  // namespace firn

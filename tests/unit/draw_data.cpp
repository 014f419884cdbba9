// What is drawn, before any OpenGL: polar decompositions, normals, slices of the grid, colours.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "draw/cell_mesh.h"
#include "draw/collider_mesh.h"
#include "draw/frame_data.h"
#include "draw/grid_slice.h"
#include "draw/slice_view.h"
#include "mesh_io/painted_mesh.h"
#include "mesh_io/png.h"
#include "render/film_session.h"
#include "render/frame_blend.h"
#include "scene_common.h"
#include "test_folder.h"

namespace firn {
namespace {

PointTable random_table(std::size_t count, int dimension, unsigned seed) {
  PointTable table;
  table.count = count;
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> unit(0, 1);
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "mass", "pressure"}) {
    auto& column = table.add<float>(name);
    if (dimension == 2 && (name[0] == 'z' || name[1] == 'z')) continue;
    for (float& v : column) v = unit(random);
  }
  return table;
}

TEST(Polar, GivesARotationAndASymmetricStretch) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 200; ++round) {
    Mat<double, 3> f;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) f(i, j) = normal(random);
    if (round % 4 == 1)  // flat
      for (int i = 0; i < 3; ++i) f(i, 2) = f(i, 0) + f(i, 1);
    if (round % 4 == 2)  // a line
      for (int i = 0; i < 3; ++i) f(i, 1) = f(i, 2) = f(i, 0);
    if (round % 50 == 3) f = Mat<double, 3>::zero();
    const Polar polar = polar_decomposition(f);
    const Mat<double, 3> unit = polar.rotation * transpose(polar.rotation);
    EXPECT_NEAR(determinant(polar.rotation), 1, 1e-9);
    const Mat<double, 3> product = polar.rotation * polar.stretch;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        EXPECT_NEAR(unit(i, j), i == j, 1e-9);
        EXPECT_NEAR(polar.stretch(i, j), polar.stretch(j, i), 1e-6);
        EXPECT_NEAR(product(i, j), f(i, j), 1e-9);
      }
  }
}

TEST(FrameData, FramesAreRotationTimesStretch) {
  PointTable table;
  table.count = 1;
  const Mat<double, 3> rotation = rotation_from_degrees({{30, 40, 50}});
  const Mat<double, 3> f = rotation * Mat<double, 3>::diagonal({{2, 1, 0.5}});
  for (const char* name : {"x", "y", "z"}) table.add<float>(name);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      table.add<float>(std::string("F_") + "xyz"[i] + "xyz"[j])[0] = static_cast<float>(f(i, j));
  FrameOptions options;
  options.frames = true;
  options.radius = 0.1;
  const Result<FrameData> frame = make_frame_data(table, options);
  ASSERT_TRUE(frame);
  ASSERT_EQ(frame->frames.size(), 1u);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(frame->frames[0].axes[3 * j + i], 0.1 * f(i, j), 1e-5);
}

TEST(FrameData, NormalsPointOutOfABall) {
  PointTable table;
  table.count = 20000;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> unit(-1, 1);
  std::vector<Vec3f> places;
  while (places.size() < table.count) {
    const Vec3f p{{unit(random), unit(random), unit(random)}};
    if (dot(p, p) < 1) places.push_back(p);
  }
  const char* names[] = {"x", "y", "z"};
  for (int a = 0; a < 3; ++a) {
    auto& column = table.add<float>(names[a]);
    for (std::size_t i = 0; i < table.count; ++i) column[i] = places[i][a];
  }
  FrameOptions options;
  options.radius = estimate_radius(table, 3);
  const Result<FrameData> frame = make_frame_data(table, options);
  ASSERT_TRUE(frame);
  double rim = 0, rim_count = 0, core = 0, core_count = 0;
  for (const DrawnPoint& p : frame->points) {
    const Vec3f n{{p.normal[0] / 127.0f, p.normal[1] / 127.0f, p.normal[2] / 127.0f}};
    const float r = std::sqrt(dot(p.position, p.position));
    if (r > 0.97f) rim += dot(n, p.position) / r / std::sqrt(dot(n, n) + 1e-9f), ++rim_count;
    if (r < 0.5f) core += std::sqrt(dot(n, n)), ++core_count;
  }
  EXPECT_GT(rim / rim_count, 0.93);
  EXPECT_LT(core / core_count, 0.35);
}

TEST(FrameData, LeavesOutWhatIsNowhere) {
  PointTable table = random_table(10, 3, 1);
  std::get<std::vector<float>>(table.columns[1].values)[4] = NAN;
  const Result<FrameData> frame = make_frame_data(table, {});
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->points.size(), 9u);
  EXPECT_TRUE(make_frame_data(PointTable{}, {}));
}

// The kernels share out mass completely: over all layers of nodes it adds up, and so does momentum.
TEST(GridSlice, SlicesAddUpToMassAndMomentum) {
  for (const KernelKind kernel : {KernelKind::linear, KernelKind::quadratic, KernelKind::cubic})
    for (const int axis : {0, 1, 2}) {
      const PointTable table = random_table(500, 3, 7);
      double mass = 0, momentum = 0;
      const auto m = table.as_double("mass"), vy = table.as_double("vy");
      for (std::size_t i = 0; i < m.size(); ++i) mass += m[i], momentum += m[i] * vy[i];
      GridSliceOptions options;
      options.kernel = kernel;
      options.axis = axis;
      options.spacing = 0.1;
      double sliced = 0, carried = 0;
      for (int layer = -3; layer <= 13; ++layer) {
        options.position = 0.1 * layer;
        options.field = "mass";
        const Result<GridSlice> a = make_grid_slice(table, options);
        options.field = "velocity_y";
        const Result<GridSlice> b = make_grid_slice(table, options);
        ASSERT_TRUE(a && b);
        for (std::size_t n = 0; n < a->values.size(); ++n)
          if (a->values[n] > 0) sliced += a->values[n], carried += a->values[n] * b->values[n];
      }
      EXPECT_NEAR(sliced, mass, 1e-5 * mass);
      EXPECT_NEAR(carried, momentum, 1e-4 * momentum);
    }
}

TEST(GridSlice, FlatScenesHaveOneSliceWithAllMass) {
  const PointTable table = random_table(300, 2, 2);
  GridSliceOptions options;
  options.dimension = 2;
  options.spacing = 0.05;
  const Result<GridSlice> slice = make_grid_slice(table, options);
  ASSERT_TRUE(slice);
  double sum = 0, mass = 0;
  for (const float v : slice->values) sum += std::isfinite(v) ? v : 0;
  for (const double m : table.as_double("mass")) mass += m;
  EXPECT_NEAR(sum, mass, 1e-5 * mass);
  const SlicePicture picture = picture_of(*slice, slice->low, slice->high, ColorMap::grey);
  EXPECT_EQ(picture.rgba.size(), 4u * slice->width * slice->height);
  EXPECT_NEAR(picture.along_width[0], slice->width * 0.05, 1e-12);
}

// A fluid, whose pressure is linear, among something else.
PointTable two_species(std::size_t count, int dimension) {
  PointTable table = random_table(count, dimension, 11);
  const auto x = table.as_float("x"), y = table.as_float("y"), z = table.as_float("z");
  std::vector<std::int32_t> species(count);
  std::vector<float> phi(count), pressure(count);
  for (std::size_t i = 0; i < count; ++i) {
    species[i] = static_cast<std::int32_t>(i % 3 == 0);
    phi[i] = species[i] == 1 ? 1.0f : 0.25f;
    pressure[i] = species[i] == 1 ? 2000 - 9810 * y[i] + 300 * x[i] + 40 * z[i] : 1e9f * x[i];
  }
  std::get<std::vector<float>>(table.columns[7].values) = pressure;
  table.add<std::int32_t>("species") = species;
  table.add<float>("phi") = phi;
  return table;
}

// Those of the species add up to all, and each has its own velocity and phi.
TEST(GridSlice, ASpeciesCountsAlone) {
  const PointTable table = two_species(600, 2);
  GridSliceOptions options;
  options.dimension = 2;
  options.spacing = 0.1;
  double mass[3] = {0, 0, 0};
  for (int s = -1; s < 2; ++s) {
    options.species.numbers = s < 0 ? std::vector<int>{} : std::vector<int>{s};
    options.field = "mass";
    const Result<GridSlice> slice = make_grid_slice(table, options);
    ASSERT_TRUE(slice);
    for (const float v : slice->values) mass[s + 1] += std::isfinite(v) ? v : 0;
    if (s < 0) continue;
    options.field = "phi";
    const Result<GridSlice> phi = make_grid_slice(table, options);
    ASSERT_TRUE(phi);
    EXPECT_NEAR(phi->low, s == 1 ? 1 : 0.25, 1e-6);
    EXPECT_NEAR(phi->high, s == 1 ? 1 : 0.25, 1e-6);
  }
  EXPECT_NEAR(mass[1] + mass[2], mass[0], 1e-5 * mass[0]);
  EXPECT_GT(mass[1], 1.5 * mass[2]);
}

TEST(GridSlice, PartsOfAVectorAreItsComponents) {
  const PointTable table = two_species(600, 2);
  const auto slice_of = [&](const char* quantity, int part) {
    GridSliceOptions options;
    options.dimension = 2;
    options.spacing = 0.1;
    options.species.numbers = {1};
    options.field = grid_field_name(quantity, part);
    return make_grid_slice(table, options).value();
  };
  for (const char* quantity : {"velocity", "pressure_gradient"}) {
    const GridSlice length = slice_of(quantity, 0), x = slice_of(quantity, 1),
                    y = slice_of(quantity, 2), across = slice_of(quantity, 4);
    int seen = 0;
    for (std::size_t n = 0; n < length.values.size(); ++n) {
      if (!std::isfinite(length.values[n])) continue;
      EXPECT_NEAR(length.values[n], std::hypot(x.values[n], y.values[n]),
                  1e-4 * length.values[n] + 1e-6);
      EXPECT_FLOAT_EQ(across.values[n], std::abs(x.values[n]));
      ++seen;
    }
    EXPECT_GT(seen, 50);
  }
}

// Exact for a pressure that is linear, at every node of the fluid, whatever else is there.
TEST(GridSlice, TheGradientOfPressureIsThatOfTheFluid) {
  for (const int dimension : {2, 3})
    for (const KernelKind kernel : {KernelKind::linear, KernelKind::quadratic, KernelKind::cubic}) {
      const PointTable table = two_species(dimension == 2 ? 900 : 6000, dimension);
      GridSliceOptions options;
      options.dimension = dimension;
      options.kernel = kernel;
      options.spacing = 0.125;
      options.position = 0.5;
      options.species.numbers = {1};
      const double expected[3] = {300, -9810, dimension == 3 ? 40.0 : 0.0};
      for (int a = 0; a < 3; ++a) {
        options.field = grid_field_name("pressure_gradient", 1 + a);
        const Result<GridSlice> slice = make_grid_slice(table, options);
        ASSERT_TRUE(slice);
        int seen = 0;
        for (const float v : slice->values) {
          if (!std::isfinite(v)) continue;
          EXPECT_NEAR(v, expected[a], 2) << options.field;
          ++seen;
        }
        EXPECT_GT(seen, 60);
      }
    }
}

TEST(GridSlice, IsOfTheSpeciesThatTheSceneNames) {
  const SceneSettings scene = scene_with({}, R"j({"dimension": 2,
    "materials": {"w": {"model": "fluid"}, "s": {"model": "sand"}},
    "objects": [{"shape": {"type": "disc", "radius": 0.2}, "material": "s", "species": "sand: wet"},
                {"shape": {"type": "disc", "radius": 0.2}, "material": "w", "species": "water"}],
    "porous": {"pairs": [{"solid": "sand: wet", "fluid": "water"}]}})j");
  const auto parsed = [&](const char* text) { return parse_slice(text, scene); };
  EXPECT_TRUE(parsed("velocity_x")->species.numbers.empty());
  EXPECT_EQ(parsed("pressure_gradient")->species.numbers, std::vector<int>{1});
  EXPECT_EQ(parsed("pressure_gradient@sand: wet")->species.numbers, std::vector<int>{0});
  const auto full = parsed("abs_velocity_y@sand: wet:z=0.25");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->species.numbers, std::vector<int>{0});
  EXPECT_EQ(full->position, 0.25);
  EXPECT_EQ(slice_title(*full), "abs_velocity_y of sand: wet (m/s)");
  EXPECT_EQ(slice_title(*parsed("pressure_gradient_x")), "pressure_gradient_x (Pa/m)");
  EXPECT_EQ(slice_title(*parsed("phi@water")), "phi of water");
  EXPECT_EQ(slice_output_fields(*full), (std::vector<std::string>{"mass", "velocity", "species"}));
  for (const char* bad : {"phi@mud", "phi@", "phi@water:w", "phi@waters", "abs_phi", "velocity_w",
                          "mass:z=", "mass=3"})
    EXPECT_FALSE(parsed(bad)) << bad;
  EXPECT_NE(parsed("phi@watre:z").errors()[0].find("did you mean \"water\""), std::string::npos);
}

TEST(GridSlice, SaysWhatIsMissing) {
  PointTable bare;
  bare.count = 1;
  for (const char* name : {"x", "y", "z"}) bare.add<float>(name);
  GridSliceOptions options;
  options.field = "pressure";
  EXPECT_NE(make_grid_slice(bare, options).errors()[0].find("pressure"), std::string::npos);
  options.field = "pressure_gradient_x";
  EXPECT_NE(make_grid_slice(bare, options).errors()[0].find("pressure"), std::string::npos);
  options.field = "mass";
  options.species.numbers = {0};
  EXPECT_NE(make_grid_slice(bare, options).errors()[0].find("species"), std::string::npos);
  options.species.numbers = {};
  options.field = "charm";
  EXPECT_FALSE(make_grid_slice(bare, options));
  options.field = "mass";
  options.position = 5;
  const Result<GridSlice> nothing = make_grid_slice(bare, options);
  ASSERT_TRUE(nothing);
  EXPECT_EQ(nothing->width, 0);
}

// A strip of two squares that meet at an angle, in degrees: normals of the corners of its first.
std::vector<Vec3f> normals_of_bent_strip(double degrees) {
  const double turn = degrees * kPi / 180;
  Frame frame;
  frame.count = 6;
  const double x[] = {-1, -1, 0, 0, std::cos(turn), std::cos(turn)};
  const double y[] = {0, 0, 0, 0, std::sin(turn), std::sin(turn)};
  const double z[] = {0, 1, 0, 1, 0, 1};
  for (const auto& [name, values] : {std::pair{"x", x}, std::pair{"y", y}, std::pair{"z", z}}) {
    auto& column = frame.add<float>(name);
    for (std::size_t i = 0; i < 6; ++i) column[i] = static_cast<float>(values[i]);
  }
  FrameMesh& mesh = frame.meshes.emplace_back();
  mesh.triangles = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
  const DrawnMesh drawn = make_cell_mesh(frame, [&](std::uint32_t i) {
    return DrawnCorner{{{float(x[i]), float(y[i]), float(z[i])}}, {200, 100, 50}, 3};
  });
  EXPECT_EQ(drawn.indices.size(), 12u);
  EXPECT_EQ(drawn.normals.size(), drawn.vertices.size());
  EXPECT_EQ(drawn.colors.size(), 4 * drawn.vertices.size());
  std::vector<Vec3f> found;
  for (std::size_t k = 0; k < 6; ++k) {
    const std::uint32_t v = drawn.indices[k];
    EXPECT_EQ(drawn.colors[4 * v], 200);
    EXPECT_EQ(drawn.colors[4 * v + 3], 3);
    found.push_back(drawn.normals[v]);
  }
  return found;
}

TEST(CellMesh, KeepsEdgesSharpAndRoundsWhatBends) {
  for (const Vec3f& n : normals_of_bent_strip(90)) EXPECT_NEAR(n[1], 1, 1e-6);
  // Corners 0 and 1 lie on one side alone; 2 and 3 (third and fifth of the six) between both.
  const std::vector<Vec3f> round = normals_of_bent_strip(20);
  EXPECT_NEAR(round[0][1], 1, 1e-6);
  EXPECT_NEAR(round[2][0], -std::sin(10 * kPi / 180), 0.06);
  EXPECT_LT(round[2][0], -0.1);
  // From one to the other without a jump.
  double before = round[2][0], largest = 0;
  for (double degrees = 20; degrees < 90; degrees += 0.5) {
    const double now = normals_of_bent_strip(degrees)[2][0];
    largest = std::max(largest, std::abs(now - before));
    before = now;
  }
  EXPECT_LT(largest, 0.03);
}

TEST(ColliderMesh, LiesOnTheSurfaceAndFacesOutwards) {
  Shape ball;
  ball.kind = ShapeKind::ball;
  Shape bite = ball;
  bite.size = {{0.3, 0.3, 0.3}};
  bite.center = {{0.4, 0.1, 0}};
  std::vector<Shape> shapes;
  for (const ShapeKind kind :
       {ShapeKind::box, ShapeKind::ball, ShapeKind::cylinder, ShapeKind::capsule, ShapeKind::cone,
        ShapeKind::torus, ShapeKind::ellipsoid}) {
    Shape shape;
    shape.kind = kind;
    shape.size = {{0.6, 0.5, 0.2}};
    shapes.push_back(shape);
  }
  shapes.push_back(make_compound(SetOperation::subtract, {ball, bite}, 3));
  for (const Shape& shape : shapes) {
    const BodyMesh mesh = make_body_mesh(shape);
    ASSERT_GT(mesh.indices.size(), 11u);
    double volume_of_mesh = 0;
    for (const Vec3f& v : mesh.vertices)
      EXPECT_NEAR(detail::local_distance(shape, v.cast<double>()).distance, 0, 3e-3);
    for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
      const Vec3d a = mesh.vertices[mesh.indices[t]].cast<double>();
      const Vec3d b = mesh.vertices[mesh.indices[t + 1]].cast<double>();
      const Vec3d c = mesh.vertices[mesh.indices[t + 2]].cast<double>();
      volume_of_mesh += dot(a, cross(b, c)) / 6;
    }
    EXPECT_NEAR(volume_of_mesh, volume(shape), 0.02 * volume(shape)) << int(shape.kind);
  }
  Shape moved = shapes.back();
  moved.center = {{1, 2, 3}};
  EXPECT_EQ(body_key(moved), body_key(shapes.back()));
  EXPECT_NE(body_key(shapes[0]), body_key(shapes[1]));
}

TEST(ColorMaps, EachRunsFromDarkOrCoolToItsEnd) {
  for (std::size_t m = 0; m < color_map_names().size(); ++m) {
    const auto map = static_cast<ColorMap>(m);
    const Rgb8 low = scale_color(0, map), high = scale_color(1, map);
    EXPECT_GT(std::abs(low.r - high.r) + std::abs(low.g - high.g) + std::abs(low.b - high.b), 150);
    // No jumps.
    for (int i = 0; i < 400; ++i) {
      const Rgb8 a = scale_color(static_cast<float>(i) / 400, map);
      const Rgb8 b = scale_color(static_cast<float>(i + 1) / 400, map);
      EXPECT_LT(std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b), 12);
    }
  }
  EXPECT_EQ(scale_color(0.5f, ColorMap::grey).r, scale_color(0.5f, ColorMap::grey).b);
}

// Two triangles in a buffer: one of a material with a factor, one with a picture of two texels.
TEST(PaintedMesh, HasColoursOfMaterialsAndVerticesAndPictures) {
  const TestFolder folder("painted_mesh");
  Image texels(2, 1);
  texels.rgb = {255, 0, 0, 0, 0, 255};
  ASSERT_TRUE(write_png(folder.path() / "texels.png", texels));
  std::vector<float> numbers = {0, 0, 0, 1, 0,    0, 0, 1, 0,   // positions
                                0, 0, 1, 0, 0,    1, 0, 0, 1,   // normals
                                0, 0, 1, 0, 1,    1,            // places
                                1, 1, 1, 1, 0.5f, 1, 1, 1, 0};  // colours
  std::ofstream(folder.path() / "data.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(4 * numbers.size()));
  const auto read = [&](const std::string& materials, const std::string& image) {
    std::ofstream(folder.path() / "a.gltf") << R"({"asset": {"version": "2.0"},
      "buffers": [{"uri": "data.bin", "byteLength": 132}],
      "bufferViews": [{"buffer": 0, "byteLength": 132}],
      "accessors": [
        {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3},
        {"bufferView": 0, "byteOffset": 36, "componentType": 5126, "type": "VEC3", "count": 3},
        {"bufferView": 0, "byteOffset": 72, "componentType": 5126, "type": "VEC2", "count": 3},
        {"bufferView": 0, "byteOffset": 96, "componentType": 5126, "type": "VEC3", "count": 3}],
      "images": [{"uri": ")" << image << R"("}], "textures": [{"source": 0}],
      "meshes": [{"primitives": [
        {"attributes": {"POSITION": 0, "COLOR_0": 3}, "material": 0},
        {"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}, "material": 1}]}],
      "nodes": [{"mesh": 0, "translation": [0, 0, 5]}], "materials": )"
                                            << materials << "}";
    return read_painted_mesh(folder.path() / "a.gltf");
  };
  const std::string both = R"([
      {"pbrMetallicRoughness": {"baseColorFactor": [1, 0.2140411, 0, 1]}},
      {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}])";
  const Result<PaintedMesh> mesh = read(both, "texels.png");
  ASSERT_TRUE(mesh) << mesh.errors()[0];
  ASSERT_EQ(mesh->parts.size(), 2u);
  EXPECT_EQ(mesh->parts[0].picture, -1);
  EXPECT_EQ(mesh->parts[1].picture, 0);
  EXPECT_EQ(mesh->parts[1].first, 3u);
  EXPECT_EQ(mesh->indices, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(mesh->vertices[4][2], 5);
  ASSERT_EQ(mesh->pictures.size(), 1u);
  EXPECT_EQ(mesh->pictures[0].rgb, texels.rgb);
  EXPECT_EQ(mesh->places, (std::vector<float>{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1}));
  // 0.214 of linear light is half of the scale; the second vertex halves that light.
  EXPECT_EQ(mesh->colors[0], 255);
  EXPECT_NEAR(mesh->colors[1], 127.5, 1);
  EXPECT_EQ(mesh->colors[2], 0);
  EXPECT_NEAR(mesh->colors[4 + 1], 92, 1);
  for (const Vec3f& n : mesh->normals) EXPECT_NEAR(n[2], 1, 1e-6);
  // Looks that cannot be read are left out.
  const Result<PaintedMesh> lost = read(both, "nowhere.png");
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->parts[1].picture, -1);
  EXPECT_FALSE(read_painted_mesh(folder.path() / "missing.glb"));
  EXPECT_FALSE(read_painted_mesh(folder.path() / "texels.png"));
  std::ofstream(folder.path() / "b.glb") << "no glTF";
  EXPECT_FALSE(read_painted_mesh(folder.path() / "b.glb"));
}

// Ids tell the object, and objects that have no look of their own have that of their material.
TEST(FrameData, GroupsAreObjectsWithALookOrMaterials) {
  SceneSettings scene;
  scene.materials.resize(2);
  scene.objects.resize(3);
  scene.objects[1].look = ParticleLook{};
  scene.objects[1].look->opacity = 0.5;
  scene.objects[2].material = 1;
  MaterialLook beads;
  beads.style = "icosahedra";
  scene.view.look.materials = {beads};
  const Look look = look_of(scene);
  ASSERT_EQ(look.groups.size(), 3u);
  EXPECT_EQ(look.groups[2].opacity, 0.5);
  EXPECT_EQ(style_of(look, 2), PointStyle::icosahedra);  // its material's
  PointTable table = random_table(6, 3, 1);
  table.add<std::uint32_t>("id") = {0, 1, 2, 3, 4, 9};  // the last came from an emitter
  table.add<std::int32_t>("material") = {0, 0, 0, 1, 1, 0};
  table.metadata["objects"] = "2,3,5";
  FrameOptions options;
  choose_parts(look, options);
  const auto groups = [&] {
    std::vector<int> list;
    const Result<FrameData> frame = make_frame_data(table, options);
    for (const DrawnPoint& p : frame->points) list.push_back(p.group);
    return list;
  };
  EXPECT_EQ(groups(), (std::vector<int>{0, 0, 2, 1, 1, 0}));
  for (const char* odd : {"", ",,", "x", "2,"}) {
    table.metadata["objects"] = odd;
    EXPECT_EQ(groups(), (std::vector<int>{0, 0, 0, 1, 1, 0})) << odd;
  }
}

TEST(FrameBlend, FollowsIdsWhoeverCameAndWent) {
  PointTable a, b;
  a.count = 3, b.count = 3;
  a.add<float>("x") = {0, 1, 2};
  a.add<float>("y") = {0, 0, 0};
  a.add<std::int32_t>("id") = {1, 2, 5};
  b.add<float>("x") = {10, 20, 30};
  b.add<float>("y") = {4, 4, 4};
  b.add<std::int32_t>("id") = {2, 5, 9};
  a.metadata["time"] = "1";
  b.metadata["time"] = "2";
  const PointTable half = blend_frames(a, b, 0.5);
  EXPECT_EQ(half.as_double("x"), (std::vector<double>{0, 5.5, 11}));
  EXPECT_EQ(half.as_double("y"), (std::vector<double>{0, 2, 2}));
  EXPECT_DOUBLE_EQ(frame_time(half), 1.5);
  EXPECT_EQ(blend_frames(a, b, 0).as_double("x"), a.as_double("x"));
}

Frame with_body(double time, const BodyPose& body) {
  Frame frame;
  frame.add<std::int32_t>("id");
  frame.metadata["time"] = std::to_string(time);
  frame.bodies = {body};
  return frame;
}

// A throw is a parabola, which the cubic meets exactly; the spin tells how many turns were made.
TEST(FrameBlend, BodiesFollowTheirVelocityAndSpin) {
  for (const double turns : {0.25, 0.75, 1.0, 2.6, -1.3}) {
    const auto pose = [&](double t) {
      BodyPose body;
      body.name = "stone";
      body.position = {{3 * t, 5 * t - 4.905 * t * t, 0}};
      body.velocity = {{3, 5 - 9.81 * t, 0}};
      body.spin = Vec3d{{0, 0.6, 0.8}} * (2 * kPi * turns);
      body.rotation = quaternion_about(body.spin * t);
      body.scale = 1 + t;
      return body;
    };
    const Frame a = with_body(0, pose(0)), b = with_body(1, pose(1));
    for (const double share : {0.2, 0.5, 0.9}) {
      const BodyPose at = blend_frames(a, b, share).bodies[0], exact = pose(share);
      const Mat<double, 3> r = matrix_of(at.rotation), expected = matrix_of(exact.rotation);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(at.position[i], exact.position[i], 1e-9);
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(r(i, j), expected(i, j), 1e-9) << turns;
      }
      EXPECT_NEAR(at.scale, 1 + share, 1e-12);
    }
  }
}

TEST(FrameBlend, MeshesFollowTheirCorners) {
  Frame a, b;
  a.count = 3, b.count = 2;
  a.add<float>("x") = {0, 1, 2};
  a.add<std::int32_t>("id") = {1, 2, 5};
  b.add<float>("x") = {10, 20};
  b.add<std::int32_t>("id") = {2, 5};
  a.meshes = {{"m", {0, 1, 2}, {}, {}}};
  const Frame half = blend_frames(a, b, 0.5);
  ASSERT_EQ(half.meshes.size(), 1u);
  EXPECT_EQ(half.meshes[0].triangles, a.meshes[0].triangles);
  EXPECT_EQ(half.as_double("x"), (std::vector<double>{0, 5.5, 11}));
}

TEST(FrameData, CornersOfMeshesAreNoBalls) {
  Frame frame = random_table(6, 3, 3);
  const auto column = [&](int axis) -> std::vector<float>& {
    return std::get<std::vector<float>>(frame.columns[std::size_t(axis)].values);
  };
  column(0) = {0, 0, 1, 5, 1, 5};  // a flat square of 0, 1, 2, 4
  column(1) = {0, 0, 0, 5, 0, 5};
  column(2) = {0, 1, 1, 5, 0, 5};
  frame.meshes = {{"m", {0, 1, 2, 0, 2, 4}, {}, {}}};
  const Result<FrameData> data = make_frame_data(frame, {});
  ASSERT_TRUE(data);
  EXPECT_EQ(data->points.size(), 2u);
  EXPECT_EQ(data->cells.vertices.size(), 4u);
  EXPECT_EQ(data->cells.normals.size(), 4u);
  EXPECT_EQ(data->cells.colors.size(), 16u);
  EXPECT_EQ(data->cells.indices, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3}));
  // Corners without a place take their triangles with them.
  column(0)[1] = NAN;
  EXPECT_EQ(make_frame_data(frame, {})->cells.indices.size(), 3u);
}

// A triangle whose corners look differently has the look of its first.
TEST(FrameData, TrianglesBetweenGroupsHaveOne) {
  Frame frame = random_table(4, 3, 3);
  frame.add<std::int32_t>("material") = {0, 0, 1, 1};
  frame.meshes = {{"m", {0, 1, 2, 2, 1, 3}, {}, {}}};
  const Result<FrameData> data = make_frame_data(frame, {});
  ASSERT_TRUE(data);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(data->cells.colors[4 * data->cells.indices[i] + 3], i < 3 ? 0 : 1);
}

TEST(Turntable, KeepsDistanceAndHeight) {
  const Camera camera{{{3, 2, 1}}, {{1, 1, 1}}, {{0, 1, 0}}, 40, 0};
  const Camera turned = turned_camera(camera, 90, 3);
  EXPECT_NEAR(turned.eye[0], 1, 1e-12);
  EXPECT_NEAR(turned.eye[1], 2, 1e-12);
  EXPECT_NEAR(std::abs(turned.eye[2] - 1), 2, 1e-12);
  const Camera round = turned_camera(camera, 360, 3);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(round.eye[k], camera.eye[k], 1e-9);
}

}  // namespace
}  // namespace firn

// Pictures as shapes: areas and distances of discs and squares, edges of the picture, height maps.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "geometry/bitmap_field.h"
#include "geometry/mesh_field.h"

namespace firn {
namespace {

GrayImage picture(int width, int height, float (*value)(double x, double y)) {
  GrayImage image{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) image.value.push_back(value(x + 0.5, y + 0.5));
  return image;
}

// A disc of radius 20 in 64 pixels, with a soft edge two pixels wide.
GrayImage disc() {
  return picture(64, 64, [](double x, double y) {
    const double r = std::hypot(x - 32, y - 32);
    return static_cast<float>(std::clamp(0.5 + (20 - r) / 2, 0.0, 1.0));
  });
}

TEST(BitmapField, SmoothDiscHasAreaAndDistancesOfTheDisc) {
  BitmapRegion region;
  region.width = 6.4;  // 0.1 m a pixel
  region.filter = PixelFilter::bilinear;
  const auto field = bitmap_distance_field(disc(), region, 0.05);
  ASSERT_TRUE(field.ok());
  EXPECT_NEAR(field->volume(), kPi * 4, 0.005 * kPi * 4);
  RandomStream random(1, 0);
  for (int k = 0; k < 5000; ++k) {
    const Vec3d p{{6 * random.next_double() - 3, 6 * random.next_double() - 3, 0}};
    const double exact = std::hypot(p[0], p[1]) - 2;
    if (std::fabs(exact) > 0.2) continue;
    ASSERT_NEAR(field_distance(field->view(), p).distance, exact, 0.01);
  }
}

TEST(BitmapField, NearestPixelsAreSquares) {
  // One pixel of 4 x 2, the second from the left in the upper row.
  GrayImage image{4, 2, {0, 1, 0, 0, 0, 0, 0, 0}};
  BitmapRegion region;
  region.width = 4;
  const auto field = bitmap_distance_field(image, region, 0.05);
  ASSERT_TRUE(field.ok());
  EXPECT_NEAR(field->volume(), 1, 0.01);
  const auto at = [&](double x, double y) {
    return field_distance(field->view(), {{x, y, 0}}).distance;
  };
  EXPECT_LT(at(-0.5, 0.5), -0.2);
  EXPECT_NEAR(at(-0.5, 0.1), -0.1, 0.01);
  EXPECT_NEAR(at(-0.5, -0.1), 0.1, 0.01);
  EXPECT_NEAR(at(-1.1, 0.5), 0.1, 0.01);
  EXPECT_NEAR(at(-0.5, 1.1), 0.1, 0.01);
  EXPECT_NEAR(field->bounds().low[0], -1, 1e-3);
  EXPECT_NEAR(field->bounds().high[1], 1, 1e-3);
}

TEST(BitmapField, WhitePictureIsTheRectangleAndBlackAnError) {
  for (const PixelFilter filter : {PixelFilter::nearest, PixelFilter::bilinear})
    for (const int pixels : {1, 3, 40}) {
      GrayImage white{2 * pixels, pixels, std::vector<float>(2 * pixels * pixels, 0.9f)};
      BitmapRegion region;
      region.width = 2;
      region.filter = filter;
      const auto field = bitmap_distance_field(white, region, 0.05);
      ASSERT_TRUE(field.ok());
      EXPECT_NEAR(field->volume(), 2, 0.01);
      EXPECT_NEAR(field_distance(field->view(), {{0.9, 0, 0}}).distance, -0.1, 1e-3);
      EXPECT_NEAR(field_distance(field->view(), {{0, 0.6, 0}}).distance, 0.1, 1e-3);
      region.inverted = true;
      const auto nothing = bitmap_distance_field(white, region, 0.05);
      ASSERT_FALSE(nothing.ok());
      EXPECT_NE(nothing.errors()[0].find("no pixel is inside"), std::string::npos);
    }
}

TEST(BitmapField, InvertedRegionIsTheRestOfThePicture) {
  BitmapRegion region;
  region.width = 6.4;
  for (const PixelFilter filter : {PixelFilter::nearest, PixelFilter::bilinear}) {
    region.filter = filter;
    region.inverted = false;
    const auto inside = bitmap_distance_field(disc(), region, 0.05);
    region.inverted = true;
    const auto outside = bitmap_distance_field(disc(), region, 0.05);
    ASSERT_TRUE(inside.ok() && outside.ok());
    EXPECT_NEAR(inside->volume() + outside->volume(), 6.4 * 6.4, 0.02);
  }
}

TEST(BitmapField, NoiseAndBadNumbersAreSurvived) {
  RandomStream random(2, 0);
  GrayImage noise{30, 20, {}};
  for (int i = 0; i < 600; ++i) noise.value.push_back(random.next_float());
  noise.value[7] = std::nanf("");
  noise.value[9] = INFINITY;
  for (const PixelFilter filter : {PixelFilter::nearest, PixelFilter::bilinear}) {
    BitmapRegion region;
    region.filter = filter;
    const auto field = bitmap_distance_field(noise, region, 0.002);
    ASSERT_TRUE(field.ok());
    EXPECT_NEAR(field->volume(), 1.0 / 3, 0.05);
  }
  EXPECT_FALSE(bitmap_distance_field({}, {}, 0.1).ok());
  EXPECT_FALSE(bitmap_distance_field({2, 2, {1, 1}}, {}, 0.1).ok());
  EXPECT_FALSE(bitmap_distance_field(noise, {-1.0, 0.5, false, PixelFilter::nearest}, 0.1).ok());
}

TEST(HeightMesh, RampHasItsVolumeAndIsClosed) {
  const GrayImage ramp = picture(17, 9, [](double x, double) { return float((x - 0.5) / 16); });
  const auto mesh = height_mesh(ramp, 4, 2, 1, 0.5);
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(count_open_edges(*mesh), 0u);
  EXPECT_NEAR(signed_volume(*mesh), 4 * 2 * (0.5 + 0.5), 1e-6);
  const auto field = mesh_distance_field(*mesh, 0.1);
  ASSERT_TRUE(field.ok());
  EXPECT_LT(field_distance(field->view(), {{1, 0.5, 0}}).distance, 0);
  EXPECT_GT(field_distance(field->view(), {{-1, 0.5, 0}}).distance, 0);
}

TEST(HeightMesh, FlatPartsWithoutBaseAndSinglePixels) {
  const GrayImage ramp = picture(17, 9, [](double x, double) { return float((x - 0.5) / 16); });
  const auto wedge = height_mesh(ramp, 4, 2, 1, 0);
  ASSERT_TRUE(wedge.ok());
  EXPECT_NEAR(signed_volume(*wedge), 4, 1e-6);
  EXPECT_EQ(count_open_edges(*wedge), 0u);
  const auto block = height_mesh({1, 1, {1}}, 1, 1, 1, 0);
  ASSERT_TRUE(block.ok());
  EXPECT_NEAR(signed_volume(*block), 1, 1e-9);
  EXPECT_FALSE(height_mesh({1, 1, {2}}, 1, 1, 1, 0).ok());
  EXPECT_FALSE(height_mesh({}, 1, 1, 1, 0).ok());
  EXPECT_FALSE(height_mesh({1, 1, {1}}, 0, 1, 1, 0).ok());
}

}  // namespace
}  // namespace firn

// What nodes in corners between obstacles may do: the way that is left of -g is the nearest one
// that leads into no obstacle.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mpm/implicit_node.h"

namespace firn {
namespace {

template <int D>
using Vector = Vec<double, D>;

std::mt19937 random_numbers{5};

template <int D>
Vector<D> random_direction() {
  std::normal_distribution<double> value(0, 1);
  Vector<D> v;
  for (int a = 0; a < D; ++a) v[a] = value(random_numbers);
  return v * (1 / length_of(v));
}

// A node at rest that touches planes.
template <int D>
struct Corner {
  std::vector<Contact<double, D>> contacts;
  ContactStep<double> step{1e-2, 1};
  ContactNode<double, D> node;

  Vector<D> way_left(const Vector<D>& g) {
    node.mass = 1;
    register_active<double, D>(step, node, contacts.data(), static_cast<int>(contacts.size()),
                               Vector<D>::zero(), g);
    return open_part<double, D>(node, Vector<D>::zero() - g);
  }
  void add(const Vector<D>& normal, double gap = 0, ContactKind kind = ContactKind::separate) {
    Contact<double, D> c{};
    c.kind = kind;
    c.normal = normal;
    c.phi = gap;
    contacts.push_back(c);
  }
  bool allows(const Vector<D>& way, double slack = 0) const {
    for (const auto& c : contacts)
      if (dot(way, c.normal) < -slack) return false;
    return true;
  }
};

// The nearest way p to -g: allowed, and (-g - p).(d - p) <= 0 for all that are.
template <int D>
void expect_nearest(Corner<D>& corner, const Vector<D>& g) {
  const Vector<D> way = corner.way_left(g);
  ASSERT_TRUE(corner.allows(way, 1e-9));
  EXPECT_LT(dot(way, g), 1e-12);
  const Vector<D> rest = Vector<D>::zero() - g - way;
  for (int n = 0; n < 100; ++n) {
    const Vector<D> other = random_direction<D>();
    if (!corner.allows(other)) continue;
    ASSERT_LE(dot(rest, other - way), 1e-9);
    ASSERT_LE(dot(rest, other * 1e-3 - way), 1e-9);
  }
}

template <int D>
void expect_nearest_ways(int planes) {
  int held = 0, free = 0, between = 0;
  for (int n = 0; n < 300; ++n) {
    Corner<D> corner;
    for (int k = 0; k < planes; ++k) corner.add(random_direction<D>());
    expect_nearest<D>(corner, random_direction<D>());
    held += corner.node.closed == D;
    free += corner.node.closed == 0;
    between += corner.node.closed > 0 && corner.node.closed < D;
  }
  EXPECT_GT(held, 10);
  EXPECT_GT(free, 10);
  EXPECT_GT(between, 30);
}

TEST(ImplicitCorner, OfTwoPlanes) {
  expect_nearest_ways<2>(2);
}
TEST(ImplicitCorner, OfThreePlanes) {
  expect_nearest_ways<3>(3);
}

// Into a sharp wedge: g presses on one side alone, and yet there is no way.
TEST(ImplicitCorner, ASharpWedgeHolds) {
  Corner<2> wedge;
  wedge.add({{0, 1}});
  wedge.add({{-0.6, -0.8}});
  EXPECT_EQ(length_of(wedge.way_left({{-1, 0.2}})), 0);
  EXPECT_EQ(length_of(wedge.way_left({{-1, -0.2}})), 0);
  EXPECT_GT(length_of(wedge.way_left({{1, 0.2}})), 0.9);
}

// In a blunt one g may press on both and lead away from one of them.
TEST(ImplicitCorner, ABluntWedgeLetsGo) {
  Corner<2> wedge;
  wedge.add({{0, 1}});
  wedge.add({{0.8, 0.6}});
  const Vec<double, 2> g{{-0.1, 1}};
  ASSERT_GT(dot(g, wedge.contacts[1].normal), 0);
  const Vec<double, 2> way = wedge.way_left(g);
  EXPECT_NEAR(way[0], 0.1, 1e-12);
  EXPECT_NEAR(way[1], 0, 1e-12);
}

TEST(ImplicitCorner, WhatIsNotTouchedClosesNothing) {
  Corner<2> wedge;
  wedge.add({{0, 1}});
  wedge.add({{-0.6, -0.8}}, 0.1);
  EXPECT_NEAR(wedge.way_left({{-1, 0.2}})[0], 1, 1e-12);
  // A slipping one is closed on both sides.
  Corner<2> slips;
  slips.add({{0, 1}}, 0, ContactKind::slip);
  slips.add({{-1, 0}}, 0.1);
  EXPECT_NEAR(slips.way_left({{-1, -1}})[0], 1, 1e-12);
  EXPECT_NEAR(slips.way_left({{-1, -1}})[1], 0, 1e-12);
}

}  // namespace
}  // namespace firn

// Contact of a node: the constraint of each kind, Coulomb's cone, frames of reference, corners.
#include <gtest/gtest.h>

#include "base/random.h"
#include "collision/collider.h"

namespace firn {
namespace {

constexpr double kDt = 0.01;
constexpr ContactKind kKinds[] = {ContactKind::sticky, ContactKind::slip, ContactKind::separate};

template <int D>
Vec<double, D> random_vector(RandomStream& random, double size) {
  Vec<double, D> v;
  for (int i = 0; i < D; ++i) v[i] = size * (2 * random.next_double() - 1);
  return v;
}
template <int D>
Vec<double, D> random_unit(RandomStream& random) {
  Vec<double, D> v;
  do v = random_vector<D>(random, 1);
  while (dot(v, v) < 0.01);
  return v * (1 / std::sqrt(dot(v, v)));
}
template <int D>
double norm(const Vec<double, D>& v) {
  return std::sqrt(dot(v, v));
}

// A random situation: half of the nodes inside, half of them about to enter or leave.
template <int D>
struct Situation {
  explicit Situation(RandomStream& r)
      : v(random_vector<D>(r, 3)),
        v_body(random_vector<D>(r, 2)),
        normal(random_unit<D>(r)),
        phi(0.02 * (2 * r.next_double() - 1)),
        friction(1.5 * r.next_double()) {}
  Vec<double, D> resolve(ContactKind kind) const {
    return resolve_contact(kind, friction, v, v_body, normal, phi, kDt);
  }
  Vec<double, D> v, v_body, normal;
  double phi, friction;
};

template <class Dimension>
class ContactOf : public testing::Test {};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(ContactOf, Dimensions);

TYPED_TEST(ContactOf, ObeysTheConstraintOfItsKind) {
  constexpr int D = TypeParam::value;
  RandomStream random(1, 0);
  for (int k = 0; k < 20000; ++k) {
    const Situation<D> s(random);
    const double vn = dot(s.v - s.v_body, s.normal);
    const auto after = [&](ContactKind kind) {
      return s.phi + kDt * dot(s.resolve(kind) - s.v_body, s.normal);
    };
    // Separating: as far as min(phi, 0) and not a bit more than needed.
    const double wanted = std::max(s.phi + kDt * vn, std::min(s.phi, 0.0));
    ASSERT_NEAR(after(ContactKind::separate), wanted, 1e-14);
    // Slipping: the depth stays inside, nothing happens outside.
    ASSERT_NEAR(after(ContactKind::slip), s.phi < 0 ? s.phi : s.phi + kDt * vn, 1e-14);
    if (s.phi >= 0) {
      ASSERT_TRUE(s.resolve(ContactKind::slip) == s.v);
    }
    if (s.phi <= 0) {
      ASSERT_TRUE(s.resolve(ContactKind::sticky) == s.v_body);
    }
    if (s.phi > 0 && s.phi + kDt * vn > 0) {
      for (ContactKind kind : kKinds) ASSERT_TRUE(s.resolve(kind) == s.v);
    }
  }
}

TYPED_TEST(ContactOf, FrictionStaysInTheConeAndSticksInsideIt) {
  constexpr int D = TypeParam::value;
  RandomStream random(2, 0);
  int stuck = 0, slid = 0;
  for (int k = 0; k < 20000; ++k) {
    const Situation<D> s(random);
    for (ContactKind kind : {ContactKind::slip, ContactKind::separate}) {
      const auto impulse = s.resolve(kind) - s.v;
      const double jn = dot(impulse, s.normal);
      const auto jt = impulse - s.normal * jn;
      const auto before = s.v - s.v_body, after = s.resolve(kind) - s.v_body;
      const auto vt_before = before - s.normal * dot(before, s.normal);
      const auto vt = after - s.normal * dot(after, s.normal);
      ASSERT_LE(norm(jt), s.friction * std::fabs(jn) + 1e-12);
      if (jn == 0) continue;
      if (norm(vt_before) <= s.friction * std::fabs(jn)) {
        ++stuck;
        ASSERT_LT(norm(vt), 1e-14);
      } else {
        ++slid;  // at the cone, straight against the sliding
        ASSERT_NEAR(norm(jt), s.friction * std::fabs(jn), 1e-12);
        ASSERT_NEAR(dot(jt, vt_before), -norm(jt) * norm(vt_before), 1e-12);
        ASSERT_GE(dot(vt, vt_before), 0);
      }
    }
  }
  EXPECT_GT(stuck, 1000);
  EXPECT_GT(slid, 1000);
}

TYPED_TEST(ContactOf, NeverAddsEnergyInTheBodysFrame) {
  constexpr int D = TypeParam::value;
  RandomStream random(3, 0);
  for (int k = 0; k < 20000; ++k) {
    const Situation<D> s(random);
    for (ContactKind kind : kKinds)
      ASSERT_LE(norm(s.resolve(kind) - s.v_body), norm(s.v - s.v_body) + 1e-14);
  }
}

TYPED_TEST(ContactOf, FrictionlessContactKeepsTheTangentialVelocity) {
  constexpr int D = TypeParam::value;
  RandomStream random(4, 0);
  for (int k = 0; k < 20000; ++k) {
    Situation<D> s(random);
    s.friction = 0;
    for (ContactKind kind : {ContactKind::slip, ContactKind::separate}) {
      const auto change = s.resolve(kind) - s.v;
      ASSERT_LT(norm(change - s.normal * dot(change, s.normal)), 1e-14);
    }
  }
}

TYPED_TEST(ContactOf, LooksTheSameFromAMovingFrame) {
  constexpr int D = TypeParam::value;
  RandomStream random(5, 0);
  for (int k = 0; k < 20000; ++k) {
    const Situation<D> s(random);
    Situation<D> moved = s;
    const auto shift = random_vector<D>(random, 10);
    moved.v += shift;
    moved.v_body += shift;
    for (ContactKind kind : kKinds)
      ASSERT_LT(norm(moved.resolve(kind) - s.resolve(kind) - shift), 1e-12);
  }
}

Collider plane(const Vec3d& angles, double friction, ContactKind kind = ContactKind::separate) {
  Collider c;
  c.shape.kind = ShapeKind::plane;
  c.shape.rotation = rotation_from_degrees(angles);
  c.contact = kind;
  c.friction = friction;
  return c;
}

// A floor and a wall at any angle: neither is entered, and no energy appears.
TEST(Colliders, CornersHold) {
  RandomStream random(6, 0);
  const int both[] = {0, 1}, three[] = {0, 1, 2};
  int held = 0;
  for (int k = 0; k < 20000; ++k) {
    const double mu = k % 2 ? random.next_double() : 0;
    const Collider walls[] = {plane(random_vector<3>(random, 180), mu),
                              plane(random_vector<3>(random, 180), mu),
                              plane(random_vector<3>(random, 180), mu)};
    const Vec3d x = random_vector<3>(random, 0.02), v = random_vector<3>(random, 3);
    for (int n : {2, 3}) {
      const Vec3d after = apply_colliders(walls, n == 2 ? both : three, n, x, v, kDt);
      ASSERT_LE(norm(after), norm(v) * (1 + 1e-12));
      for (int i = 0; i < n; ++i) {
        const auto [phi, normal] = signed_distance(walls[i].shape, x);
        ASSERT_GE(phi + kDt * dot(after, normal), std::min(phi, 0.0) - 1e-12);
      }
      held += !(after == v);
    }
  }
  EXPECT_GT(held, 10000);
}

TEST(Colliders, CornerLeavesTheWayAlongTheCreaseFree) {
  // Two planes along z that meet in a narrow valley.
  const Collider walls[] = {plane({{0, 0, 70}}, 0), plane({{0, 0, -70}}, 0)};
  const int both[] = {0, 1};
  const Vec3d after = apply_colliders(walls, both, 2, Vec3d{{0, 0, 0}}, Vec3d{{0.3, -1, 2}}, kDt);
  EXPECT_NEAR(after[0], 0, 1e-12);
  EXPECT_NEAR(after[1], 0, 1e-12);
  EXPECT_NEAR(after[2], 2, 1e-12);
}

TEST(Colliders, WorksInFloatAndTwoDimensions) {
  Collider walls[] = {plane({{0, 0, 0}}, 0.5), plane({{0, 0, -50}}, 0.5)};
  for (Collider& wall : walls) wall.shape.dimension = 2;
  const int both[] = {0, 1};
  RandomStream random(7, 0);
  for (int k = 0; k < 5000; ++k) {
    Vec3d x = random_vector<3>(random, 0.02);
    x[2] = 0;
    const Vec<float, 2> v = random_vector<2>(random, 3).cast<float>();
    const Vec<float, 2> after = apply_colliders(walls, both, 2, x, v, float(kDt));
    for (const Collider& wall : walls) {
      const auto [phi, n] = signed_distance(wall.shape, x);
      ASSERT_GE(phi + kDt * (n[0] * after[0] + n[1] * after[1]), std::min(phi, 0.0) - 1e-6);
    }
  }
}

TEST(Colliders, StickyDecidesAndFarOnesDoNothing) {
  const Collider all[] = {plane({{0, 0, 0}}, 0), plane({{0, 0, 90}}, 0, ContactKind::sticky)};
  const int both[] = {0, 1};
  const Vec3d v{{1, -1, 1}};
  EXPECT_TRUE((apply_colliders(all, both, 2, Vec3d{{0.001, -0.1, 0}}, v, kDt) == Vec3d::zero()));
  EXPECT_TRUE((apply_colliders(all, both, 2, Vec3d{{-5, 5, 0}}, v, kDt) == v));
}

// A block on a slope of angle a stays when tan a <= mu and else gains g (sin a - mu cos a) a
// second.
TEST(Colliders, InclineSticksAndSlidesAsCoulombSays) {
  constexpr double kAngle = 25, kGravity = 9.81;
  for (double mu : {0.2, 0.4, 0.46, 0.47, 0.8}) {
    const Collider slope = plane({{0, 0, kAngle}}, mu);
    const int index[] = {0};
    Vec3d v = Vec3d::zero();
    for (int step = 0; step < 100; ++step) {
      v[1] -= kGravity * kDt;
      v = apply_colliders(&slope, index, 1, Vec3d{{0, 0, 0}}, v, kDt);
    }
    const double a = kAngle * kDegree;
    const double expected = std::max(0.0, kGravity * (std::sin(a) - mu * std::cos(a)));
    EXPECT_NEAR(norm(v), expected, 1e-9);
  }
}

}  // namespace
}  // namespace firn

// Friction of one node: what the gradient says of a direction is how the objective begins to
// change along it, at rest too, where friction's potential has a kink.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mpm/implicit_node.h"

namespace firn {
namespace {

using Vector = Vec<double, 3>;

struct RubbingNode {
  ContactStep<double> step{1e-2, 1};
  ContactNode<double, 3> node;
  Contact<double, 3> floor{};
  Vector pull{};  // of the rest of the objective, which is pull.v

  RubbingNode(const Vector& pull, double friction) : pull(pull) {
    node.mass = 1;
    node.friction = friction;
    floor.kind = ContactKind::separate;
    floor.normal = {{0, 1, 0}};
    floor.friction = 1;
  }
  double objective(const Vector& v) const {
    return dot(pull, v) + friction_energy<double, 3>(node, floor, v);
  }
  // The gradient along what is open at v.
  Vector slope(const Vector& v) {
    Vector g = pull;
    add_friction_gradient<double, 3>(step, node, floor, v, g);
    register_active<double, 3>(step, node, &floor, 1, v, g);
    return open_part<double, 3>(node, g);
  }
  void expect_slope_along(const Vector& v, const Vector& g, const Vector& any) const {
    const Vector way = open_part<double, 3>(node, any);
    // Against the way that it slides the node stays where it is.
    const double sense = dot(way, node.sliding) < 0 ? -1 : 1, small = 1e-7;
    const double change = objective(v + way * (sense * small)) - objective(v);
    EXPECT_NEAR(change / small, sense * dot(g, way), 1e-5);
  }
};

Vector random_vector(std::mt19937& numbers) {
  std::normal_distribution<double> value(0, 1);
  return {{value(numbers), value(numbers), value(numbers)}};
}

TEST(ImplicitFriction, GradientsAreSlopesAtRestAndInMotion) {
  std::mt19937 numbers{7};
  int begin = 0, rest = 0;
  for (int n = 0; n < 200; ++n) {
    Vector pull = random_vector(numbers);
    pull[1] = 1;  // presses
    for (const bool moves : {false, true}) {
      RubbingNode rubs(pull, 1.2);
      Vector v = random_vector(numbers) * (moves ? 1.0 : 0.0);
      v[1] = 0;
      const Vector g = rubs.slope(v);
      if (!moves) (length_of(g) > 0 ? begin : rest)++;
      for (int k = 0; k < 5; ++k) rubs.expect_slope_along(v, g, random_vector(numbers));
    }
  }
  EXPECT_GT(begin, 50);
  EXPECT_GT(rest, 50);
}

}  // namespace
}  // namespace firn

// The expression language: meaning, limits, errors with their place, noise.
#include "expr/program.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/math.h"
#include "expr/nearest_name.h"
#include "expr/parser.h"

namespace firn {
namespace {

const std::vector<std::string> kNames = {"x", "y", "z", "t"};
const double kValues[] = {1.25, -0.5, 3, 0.75};

double value(const std::string& text) {
  const auto program = parse_expression(text, kNames);
  EXPECT_TRUE(program.ok()) << text << ": " << (program.ok() ? "" : program.errors()[0]);
  return program.ok() ? evaluate(*program, kValues) : std::nan("");
}
std::string error(const std::string& text) {
  const auto program = parse_expression(text, kNames);
  EXPECT_FALSE(program.ok()) << text;
  return program.ok() ? "" : program.errors()[0];
}

TEST(Expression, PrecedenceAndAssociativity) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("16 / 4 / 2"), 2);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("-2 ^ 2"), -4);
  EXPECT_EQ(value("2 ^ -1"), 0.5);
  EXPECT_EQ(value("2 * -3"), -6);
  EXPECT_EQ(value("--2"), 2);
  EXPECT_EQ(value("+ 2"), 2);
  EXPECT_EQ(value("1 + 2 < 4"), 1);
  EXPECT_EQ(value("1 < 2 == 2 < 3"), 1);
  EXPECT_EQ(value("1 || 0 && 0"), 1);
  EXPECT_EQ(value("(1 || 0) && 0"), 0);
  EXPECT_EQ(value("!0 + 1"), 2);
  EXPECT_EQ(value("!(x > 1)"), 0);
  EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(value("1 ? 0 ? 4 : 5 : 6"), 5);
  EXPECT_EQ(value("x > 1 ? y : z"), -0.5);
}

TEST(Expression, VariablesNumbersFunctions) {
  EXPECT_EQ(value("x"), 1.25);
  EXPECT_EQ(value("t"), 0.75);
  EXPECT_EQ(value("x*y+z"), 1.25 * -0.5 + 3);
  EXPECT_EQ(value("1.5e3 + .5 + 2."), 1502.5);
  EXPECT_EQ(value("2e-1"), 0.2);
  EXPECT_EQ(value("pi"), kPi);
  EXPECT_DOUBLE_EQ(value("log(e)"), 1);
  EXPECT_EQ(value("min(3, 1, 2)"), 1);
  EXPECT_EQ(value("max(x, y)"), 1.25);
  EXPECT_EQ(value("max(1, 2, 3, 4, 5)"), 5);
  EXPECT_EQ(value("clamp(5, 0, 2)"), 2);
  EXPECT_EQ(value("clamp(-5, 0, 2)"), 0);
  EXPECT_EQ(value("clamp(1, 0, 2)"), 1);
  EXPECT_EQ(value("mod(-0.25, 1)"), 0.75);
  EXPECT_EQ(value("step(1, 0.5)"), 0);
  EXPECT_EQ(value("step(1, 1)"), 1);
  EXPECT_EQ(value("smoothstep(0, 2, 1)"), 0.5);
  EXPECT_EQ(value("smoothstep(0, 2, -1)"), 0);
  EXPECT_EQ(value("smoothstep(0, 2, 9)"), 1);
  EXPECT_EQ(value("length(3, 4)"), 5);
  EXPECT_EQ(value("length(2, 3, 6)"), 7);
  EXPECT_EQ(value("pow(2, 10)"), 1024);
  EXPECT_EQ(value("atan2(1, 0)"), std::atan2(1.0, 0.0));
  EXPECT_EQ(value("floor(-1.5) + ceil(-1.5)"), -3);
}

TEST(Expression, FollowsIeeeWhereMathematicsEnds) {
  EXPECT_EQ(value("1/0"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(value("-1/0"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(value("0/0")));
  EXPECT_TRUE(std::isnan(value("sqrt(-1)")));
  EXPECT_EQ(value("x > 0 ? 2 : 1/0"), 2);
}

TEST(Expression, FloatAgreesWithDouble) {
  for (const char* text : {"sin(x) * exp(y) + z^2", "noise(x, y, z)", "mod(x, 0.3) < t"}) {
    const auto program = parse_expression(text, kNames);
    const float values[] = {1.25f, -0.5f, 3, 0.75f};
    EXPECT_NEAR(evaluate(*program, values), evaluate(*program, kValues), 2e-6);
  }
}

TEST(Expression, KnowsWhatItDependsOn) {
  const auto program = parse_expression("x + sin(t)", kNames);
  EXPECT_TRUE(depends_on(*program, 0));
  EXPECT_FALSE(depends_on(*program, 1));
  EXPECT_TRUE(depends_on(*program, 3));
}

TEST(Expression, AVariableMayHideAConstant) {
  const auto program = parse_expression("e + 1", {"e"});
  const double seven = 7;
  EXPECT_EQ(evaluate(*program, &seven), 8);
}

TEST(Expression, ErrorsNameThePlaceAndTheRemedy) {
  EXPECT_EQ(error(""), "at character 1: the expression is empty");
  EXPECT_EQ(error("   "), "at character 4: the expression is empty");
  EXPECT_EQ(error("2*sinn(x)"), "at character 3: no function \"sinn\"; did you mean \"sin\"?");
  EXPECT_EQ(error("2*xx"), "at character 3: no variable or function \"xx\"; did you mean \"x\"?");
  EXPECT_EQ(error("1 + q"),
            "at character 5: no variable or function \"q\"; variables here: x y z t");
  EXPECT_EQ(error("1 +"),
            "at character 4: expected a number, a name or \"(\", but the expression ends");
  EXPECT_EQ(error("(1 + 2"), "at character 7: expected \")\", but the expression ends");
  EXPECT_EQ(error("1 2"), "at character 3: expected an operator, not \"2\"");
  EXPECT_EQ(error("x = 1"),
            "at character 3: expected an operator, not \"=\"; did you mean \"==\"?");
  EXPECT_EQ(error("x & y"),
            "at character 3: expected an operator, not \"&\"; did you mean \"&&\"?");
  EXPECT_EQ(error("sin"), "at character 1: the function \"sin\" needs arguments in parentheses");
  EXPECT_EQ(error("1+sin()"), "at character 3: \"sin\" takes 1 argument, not 0");
  EXPECT_EQ(error("atan2(1)"), "at character 1: \"atan2\" takes 2 arguments, not 1");
  EXPECT_EQ(error("noise(1,2,3,4)"), "at character 1: \"noise\" takes 1 to 3 arguments, not 4");
  EXPECT_EQ(error("min(1)"), "at character 1: \"min\" takes 2 or more arguments, not 1");
  EXPECT_EQ(error("x ? 1"), "at character 6: expected \":\", but the expression ends");
  EXPECT_EQ(error("1e999"), "at character 1: the number is out of range");
  EXPECT_EQ(error("."), "at character 1: expected a digit after \".\"");
  EXPECT_EQ(error("x\xc3\xa9"), "at character 2: expected an operator, not a special character");
  EXPECT_EQ(error("2x"), "at character 2: expected an operator, not \"x\"");
}

TEST(Expression, LimitsAreErrorsNotCrashes) {
  EXPECT_NE(error(std::string(5000, '1')).find("longer than"), std::string::npos);
  EXPECT_NE(error(std::string(4000, '(')).find("nested"), std::string::npos);
  EXPECT_NE(error(std::string(4000, '-') + "1").find("nested"), std::string::npos);
  std::string sum = "x", many = "1", towers = "2", deep = "x", choices = "1";
  for (int i = 0; i < 600; ++i) sum += "+x";
  for (int i = 0; i < 200; ++i) many += "+" + std::to_string(i + 0.5);
  for (int i = 0; i < 500; ++i) towers += "^2";
  for (int i = 0; i < 40; ++i) deep = "x+(" + deep + ")";
  for (int i = 0; i < 500; ++i) choices += "?1:1";
  for (const std::string& text : {sum, many, towers, deep, choices}) EXPECT_NE(error(text), "");
}

// Whatever the bytes, parsing returns, and what it accepts can be evaluated.
TEST(Expression, RandomTextNeverCrashes) {
  const std::string pieces[] = {"x",   "y",     "1",       ".5",   "(",    ")",  "+",  "-",
                                "*",   "/",     "^",       "<",    "==",   "&&", "||", "!",
                                "?",   ":",     ",",       "sin",  " ",    "e3", "=",  "\n",
                                "min", "noise", "length(", "pow(", "\xff", "$"};
  RandomStream random(1, 0);
  int accepted = 0;
  for (int k = 0; k < 50000; ++k) {
    std::string text;
    for (std::uint32_t n = random.next_below(12) + 1; n > 0; --n)
      text += pieces[random.next_below(std::size(pieces))];
    const auto program = parse_expression(text, kNames);
    if (program.ok()) {
      ++accepted;
      evaluate(*program, kValues);
    } else {
      ASSERT_EQ(program.errors().size(), 1u);
      ASSERT_EQ(program.errors()[0].find('\n'), std::string::npos);
    }
  }
  EXPECT_GT(accepted, 100);
}

TEST(Noise, BoundedZeroOnTheLatticeAndSmooth) {
  RandomStream random(2, 0);
  double low = 0, high = 0, mean = 0;
  constexpr int kTries = 100000;
  for (int k = 0; k < kTries; ++k) {
    const double x = 200 * random.next_double() - 100, y = 200 * random.next_double() - 100,
                 z = 200 * random.next_double() - 100;
    const double n = gradient_noise(x, y, z);
    ASSERT_LE(std::fabs(n), 1);
    low = std::min(low, n);
    high = std::max(high, n);
    mean += n / kTries;
    ASSERT_LT(std::fabs(gradient_noise(x + 1e-4, y, z) - n), 1e-3);
    ASSERT_EQ(gradient_noise(std::floor(x), std::floor(y), std::floor(z)), 0);
  }
  EXPECT_LT(low, -0.6);
  EXPECT_GT(high, 0.6);
  EXPECT_NEAR(mean, 0, 0.01);
  // The slope is continuous across a cell face.
  constexpr double kStep = 1e-5;
  const double left = gradient_noise(3.0, 0.4, 0.7) - gradient_noise(3 - kStep, 0.4, 0.7);
  const double right = gradient_noise(3 + kStep, 0.4, 0.7) - gradient_noise(3.0, 0.4, 0.7);
  EXPECT_NEAR(left / kStep, right / kStep, 1e-3);
  // Far away, and where there is no number.
  EXPECT_EQ(gradient_noise(1e17, 0.5, 0.5), 0);
  EXPECT_TRUE(std::isnan(gradient_noise(std::nan(""), 0.5, 0.5)));
  // Fixed for good: scenes depend on it.
  EXPECT_EQ(value("noise(1.3)"), gradient_noise(1.3, 0.0, 0.0));
  EXPECT_EQ(value("noise(1.3, 2.4)"), gradient_noise(1.3, 2.4, 0.0));
}

TEST(NearestName, FindsTypingErrorsOnly) {
  const std::vector<std::string> names = {"sand", "snow", "water", "x"};
  EXPECT_EQ(nearest_name("sandd", names), "sand");
  EXPECT_EQ(nearest_name("snwo", names), "snow");
  EXPECT_EQ(nearest_name("Water", names), "water");
  EXPECT_EQ(nearest_name("q", names), "");
  EXPECT_EQ(nearest_name("concrete", names), "");
  EXPECT_EQ(nearest_name(std::string(10000, 'a'), names), "");
}

}  // namespace
}  // namespace firn

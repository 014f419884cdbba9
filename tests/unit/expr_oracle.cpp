// Expressions against muParser: a list of them, and many that are made up at random.
#include <gtest/gtest.h>
#include <muParser.h>

#include <cmath>

#include "base/random.h"
#include "expr/parser.h"

namespace firn {
namespace {

const std::vector<std::string> kNames = {"x", "y", "z", "t"};

double floored_mod(double a, double b) {
  return a - b * std::floor(a / b);
}
double clamped(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}
double negation(double x) {
  return x == 0;
}

class Oracle {
 public:
  Oracle() {
    for (int i = 0; i < 4; ++i) parser_.DefineVar(kNames[i], &values_[i]);
    parser_.DefineConst("pi", std::acos(-1.0));
    parser_.DefineConst("e", std::exp(1.0));
    parser_.DefineFun("floor", static_cast<double (*)(double)>(std::floor));
    parser_.DefineFun("ceil", static_cast<double (*)(double)>(std::ceil));
    parser_.DefineFun("pow", static_cast<double (*)(double, double)>(std::pow));
    parser_.DefineFun("log", static_cast<double (*)(double)>(std::log));
    parser_.DefineFun("mod", floored_mod);
    parser_.DefineFun("clamp", clamped);
    parser_.DefineInfixOprt("!", negation);
  }
  double value(const std::string& text, const double* values) {
    std::copy(values, values + 4, values_);
    parser_.SetExpr(text);
    return parser_.Eval();
  }

 private:
  mu::Parser parser_;
  double values_[4] = {};
};

void compare(Oracle& oracle, const std::string& text, RandomStream& random) {
  const auto program = parse_expression(text, kNames);
  ASSERT_TRUE(program.ok()) << text << ": " << program.errors()[0];
  for (int k = 0; k < 5; ++k) {
    double values[4];
    for (double& v : values) v = 4 * random.next_double() - 2;
    const double expected = oracle.value(text, values), got = evaluate(*program, values);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << text;
    } else if (std::isinf(expected)) {
      ASSERT_EQ(got, expected) << text;
    } else {
      ASSERT_NEAR(got, expected, 1e-9 * (1 + std::fabs(expected))) << text;
    }
  }
}

TEST(ExpressionOracle, ListOfExpressions) {
  Oracle oracle;
  RandomStream random(1, 0);
  for (const char* text : {"x",
                           "-x",
                           "x+y*z-t",
                           "x-y-z",
                           "x/y/z",
                           "x^2^y",
                           "-x^2",
                           "2^-x",
                           "-(x+y)^2",
                           "2*-x",
                           "x<y",
                           "x<=y",
                           "x>y",
                           "x>=y",
                           "x==x",
                           "x!=y",
                           "x<y && y<z",
                           "x<y || y<z",
                           "x<y || y<z && z<t",
                           "x+1<y*2",
                           "x<y ? z : t",
                           "x<0 ? 1 : y<0 ? 2 : 3",
                           "sin(x)+cos(y)*tan(z)",
                           "asin(x/2)",
                           "acos(y/2)",
                           "atan(z)",
                           "atan2(y,x)",
                           "sqrt(abs(x))",
                           "exp(-x^2)",
                           "log(x*x+1)",
                           "floor(x*3)",
                           "ceil(y*3)",
                           "min(x,y,z)",
                           "max(x,y,z,t)",
                           "clamp(x,-1,1)",
                           "pow(abs(x),y)",
                           "mod(x,0.7)",
                           "1e-3*x + 2.5E2*y",
                           "pi*x^2",
                           "e^x",
                           "((((x))))",
                           "1/(x-x)",
                           "!(x<y)",
                           "min(x, max(y, z)) * (t > 0 ? 1 : -1)"})
    compare(oracle, text, random);
}

// A random expression of the grammar, parenthesised at random.
std::string made_up(RandomStream& random, int depth) {
  const auto sub = [&] { return made_up(random, depth - 1); };
  if (depth == 0) {
    const char* atoms[] = {"x", "y", "z", "t", "2", "0.5", "3.25", "pi", "1e-2"};
    return atoms[random.next_below(std::size(atoms))];
  }
  const char* binaries[] = {"+", "-", "*", "/"};
  const char* comparisons[] = {"<", ">=", "!=", "<=", ">", "=="};
  const char* unaries[] = {"sin", "cos", "atan", "exp", "abs", "floor", "ceil", "sqrt"};
  switch (random.next_below(10)) {
    case 0:
      return "(" + sub() + ")";
    case 1:
      return std::string(unaries[random.next_below(std::size(unaries))]) + "(" + sub() + ")";
    case 2:
      return "-" + ("(" + sub() + ")");
    case 3:
      return "(" + sub() + " ? " + sub() + " : " + sub() + ")";
    case 4:
      return "min(" + sub() + "," + sub() + ")";
    case 5:
      return "(" + sub() + ")^2";
    case 6:  // muParser ranks == with <, C and we below it: parentheses make them agree
      return "((" + sub() + ")" + comparisons[random.next_below(std::size(comparisons))] + "(" +
             sub() + "))";
    case 7:  // muParser takes the integer part of what it combines: 0.5 would be false there
      return "((" + sub() + ")<" + sub() + (random.next_below(2) ? " && " : " || ") + "0<(" +
             sub() + "))";
    default:
      return sub() + binaries[random.next_below(std::size(binaries))] + sub();
  }
}

TEST(ExpressionOracle, RandomExpressions) {
  Oracle oracle;
  RandomStream random(2, 0);
  for (int k = 0; k < 4000; ++k) {
    const std::string text = made_up(random, 1 + k % 4);
    compare(oracle, text, random);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace firn

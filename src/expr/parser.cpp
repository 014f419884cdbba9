#include "expr/parser.h"

#include <charconv>

#include "base/math.h"
#include "expr/nearest_name.h"

namespace firn {
namespace {

constexpr std::size_t kMaxLength = 4096;
constexpr int kMaxNesting = 64;
constexpr int kAnyNumber = 100;

struct Function {
  const char* name;
  int min_arguments, max_arguments;
  Op op;  // length takes the one that fits its arguments
};

constexpr Function kFunctions[] = {
    {"sin", 1, 1, Op::sin},          {"cos", 1, 1, Op::cos},
    {"tan", 1, 1, Op::tan},          {"asin", 1, 1, Op::asin},
    {"acos", 1, 1, Op::acos},        {"atan", 1, 1, Op::atan},
    {"atan2", 2, 2, Op::atan2},      {"sqrt", 1, 1, Op::sqrt},
    {"exp", 1, 1, Op::exp},          {"log", 1, 1, Op::log},
    {"abs", 1, 1, Op::abs},          {"floor", 1, 1, Op::floor},
    {"ceil", 1, 1, Op::ceil},        {"min", 2, kAnyNumber, Op::min},
    {"max", 2, kAnyNumber, Op::max}, {"clamp", 3, 3, Op::clamp},
    {"pow", 2, 2, Op::power},        {"mod", 2, 2, Op::mod},
    {"step", 2, 2, Op::step},        {"smoothstep", 3, 3, Op::smoothstep},
    {"length", 2, 3, Op::length3},   {"noise", 1, 3, Op::noise},
};

struct Named {
  const char* name;
  double value;
};
constexpr Named kNumbers[] = {{"pi", kPi}, {"e", 2.71828182845904523536}};

struct Binary {
  const char* symbol;
  int precedence;
  Op op;
};
// Longer symbols first, so that "<=" is not read as "<".
constexpr Binary kBinaries[] = {
    {"||", 1, Op::logical_or}, {"&&", 2, Op::logical_and}, {"==", 3, Op::equal},
    {"!=", 3, Op::not_equal},  {"<=", 4, Op::less_equal},  {">=", 4, Op::greater_equal},
    {"<", 4, Op::less},        {">", 4, Op::greater},      {"+", 5, Op::add},
    {"-", 5, Op::subtract},    {"*", 6, Op::multiply},     {"/", 6, Op::divide},
};

// Locale-free, unlike <cctype>.
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

std::string in_quotes(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

// Recursive descent; each parse_ function emits the code of what it read and returns false after
// the first error.
class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& variables)
      : text_(text), variables_(variables) {}

  Result<Program> run() {
    if (text_.size() > kMaxLength) {
      fail("the expression is longer than 4096 characters");
    } else if (skip_spaces(); at_ == text_.size()) {
      fail("the expression is empty");
    } else if (parse_choice() && at_ < text_.size()) {
      fail("expected an operator" + but_found());
    }
    if (!error_.empty()) return Result<Program>::failure(error_);
    return program_;
  }

 private:
  bool fail(const std::string& what) { return fail_at(at_, what); }
  bool fail_at(std::size_t position, const std::string& what) {
    if (error_.empty()) error_ = "at character " + std::to_string(position + 1) + ": " + what;
    return false;
  }
  std::string but_found() const {
    if (at_ >= text_.size()) return ", but the expression ends";
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    if (c < 32 || c > 126) return ", not a special character";
    std::string line = ", not " + in_quotes(text_.substr(at_, 1));
    if (c == '=' || c == '&' || c == '|')
      line += std::string("; did you mean \"") + text_[at_] + text_[at_] + "\"?";
    return line;
  }

  void skip_spaces() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool accept(std::string_view symbol) {
    if (text_.substr(at_, symbol.size()) != symbol) return false;
    at_ += symbol.size();
    skip_spaces();
    return true;
  }
  bool expect(std::string_view symbol) {
    return accept(symbol) || fail("expected " + in_quotes(symbol) + but_found());
  }

  bool emit(Op op, int index = 0) {
    stack_ += 1 - arity_of(op);
    if (program_.length == Program::kMaxInstructions || stack_ > Program::kMaxStack)
      return fail("the expression is too long");
    program_.code[program_.length++] = {op, static_cast<std::uint8_t>(index)};
    return true;
  }
  bool emit_constant(double value) {
    int index = 0;
    while (index < program_.constant_count && program_.constants[index] != value) ++index;
    if (index == Program::kMaxConstants) return fail("the expression has too many numbers");
    if (index == program_.constant_count) program_.constants[program_.constant_count++] = value;
    return emit(Op::constant, index);
  }

  // Every cycle of the grammar passes through one of these.
  struct Nesting {
    explicit Nesting(Parser& p) : parser(p) { ++parser.depth_; }
    ~Nesting() { --parser.depth_; }
    bool fits() const { return parser.depth_ <= kMaxNesting || parser.fail("nested too deeply"); }
    Parser& parser;
  };

  bool parse_choice() {
    const Nesting nesting(*this);
    if (!nesting.fits() || !parse_binary(1)) return false;
    if (!accept("?")) return true;
    return parse_choice() && expect(":") && parse_choice() && emit(Op::select);
  }

  const Binary* peek_binary(int lowest) const {
    for (const Binary& b : kBinaries)
      if (text_.substr(at_, std::string_view(b.symbol).size()) == b.symbol)
        return b.precedence >= lowest ? &b : nullptr;
    return nullptr;
  }
  bool parse_binary(int lowest) {
    if (!parse_signed()) return false;
    while (const Binary* b = peek_binary(lowest)) {
      accept(b->symbol);
      if (!parse_binary(b->precedence + 1) || !emit(b->op)) return false;
    }
    return true;
  }

  bool parse_signed() {
    const Nesting nesting(*this);
    if (!nesting.fits()) return false;
    if (accept("-")) return parse_signed() && emit(Op::negate);
    if (accept("+")) return parse_signed();
    if (accept("!")) return parse_signed() && emit(Op::logical_not);
    if (!parse_operand()) return false;
    return !accept("^") || (parse_signed() && emit(Op::power));
  }

  bool parse_operand() {
    if (accept("(")) return parse_choice() && expect(")");
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return parse_number();
    if (at_ < text_.size() && is_letter(text_[at_])) return parse_name();
    return fail("expected a number, a name or \"(\"" + but_found());
  }

  bool parse_number() {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (status == std::errc::result_out_of_range) return fail("the number is out of range");
    if (status != std::errc()) return fail("expected a digit after \".\"");
    at_ += static_cast<std::size_t>(end - begin);
    skip_spaces();
    return emit_constant(value);
  }

  bool parse_name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    skip_spaces();
    for (std::size_t i = 0; i < variables_.size() && i < 256; ++i)
      if (name == variables_[i]) return emit(Op::variable, static_cast<int>(i));
    for (const Named& number : kNumbers)
      if (name == number.name) return emit_constant(number.value);
    for (const Function& function : kFunctions)
      if (name == function.name) return parse_call(function, start);
    return fail_unknown(name, start);
  }

  bool fail_unknown(std::string_view name, std::size_t start) {
    const bool call = text_.substr(at_, 1) == "(";
    std::vector<std::string> known;
    if (!call) known = variables_;
    if (!call)
      for (const Named& number : kNumbers) known.push_back(number.name);
    for (const Function& function : kFunctions) known.push_back(function.name);
    std::string line = std::string(call ? "no function " : "no variable or function ") +
                       in_quotes(name.substr(0, 40));
    const std::string near = nearest_name(name, known);
    if (!near.empty()) {
      line += "; did you mean " + in_quotes(near) + "?";
    } else if (!call && !variables_.empty()) {
      line += "; variables here:";
      for (const std::string& v : variables_) line += " " + v;
    }
    return fail_at(start, line);
  }

  bool parse_call(const Function& f, std::size_t start) {
    if (!accept("("))
      return fail_at(start,
                     "the function " + in_quotes(f.name) + " needs arguments in parentheses");
    // Of any number of arguments, each after the first joins the ones before it at once.
    const bool folds = f.max_arguments == kAnyNumber;
    int count = 0;
    if (text_.substr(at_, 1) != ")") do {
        if (!parse_choice()) return false;
        if (++count > 1 && folds && !emit(f.op)) return false;
      } while (accept(","));
    if (!expect(")")) return false;
    if (count < f.min_arguments || count > f.max_arguments) return fail_count(f, start, count);
    return folds || emit_call(f.op, count);
  }
  bool emit_call(Op op, int count) {
    if (op == Op::length3 && count == 2) op = Op::length2;
    // Noise of fewer arguments is a slice of the noise in space.
    for (; op == Op::noise && count < 3; ++count)
      if (!emit_constant(0)) return false;
    return emit(op);
  }
  bool fail_count(const Function& f, std::size_t start, int count) {
    std::string wants = std::to_string(f.min_arguments);
    if (f.max_arguments == kAnyNumber)
      wants += " or more";
    else if (f.max_arguments > f.min_arguments)
      wants += " to " + std::to_string(f.max_arguments);
    const bool one = f.max_arguments == 1;
    return fail_at(start, in_quotes(f.name) + " takes " + wants +
                              (one ? " argument" : " arguments") + ", not " +
                              std::to_string(count));
  }

  std::string_view text_;
  const std::vector<std::string>& variables_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int stack_ = 0;
  Program program_{};
  std::string error_;
};

}  // namespace

Result<Program> parse_expression(std::string_view text, const std::vector<std::string>& variables) {
  return Parser(text, variables).run();
}

}  // namespace firn

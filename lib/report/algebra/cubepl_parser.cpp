// cubepl_parser.cpp -- reads a CubePL program.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "report/algebra/cubepl_program.hpp"

namespace tarry {
namespace {

constexpr int kMaxDepth = 120;
constexpr std::size_t kMaxText = std::size_t{1} << 20, kMaxPattern = 4000;

constexpr std::pair<std::string_view, CubeplFunction> kFunctions[] = {
    {"sqrt", CubeplFunction::kSqrt},
    {"sin", CubeplFunction::kSin},
    {"cos", CubeplFunction::kCos},
    {"tan", CubeplFunction::kTan},
    {"asin", CubeplFunction::kAsin},
    {"acos", CubeplFunction::kAcos},
    {"atan", CubeplFunction::kAtan},
    {"exp", CubeplFunction::kExp},
    {"log", CubeplFunction::kLog},
    {"random", CubeplFunction::kRandom},
    {"abs", CubeplFunction::kAbs},
    {"sgn", CubeplFunction::kSign},
    {"pos", CubeplFunction::kPositive},
    {"neg", CubeplFunction::kNegative},
    {"floor", CubeplFunction::kFloor},
    {"ceil", CubeplFunction::kCeil},
    {"min", CubeplFunction::kMin},
    {"max", CubeplFunction::kMax},
    {"lowercase", CubeplFunction::kLowercase},
    {"uppercase", CubeplFunction::kUppercase},
    {"env", CubeplFunction::kEnvironment},
    {"sizeof", CubeplFunction::kSizeOf},
    {"defined", CubeplFunction::kDefined},
};

constexpr std::pair<std::string_view, CubeplOp> kComparisons[] = {
    // longer ones first
    {">=", CubeplOp::kGreaterEqual},     {"<=", CubeplOp::kLessEqual}, {"==", CubeplOp::kEqual},
    {"!=", CubeplOp::kNotEqual},         {">", CubeplOp::kGreater},    {"<", CubeplOp::kLess},
    {"seq", CubeplOp::kSameTextAnyCase}, {"eq", CubeplOp::kSameText},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent. Every function leaves at_ behind what it read; the first fault sticks and ends all loops.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text.substr(0, kMaxText)), is_too_long_(text.size() > kMaxText) {}

  Result<CubeplProgram> parse() {
    if (is_too_long_) fail("is too long");
    const std::uint32_t root = looking_at("{") ? block() : condition();
    take(";");
    skip_blanks();
    if (at_ < text_.size()) fail("something follows its end");
    if (!fault_.empty()) return Error{"CubePL", fault_, ""};
    if (root + 1 != program_.nodes.size()) program_.nodes.push_back(program_.nodes[root]);
    return std::move(program_);
  }

 private:
  struct Deeper {  // counts nesting, so that no program makes the parser or the machine run out of stack
    explicit Deeper(Parser& parser) : parser(parser) {
      if (++parser.depth_ > kMaxDepth) parser.fail("is nested too deeply");
    }
    ~Deeper() { --parser.depth_; }
    Parser& parser;
  };

  std::uint32_t fail(const std::string& why) {
    if (fault_.empty()) fault_ = why + " (character " + std::to_string(at_ + 1) + ")";
    at_ = text_.size();
    return 0;
  }

  std::uint32_t node(CubeplOp op, std::vector<std::uint32_t> children = {}, std::uint32_t index = 0,
                     double number = 0) {
    program_.nodes.push_back({op, number, index, std::move(children)});
    return static_cast<std::uint32_t>(program_.nodes.size() - 1);
  }

  template <class List, class Value>
  static std::uint32_t index_in(List& list, const Value& value) {
    const auto known = std::find(list.begin(), list.end(), value);
    if (known != list.end()) return static_cast<std::uint32_t>(known - list.begin());
    list.push_back(value);
    return static_cast<std::uint32_t>(list.size() - 1);
  }

  void skip_blanks() {
    for (;;) {
      take_while([](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; });
      if (!text_.substr(at_).starts_with("//")) return;
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
  }

  bool looking_at(std::string_view token) {
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(token)) return false;
    const bool is_word = is_letter(token.back());
    return !is_word || rest.size() == token.size() || !(is_letter(rest[token.size()]) || is_digit(rest[token.size()]));
  }

  bool take(std::string_view token) {
    if (!looking_at(token)) return false;
    at_ += token.size();
    return true;
  }

  void need(std::string_view token) {
    if (!take(token)) fail("'" + std::string(token) + "' is missing");
  }

  template <class Belongs>
  std::string_view take_while(Belongs belongs) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string_view word() {
    skip_blanks();
    return take_while([](char c) { return is_letter(c) || is_digit(c); });
  }

  std::string_view until(char end) {
    const std::string_view inside = take_while([end](char c) { return c != end; });
    if (at_ >= text_.size()) fail(std::string("'") + end + "' is missing");
    else ++at_;
    return inside;
  }

  // ---- statements ----

  std::uint32_t block() {
    const Deeper deeper(*this);
    need("{");
    std::vector<std::uint32_t> statements;
    while (fault_.empty() && !take("}")) {
      if (take(";")) continue;
      if (at_ >= text_.size()) return fail("'}' is missing");
      statements.push_back(statement());
      need(";");
    }
    return node(CubeplOp::kBlock, std::move(statements));
  }

  std::uint32_t statement() {
    if (take("return")) return node(CubeplOp::kReturn, {condition()});
    if (take("if")) return branches();
    if (take("while")) {
      const std::uint32_t test = in_brackets();
      return node(CubeplOp::kWhile, {test, block()});
    }
    if (take("global")) {
      need("(");
      const std::string_view name = until(')');
      return node(CubeplOp::kGlobal, {}, index_in(program_.variables, trimmed(name)));
    }
    if (take("cube::metric::set::")) return set_metric();
    if (looking_at("cube::")) return fail("metrics made on the fly are not supported");
    if (!looking_at("${")) return fail("a statement begins with something unknown");
    return assignment();
  }

  std::uint32_t branches() {
    std::vector<std::uint32_t> parts{in_brackets()};
    parts.push_back(block());
    while (take("elseif")) {
      parts.push_back(in_brackets());
      parts.push_back(block());
    }
    if (take("else")) parts.push_back(block());
    return node(CubeplOp::kIf, std::move(parts));
  }

  std::uint32_t in_brackets() {
    need("(");
    const std::uint32_t inside = condition();
    need(")");
    return inside;
  }

  std::uint32_t set_metric() {
    const auto name = take_while([](char c) { return is_letter(c) || is_digit(c) || c == ':' || c == '='; });
    need("(");
    const std::uint32_t key = condition();
    need(",");
    const std::uint32_t value = condition();
    need(")");
    return node(CubeplOp::kSetMetric, {key, value}, index_in(program_.texts, std::string(name)));
  }

  std::uint32_t assignment() {
    const std::uint32_t target = variable();
    need("=");
    if (fault_.empty() && program_.nodes[target].op != CubeplOp::kVariable) return fail("a built-in cannot be set");
    return node(CubeplOp::kAssign, {target, condition()});
  }

  // ---- expressions, weakest first ----

  std::uint32_t condition() {
    const Deeper deeper(*this);
    std::uint32_t left = comparison();
    while (fault_.empty()) {
      if (take("and")) left = node(CubeplOp::kAnd, {left, comparison()});
      else if (take("or")) left = node(CubeplOp::kOr, {left, comparison()});
      else break;
    }
    return left;
  }

  std::uint32_t comparison() {
    if (take("not")) return node(CubeplOp::kNot, {comparison()});
    const std::uint32_t left = sum();
    if (take("=~")) return node(CubeplOp::kMatches, {left}, pattern());
    for (const auto& [token, op] : kComparisons)
      if (take(token)) return node(op, {left, sum()});
    return left;
  }

  std::uint32_t sum() {
    std::uint32_t left = product();
    while (fault_.empty()) {
      if (take("+")) left = node(CubeplOp::kAdd, {left, product()});
      else if (take("-")) left = node(CubeplOp::kSubtract, {left, product()});
      else break;
    }
    return left;
  }

  std::uint32_t product() {
    std::uint32_t left = factor();
    while (fault_.empty()) {
      if (take("*")) left = node(CubeplOp::kMultiply, {left, factor()});
      else if (take("/")) left = node(CubeplOp::kDivide, {left, factor()});
      else break;
    }
    return left;
  }

  std::uint32_t factor() {
    const Deeper deeper(*this);
    if (take("-")) return node(CubeplOp::kNegate, {factor()});
    if (take("+")) return factor();
    std::uint32_t base = primary();
    while (fault_.empty() && take("^")) base = node(CubeplOp::kPower, {base, primary()});
    return base;
  }

  std::uint32_t primary() {
    const Deeper deeper(*this);
    skip_blanks();
    if (at_ >= text_.size()) return fail("ends too early");
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return number();
    if (c == '"') {
      ++at_;
      return node(CubeplOp::kText, {}, index_in(program_.texts, std::string(until('"'))));
    }
    if (c == '(') return in_brackets();
    if (c == '-') return factor();
    if (take("|")) {
      const std::uint32_t inside = sum();
      need("|");
      return node(CubeplOp::kCall, {inside}, static_cast<std::uint32_t>(CubeplFunction::kAbs));
    }
    if (looking_at("${")) return variable();
    if (take("metric::")) return operand();
    return named();
  }

  std::uint32_t number() {
    const std::string_view digits = take_while([](char c) { return is_digit(c) || c == '.'; });
    double value = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) return fail("a number is malformed");
    return node(CubeplOp::kNumber, {}, 0, value);
  }

  std::uint32_t variable() {
    need("${");
    const std::string name = trimmed(until('}'));
    const int built_in = find_cubepl_builtin(name);
    std::vector<std::uint32_t> place;
    if (take("[")) {
      place.push_back(sum());
      need("]");
    }
    if (built_in >= 0) return node(CubeplOp::kBuiltIn, std::move(place), static_cast<std::uint32_t>(built_in));
    return node(CubeplOp::kVariable, std::move(place), index_in(program_.variables, name));
  }

  // metric::[fixed::|context::|call::]name([path,] flavour [, system flavour])
  std::uint32_t operand() {
    CubeplOperand wanted;
    std::string_view name = take_while([](char c) { return is_letter(c) || is_digit(c) || c == ':' || c == '='; });
    const auto strip = [&name](std::string_view prefix) {
      const bool has = name.starts_with(prefix);
      if (has) name.remove_prefix(prefix.size());
      return has;
    };
    wanted.is_fixed = strip("fixed::");
    const bool is_other_path = !wanted.is_fixed && strip("call::");
    strip("context::");
    wanted.metric = name;
    need("(");
    std::vector<std::uint32_t> path;
    if (is_other_path) {
      path.push_back(sum());
      take(",");
    }
    if (take("i")) wanted.flavour = CubeplOperand::Flavour::kInclusive;
    else if (take("e")) wanted.flavour = CubeplOperand::Flavour::kExclusive;
    else take("*");
    if (take(",") && !take("i") && !take("e") && !take("*")) sum();
    need(")");
    return node(is_other_path ? CubeplOp::kOtherPath : CubeplOp::kOperand, std::move(path),
                index_in(program_.operands, wanted));
  }

  std::uint32_t named() {
    const std::string_view name = word();
    if (name == "true") return node(CubeplOp::kNumber, {}, 0, 1);
    if (name == "false") return node(CubeplOp::kNumber, {}, 0, 0);
    if (name == "arg1" || name == "arg2")
      return node(CubeplOp::kVariable, {}, index_in(program_.variables, std::string(name)));
    for (const auto& [known, function] : kFunctions)
      if (name == known) return call(function);
    return fail(name.empty() ? "something unknown is where a value is expected"
                             : "'" + std::string(name.substr(0, 40)) + "' is unknown");
  }

  std::uint32_t call(CubeplFunction function) {
    need("(");
    std::vector<std::uint32_t> arguments;
    while (fault_.empty() && !take(")")) {
      if (!arguments.empty()) need(",");
      arguments.push_back(sum());
    }
    const bool has_two = function == CubeplFunction::kMin || function == CubeplFunction::kMax;
    if (fault_.empty() && arguments.size() != (has_two ? 2 : 1))
      return fail("a function has a wrong number of arguments");
    return node(CubeplOp::kCall, std::move(arguments), static_cast<std::uint32_t>(function));
  }

  // /regex/; back references could take forever.
  std::uint32_t pattern() {
    need("/");
    std::string regex;
    for (;; ++at_) {
      if (at_ >= text_.size()) return fail("'/' is missing");
      const std::string_view rest = text_.substr(at_);
      if (rest[0] == '/') break;
      if (rest.starts_with("\\/")) regex += '/', ++at_;
      else if (rest.size() > 1 && rest[0] == '\\' && is_digit(rest[1])) return fail("a back reference is unknown");
      else if (rest[0] == '\\') regex.append(rest.substr(0, 2)), ++at_;
      else regex += rest[0];
    }
    ++at_;
    if (regex.size() > kMaxPattern) return fail("a pattern is too long");
    return index_in(program_.patterns, regex);
  }

  static std::string trimmed(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\n"), text.size());
    const std::size_t end = text.find_last_not_of(" \t\n") + 1;
    return std::string(text.substr(begin, end > begin ? end - begin : 0));
  }

  std::string_view text_;
  bool is_too_long_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string fault_;
  CubeplProgram program_;
};

}  // namespace

Result<CubeplProgram> parse_cubepl(std::string_view text) { return Parser(text).parse(); }

}  // namespace tarry

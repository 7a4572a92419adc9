// assertion.cpp -- the language of tarry cube test.
#include "assertion.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tarry {
namespace {

constexpr std::uint32_t kNoNode = 0xffffffffu;
constexpr int kMaxDepth = 100;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool compares(double left, const std::string& op, double right) {
  if (op == "<") return left < right;
  if (op == "<=") return left <= right;
  if (op == ">") return left > right;
  if (op == ">=") return left >= right;
  return op == "==" ? left == right : left != right;
}

}  // namespace

// Recursive descent; the first fault sticks.
class Assertion::Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& reports) : text_(text), reports_(reports) {}

  Result<Assertion> parse() {
    comparison(true);
    while (fault_.empty()) {
      if (take("and") || take("&&")) comparison(false);
      else if (take("or") || take("||")) comparison(true);
      else break;
    }
    skip_blanks();
    if (fault_.empty() && at_ < text_.size()) fail("is not understood");
    if (!fault_.empty()) return Error{"'" + std::string(text_) + "'", fault_, "try 'tarry-cube test --help'"};
    return std::move(result_);
  }

 private:
  std::uint32_t fail(const std::string& why) {
    if (fault_.empty()) fault_ = why + " at character " + std::to_string(at_ + 1);
    return 0;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  bool take(std::string_view token) {
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(token)) return false;
    if (is_letter(token.back()) && rest.size() > token.size() && is_letter(rest[token.size()])) return false;
    at_ += token.size();
    return true;
  }

  void need(std::string_view token) {
    if (fault_.empty() && !take(token)) fail("'" + std::string(token) + "' is missing");
  }

  std::uint32_t node(Node made) {
    result_.nodes_.push_back(std::move(made));
    return static_cast<std::uint32_t>(result_.nodes_.size() - 1);
  }

  std::uint32_t node(Op op, std::uint32_t left, std::uint32_t right = 0) {
    Node made;
    made.op = op;
    made.left = left;
    made.right = right;
    return node(std::move(made));
  }

  void comparison(bool begins_alternative) {
    skip_blanks();
    const std::size_t begin = at_;
    Comparison made;
    made.begins_alternative = begins_alternative;
    made.left = sum();
    for (const std::string_view op : {"<=", ">=", "==", "!=", "<", ">"})
      if (made.op.empty() && take(op)) made.op = op;
    if (fault_.empty() && made.op.empty()) fail("a comparison is missing");
    made.right = sum();
    made.text = text_.substr(begin, text_.find_last_not_of(" \n\t", at_ - 1) + 1 - begin);
    result_.comparisons_.push_back(std::move(made));
  }

  std::uint32_t sum() {
    std::uint32_t left = product();
    while (fault_.empty()) {
      if (take("+")) left = node(Op::kAdd, left, product());
      else if (take("-")) left = node(Op::kSubtract, left, product());
      else break;
    }
    return left;
  }

  std::uint32_t product() {
    std::uint32_t left = factor();
    while (fault_.empty()) {
      if (take("*")) left = node(Op::kMultiply, left, factor());
      else if (take("/")) left = node(Op::kDivide, left, factor());
      else break;
    }
    return left;
  }

  std::uint32_t factor() {
    if (!fault_.empty()) return 0;
    if (++depth_ > kMaxDepth) return fail("is nested too deeply");
    const std::uint32_t made = primary();
    --depth_;
    return made;
  }

  std::uint32_t primary() {
    skip_blanks();
    if (take("-")) return node(Op::kNegate, factor());
    if (take("(")) {
      const std::uint32_t inside = sum();
      need(")");
      return inside;
    }
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    return named();
  }

  std::uint32_t number() {
    const std::string rest(text_.substr(at_));
    char* end = nullptr;
    Node made;
    made.number = std::strtod(rest.c_str(), &end);
    if (end == rest.c_str()) return fail("a number is malformed");
    at_ += static_cast<std::size_t>(end - rest.c_str());
    if (take("%")) made.number /= 100;
    return node(std::move(made));
  }

  std::string word() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::uint32_t named() {
    const std::size_t begin = at_;
    const std::string name = word();
    if (name == "incl" || name == "excl") return quantity(kNewReport, name == "incl");
    if (name == "abs" || name == "min" || name == "max") return call(name);
    const auto report = std::find(reports_.begin(), reports_.end(), name);
    if (report == reports_.end()) {
      at_ = begin;
      return fail(name.empty() ? "a value is missing" : "'" + name + "' is neither a function nor a report");
    }
    const auto number = static_cast<std::uint32_t>(report - reports_.begin());
    if (take(".")) {
      const std::string function = word();
      if (function != "incl" && function != "excl") return fail("incl or excl is missing");
      return quantity(number, function == "incl");
    }
    Node made;
    made.op = Op::kOtherSide;
    made.report = number;
    return node(std::move(made));
  }

  std::uint32_t call(const std::string& name) {
    need("(");
    const std::uint32_t left = sum();
    if (name != "abs") need(",");
    const std::uint32_t right = name != "abs" ? sum() : 0;
    need(")");
    return node(name == "abs" ? Op::kAbs : name == "min" ? Op::kMin : Op::kMax, left, right);
  }

  std::uint32_t quantity(std::uint32_t report, bool is_inclusive) {
    Node made;
    made.op = Op::kQuantity;
    made.report = report;
    made.quantity.is_inclusive = is_inclusive;
    need("(");
    made.quantity.metric = text_.substr(at_).starts_with("\"") ? quoted() : until_delimiter();
    if (take(",")) {
      skip_blanks();
      made.quantity.path = quoted();
    }
    need(")");
    return node(std::move(made));
  }

  std::string until_delimiter() {
    skip_blanks();
    const std::size_t end = std::min(text_.find_first_of(",) ", at_), text_.size());
    const std::string name(text_.substr(at_, end - at_));
    at_ = end;
    if (name.empty()) fail("a metric is missing");
    return name;
  }

  std::string quoted() {
    if (at_ >= text_.size() || text_[at_] != '"') {
      fail("a call path must be in double quotes");
      return "";
    }
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == text_.npos) {
      fail("a quote does not end");
      return "";
    }
    const std::string inside(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return inside;
  }

  std::string_view text_;
  const std::vector<std::string>& reports_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::string fault_;
  Assertion result_;
};

Result<Assertion> Assertion::parse(std::string_view text, const std::vector<std::string>& reports) {
  return Parser(text, reports).parse();
}

Result<double> Assertion::value(std::uint32_t index, std::uint32_t report, std::uint32_t other_side,
                                const ReadQuantity& read) const {
  const Node& node = nodes_[index];
  switch (node.op) {
    case Op::kNumber: return node.number;
    case Op::kQuantity: return read(node.report == kNewReport ? report : node.report, node.quantity);
    case Op::kOtherSide:
      if (other_side == kNoNode)
        return Error{"the assertion", "names a report alone on both sides of a comparison",
                     "say what of it: base.incl(time)"};
      return value(other_side, node.report, kNoNode, read);
    default: break;
  }
  TARRY_TRY_ASSIGN(left, value(node.left, report, other_side, read));
  if (node.op == Op::kNegate) return -left;
  if (node.op == Op::kAbs) return std::abs(left);
  TARRY_TRY_ASSIGN(right, value(node.right, report, other_side, read));
  switch (node.op) {
    case Op::kAdd: return left + right;
    case Op::kSubtract: return left - right;
    case Op::kMultiply: return left * right;
    case Op::kDivide: return left / right;
    case Op::kMin: return std::min(left, right);
    default: return std::max(left, right);
  }
}

Result<bool> Assertion::evaluate(const ReadQuantity& read, std::vector<Outcome>& outcomes) const {
  bool holds = false, alternative_holds = false;
  for (const Comparison& comparison : comparisons_) {
    TARRY_TRY_ASSIGN(left, value(comparison.left, kNewReport, comparison.right, read));
    TARRY_TRY_ASSIGN(right, value(comparison.right, kNewReport, comparison.left, read));
    outcomes.push_back({comparison.text, left, right, compares(left, comparison.op, right)});
    if (comparison.begins_alternative) {
      holds = holds || alternative_holds;
      alternative_holds = true;
    }
    alternative_holds = alternative_holds && outcomes.back().holds;
  }
  return holds || alternative_holds;
}

}  // namespace tarry

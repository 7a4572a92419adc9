// cubepl_machine.cpp -- runs CubePL programs.
#include "report/algebra/cubepl_machine.hpp"

#include <re2/re2.h>
#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace tarry {
namespace {

constexpr std::size_t kSubjectLength = 4096;                    // of what a pattern looks at
constexpr std::int64_t kPatternMemory = std::int64_t{1} << 18;  // of a compiled one: some thousand instructions
// Steps of all runs together: much more than programs in the field take, and not so many for each value.
constexpr std::uint64_t kSteps = 20'000'000, kStepsPerElement = 20'000, kStepsPerRun = 2'000;
// Characters of subjects times instructions of patterns: a second's worth at most, and more for larger reports.
constexpr std::uint64_t kMatchWork = 50'000'000, kMatchWorkPerElement = 20'000;
constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
constexpr std::size_t kSpareCells = std::size_t{1} << 20, kCellsPerElement = 256, kMaxCells = std::size_t{48} << 20;

double number_in(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string text_of_number(double value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

double as_number(const CubeplValue& value) { return value.is_text ? number_in(value.text) : value.number; }
std::string as_text(const CubeplValue& value) { return value.is_text ? value.text : text_of_number(value.number); }

double quotient(double left, double right) {
  if (left == 0) return 0;
  return right == 0 ? std::numeric_limits<double>::quiet_NaN() : left / right;
}

double apply(CubeplFunction function, double x) {
  switch (function) {
    case CubeplFunction::kSqrt: return x < 0 ? 0 : std::sqrt(x);
    case CubeplFunction::kSin: return std::sin(x);
    case CubeplFunction::kCos: return std::cos(x);
    case CubeplFunction::kTan: return std::tan(x);
    case CubeplFunction::kAsin: return std::asin(x);
    case CubeplFunction::kAcos: return std::acos(x);
    case CubeplFunction::kAtan: return std::atan(x);
    case CubeplFunction::kExp: return std::exp(x);
    case CubeplFunction::kLog: return x < 0 ? 0 : x == 0 ? std::numeric_limits<double>::quiet_NaN() : std::log(x);
    case CubeplFunction::kRandom: return x / 2;  // equal reports give equal values, so there is no chance here
    case CubeplFunction::kAbs: return std::abs(x);
    case CubeplFunction::kSign: return x > 0 ? 1 : x < 0 ? -1 : 0;
    case CubeplFunction::kPositive: return std::max(x, 0.0);
    case CubeplFunction::kNegative: return std::min(x, 0.0);
    case CubeplFunction::kFloor: return std::floor(x);
    case CubeplFunction::kCeil: return std::ceil(x);
    default: return 0;
  }
}

std::string in_case(std::string text, int (*change)(int)) {
  for (char& c : text) c = static_cast<char>(change(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

// A compiled regular expression, matched in linear time.
struct CubeplMachine::Pattern {
  explicit Pattern(const std::string& text) : compiled(text, options()) {}

  static RE2::Options options() {
    RE2::Options options(RE2::Latin1);  // names are bytes
    options.set_log_errors(false);
    options.set_dot_nl(true);
    options.set_never_capture(true);
    options.set_max_mem(kPatternMemory);
    return options;
  }

  RE2 compiled;
};

// One run of one program.
class CubeplMachine::Run {
 public:
  Run(CubeplMachine& machine, const CubeplProgram& program, const CubeplPlace& place,
      const std::vector<std::vector<double>>& operands, const ReadOtherPath& other_path)
      : machine_(machine), program_(program), place_(place), operands_(operands), other_path_(other_path) {
    bind();
  }

  double run(std::uint32_t location, std::uint64_t max_steps) {
    place_.location = location;
    steps_left_ = max_steps;
    result_ = 0;
    const CubeplNode& root = program_.nodes.back();
    if (root.op != CubeplOp::kBlock) return number(static_cast<std::uint32_t>(program_.nodes.size() - 1));
    execute(root);
    return result_;
  }

  std::uint64_t steps_left() const { return steps_left_; }

 private:
  void bind() {
    variables_.clear();
    for (std::uint32_t i = 0; i < program_.variables.size(); ++i)
      variables_.push_back(&machine_.variable(program_, i, place_.metric));
  }

  bool step() {
    if (steps_left_ == 0) {
      if (machine_.fault_.empty()) machine_.fault_ = "its expression takes too long";
      return false;
    }
    --steps_left_;
    return true;
  }

  // ---- statements; false once the program has returned or given up ----

  bool execute(const CubeplNode& node) {
    if (!step()) return false;
    switch (node.op) {
      case CubeplOp::kBlock:
        return std::all_of(node.children.begin(), node.children.end(),
                           [this](std::uint32_t child) { return execute(program_.nodes[child]); });
      case CubeplOp::kReturn: result_ = number(node.children[0]); return false;
      case CubeplOp::kIf: return execute_branches(node);
      case CubeplOp::kWhile:
        while (number(node.children[0]) != 0)
          if (!step() || !execute(program_.nodes[node.children[1]])) return false;
        return true;
      case CubeplOp::kAssign: return assign(program_.nodes[node.children[0]], value(node.children[1]));
      case CubeplOp::kGlobal:
        machine_.globals_[program_.variables[node.index]];
        bind();
        return true;
      case CubeplOp::kSetMetric: return set_metric(node);
      default: return true;
    }
  }

  bool execute_branches(const CubeplNode& node) {
    std::size_t at = 0;
    for (; at + 1 < node.children.size(); at += 2)
      if (number(node.children[at]) != 0) return execute(program_.nodes[node.children[at + 1]]);
    return at >= node.children.size() || execute(program_.nodes[node.children[at]]);
  }

  bool assign(const CubeplNode& target, CubeplValue value) {
    Variable& variable = *variables_[target.index];
    const double wanted = target.children.empty() ? 0 : number(target.children[0]);
    if (!(wanted >= 0)) return true;
    const auto place = static_cast<std::size_t>(std::min(wanted, 1e15));
    if (place >= variable.numbers.size() && !grow(variable, place + 1)) return false;
    if (const auto old = variable.texts.find(place); old != variable.texts.end()) {
      machine_.text_bytes_ -= old->second.size();
      variable.texts.erase(old);
    }
    if (!value.is_text) {
      variable.numbers[place] = value.number;
      return true;
    }
    machine_.text_bytes_ += value.text.size();
    variable.texts[place] = std::move(value.text);
    if (machine_.text_bytes_ > kMaxTextBytes) return give_up();
    return true;
  }

  bool grow(Variable& variable, std::size_t size) {
    machine_.cells_ += size - variable.numbers.size();
    if (machine_.cells_ > machine_.max_cells_) return give_up();
    if (size > variable.numbers.capacity()) variable.numbers.reserve(std::max(size, variable.numbers.size() * 2));
    variable.numbers.resize(size);
    return true;
  }

  bool give_up(const char* why = "its expression needs too much memory") {
    machine_.fault_ = why;
    steps_left_ = 0;
    return false;
  }

  // Only values matter here: metrics that do not apply to the report are made void.
  bool set_metric(const CubeplNode& node) {
    if (text(node.children[0]) != "value") return true;
    machine_.voided_[program_.texts[node.index]] = text(node.children[1]) == "VOID";
    return true;
  }

  // ---- expressions ----

  CubeplValue value(std::uint32_t index) {
    const CubeplNode& node = program_.nodes[index];
    switch (node.op) {
      case CubeplOp::kText: return {true, 0, program_.texts[node.index]};
      case CubeplOp::kBuiltIn:
        step();
        return cubepl_builtin(static_cast<int>(node.index), machine_.report_, place_,
                              node.children.empty() ? 0 : number(node.children[0]));
      case CubeplOp::kVariable: return variable_value(node);
      case CubeplOp::kCall:
        switch (static_cast<CubeplFunction>(node.index)) {
          case CubeplFunction::kLowercase: return {true, 0, in_case(text(node.children[0]), std::tolower)};
          case CubeplFunction::kUppercase: return {true, 0, in_case(text(node.children[0]), std::toupper)};
          case CubeplFunction::kEnvironment: return {true, 0, ""};  // kept private
          default: return {false, number(index), ""};
        }
      default: return {false, number(index), ""};
    }
  }

  CubeplValue variable_value(const CubeplNode& node) {
    const Variable& variable = *variables_[node.index];
    const double wanted = node.children.empty() ? 0 : number(node.children[0]);
    const std::size_t place = wanted >= 0 && wanted < 1e15 ? static_cast<std::size_t>(wanted) : SIZE_MAX;
    if (!variable.texts.empty())
      if (const auto found = variable.texts.find(place); found != variable.texts.end()) return {true, 0, found->second};
    if (place >= variable.numbers.size()) return {true, 0, ""};  // never set: nothing as a text, 0 as a number
    return {false, variable.numbers[place], ""};
  }

  std::string text(std::uint32_t index) { return as_text(value(index)); }

  double number(std::uint32_t index) {
    if (!step()) return 0;
    const CubeplNode& node = program_.nodes[index];
    const auto child = [&](std::size_t i) { return number(node.children[i]); };
    switch (node.op) {
      case CubeplOp::kNumber: return node.number;
      case CubeplOp::kOperand: return operands_[node.index][place_.location];
      case CubeplOp::kOtherPath: return other_path(node);
      case CubeplOp::kAdd: return child(0) + child(1);
      case CubeplOp::kSubtract: return child(0) - child(1);
      case CubeplOp::kMultiply: return child(0) * child(1);
      case CubeplOp::kDivide: return quotient(child(0), child(1));
      case CubeplOp::kPower: return std::pow(child(0), child(1));
      case CubeplOp::kNegate: return -child(0);
      case CubeplOp::kGreater: return child(0) > child(1);
      case CubeplOp::kGreaterEqual: return child(0) >= child(1);
      case CubeplOp::kLess: return child(0) < child(1);
      case CubeplOp::kLessEqual: return child(0) <= child(1);
      case CubeplOp::kEqual: return child(0) == child(1);
      case CubeplOp::kNotEqual: return child(0) != child(1);
      case CubeplOp::kAnd: return child(0) != 0 && child(1) != 0;
      case CubeplOp::kOr: return child(0) != 0 || child(1) != 0;
      case CubeplOp::kNot: return child(0) == 0;
      case CubeplOp::kSameText: return text(node.children[0]) == text(node.children[1]);
      case CubeplOp::kSameTextAnyCase:
        return strcasecmp(text(node.children[0]).c_str(), text(node.children[1]).c_str()) == 0;
      case CubeplOp::kMatches: return matches(node);
      case CubeplOp::kCall: return call(node);
      default: return as_number(value(index));
    }
  }

  double call(const CubeplNode& node) {
    const auto function = static_cast<CubeplFunction>(node.index);
    switch (function) {
      case CubeplFunction::kMin: return std::min(number(node.children[0]), number(node.children[1]));
      case CubeplFunction::kMax: return std::max(number(node.children[0]), number(node.children[1]));
      case CubeplFunction::kSizeOf:
      case CubeplFunction::kDefined: return about_variable(program_.nodes[node.children[0]], function);
      case CubeplFunction::kLowercase:
      case CubeplFunction::kUppercase:
      case CubeplFunction::kEnvironment: return number_in(text(node.children[0]));
      default: return apply(function, number(node.children[0]));
    }
  }

  double about_variable(const CubeplNode& node, CubeplFunction function) {
    if (node.op != CubeplOp::kVariable) return 0;
    const std::size_t size = variables_[node.index]->numbers.size();
    return function == CubeplFunction::kSizeOf ? static_cast<double>(size) : size > 0;
  }

  double other_path(const CubeplNode& node) {
    const double path = number(node.children[0]);
    if (!(path >= 0 && path < 4e9)) return 0;
    return other_path_(program_.operands[node.index], static_cast<std::uint32_t>(path), place_.location);
  }

  double matches(const CubeplNode& node) {
    auto& pattern = machine_.patterns_[program_.patterns[node.index]];
    if (!pattern) pattern = std::make_unique<Pattern>(program_.patterns[node.index]);
    std::string subject = text(node.children[0]);
    subject.resize(std::min(subject.size(), kSubjectLength));
    if (!pattern->compiled.ok()) return give_up("it has a pattern that is not understood, or too large");
    const std::uint64_t work = (subject.size() + 1) * static_cast<std::uint64_t>(pattern->compiled.ProgramSize());
    if (work > machine_.match_work_left_) return give_up("its patterns take too long");
    machine_.match_work_left_ -= work;
    return RE2::PartialMatch(subject, pattern->compiled);
  }

  CubeplMachine& machine_;
  const CubeplProgram& program_;
  CubeplPlace place_;
  const std::vector<std::vector<double>>& operands_;
  const ReadOtherPath& other_path_;
  std::vector<Variable*> variables_;
  std::uint64_t steps_left_ = 0;
  double result_ = 0;
};

CubeplMachine::CubeplMachine(const ReportStructure& report) : report_(report) {
  const std::size_t elements = report.call_paths.size() + report.regions.size() + report.locations.size();
  max_cells_ = std::min(kMaxCells, kSpareCells + kCellsPerElement * elements);
  match_work_left_ = kMatchWork + kMatchWorkPerElement * elements;
  steps_left_ = kSteps + kStepsPerElement * elements;
}

CubeplMachine::~CubeplMachine() = default;

CubeplMachine::Variable& CubeplMachine::variable(const CubeplProgram& program, std::uint32_t index,
                                                 std::uint32_t metric) {
  const auto global = globals_.find(program.variables[index]);
  return global != globals_.end() ? global->second : locals_[{metric, program.variables[index]}];
}

void CubeplMachine::run(const CubeplProgram& program, const CubeplPlace& place,
                        const std::vector<std::vector<double>>& operands, const ReadOtherPath& other_path,
                        std::uint64_t max_steps, std::span<double> values) {
  fault_.clear();
  std::fill(values.begin(), values.end(), 0);
  if (program.empty()) return;
  Run run(*this, program, place, operands, other_path);
  for (std::size_t location = 0; location < values.size() && fault_.empty(); ++location) {
    steps_left_ += kStepsPerRun;
    const std::uint64_t most = std::min(max_steps, steps_left_);
    const double value = run.run(static_cast<std::uint32_t>(location), most);
    steps_left_ -= most - run.steps_left();
    if (fault_.empty()) values[location] = value;
  }
}

}  // namespace tarry

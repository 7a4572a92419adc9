// cubepl_program.hpp -- a CubePL program as a tree: the expressions of derived metrics (docs/CUBEX.md, "CubePL").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "report/tree/report.hpp"

namespace tarry {

enum class CubeplOp : std::uint8_t {
  // values
  kNumber,
  kText,
  kVariable,
  kBuiltIn,
  kOperand,
  kOtherPath,
  // arithmetic
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kPower,
  kNegate,
  kCall,
  // conditions: 1 or 0
  kGreater,
  kGreaterEqual,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kSameText,
  kSameTextAnyCase,
  kMatches,
  kAnd,
  kOr,
  kNot,
  // statements
  kBlock,
  kAssign,
  kIf,
  kWhile,
  kReturn,
  kGlobal,
  kSetMetric,
};

enum class CubeplFunction : std::uint8_t {
  kSqrt,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kExp,
  kLog,
  kRandom,
  kAbs,
  kSign,
  kPositive,
  kNegative,
  kFloor,
  kCeil,
  kMin,
  kMax,
  kLowercase,
  kUppercase,
  kEnvironment,
  kSizeOf,
  kDefined,
};

/// Which value of a metric an operand means.
struct CubeplOperand {
  enum class Flavour : std::uint8_t { kContext, kInclusive, kExclusive };
  std::string metric;
  bool is_fixed = false;  // over all locations, or all of the report
  Flavour flavour = Flavour::kContext;

  bool operator==(const CubeplOperand&) const = default;
};

struct CubeplNode {
  CubeplOp op = CubeplOp::kNumber;
  double number = 0;
  std::uint32_t index = 0;  // into texts, variables, operands or patterns; a CubeplFunction; a built-in's number
  std::vector<std::uint32_t> children;
};

/// The last node is the root. Texts that no reader may open, nor loops without end, are a matter of the machine.
struct CubeplProgram {
  std::vector<CubeplNode> nodes;
  std::vector<std::string> texts;
  std::vector<std::string> variables;
  std::vector<CubeplOperand> operands;
  std::vector<std::string> patterns;  // regular expressions, syntax of RE2

  bool empty() const { return nodes.empty(); }
};

/// Understands an expression or a program in braces; the error's cause names the place. Depth and size are bounded.
Result<CubeplProgram> parse_cubepl(std::string_view text);

/// A value of CubePL: a number or a text, each convertible to the other.
struct CubeplValue {
  bool is_text = false;
  double number = 0;
  std::string text;
};

/// Where in the report an expression is computed.
struct CubeplPlace {
  std::uint32_t metric = 0;
  std::uint32_t path = 0;
  std::uint32_t location = 0;
};

/// Number of the built-in variable of this name ("cube::#callpaths"), or -1.
int find_cubepl_builtin(std::string_view name);

/// Value of a built-in variable; 0 or "" beyond the end of what it counts.
CubeplValue cubepl_builtin(int number, const ReportStructure& report, const CubeplPlace& place, double index);

}  // namespace tarry

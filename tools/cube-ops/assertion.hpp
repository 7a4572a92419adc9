// assertion.hpp -- the language of tarry cube test: comparisons of values of reports.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tarry {

/// One value of a report: incl(METRIC), excl(METRIC, "PATH").
struct Quantity {
  std::string metric;
  std::string path;  // empty: the whole report
  bool is_inclusive = true;
};

/// A parsed assertion: comparisons (< <= > >= == !=) joined by `and` and `or`, of terms with + - * /, brackets, min,
/// max, abs, numbers ("1.1", "10%"), quantities of the new report, and quantities of a named one: base.incl(time). The
/// name of a report alone stands for the other side of the comparison there: incl(time) < 1.1*base.
class Assertion {
 public:
  /// `reports` are the names that may occur.
  static Result<Assertion> parse(std::string_view text, const std::vector<std::string>& reports);

  /// Gets a quantity of the report number `report` of `reports`; kNewReport is the new one.
  using ReadQuantity = std::function<Result<double>(std::uint32_t report, const Quantity& quantity)>;
  static constexpr std::uint32_t kNewReport = 0xffffffffu;

  /// One comparison and how it came out.
  struct Outcome {
    std::string text;  // as it was written
    double left = 0, right = 0;
    bool holds = false;
  };

  /// Evaluates all comparisons; `outcomes` gets each. True if the assertion holds.
  Result<bool> evaluate(const ReadQuantity& read, std::vector<Outcome>& outcomes) const;

 private:
  enum class Op : std::uint8_t {
    kNumber,
    kQuantity,
    kOtherSide,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kNegate,
    kMin,
    kMax,
    kAbs,
  };
  struct Node {
    Op op = Op::kNumber;
    double number = 0;
    std::uint32_t left = 0, right = 0;  // nodes
    std::uint32_t report = kNewReport;
    Quantity quantity;
  };
  struct Comparison {
    std::uint32_t left = 0, right = 0;
    std::string op, text;
    bool begins_alternative = false;  // follows an `or`
  };
  class Parser;

  Result<double> value(std::uint32_t node, std::uint32_t report, std::uint32_t other_side,
                       const ReadQuantity& read) const;

  std::vector<Node> nodes_;
  std::vector<Comparison> comparisons_;  // `and` binds stronger than `or`
};

}  // namespace tarry

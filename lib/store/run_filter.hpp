// run_filter.hpp -- which runs of a store a user means: --where "program = cg and n >= 512".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "store/runs.hpp"

namespace tarry {

/// Conditions that must all hold. A condition is NAME OPERATOR VALUE; operators are = != < <= > >= and ~ (a shell
/// pattern). Names are facts of runs (run, program, commit, kind, nodes, ranks, locations, date, wall, machine, cores,
/// creator, source, tag) or parameters. Numbers are compared as numbers, all else as text. `and` or a comma joins
/// conditions; a value with blanks or commas stands in quotes.
class RunFilter {
 public:
  static Result<RunFilter> parse(const std::string& text);

  bool accepts(const StoredRun& run) const;

 private:
  enum class Comparison { kEqual, kUnequal, kLess, kAtMost, kMore, kAtLeast, kMatches };
  struct Condition {
    std::string name;
    Comparison comparison = Comparison::kEqual;
    std::string value;
  };
  class Parser;

  static bool holds(const Condition& condition, const std::string& value);
  static bool is_met(const Condition& condition, const StoredRun& run);

  std::vector<Condition> conditions_;
};

}  // namespace tarry

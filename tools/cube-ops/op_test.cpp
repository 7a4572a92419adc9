// op_test.cpp -- tarry cube test: asserts something about a report, compared with others.
#include <algorithm>
#include <cctype>

#include "assertion.hpp"
#include "findings/verdicts.hpp"
#include "ops.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/algebra/cube_values.hpp"
#include "report_input.hpp"
#include "shared_options.hpp"

namespace tarry {
namespace {

// "base=old.cubex" is a report with a name; the one without is the report that the assertion is about.
struct Arguments {
  std::vector<std::string> names, paths;
  std::string path;  // of the new report
};

bool is_name(const std::string& text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_'); });
}

Result<Arguments> split_arguments(const std::vector<std::string>& inputs) {
  Arguments arguments;
  for (const std::string& input : inputs) {
    const std::size_t equals = input.find('=');
    if (equals != input.npos && is_name(input.substr(0, equals))) {
      arguments.names.push_back(input.substr(0, equals));
      arguments.paths.push_back(input.substr(equals + 1));
    } else if (arguments.path.empty()) {
      arguments.path = input;
    } else {
      return Error{"usage", "'" + input + "' is a second report without a name", "write NAME=REPORT"};
    }
  }
  if (arguments.path.empty())
    return Error{"usage", "the report that the assertion is about is missing", "name one without NAME="};
  return arguments;
}

// The value on all call paths of that text; if there is none, on those that end with it, outermost ones only.
Result<double> value_on(CubeValues& values, MetricId metric, const Quantity& quantity, const std::string& report) {
  const ReportStructure& structure = values.source().structure();
  const MetricTotals& totals = values.totals(metric);
  const auto& numbers = quantity.is_inclusive ? totals.inclusive : totals.exclusive;
  std::vector<bool> is_taken(numbers.size());
  double exact = 0, ending = 0;
  bool has_exact = false, has_ending = false;
  for (std::uint32_t path = 0; path < numbers.size(); ++path) {
    const std::uint32_t parent = structure.call_paths[path].parent.value;
    is_taken[path] = quantity.is_inclusive && parent < path && is_taken[parent];
    const std::string text = call_path_text(structure, CallPathId(path));
    if (text == quantity.path) exact += numbers[path], has_exact = true;
    if (is_taken[path] || !text.ends_with("/" + quantity.path)) continue;
    ending += numbers[path];
    is_taken[path] = has_ending = true;
  }
  if (!has_exact && !has_ending)
    return Error{report, "has no call path '" + quantity.path + "'", "tarry cube calltree lists them"};
  return has_exact ? exact : ending;
}

}  // namespace

static Status check_test(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(arguments, split_arguments(options.inputs));
  TARRY_TRY(Assertion::parse(options.expression, arguments.names));
  return {};
}

static Result<int> run_test(const CubeOptions& options) {
  TARRY_TRY_ASSIGN(arguments, split_arguments(options.inputs));
  TARRY_TRY_ASSIGN(assertion, Assertion::parse(options.expression, arguments.names));
  std::vector<std::string> paths = std::move(arguments.paths);
  paths.push_back(arguments.path);
  TARRY_TRY_ASSIGN(reports, open_reports_by_function(paths));
  std::vector<std::unique_ptr<CubeValues>> values;
  for (const OpenReport& report : reports) values.push_back(std::make_unique<CubeValues>(*report));
  const auto read = [&](std::uint32_t report, const Quantity& quantity) -> Result<double> {
    const std::size_t at = report == Assertion::kNewReport ? values.size() - 1 : report;
    const auto metric = choose_metric(reports[at]->structure(), quantity.metric);
    if (!metric.ok()) return Error{paths[at], metric.error().text(), ""};
    if (quantity.path.empty()) return values[at]->totals(metric.value()).whole;
    return value_on(*values[at], metric.value(), quantity, paths[at]);
  };
  std::vector<Assertion::Outcome> outcomes;
  TARRY_TRY_ASSIGN(holds, assertion.evaluate(read, outcomes));
  std::vector<Verdict> verdicts;
  for (const auto& outcome : outcomes)
    verdicts.push_back({outcome.holds ? "holds" : "does not hold", outcome.text,
                        number_for_people(ValueType::kDouble, outcome.left) + " against " +
                            number_for_people(ValueType::kDouble, outcome.right),
                        !outcome.holds && !holds});
  TARRY_TRY(print_verdicts(verdicts, holds ? "holds" : "does not hold", options.format));
  std::vector<std::string> damage;
  for (const auto& report : values)
    for (const std::string& line : report->damage()) damage.push_back(line);
  return std::max(holds ? 0 : 1, conclude(damage, options.is_strict));
}

static void add_test_options(CliOptions& line, CliOption inputs, CubeOptions& options) {
  inputs.description("NAME=REPORT, and one without a name");
  add_format(line, options);
}

Operation test_operation() {
  return {
      .name = "test",
      .purpose = "tests a condition: status 1 if it does not hold",
      .notes = R"(EXPRESSION compares (< <= > >= == !=) terms of numbers, + - * / ( ), min, max, abs and
  incl(METRIC), excl(METRIC, "CALL/PATH")   of the report without a name
  base.incl(METRIC)                         of the report base=...
  base                                      the other side of the comparison, in base
joined by `and` and `or`. A call path is written as by dump, or its end is.

)",
      .examples = R"(  tarry cube test 'incl(time,"main/solve") < 1.1*base' base=old.cubex new.cubex
  tarry cube test 'excl(mpi_latesender) < 10% * incl(time)' run/analysis.cubex
  tarry cube test --format junit 'incl(time) < 1.05*base' base=old.cubex - < new.cubex
)",
      .see_also = "tarry cube cmp, docs/CUBE_OPERATIONS.md",
      .takes = Takes::kReports,
      .expression = "what must hold",
      .add_options = add_test_options,
      .check = check_test,
      .run = run_test,
  };
}

}  // namespace tarry

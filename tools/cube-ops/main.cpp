// main.cpp -- tarry cube: inspects, compares and combines reports. What an operation takes and does is in op_NAME.cpp.
#include <algorithm>

#include "base/tool/cli.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "ops.hpp"
#include "report_input.hpp"

namespace {

using namespace tarry;

constexpr const char* kFooter = R"(Examples:
  tarry cube info run/analysis.cubex
  tarry cube dump --csv -m time,mpi_latesender run/analysis.cubex > values.csv
  tarry cube diff after.cubex before.cubex -o - | tarry cube stat -

Files:
  REPORT is a .cubex file as tarry, Score-P and Scalasca write them; - is stdin, and stdout with -o. Of an
  archive the analysis is taken, else the summary.

Exit status: 0 done, 1 failed (or moved, with cmp and test; or damaged, with --strict), 2 wrong usage.
See also: tarry cube OP --help, tarry report, tarry score, docs/CUBE_OPERATIONS.md)";

// In the order of --help: those that print, that make a report of reports, that make one of parts, that judge.
std::vector<Operation> all_operations() {
  return {info_operation(),       dump_operation(),   calltree_operation(), stat_operation(),  topn_operation(),
          regioninfo_operation(), matrix_operation(), sanity_operation(),   diff_operation(),  merge_operation(),
          mean_operation(),       min_operation(),    max_operation(),      clean_operation(), cut_operation(),
          part_operation(),       remap_operation(),  convert_operation(),  cmp_operation(),   test_operation()};
}

// What --help prints behind the options.
std::string footer_of(const Operation& operation) {
  const char* files = operation.gives == Gives::kReport ? "reads REPORT; writes the report named by -o."
                                                        : "reads REPORT; writes to stdout.";
  return std::string(operation.notes) + operation.shared_notes + "Examples:\n" + operation.examples + "\nFiles:\n  " +
         files + "\nSee also: " + operation.see_also;
}

CliOptions declare(Cli& cli, const Operation& operation, CubeOptions& options) {
  CliOptions line = cli.operation(operation.name, operation.purpose);
  if (operation.expression) line.option("EXPRESSION", options.expression, operation.expression).required();
  CliOption inputs = line.option("REPORT", options.inputs, "a .cubex file, an archive, or - for stdin");
  inputs.required().count(1, operation.takes == Takes::kReport ? 1 : kMostReports);
  if (operation.gives == Gives::kReport)
    line.option("-o,--output", options.output,
                std::string("the result (default: ") + operation.name + ".cubex); - is stdout");
  if (operation.add_options) operation.add_options(line, inputs, options);
  line.footer(footer_of(operation));
  return line;
}

// Wrong usage that the parser does not see.
Status check(const Operation& operation, const CubeOptions& options) {
  const auto is_stdin = [](const std::string& input) { return input == "-" || input.ends_with("=-"); };
  if (std::count_if(options.inputs.begin(), options.inputs.end(), is_stdin) > 1)
    return Error{"usage", "only one report can come from stdin", "try 'tarry-cube --help'"};
  return operation.check ? operation.check(options) : Status();
}

Result<int> run(const Operation& operation, CubeOptions& options) {
  TARRY_TRY(name_reports(options));
  return operation.run(options);
}

}  // namespace

static int cube_main(int argc, char** argv) {
  Cli cli("cube", "inspects, compares and combines reports", kFooter);
  CubeOptions options;
  cli.needs_operation();
  cli.flag("--strict", options.is_strict, "exit status 1 if parts of a report are damaged");
  const std::vector<Operation> operations = all_operations();
  std::vector<CliOptions> lines;
  for (const Operation& operation : operations) lines.push_back(declare(cli, operation, options));
  if (auto status = cli.parse(argc, argv)) return *status;
  const auto chosen = std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.is_chosen(); });
  const Operation& operation = operations[chosen - lines.begin()];
  options.operation = operation.name;
  if (const Status usage = check(operation, options); !usage.ok()) {
    log_error(usage.error());
    return kExitUsage;
  }
  return cli.finish(run(operation, options));
}

int main(int argc, char** argv) { return tarry::tool_main("cube", argc, argv, cube_main); }

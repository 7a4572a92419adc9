// main.cpp -- tarry cube: looks into reports and computes with them.
#include "base/cli.hpp"
#include "ops.hpp"
#include "report_input.hpp"

namespace {

using namespace tarry;

constexpr const char* kFooter = R"(Examples:
  tarry cube info run/analysis.cubex
  tarry cube dump --csv -m time,mpi_latesender run/analysis.cubex > values.csv
  tarry cube calltree -m time -i -t 1% run/summary.cubex

Files:
  REPORT is a .cubex file as tarry, Score-P and Scalasca write them; - is stdin. Results go to stdout.

Exit status: 0 done, 1 failed (or the report is damaged, with --strict), 2 wrong usage.
See also: tarry cube OP --help, tarry report, tarry replay)";

constexpr const char* kInfoFooter = R"(Examples:
  tarry cube info run/analysis.cubex
  tarry cube info -v damaged.cubex
  ssh cluster cat run/summary.cubex | tarry cube info -

Files:
  reads REPORT; writes to stdout.
See also: tarry cube calltree, tarry cube dump, tarry report)";

constexpr const char* kDumpFooter = R"(Values are inclusive along the metric tree and exclusive along the call tree;
zeros, and minima and maxima nobody contributed to, are left out. A call path is
the names of its regions from the root, joined by '/'; inside a name '/' is
written \/ and '\' is written \\.

Examples:
  tarry cube dump --csv run/analysis.cubex > values.csv
  tarry cube dump -m visits,time run/summary.cubex
  tarry cube dump --json - < run/analysis.cubex

Files:
  reads REPORT; writes to stdout. --csv has the columns metric,callpath,rank,thread,value.
See also: tarry cube info, tarry cube calltree)";

constexpr const char* kCallTreeFooter = R"(Examples:
  tarry cube calltree run/summary.cubex
  tarry cube calltree -m mpi_latesender run/analysis.cubex
  tarry cube calltree -m time -i -t 1% run/analysis.cubex

Files:
  reads REPORT; writes to stdout.
See also: tarry cube info, tarry report)";

struct Options {
  std::string report;
  std::string metrics;
  std::string metric;
  bool is_csv = false;
  bool is_json = false;
  bool is_inclusive = false;
  bool is_strict = false;
  double threshold_percent = 0;
};

CLI::App* add_operation(CLI::App& app, Options& options, const char* name, const char* purpose, const char* footer) {
  CLI::App* operation = app.add_subcommand(name, purpose);
  operation->add_option("REPORT", options.report, "a .cubex file, or - for stdin")->required();
  operation->footer(footer);
  return operation;
}

DumpFormat format_of(const Options& options) {
  return options.is_csv ? DumpFormat::kCsv : options.is_json ? DumpFormat::kJson : DumpFormat::kTable;
}

Result<int> run(const Options& options, const std::string& operation) {
  TARRY_TRY_ASSIGN(report, open_report(options.report));
  if (operation == "info") TARRY_TRY(show_info(report, options.report));
  if (operation == "dump") TARRY_TRY(dump_report(report, options.metrics, format_of(options)));
  if (operation == "calltree")
    TARRY_TRY(show_call_tree(report, options.metric, options.is_inclusive, options.threshold_percent / 100));
  return conclude(report, options.is_strict);
}

std::string without_percent_sign(std::string text) {
  if (!text.empty() && text.back() == '%') text.pop_back();
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  Cli cli("cube", "looks into reports and computes with them", kFooter);
  Options options;
  cli.app().require_subcommand(1);
  cli.app().fallthrough();
  cli.app().add_flag("--strict", options.is_strict, "exit status 1 if parts of a report are damaged");

  add_operation(cli.app(), options, "info", "what is in a report: sizes, attributes, metrics with totals", kInfoFooter);

  CLI::App* dump = add_operation(cli.app(), options, "dump", "every value, one per line", kDumpFooter);
  dump->add_option("-m,--metrics", options.metrics, "only these, a comma list of names (default: all)");
  CLI::Option* csv = dump->add_flag("--csv", options.is_csv, "comma-separated, 17 significant digits");
  dump->add_flag("--json", options.is_json, "JSON, 17 significant digits")->excludes(csv);

  CLI::App* tree = add_operation(cli.app(), options, "calltree", "the call tree with one metric", kCallTreeFooter);
  tree->add_option("-m,--metric", options.metric, "the metric (default: time)");
  tree->add_flag("-i,--inclusive", options.is_inclusive, "values include the calls below");
  tree->add_option("-t,--threshold", options.threshold_percent, "hide what is below this percentage of the total")
      ->transform(without_percent_sign)->check(CLI::Range(0.0, 100.0));

  if (auto status = cli.parse(argc, argv)) return *status;
  return cli.finish(run(options, cli.app().get_subcommands().front()->get_name()));
}

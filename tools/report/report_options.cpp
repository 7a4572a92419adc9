// report_options.cpp -- what the user of tarry report asks for.
#include "report_options.hpp"

namespace tarry {

void add_report_options(CliOptions& cli, ReportOptions& options) {
  cli.option("input", options.inputs,
             "archive or report (.cubex); with --efficiency also OTF2 traces, and several runs")
      .required()
      .value_name("ARCHIVE|REPORT");
  cli.option("-o,--output", options.output, "write here instead of to standard output").value_name("FILE");
  const auto csv = cli.flag("--csv", options.as_csv, "findings as CSV");
  cli.flag("--json", options.as_json, "findings as JSON").not_with(csv);
  const auto files = cli.flag("--files", options.shows_files, "instead: operations, bytes and time of each file");
  const auto iterations =
      cli.option("--iterations", options.iterations,
                 "instead: --metric by process and iteration of this marked loop, or visit of this region")
          .value_name("REGION")
          .not_with(files);
  cli.option("--metric", options.metrics,
             "with --iterations: metrics (unique names or shell patterns, by commas; default: time); may be repeated")
      .value_name("LIST")
      .one_at_a_time();
  const auto sources =
      cli.option("--source-path", options.source_path, "look for source files in this folder, too; may be repeated")
          .value_name("DIR")
          .one_at_a_time()
          .not_with(csv)
          .not_with(files)
          .not_with(iterations);
  add_overhead_options(cli, options.overheads, {{files, iterations, sources}});
  add_efficiency_options(cli, options.efficiency, {{files, iterations, sources}});
  cli.flag("--full-names", options.has_full_names, "show argument lists and template arguments of functions");
}

std::string check_report_options(const ReportOptions& options) {
  if (!options.metrics.empty() && options.iterations.empty()) return "--metric needs --iterations";
  if (options.inputs.size() > 1 && !options.efficiency.is_wanted) return "only --efficiency takes several runs";
  if (options.efficiency.is_wanted && options.overheads.is_any_but_region())
    return "--efficiency excludes the options of overheads but --region";
  if (options.efficiency.is_wanted && !options.iterations.empty()) return "--efficiency excludes --iterations";
  return check_efficiency_options(options.efficiency, options.overheads.region);
}

}  // namespace tarry

// main.cpp -- tarry-report: prints the findings of an analysis, or of a summary, within a screenful.
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "archive/archive.hpp"
#include "archive/choose_report.hpp"
#include "archive/manifest.hpp"
#include "base/cli.hpp"
#include "base/file.hpp"
#include "base/log.hpp"
#include "base/tool_main.hpp"
#include "base/text.hpp"
#include "efficiency_command.hpp"
#include "files_output.hpp"
#include "findings/findings.hpp"
#include "findings/findings_data.hpp"
#include "findings/iterations_data.hpp"
#include "findings/shown_report.hpp"
#include "findings_text.hpp"
#include "overheads_command.hpp"
#include "iterations_output.hpp"
#include "report/cubex_reader.hpp"

namespace tarry {
namespace {

constexpr char kExamples[] =
    "examples:\n"
    "  tarry report run                 what 'tarry replay run' found, or the summary if there is no analysis\n"
    "  tarry report analysis.cubex      the findings of one report\n"
    "  tarry report --json run | jq .waits\n"
    "  tarry report --files run         what the program has done with each file ('tarry measure --io')\n"
    "  tarry report --overheads run     computation and overheads; --overhead OSYN shows where they are\n"
    "  tarry report --overheads --reference serial run   what was lost against a run with fewer processors\n"
    "  tarry report --efficiency run-2 run-4 run-8   what auditors look at: efficiencies of runs side by side\n"
    "  tarry report --iterations step --metric time,mpi_latesender run   values by iteration and process\n"
    "  tarry report --source-path ~/heat/src run   also shows the lines of the source\n"
    "\n"
    "Lines are as wide as COLUMNS or the terminal says, and whole in a pipe or file without COLUMNS.\n"
    "\n"
    "reads: ARCHIVE/analysis.cubex or ARCHIVE/summary.cubex, or the report named; writes nothing but its output.\n"
    "  --efficiency also reads the events of archives and OTF2 traces\n"
    "see also: tarry replay, tarry cube";

struct Options {
  std::string input;  // the first one
  std::vector<std::string> inputs;
  std::string output = "-";
  bool as_csv = false;
  bool as_json = false;
  bool shows_files = false;
  std::string iterations;  // loop or region; empty: not asked for
  std::vector<std::string> metrics;
  bool has_full_names = false;
  OverheadOptions overheads;
  EfficiencyOptions efficiency;
  std::vector<std::string> source_path;
};

/// Findings that machine forms hold at most.
constexpr std::size_t kFindingsListed = 1000;

std::string next_step(const std::string& input, const std::string& path, const Findings& findings) {
  if (findings.is_analysis) return "Next: tarry cube dump --csv " + path + "  (every value)";
  const auto manifest = read_manifest(input);
  if (manifest.ok() && manifest.value().has_events) return "Next: tarry replay " + input + "  (finds wait states)";
  return "Next: tarry measure -t -- COMMAND, then tarry replay  (finds wait states)";
}

// A report of a part of the run has other delays than the whole trace.
NextCommands next_commands(const std::string& input, const std::string& path, const Findings& findings) {
  NextCommands next{
      .step = next_step(input, path, findings), .all_causes = "tarry cube topn -m delay " + path, .traced_archive = ""};
  const auto manifest = read_manifest(input);
  const bool is_whole = findings.covers.empty() && findings.predicted.empty();
  if (manifest.ok() && manifest.value().has_events && is_whole) next.traced_archive = input;
  return next;
}

Status write_files(const Options& options, const std::string& path, const Report& report) {
  TARRY_TRY_ASSIGN(table, read_file_table(report.files));
  if (options.as_csv) return write_file(options.output, files_csv(table));
  if (options.as_json) return write_file(options.output, files_json(table));
  if (table.empty()) return Error{path, "tells of no files", "record them with 'tarry measure --io', or use MPI's"};
  return write_file(options.output, files_text(std::move(table)));
}

TextStyle text_style(const Options& options) {
  TextStyle style = options.output == "-" ? find_text_style(STDOUT_FILENO) : TextStyle();
  style.has_full_names = options.has_full_names;
  return style;
}

Status write_overhead_report(const Options& options, const Report& report) {
  std::optional<Report> reference;
  if (!options.overheads.reference.empty()) {
    TARRY_TRY_ASSIGN(path, report_to_read(options.overheads.reference));
    TARRY_TRY_ASSIGN(single, read_cubex(path));
    TARRY_TRY_ASSIGN(shown, shown_report(std::move(single)));
    reference = std::move(shown);
  }
  const auto form = options.as_csv ? OverheadForm::kCsv : options.as_json ? OverheadForm::kJson : OverheadForm::kText;
  TARRY_TRY_ASSIGN(
      text, write_overheads(options.overheads, report, reference ? &*reference : nullptr, form, text_style(options)));
  return write_file(options.output, text);
}

Status print_iterations(const Options& options, const Report& report) {
  std::vector<std::string> metrics;
  for (const std::string& list : options.metrics)
    for (const std::string& name : split_list(list)) metrics.push_back(name);
  if (metrics.empty()) metrics = {"time"};
  TARRY_TRY_ASSIGN(table, read_iterations(report, options.iterations, metrics));
  if (options.as_csv) return write_file(options.output, iterations_csv(table));
  if (options.as_json) return write_file(options.output, iterations_json(table));
  return write_file(options.output, iterations_text(table, text_style(options)));
}

Status write_efficiency_report(const Options& options) {
  for (const std::string& input : options.inputs)
    if (options.output != "-" && is_same_file(options.output, input))
      return Error{options.output, "is the input", "choose another name"};
  const auto form = options.as_csv    ? EfficiencyForm::kCsv
                    : options.as_json ? EfficiencyForm::kJson
                                      : EfficiencyForm::kText;
  TARRY_TRY_ASSIGN(text, write_efficiencies(options.efficiency, options.overheads.region, options.inputs, form,
                                            text_style(options)));
  return write_file(options.output, text);
}

// Findings are wanted as JSON of an archive in which nothing was recorded.
bool is_json_of_nothing(const Options& options) {
  const bool wants_findings = !options.shows_files && options.iterations.empty() && !options.overheads.is_any_given();
  return options.as_json && wants_findings && !why_nothing_recorded(options.input).empty();
}

// Who reads JSON finds the reason where that of an incomplete report is.
Status write_nothing_recorded(const Options& options) {
  TARRY_TRY_ASSIGN(manifest, read_manifest(options.input));
  Findings findings;
  findings.program = manifest.program;
  findings.incomplete = manifest.missing;
  return write_file(options.output, findings_json(Report(), findings, SourceLines({})));
}

Status run(const Options& options) {
  if (options.efficiency.is_wanted) return write_efficiency_report(options);
  const auto chosen = report_to_read(options.input);
  if (!chosen.ok() && is_json_of_nothing(options)) TARRY_TRY(write_nothing_recorded(options));
  TARRY_TRY_ASSIGN(path, chosen);
  if (options.output != "-" && is_same_file(options.output, path))
    return Error{options.output, "is the input", "choose another name"};
  TARRY_TRY_ASSIGN(single, read_cubex(path));
  if (options.shows_files) return write_files(options, path, single);
  if (!options.iterations.empty()) return print_iterations(options, single);
  TARRY_TRY_ASSIGN(report, shown_report(std::move(single)));
  if (options.overheads.is_any_given()) return write_overhead_report(options, report);
  const bool is_for_machines = options.as_csv || options.as_json;
  auto findings = find_findings(report, is_for_machines ? kFindingsListed : kFindingsShown);
  if (!findings.ok()) return Error{path, findings.error().why, findings.error().hint};
  const SourceLines sources(options.source_path);
  if (options.as_csv) return write_file(options.output, findings_csv(report, *findings));
  if (options.as_json) return write_file(options.output, findings_json(report, *findings, sources));
  const NextCommands next = next_commands(options.input, path, *findings);
  return write_file(options.output, findings_text(report, *findings, sources, next, text_style(options)));
}

// What is wrong with the options together; empty if nothing is.
std::string check(const Options& options) {
  if (!options.metrics.empty() && options.iterations.empty()) return "--metric needs --iterations";
  if (options.inputs.size() > 1 && !options.efficiency.is_wanted) return "only --efficiency takes several runs";
  if (options.efficiency.is_wanted && options.overheads.is_any_but_region())
    return "--efficiency excludes the options of overheads but --region";
  if (options.efficiency.is_wanted && !options.iterations.empty()) return "--efficiency excludes --iterations";
  return check_efficiency_options(options.efficiency, options.overheads.region);
}

}  // namespace
}  // namespace tarry

static int report_main(int argc, char** argv) {
  tarry::Cli cli("report", "prints where a run spends and waits its time, within a screenful", tarry::kExamples);
  tarry::Options options;
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
  tarry::add_overhead_options(cli, options.overheads, {{files, iterations, sources}});
  tarry::add_efficiency_options(cli, options.efficiency, {{files, iterations, sources}});
  cli.flag("--full-names", options.has_full_names, "show argument lists and template arguments of functions");
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (const std::string wrong = check(options); !wrong.empty()) {
    std::fprintf(stderr, "tarry-report: usage: %s (try 'tarry-report --help')\n", wrong.c_str());
    return tarry::kExitUsage;
  }
  options.input = options.inputs[0];
  return cli.finish(tarry::run(options));
}

int main(int argc, char** argv) { return tarry::tool_main("report", argc, argv, report_main); }

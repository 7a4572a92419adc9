// run_report.cpp -- one run of tarry-report: reads what is named, and writes what is asked for in its form.
#include "run_report.hpp"

#include <unistd.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "archive/reading/choose_report.hpp"
#include "archive/files/manifest.hpp"
#include "base/files/file.hpp"
#include "base/text/text.hpp"
#include "files_output.hpp"
#include "findings/findings.hpp"
#include "findings/findings_data.hpp"
#include "findings/iterations/iterations_data.hpp"
#include "findings/shown_report.hpp"
#include "findings_text.hpp"
#include "iterations_output.hpp"
#include "next_commands.hpp"
#include "report/cubex/cubex_reader.hpp"

namespace tarry {
namespace {

// Findings that machine forms hold at most.
constexpr std::size_t kFindingsListed = 1000;

Status write_files(const ReportOptions& options, const std::string& path, const Report& report) {
  TARRY_TRY_ASSIGN(table, read_file_table(report.files));
  if (options.as_csv) return write_file(options.output, files_csv(table));
  if (options.as_json) return write_file(options.output, files_json(table));
  if (table.empty()) return Error{path, "tells of no files", "record them with 'tarry measure --io', or use MPI's"};
  return write_file(options.output, files_text(std::move(table)));
}

TextStyle text_style(const ReportOptions& options) {
  TextStyle style = options.output == "-" ? find_text_style(STDOUT_FILENO) : TextStyle();
  style.has_full_names = options.has_full_names;
  return style;
}

Status write_overhead_report(const ReportOptions& options, const Report& report) {
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

Status print_iterations(const ReportOptions& options, const Report& report) {
  std::vector<std::string> metrics;
  for (const std::string& list : options.metrics)
    for (const std::string& name : split_list(list)) metrics.push_back(name);
  if (metrics.empty()) metrics = {"time"};
  TARRY_TRY_ASSIGN(table, read_iterations(report, options.iterations, metrics));
  if (options.as_csv) return write_file(options.output, iterations_csv(table));
  if (options.as_json) return write_file(options.output, iterations_json(table));
  return write_file(options.output, iterations_text(table, text_style(options)));
}

Status write_efficiency_report(const ReportOptions& options) {
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

Status write_findings(const ReportOptions& options, const std::string& path, const Report& report) {
  const bool is_for_machines = options.as_csv || options.as_json;
  auto findings = find_findings(report, is_for_machines ? kFindingsListed : kFindingsShown);
  if (!findings.ok()) return Error{path, findings.error().why, findings.error().hint};
  const SourceLines sources(options.source_path);
  if (options.as_csv) return write_file(options.output, findings_csv(report, *findings));
  if (options.as_json) return write_file(options.output, findings_json(report, *findings, sources));
  const NextCommands next = next_commands(options.input(), path, *findings);
  return write_file(options.output, findings_text(report, *findings, sources, next, text_style(options)));
}

// Findings are wanted as JSON of an archive in which nothing was recorded.
bool is_json_of_nothing(const ReportOptions& options) {
  const bool wants_findings = !options.shows_files && options.iterations.empty() && !options.overheads.is_any_given();
  return options.as_json && wants_findings && !why_nothing_recorded(options.input()).empty();
}

// Who reads JSON finds the reason where that of an incomplete report is.
Status write_nothing_recorded(const ReportOptions& options) {
  TARRY_TRY_ASSIGN(manifest, read_manifest(options.input()));
  Findings findings;
  findings.program = manifest.program;
  findings.incomplete = manifest.missing;
  return write_file(options.output, findings_json(Report(), findings, SourceLines({})));
}

}  // namespace

Status run_report(const ReportOptions& options) {
  if (options.efficiency.is_wanted) return write_efficiency_report(options);
  const auto chosen = report_to_read(options.input());
  if (!chosen.ok() && is_json_of_nothing(options)) TARRY_TRY(write_nothing_recorded(options));
  TARRY_TRY_ASSIGN(path, chosen);
  if (options.output != "-" && is_same_file(options.output, path))
    return Error{options.output, "is the input", "choose another name"};
  TARRY_TRY_ASSIGN(single, read_cubex(path));
  if (options.shows_files) return write_files(options, path, single);
  if (!options.iterations.empty()) return print_iterations(options, single);
  TARRY_TRY_ASSIGN(report, shown_report(std::move(single)));
  if (options.overheads.is_any_given()) return write_overhead_report(options, report);
  return write_findings(options, path, report);
}

}  // namespace tarry

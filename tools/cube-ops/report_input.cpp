// report_input.cpp -- what every operation does with its input.
#include "report_input.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "archive/reading/choose_report.hpp"
#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "base/tool/log.hpp"
#include "base/text/text.hpp"
#include "report/cubex/cubex_file.hpp"
#include "report/algebra/merged_sites.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "report/tree/metric_tree.hpp"
#include "report/tree/unify_reports.hpp"

namespace tarry {
namespace {

// "a.cubex, b.cubex", or what to do if there is none.
std::string reports_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".cubex") names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  if (names.empty()) return "it holds no report yet: run tarry replay on it";
  std::string list = "name one of its reports: ";
  for (std::size_t i = 0; i < names.size(); ++i) list += (i ? ", " : "") + names[i];
  return list;
}

// Extra files that are about the metrics, not about the values of one report.
std::vector<ReportFile> specifications_of(const CubeSource& report) {
  std::vector<ReportFile> files;
  for (const ReportFile& file : report.files())
    if (file.name == kSpecificationFile) files.push_back(file);
  return files;
}

}  // namespace

Status name_reports(CubeOptions& options) {
  std::vector<std::string> chosen;
  for (std::string& input : options.inputs) {
    // test names its reports: base=run
    const bool has_name = options.operation == "test" && !is_directory(input) && input.find('=') != input.npos;
    const std::string name = has_name ? input.substr(0, input.find('=') + 1) : "";
    const std::string folder = input.substr(name.size());
    if (!is_directory(folder)) continue;
    const std::string report = choose_report(folder);
    if (report.empty()) return Error{folder, "is a folder, not a report", reports_in(folder)};
    chosen.push_back(report);
    input = name + report;
  }
  const auto file_name = [](const std::string& path) { return std::filesystem::path(path).filename(); };
  const bool is_mixed = std::any_of(chosen.begin(), chosen.end(), [&](const std::string& report) {
    return file_name(report) != file_name(chosen[0]);
  });
  for (const std::string& report : chosen) is_mixed ? log_info("takes " + report) : log_detail("takes " + report);
  return {};
}

Result<OpenReport> open_report(const std::string& path) {
  TARRY_TRY_ASSIGN(file, CubexFile::open(path));
  return OpenReport(std::move(file));
}

Result<OpenReport> open_report_by_function(const std::string& path) {
  TARRY_TRY_ASSIGN(report, open_report(path));
  return without_call_sites(std::move(report));
}

namespace {

template <class Open>
Result<std::vector<OpenReport>> open_each(const std::vector<std::string>& paths, Open open) {
  std::vector<OpenReport> reports;
  for (const std::string& path : paths) {
    TARRY_TRY_ASSIGN(report, open(path));
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace

Result<std::vector<OpenReport>> open_reports(const std::vector<std::string>& paths) {
  return open_each(paths, open_report);
}

Result<std::vector<OpenReport>> open_reports_by_function(const std::vector<std::string>& paths) {
  return open_each(paths, open_report_by_function);
}

Result<std::vector<MetricId>> select_metrics(const ReportStructure& report, const std::string& list) {
  std::vector<MetricId> chosen;
  const auto& metrics = report.metrics;
  if (list.empty()) {
    for (std::size_t i = 0; i < metrics.size(); ++i)
      if (!metrics[i].is_ghost && !metrics[i].is_void) chosen.emplace_back(i);
    return chosen;
  }
  for (const std::string& name : split_list(list)) {
    chosen.push_back(find_metric(report, name));
    if (!chosen.back().is_valid())
      return Error{"metric '" + name + "'", "is not in this report", "tarry cube info lists its metrics"};
  }
  return chosen;
}

Result<MetricId> choose_metric(const ReportStructure& report, const std::string& name) {
  MetricId metric = find_metric(report, name.empty() ? "time" : name);
  if (!metric.is_valid() && name.empty() && !report.metrics.empty()) metric = MetricId(0);
  if (!metric.is_valid())
    return Error{"metric '" + (name.empty() ? "time" : name) + "'", "is not in this report",
                 "tarry cube info lists its metrics"};
  return metric;
}

std::string default_output(const CubeOptions& options) {
  return options.output.empty() ? options.operation + ".cubex" : options.output;
}

Status check_output(const CubeOptions& options) {
  const std::string output = default_output(options);
  if (options.output.empty() && path_exists(output)) return Error{output, "exists already", "name the output with -o"};
  if (is_directory(output)) return Error{output, "is a folder", "name a file"};
  for (const std::string& input : options.inputs)
    if (output != "-" && input != "-" && is_same_file(input, output))
      return Error{output, "is also an input", "name another output"};
  return {};
}

Result<int> write_result(const CubeSource& result, const CubeOptions& options) {
  TARRY_TRY(write_cubex(result, default_output(options)));
  return conclude(result.damage(), options.is_strict);
}

Result<int> combine_reports(const CubeOptions& options, Combination combination) {
  TARRY_TRY(check_output(options));
  TARRY_TRY_ASSIGN(reports, open_reports(options.inputs));
  return combine_opened(reports, options, combination);
}

Result<int> combine_opened(const std::vector<OpenReport>& reports, const CubeOptions& options,
                           Combination combination) {
  std::vector<const CubeSource*> sources;
  std::vector<const ReportStructure*> structures;
  for (const OpenReport& report : reports) {
    sources.push_back(report.get());
    structures.push_back(&report->structure());
  }
  const SystemShape shape = options.is_collapsed ? SystemShape::kCollapsed
                            : options.is_reduced ? SystemShape::kReduced
                                                 : SystemShape::kAsIs;
  TARRY_TRY_ASSIGN(mapped, unify_reports(structures, options.inputs, {shape, options.is_by_name}));
  CombinedCube result(sources, std::move(mapped), combination);
  result.keep_files(specifications_of(*sources[0]));
  return write_result(result, options);
}

int conclude(const std::vector<std::string>& damage, bool is_strict) {
  if (damage.empty()) return 0;
  for (const std::string& line : damage) log_detail(line);
  const std::size_t more = damage.size() - 1;
  const std::string text = damage[0] + (more ? ", and " + std::to_string(more) + " more" : "");
  if (is_strict) {
    log_error({"the report is damaged", text, "-v lists everything"});
    return 1;
  }
  log_warning("the report is damaged: " + text + (more ? " (-v lists them)" : ""));
  return 0;
}

std::string number_for_people(ValueType type, double value) {
  if (is_neutral_number(type, value)) return "-";
  const double size = std::abs(value);
  return format_number(value, size >= 1000 && size < 1e15 ? "%.0f" : "%.4g");
}

Status print_verdicts(const std::vector<Verdict>& verdicts, const std::string& summary, const std::string& format,
                      const std::vector<std::string>& notices) {
  const Status printed = print(verdicts_text(verdicts, summary, format, notices, "tarry cube"));
  return is_reader_gone(STDOUT_FILENO) ? Status() : printed;
}

Status print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return {};
  return Error{"standard output", system_error(), "results are incomplete"};
}

}  // namespace tarry

// report_files.cpp -- where the report of an analysis goes, and what lies beside it.
#include "report_files.hpp"

#include <filesystem>

#include "archive/archive.hpp"
#include "archive/files/names.hpp"
#include "archive/files/provenance.hpp"
#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "report/tables/instance_files.hpp"
#include "analysis/writing/write_instances.hpp"

namespace tarry {
namespace {

// analysis.cubex -> analysis-instances.csv
std::string table_path(const std::string& report, const char* table) {
  const std::size_t stem = report.ends_with(".cubex") ? report.size() - 6 : report.size();
  return report.substr(0, stem) + "-" + table;
}

// The tables are files beside the report, too, unless it goes to stdout, a pipe or a device.
Status write_tables(const ReplayOptions& options, const Report& report, const std::string& path) {
  std::error_code unknown;
  if (options.instances == 0 || path == "-" || !std::filesystem::is_regular_file(path, unknown)) return {};
  for (const char* table : {kInstancesFile, kStatisticsFile})
    TARRY_TRY(write_file(table_path(path, table), std::string_view(file_text(report, table))));
  return {};
}

// A reader would take tables of an earlier analysis for those of this one. In an archive they are ours to remove.
void settle_old_tables(const ReplayOptions& options, const std::string& path) {
  if (options.instances > 0 || path == "-") return;
  const bool is_ours = is_archive(options.input) && options.output.empty();
  for (const char* table : {kInstancesFile, kStatisticsFile}) {
    const std::string file = table_path(path, table);
    std::error_code failure;
    if (!path_exists(file) || (is_ours && std::filesystem::remove(file, failure))) continue;
    log_warning(file + ": is of an earlier analysis (delete it, or replay with --instances)");
  }
}

// The recording was closed: the run has definitions.
bool is_finished(const std::string& archive) { return path_exists(archive + "/" + names::kDefinitions); }

}  // namespace

std::string report_path(const ReplayOptions& options) {
  if (!options.output.empty()) return options.output;
  const std::string name = options.is_compat ? names::kAnalysisCompat : names::kAnalysis;
  return is_archive(options.input) ? options.input + "/" + name : name;
}

Status check_output(const ReplayOptions& options, const std::string& path) {
  std::vector<std::string> files = {path, options.critical_path};
  if (options.instances > 0)
    for (const char* table : {kInstancesFile, kStatisticsFile}) files.push_back(table_path(path, table));
  for (const std::string& file : files)
    if (file != "-" && is_input_file(options.input, file))
      return Error{file, "is the input and will not be overwritten", "name another file"};
  if (is_archive(options.input) && is_being_recorded(options.input))
    log_warning(options.input + ": is still being recorded; the report covers what is on disk");
  else if (is_archive(options.input) && !is_finished(options.input) && why_nothing_recorded(options.input).empty())
    log_warning(options.input + ": its recording was not finished; 'tarry unify " + options.input +
                "' does that, and the manifest will name the analysis if you replay again then");
  return {};
}

Status write_output(const ReplayOptions& options, const Report& report, const std::string& path) {
  StageRecorder stage("replay", options.command);
  TARRY_TRY(write_cubex(report, path));
  TARRY_TRY(write_tables(options, report, path));
  settle_old_tables(options, path);
  if (!is_archive(options.input) || !options.keeps_provenance || !options.output.empty()) return {};
  if (!is_finished(options.input)) return {};
  stage.add_input(names::kDefinitions);
  stage.add_output(options.is_compat ? names::kAnalysisCompat : names::kAnalysis);
  return stage.add_to_archive(options.input);
}

}  // namespace tarry

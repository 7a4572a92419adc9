// run_unify.cpp -- closes a recording that was not closed, and writes the global definitions and the summary.
#include "run_unify.hpp"

#include "archive/finishing/finish_archive.hpp"
#include "archive/files/names.hpp"
#include "archive/finishing/unify_contents.hpp"
#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "summary/write_summary.hpp"

namespace tarry {
namespace {

void tell(const std::string& path, const FinishReport& report) {
  if (report.salvaged_spools > 0)
    log_info(path + ": salvaged what " + std::to_string(report.salvaged_spools) + " killed processes had recorded");
  if (report.sealed_containers > 0) log_detail("sealed " + std::to_string(report.sealed_containers) + " containers");
  log_info(path +
           (report.wrote_definitions ? ": wrote the global definitions of "
                                     : ": the global definitions are there already, of ") +
           std::to_string(report.processes) + " processes and " + std::to_string(report.locations) + " threads, " +
           std::to_string(report.events) + " events");
  if (!report.missing.empty()) log_warning(path + " is incomplete: " + report.missing);
}

Status summarise(const std::string& path, const FinishReport& report) {
  if (!report.wrote_definitions && path_exists(path + "/" + names::kSummary)) return {};
  TARRY_TRY_ASSIGN(summary, write_summary(path, report.missing, "tarry-unify"));
  if (summary) log_info(path + ": wrote the summary, for 'tarry report " + path + "'");
  return {};
}

}  // namespace

Status run_unify(const std::string& path, const std::string& command, GroupTransport& group) {
  if (group.rank() != 0) return help_unifying(group, path);
  FinishOptions options;
  options.command = command;
  if (group.size() > 1) options.helpers = &group;
  TARRY_TRY_ASSIGN(report, finish_archive(path, options));
  TARRY_TRY(summarise(path, report));
  tell(path, report);
  return {};
}

}  // namespace tarry

// main.cpp -- tarry-unify: closes a recording that nobody closed, and writes the global definitions and the summary.
#include "archive/finish_archive.hpp"
#include "archive/names.hpp"
#include "archive/provenance.hpp"
#include "archive/unify_contents.hpp"
#include "base/cli.hpp"
#include "base/log.hpp"
#include "base/tool_main.hpp"
#include "collect.hpp"
#include "summary/write_summary.hpp"

using namespace tarry;

static const char kFooter[] = R"(
Examples:
  tarry unify tarry-lmp-1               after the batch system killed the job
  tarry unify -v tarry-lmp-1            with details
  mpirun -np 8 tarry unify tarry-lmp-1  the same on 8 processes, whatever the number of ranks recorded

'tarry measure' does the same when the run is over; where that happened, nothing is left to do. What killed processes
recorded is moved into containers first. It may be interrupted and run again. The definitions are unified over a tree of
all processors, under mpirun or srun of all processes.

Files: reads and writes events/, definitions.tdef, summary.cubex and manifest.xml of the archive.
See also: tarry measure, tarry archive verify, tarry replay)";

static void tell(const std::string& path, const FinishReport& report) {
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

static Status summarise(const std::string& path, const FinishReport& report) {
  if (!report.wrote_definitions && path_exists(path + "/" + names::kSummary)) return {};
  TARRY_TRY_ASSIGN(summary, write_summary(path, report.missing, "tarry-unify"));
  if (summary) log_info(path + ": wrote the summary, for 'tarry report " + path + "'");
  return {};
}

static Status run(const std::string& path, const std::string& command, JobGroup& group) {
  if (group.rank() != 0) return help_unifying(group, path);
  FinishOptions options;
  options.command = command;
  if (group.size() > 1) options.helpers = &group;
  TARRY_TRY_ASSIGN(report, finish_archive(path, options));
  const Status summarised = summarise(path, report);
  tell(path, report);
  return summarised;
}

static int unify_main(int argc, char** argv) {
  Cli cli("unify", "Writes the global definitions of an archive, after salvaging what killed processes left.", kFooter);
  std::string path;
  cli.app().add_option("ARCHIVE", path, "folder made by 'tarry measure'")->required();
  const std::string command = join_command(std::vector<std::string>(argv, argv + argc));
  if (const auto status = cli.parse(argc, argv)) return *status;
  Exchange exchange;
  if (const Status joined = exchange.join_job(&argc, &argv); !joined.ok())
    return exchange.rank() == 0 ? cli.finish(joined) : kExitFailed;
  JobGroup group(exchange);
  return cli.finish(run(path, command, group));
}

int main(int argc, char** argv) { return tarry::tool_main("unify", argc, argv, unify_main); }

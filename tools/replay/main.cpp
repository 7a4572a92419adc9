// main.cpp -- tarry-replay: replays a trace, names wait states, writes the report.
#include <cstdio>
#include <string>
#include <vector>

#include "archive/files/provenance.hpp"
#include "base/tool/cli.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "exchange/parallel_tool.hpp"
#include "report/metrics/metrics.hpp"
#include "run.hpp"

namespace {

constexpr std::uint64_t kLeastMemory = std::uint64_t{64} << 20;

const char kFooter[] =
    "Examples:\n"
    "  tarry replay tarry-app-1                   analyse an archive on all processors of this machine\n"
    "  mpirun -np 8 tarry replay tarry-app-1      the same on 8 processes, whatever the number of ranks recorded\n"
    "  tarry replay traces.otf2 -o wait.cubex     analyse an OTF2 trace\n"
    "  tarry replay tarry-app-1 --window 30:60     only what happened in the second half minute\n"
    "  tarry replay tarry-app-1 --phase solve --patterns 'mpi_late*,delay'   some metrics, inside 'solve'\n"
    "  tarry replay tarry-app-1 --iterations solve   also the values of each visit of 'solve', by process\n"
    "  tarry replay tarry-app-1 --instances 10    also list the ten longest waits of each kind, and who is to blame\n\n"
    "Files: reads the events and definitions of the archive or OTF2 trace. Writes analysis.cubex\n"
    "  (analysis-compat.cubex with --compat) into the archive, for OTF2 into the working folder.\n"
    "Exit status: 0 done, also if damaged records were skipped (the last line says how many); 1 failed, or damage\n"
    "  under --strict; 2 wrong usage.\n"
    "See also: tarry measure, tarry report, tarry cube, docs/METRICS.md";

// One line per metric: name, unit, where it is computed.
void list_patterns() {
  for (const tarry::Metric metric : tarry::catalogue()) {
    const tarry::MetricInfo& info = tarry::info_of(metric);
    std::printf("%-30s %-28s %-5s %s\n", info.unique_name, info.display_name, info.unit, info.file);
  }
}

// What the texts of --window and --patterns mean.
tarry::Status read_selection(tarry::ReplayOptions& options) {
  if (!options.window_text.empty()) {
    TARRY_TRY_ASSIGN(window, tarry::TimeWindow::parse(options.window_text));
    options.window = window;
  }
  if (!options.patterns.empty()) {
    TARRY_TRY_ASSIGN(metrics, tarry::MetricSelection::parse(options.patterns));
    options.metrics = std::move(metrics);
  }
  return {};
}

}  // namespace

static int replay_main(int argc, char** argv) {
  tarry::ReplayOptions options;
  options.command = tarry::join_command(std::vector<std::string>(argv, argv + argc));
  bool lists_patterns = false;
  tarry::Cli cli("replay", "Finds wait states in a trace: where processes and threads wait, and how long.", kFooter);
  const auto input = cli.option("input", options.input, "archive folder, or anchor file of an OTF2 trace");
  cli.option("-o,--output", options.output, "write the report to this file ('-': stdout)");
  cli.option("--critical-path", options.critical_path, "write the critical path itself to this file, as CSV");
  cli.option("--window", options.window_text,
             "only from second A to second B after the start of the trace; either may be left out")
      .value_name("A:B");
  cli.option("--phase", options.phase, "only inside visits of regions of this name (or shell pattern)")
      .value_name("NAME");
  cli.option("--patterns", options.patterns,
             "compute and report these metrics only (names or shell patterns, by commas), and their parents")
      .value_name("LIST");
  cli.option("--iterations", options.iterations,
             "keep a time series of this marked loop, or of the visits of this region (or shell pattern); without it, "
             "of the first marked loop. 'tarry report --iterations' shows it")
      .value_name("REGION");
  cli.option("--instances", options.instances,
             "keep the N most severe instances of each kind of wait state, and statistics of all. They are in the "
             "report, and beside it as *-instances.csv and *-statistics.csv")
      .value_name("N")
      .between(1u, 1000000u);
  cli.flag("--compat", options.is_compat, "compute what Scalasca 2.6 computes where ours differs on purpose");
  cli.flag("--strict", options.is_strict, "exit with 1 if anything had to be skipped");
  cli.workers(options.workers, "threads of each analysis process (default: all processors)");
  cli.memory(options.memory, "keep below this many bytes of memory (64M or more; 1G), with temporary files in $TMPDIR",
             kLeastMemory);
  cli.flag("!--no-provenance", options.keeps_provenance, "leave the archive's manifest as it is");
  cli.flag("--list-patterns", lists_patterns, "list all metrics with unit and source file, and exit");
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (lists_patterns) {
    list_patterns();
    return cli.finish(tarry::Status());
  }
  if (!input.is_given()) {
    std::fputs("tarry-replay: usage: no input given (try 'tarry-replay --help')\n", stderr);
    return tarry::kExitUsage;
  }
  if (options.is_compat && !options.iterations.empty()) {
    std::fputs("tarry-replay: usage: --compat has no time series (leave out --iterations)\n", stderr);
    return tarry::kExitUsage;
  }
  if (const tarry::Status status = read_selection(options); !status.ok()) {
    tarry::log_error(status.error());
    return tarry::kExitUsage;
  }
  return tarry::run_on_all(cli, argc, argv,
                           [&options](tarry::Exchange& exchange) { return tarry::run_replay(options, exchange); });
}

int main(int argc, char** argv) { return tarry::tool_main("replay", argc, argv, replay_main); }

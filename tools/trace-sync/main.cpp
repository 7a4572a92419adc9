// main.cpp -- tarry-sync: makes the clocks of a trace agree.
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/reading/open_source.hpp"
#include "archive/files/provenance.hpp"
#include "base/tool/cli.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "exchange/parallel_tool.hpp"
#include "sync/sync_trace.hpp"

namespace {

const char kFooter[] =
    "Examples:\n"
    "  tarry sync tarry-app-1                      correct the times of an archive, before 'tarry replay'\n"
    "  tarry sync tarry-app-1 --check              only count what is earlier than its cause\n"
    "  tarry sync tarry-app-1 --undo               back to the times as they were measured\n"
    "  tarry sync traces.otf2 -o synced            import an OTF2 trace, then correct its times\n"
    "  mpirun -np 8 tarry sync tarry-app-1         the same on 8 processes, whatever the number of ranks recorded\n\n"
    "The controlled logical clock moves events that are earlier than their cause, such as a message that is received\n"
    "before it is sent. The events before and after them move, too. A trace of one clock remains as it is.\n\n"
    "Files: reads the events and definitions of the archive or OTF2 trace; writes corrections.tcor into the archive. "
    "The\n"
    "  events stay as they are.\n"
    "Exit status: 0 done; 1 failed, or something had to be skipped or could not be corrected and --strict was given;\n"
    "  2 wrong usage.\n"
    "See also: tarry measure, tarry replay, docs/CLOCKS.md";

// What is wrong with the combination of options; empty if nothing is.
std::string wrong_usage(const tarry::SyncOptions& options) {
  if (options.is_check && options.is_undo) return "--check and --undo exclude each other";
  if (!options.output.empty() && (options.is_check || options.is_undo))
    return "-o has no meaning with --check and --undo";
  if (!options.plot.empty() && (options.is_check || options.is_undo))
    return "--plot has no meaning with --check and --undo: they compute no corrections";
  if (tarry::is_archive(options.input) && !options.output.empty())
    return "-o is for OTF2 traces; an archive is corrected where it is";
  if (tarry::is_otf2_anchor(options.input) && options.is_undo) return "--undo is for archives";
  if (tarry::is_otf2_anchor(options.input) && options.output.empty() && !options.is_check)
    return "an OTF2 trace is not changed: name the archive to make of it with -o, or give --check";
  return {};
}

}  // namespace

static int sync_main(int argc, char** argv) {
  tarry::SyncOptions options;
  options.command = tarry::join_command(std::vector<std::string>(argv, argv + argc));
  tarry::Cli cli("sync", "Makes the clocks of a trace agree.", kFooter);
  cli.option("INPUT", options.input, "archive, or anchor file of an OTF2 trace (traces.otf2)").required();
  cli.option("-o,--output", options.output, "archive to make of an OTF2 trace").value_name("ARCHIVE");
  cli.flag("--check", options.is_check, "only count violations of the clock condition");
  cli.flag("--undo", options.is_undo, "take the corrections back");
  cli.option("--plot", options.plot, "write the corrections of all locations to this file, as CSV").value_name("FILE");
  cli.option("--gamma", options.control.gamma,
             "rate of a moved clock until it is back at the measured time (default: 0.99999)")
      .between(0.5, 0.9999999, "0.5 to 0.9999999");
  cli.option("--ramp", options.control.ramp, "most by which intervals before a jump are stretched (default: 0.01)")
      .between(0.000001, 1, "0.000001 to 1");
  cli.workers(options.workers, "threads of each analysis process (default: all processors)");
  cli.memory(options.memory,
             "keep the trace's records below this many bytes of memory (1G), with temporary files in $TMPDIR");
  cli.flag("--strict", options.is_strict, "exit with 1 if anything had to be skipped or could not be corrected");
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (const std::string wrong = wrong_usage(options); !wrong.empty()) {
    tarry::log_error({"usage", wrong, "try 'tarry-sync --help'"});
    return tarry::kExitUsage;
  }
  return tarry::run_on_all(cli, argc, argv,
                           [&options](tarry::Exchange& exchange) { return tarry::run_sync(options, exchange); });
}

int main(int argc, char** argv) { return tarry::tool_main("sync", argc, argv, sync_main); }

// main.cpp -- tarry-merge: converts traces, one global trace out of many locations.
#include <cstdio>
#include <string>
#include <vector>

#include "archive/provenance.hpp"
#include "base/cli.hpp"
#include "base/log.hpp"
#include "base/tool_main.hpp"
#include "convert.hpp"

namespace {

const char kFooter[] =
    "Examples:\n"
    "  tarry merge tarry-app-1 -o app-otf2 --to otf2      an OTF2 trace for Vampir: app-otf2/traces.otf2\n"
    "  tarry merge tarry-app-1 -o app.prv --to paraver    app.prv, app.pcf and app.row for Paraver\n"
    "  tarry merge tarry-app-1 -o wait.pftrace --to perfetto --around late-sender#1\n"
    "                                                     the longest such wait, for ui.perfetto.dev\n"
    "  tarry merge --from otf2 scorep/traces.otf2 -o app  an archive of a trace that Score-P recorded\n"
    "  tarry merge tarry-app-1 -o - --to csv | head       events of all processes, in order of time\n"
    "  tarry merge tarry-app-1 --fingerprint              two traces with the same events print the same\n\n"
    "Files: reads the events and definitions of the archive or OTF2 trace, and writes OUT.\n"
    "  For otf2 and tarry, OUT is a new folder, which must not exist. For csv, jsonl and perfetto, it is one file\n"
    "  ('-': stdout). For paraver, it is OUT.prv, .pcf and .row. Temporary files go to $TMPDIR.\n"
    "Exit status: 0 done, also if records were skipped (the last line counts them); 1 failed, or skipped something\n"
    "  under --strict; 2 wrong usage.\n"
    "See also: tarry measure, tarry replay, tarry archive, docs/CONVERSION.md";

int fail_usage(const char* text) {
  std::fprintf(stderr, "tarry-merge: usage: %s (try 'tarry-merge --help')\n", text);
  return tarry::kExitUsage;
}

}  // namespace

static int merge_main(int argc, char** argv) {
  tarry::MergeOptions options;
  options.command = tarry::join_command(std::vector<std::string>(argv, argv + argc));
  tarry::Cli cli("merge",
                 "Merges and converts traces: OTF2 in and out, Paraver, Perfetto, CSV, JSON Lines, one archive.",
                 kFooter);
  cli.option("input", options.input, "archive folder, or anchor file of an OTF2 trace").required();
  cli.option("-o,--output", options.output, "what to write");
  const auto to = cli.option("--to", options.to, "format to write").one_of(tarry::format_names());
  cli.option("--from", options.from, "import a trace of this format into a new archive").one_of({"otf2"}).not_with(to);
  cli.option("--time", options.selection.time,
             "only from second A to second B after the start of the trace; either may be left out")
      .value_name("A:B");
  cli.option("--ranks", options.selection.ranks, "only these ranks: 0-63,128").value_name("LIST");
  cli.option("--regions", options.selection.regions,
             "only visits of regions of these names (shell patterns, by commas)")
      .value_name("GLOB");
  cli.flag("--no-user", options.selection.leaves_out_user, "without visits of the program's own functions");
  cli.option("--min-duration", options.selection.min_duration, "without visits that are shorter (10us)")
      .value_name("TIME");
  cli.option("--around", options.around,
             "only the time around one wait: late-sender#1 is the longest of its kind in the instances")
      .value_name("WAIT");
  cli.option("--instances", options.overlays.instances,
             "draw the waits of this table of 'tarry replay --instances' (default: the one in the archive)")
      .value_name("FILE");
  cli.option("--critical-path", options.overlays.critical_path,
             "draw this critical path of 'tarry replay --critical-path' (default: critical-path.csv in the archive)")
      .value_name("FILE");
  cli.flag("!--no-overlays", options.draws_overlays, "do not draw what a replay found");
  cli.flag("--fingerprint", options.prints_fingerprint,
           "only print the number of events and a checksum of their content, whatever their order in the files");
  cli.flag("--safe-csv", options.is_for_spreadsheets,
           "with --to csv: an apostrophe before names that a spreadsheet would take for formulas (=, +, -, @)");
  cli.flag("--strict", options.is_strict, "exit with 1 if anything had to be skipped or left out");
  cli.workers(options.workers, "threads (default: all processors)");
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (const tarry::Status status = tarry::check_selection(options.selection); !status.ok()) {
    tarry::log_error(status.error());
    return tarry::kExitUsage;
  }
  if (!options.from.empty() && (!options.selection.empty() || !options.around.empty()))
    return fail_usage("an import takes the whole trace; select when you convert the archive");
  if (options.is_for_spreadsheets && options.to != "csv") return fail_usage("--safe-csv needs --to csv");
  if (!options.prints_fingerprint) {
    if (options.to.empty() && options.from.empty()) return fail_usage("neither --to nor --from is given");
    if (options.output.empty()) return fail_usage("no output is given: -o OUT");
  }
  return cli.finish(tarry::run_merge(options));
}

int main(int argc, char** argv) { return tarry::tool_main("merge", argc, argv, merge_main); }

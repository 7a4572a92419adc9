// main.cpp -- tarry-merge: converts traces, one global trace out of many locations.
#include <cstdio>
#include <string>
#include <vector>

#include "archive/files/provenance.hpp"
#include "base/tool/cli.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "convert/convert.hpp"

namespace {

const char kFooter[] =
    "Examples:\n"
    "  tarry merge tarry-app-1 -o app-otf2 --to otf2      an OTF2 trace for Vampir: app-otf2/traces.otf2\n"
    "  tarry merge tarry-app-1 -o app.prv --to paraver    app.prv, app.pcf and app.row for Paraver\n"
    "  tarry merge tarry-app-1 -o wait.pftrace --to perfetto --around late-sender#1\n"
    "                                                     the longest such wait, for ui.perfetto.dev\n"
    "  tarry merge tarry-app-1 -o waits-otf2 --to otf2 --only-patterns\n"
    "                                                     each wait, delay and stretch of the critical path, no "
    "events\n"
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

// What makes no sense with or without --only-patterns; nullptr: nothing.
const char* wrong_with_patterns(const tarry::MergeOptions& options) {
  if (!options.has_only_patterns)
    return options.patterns.empty() && options.most_patterns == 0 ? nullptr
                                                                  : "--patterns and --most need --only-patterns";
  const tarry::SelectionTexts& selection = options.selection;
  if (!selection.regions.empty() || selection.leaves_out_user || !options.around.empty())
    return "--only-patterns takes --patterns, --time, --ranks and --min-duration";
  if (options.to == "tarry" || !options.from.empty() || options.prints_fingerprint)
    return "--only-patterns needs --to otf2, paraver, perfetto, csv or jsonl";
  return nullptr;
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
  cli.flag(
      "--only-patterns", options.has_only_patterns,
      "write what an analysis finds instead of the events: waits, delays, and stretches of the critical path, with "
      "severity, cause and call path");
  cli.option("--patterns", options.patterns,
             "with --only-patterns: only these metrics (names or shell patterns, by commas), and their parents")
      .value_name("LIST");
  cli.option("--most", options.most_patterns,
             "with --only-patterns: only the N longest waits of each kind, to save memory; the others are counted")
      .value_name("N")
      .between(1u, 1000000000u);
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
  if (const char* const wrong = wrong_with_patterns(options)) return fail_usage(wrong);
  if (!options.prints_fingerprint) {
    if (options.to.empty() && options.from.empty()) return fail_usage("neither --to nor --from is given");
    if (options.output.empty()) return fail_usage("no output is given: -o OUT");
  }
  return cli.finish(tarry::run_merge(options));
}

int main(int argc, char** argv) { return tarry::tool_main("merge", argc, argv, merge_main); }

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
  cli.app().add_option("input", options.input, "archive folder, or anchor file of an OTF2 trace")->required();
  cli.app().add_option("-o,--output", options.output, "what to write");
  auto* to = cli.app().add_option("--to", options.to, "format to write")->check(CLI::IsMember(tarry::format_names()));
  cli.app().add_option("--from", options.from, "import a trace of this format into a new archive")
      ->check(CLI::IsMember({"otf2"}))
      ->excludes(to);
  cli.app().add_option("--time", options.selection.time,
                       "only from second A to second B after the start of the trace; either may be left out")
      ->type_name("A:B");
  cli.app().add_option("--ranks", options.selection.ranks, "only these ranks: 0-63,128")->type_name("LIST");
  cli.app().add_option("--regions", options.selection.regions,
                       "only visits of regions of these names (shell patterns, by commas)")
      ->type_name("GLOB");
  cli.app().add_flag("--no-user", options.selection.leaves_out_user, "without visits of the program's own functions");
  cli.app().add_option("--min-duration", options.selection.min_duration, "without visits that are shorter (10us)")
      ->type_name("TIME");
  cli.app().add_option("--around", options.around,
                       "only the time around one wait: late-sender#1 is the longest of its kind in the instances")
      ->type_name("WAIT");
  cli.app().add_option("--instances", options.overlays.instances,
                       "draw the waits of this table of 'tarry replay --instances' (default: the one in the archive)")
      ->type_name("FILE");
  cli.app()
      .add_option(
          "--critical-path", options.overlays.critical_path,
          "draw this critical path of 'tarry replay --critical-path' (default: critical-path.csv in the archive)")
      ->type_name("FILE");
  cli.app().add_flag("!--no-overlays", options.draws_overlays, "do not draw what a replay found");
  cli.app().add_flag(
      "--fingerprint", options.prints_fingerprint,
      "only print the number of events and a checksum of their content, whatever their order in the files");
  cli.app().add_flag("--strict", options.is_strict, "exit with 1 if anything had to be skipped or left out");
  cli.app().add_option("--workers", options.workers, "threads (default: all processors)")->check(CLI::Range(1u, 1024u));
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (const tarry::Status status = tarry::check_selection(options.selection); !status.ok()) {
    tarry::log_error(status.error());
    return tarry::kExitUsage;
  }
  if (!options.from.empty() && (!options.selection.empty() || !options.around.empty()))
    return fail_usage("an import takes the whole trace; select when you convert the archive");
  if (!options.prints_fingerprint) {
    if (options.to.empty() && options.from.empty()) return fail_usage("neither --to nor --from is given");
    if (options.output.empty()) return fail_usage("no output is given: -o OUT");
  }
  return cli.finish(tarry::run_merge(options));
}

int main(int argc, char** argv) { return tarry::tool_main("merge", argc, argv, merge_main); }

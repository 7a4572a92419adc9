// main.cpp -- tarry-predict: how long a recorded program would take on another machine, or after a change.
#include "base/tool/cli.hpp"
#include "base/tool/log.hpp"
#include "base/tool/tool_main.hpp"
#include "change_options.hpp"
#include "exchange/parallel_tool.hpp"
#include "machine_options.hpp"
#include "run_predict.hpp"

namespace {

const char kFooter[] =
    "Examples:\n"
    "  tarry predict tarry-app-1                          the same machine: the recorded time\n"
    "  tarry predict tarry-app-1 --network ideal          messages take no time: what remains is waiting and work\n"
    "  tarry predict tarry-app-1 --network 10us,1GB/s     a network of 10 us and 10^9 bytes a second\n"
    "  tarry predict tarry-app-1 --cpu 2                  processors twice as fast\n"
    "  tarry predict tarry-app-1 --scale-region solve=0.5  'solve', and what it calls, in half the time; or a kernel\n"
    "  tarry predict tarry-app-1 --balance solve          each rank works as long in 'solve' as all do on average\n"
    "  tarry predict tarry-app-1 --without-delay 1        the most expensive delay is gone\n"
    "  tarry predict tarry-app-1 --rank-delays            what is worth the work: a table, sorted by gain\n"
    "  tarry predict tarry-app-1 --copy-bandwidth ideal   copies to and from accelerators take no time\n"
    "  tarry predict traces.otf2 --eager-limit 0          each send waits for its receiver\n"
    "  tarry predict tarry-app-1 --cpu 2 -o faster.cubex  also analyse the predicted run, as tarry replay does\n"
    "  tarry cube diff faster.cubex tarry-app-1/analysis.cubex -o change.cubex   what changes\n\n"
    "Options combine. The first line is 'predicted S seconds (traced S)', of the part between MPI_Init and\n"
    "MPI_Finalize.\n\n"
    "Files: reads the events and definitions of the archive or OTF2 trace; writes OUT.cubex only.\n"
    "Exit status: 0 done, also if damaged records were skipped; 1 failed, a program that never ends, or damage under\n"
    "  --strict; 2 wrong usage.\n"
    "See also: tarry replay, tarry report, tarry cube, docs/SIMULATION.md";

}  // namespace

static int predict_main(int argc, char** argv) {
  tarry::PredictOptions options;
  tarry::ChangeWords words;
  tarry::Cli cli("predict", "Predicts how long a recorded program takes on another machine, or after a change.",
                 kFooter);
  cli.option("INPUT", options.input, "archive folder, or anchor file of an OTF2 trace");
  tarry::add_machine_options(cli, options.machine);
  const tarry::CliOption balance = tarry::add_program_options(cli, words);
  const tarry::CliOption table = tarry::add_table_options(cli, words);
  cli.option("-o,--output", options.output, "write a report of the predicted run to this file ('-': stdout)")
      .value_name("OUT.cubex");
  cli.flag("--waits", options.shows_waits,
           "also print where the critical path goes, and which waits remain; so does --output");
  cli.flag("--whole", options.is_whole, "the time from the first event to the last one");
  cli.flag("--strict", options.is_strict, "exit with 1 if anything had to be skipped");
  cli.workers(options.workers, "threads (default: all processors)");
  cli.memory(options.memory,
             "keep the trace's records below this many bytes of memory (1G), with temporary files in $TMPDIR");
  if (const auto status = cli.parse(argc, argv)) return *status;
  if (const tarry::Status read = tarry::read_change_words(words, balance.is_given(), table.is_given(), options);
      !read.ok()) {
    tarry::log_error(read.error());
    return tarry::kExitUsage;
  }
  return tarry::run_on_all(cli, argc, argv,
                           [&options](tarry::Exchange& exchange) { return tarry::run_predict(options, exchange); });
}

int main(int argc, char** argv) { return tarry::tool_main("predict", argc, argv, predict_main); }

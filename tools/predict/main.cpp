// main.cpp -- tarry-predict: how long a recorded program would take on another machine, or after a change.
#include <string>
#include <utility>
#include <vector>

#include "base/cli.hpp"
#include "base/log.hpp"
#include "base/tool_main.hpp"
#include "exchange/parallel_tool.hpp"
#include "read_machine.hpp"
#include "run_predict.hpp"

namespace {

const char kFooter[] =
    "Examples:\n"
    "  tarry predict tarry-app-1                          the same machine: the recorded time\n"
    "  tarry predict tarry-app-1 --network ideal          messages take no time: what remains is waiting and work\n"
    "  tarry predict tarry-app-1 --network 10us,1GB/s     a network of 10 us and 10^9 bytes a second\n"
    "  tarry predict tarry-app-1 --cpu 2                  processors twice as fast\n"
    "  tarry predict tarry-app-1 --scale-region solve=0.5  'solve' and what it calls in half the time\n"
    "  tarry predict tarry-app-1 --balance solve          each rank works as long in 'solve' as all do on average\n"
    "  tarry predict tarry-app-1 --without-delay 1        the most expensive delay is gone\n"
    "  tarry predict tarry-app-1 --rank-delays            what is worth the work: a table, sorted by gain\n"
    "  tarry predict traces.otf2 --eager-limit 0          each send waits for its receiver\n"
    "  tarry predict tarry-app-1 --cpu 2 -o faster.cubex  also analyse the predicted run, as tarry replay does\n"
    "  tarry cube diff faster.cubex tarry-app-1/analysis.cubex -o change.cubex   what changes\n\n"
    "Options combine. The first line is 'predicted S seconds (traced S)', of the part between MPI_Init and\n"
    "MPI_Finalize.\n\n"
    "Files: reads the events and definitions of the archive or OTF2 trace; writes OUT.cubex only.\n"
    "Exit status: 0 done, also if damaged records were skipped; 1 failed, a program that never ends, or damage under\n"
    "  --strict; 2 wrong usage.\n"
    "See also: tarry replay, tarry report, tarry cube, docs/SIMULATION.md";

// An option whose text `parse` reads into what `take` stores.
template <class Parse, class Take>
auto reader(Parse parse, Take take) {
  return [parse, take](const std::string& text) -> std::string {
    auto read = parse(text);
    if (!read.ok()) return read.error().text();
    take(std::move(read).value());
    return "";
  };
}

void add_machine_options(tarry::Cli& cli, tarry::Machine& machine) {
  using namespace tarry;
  cli.option("--network", reader(parse_network, [&](Network network) { machine.network = network; }),
             "another network: 'ideal', or latency and bandwidth")
      .value_name("ideal|LAT,BW");
  cli.option("--collectives", reader(parse_collective_law, [&](CollectiveLaw law) { machine.collectives = law; }),
             "latencies of a collective operation of P ranks in another network: log (base 2 of P), or linear (P - 1)")
      .value_name("log|linear");
  cli.option("--cpu", machine.cpu_speed, "speed of computation (2: twice as fast)")
      .value_name("SPEED")
      .between(1e-6, 1e6, "0.000001 to 1000000");
  cli.option("--eager-limit", reader(parse_size, [&](std::uint64_t bytes) { machine.eager_limit = bytes; }),
             "larger messages make their sender wait for the receiver; 0: all do (default: as recorded; none in "
             "another network)")
      .value_name("BYTES");
  cli.flag("--bind-windows", machine.binds_one_sided,
           "one-sided synchronisation makes processes wait in another network, too");
}

// What users write of regions, ranks and rules.
struct Words {
  std::vector<std::string> regions, alone, ranks, balanced, delays, ranked;
  std::string like;
  bool is_json = false, is_csv = false;
};

// Returns the option that wants the table.
tarry::CliOption add_table_options(tarry::Cli& cli, Words& words) {
  auto table = cli.option("--rank-delays", words.ranked,
                          "instead: what would be gained if the N most expensive delays (default: 10) and the N "
                          "heaviest regions were gone, or faster")
                   .value_name("[N]");
  table.count(0, 1).one_at_a_time();
  auto json = cli.flag("--json", words.is_json, "that table as JSON");
  cli.flag("--csv", words.is_csv, "that table as CSV").not_with(json);
  return table;
}

// Returns the option that balances.
tarry::CliOption add_program_options(tarry::Cli& cli, Words& words) {
  cli.option("--scale-region", words.regions,
             "computation in this region (or shell pattern) and below takes F times as long; may be repeated")
      .value_name("NAME=F")
      .one_at_a_time();
  cli.option("--scale-self", words.alone, "the same of the region itself, without what it calls")
      .value_name("NAME=F")
      .one_at_a_time();
  cli.option(
         "--without-delay", words.delays,
         "the N-th most expensive delay is gone ('tarry report' and --rank-delays number them), or F of it is left; "
         "may be repeated")
      .value_name("N[=F]")
      .one_at_a_time();
  cli.option("--rank", words.ranks, "computation of rank N takes F times as long; may be repeated")
      .value_name("N=F")
      .one_at_a_time();
  auto balance =
      cli.option("--balance", words.balanced,
                 "all ranks compute as long as they do on average, everywhere or in one region (or shell pattern) and "
                 "below")
          .value_name("[REGION]");
  balance.count(0, 1).one_at_a_time();
  cli.option("--like", words.like, "the rules of another simulator for collectives and protocols: dimemas")
      .one_of({"dimemas"});
  return balance;
}

// "--rank-delays INPUT": the word is no number.
tarry::Status read_table(const Words& words, bool is_wanted, tarry::PredictOptions& options) {
  using namespace tarry;
  if (!is_wanted && (words.is_json || words.is_csv))
    return Error{"usage", "--json and --csv are for the table of --rank-delays", "add --rank-delays"};
  if (!is_wanted) return {};
  GainOptions& gains = options.gains.emplace();
  gains.format = words.is_json ? TableFormat::kJson : words.is_csv ? TableFormat::kCsv : TableFormat::kText;
  gains.is_whole = options.is_whole;
  if (!options.machine.delays.empty())
    return Error{"usage", "--rank-delays and --without-delay exclude each other", "give one of them"};
  if (words.ranked.empty() || words.ranked[0].empty()) return {};
  if (options.input.empty()) {
    options.input = words.ranked[0];
    return {};
  }
  TARRY_TRY_ASSIGN(most, parse_delay(words.ranked[0]));
  gains.most = most.number;
  return {};
}

// Checks them, too.
tarry::Status read_words(const Words& words, bool is_balanced, bool is_ranked, tarry::PredictOptions& options) {
  tarry::Machine& machine = options.machine;
  for (const std::string& text : words.regions) {
    TARRY_TRY_ASSIGN(factor, tarry::parse_region_factor(text));
    machine.regions.push_back(std::move(factor));
  }
  for (const std::string& text : words.alone) {
    TARRY_TRY_ASSIGN(factor, tarry::parse_region_factor(text));
    factor.is_alone = true;
    machine.regions.push_back(std::move(factor));
  }
  for (const std::string& text : words.delays) {
    TARRY_TRY_ASSIGN(delay, tarry::parse_delay(text));
    machine.delays.push_back(delay);
  }
  for (const std::string& text : words.ranks) {
    TARRY_TRY_ASSIGN(factor, tarry::parse_rank_factor(text));
    machine.ranks.push_back(factor);
  }
  if (is_balanced) machine.balanced = words.balanced.empty() ? "" : words.balanced[0];
  // "--balance INPUT": the word is no region.
  if (options.input.empty() && !words.balanced.empty()) options.input = std::exchange(*machine.balanced, "");
  TARRY_TRY(read_table(words, is_ranked, options));
  if (options.input.empty()) return tarry::Error{"usage", "no input given", "try 'tarry-predict --help'"};
  if (options.analyses() && options.gains)
    return tarry::Error{"usage", "--output and --waits are of one run, --rank-delays of many", "give one of them"};
  machine.is_like_dimemas = !words.like.empty();
  if (!machine.is_like_dimemas || machine.network) return {};
  return tarry::Error{"usage", "--like dimemas needs a network", "add --network ideal, or --network 10us,1GB/s"};
}

}  // namespace

static int predict_main(int argc, char** argv) {
  tarry::PredictOptions options;
  Words words;
  tarry::Cli cli("predict", "Predicts how long a recorded program takes on another machine, or after a change.",
                 kFooter);
  cli.option("INPUT", options.input, "archive folder, or anchor file of an OTF2 trace");
  add_machine_options(cli, options.machine);
  const tarry::CliOption balance = add_program_options(cli, words);
  const tarry::CliOption table = add_table_options(cli, words);
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
  if (const tarry::Status read = read_words(words, balance.is_given(), table.is_given(), options); !read.ok()) {
    tarry::log_error(read.error());
    return tarry::kExitUsage;
  }
  return tarry::run_on_all(cli, argc, argv,
                           [&options](tarry::Exchange& exchange) { return tarry::run_predict(options, exchange); });
}

int main(int argc, char** argv) { return tarry::tool_main("predict", argc, argv, predict_main); }

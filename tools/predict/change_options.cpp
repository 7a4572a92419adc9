// change_options.cpp -- the options of tarry predict that change the program, or ask what changes would gain.
#include "change_options.hpp"

#include <string>
#include <utility>

#include "read_machine.hpp"

namespace tarry {
namespace {

// How much longer or shorter regions, delays and ranks take.
Status read_factors(const ChangeWords& words, Machine& machine) {
  for (const std::string& text : words.regions) {
    TARRY_TRY_ASSIGN(factor, parse_region_factor(text));
    machine.regions.push_back(std::move(factor));
  }
  for (const std::string& text : words.alone) {
    TARRY_TRY_ASSIGN(factor, parse_region_factor(text));
    factor.is_alone = true;
    machine.regions.push_back(std::move(factor));
  }
  for (const std::string& text : words.delays) {
    TARRY_TRY_ASSIGN(delay, parse_delay(text));
    machine.delays.push_back(delay);
  }
  for (const std::string& text : words.ranks) {
    TARRY_TRY_ASSIGN(factor, parse_rank_factor(text));
    machine.ranks.push_back(factor);
  }
  return {};
}

// "--rank-delays INPUT": the word is no number.
Status read_table(const ChangeWords& words, bool is_wanted, PredictOptions& options) {
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

}  // namespace

CliOption add_program_options(CliOptions& cli, ChangeWords& words) {
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

CliOption add_table_options(CliOptions& cli, ChangeWords& words) {
  auto table = cli.option("--rank-delays", words.ranked,
                          "instead: what would be gained if the N most expensive delays (default: 10) and the N "
                          "heaviest regions were gone, or faster")
                   .value_name("[N]");
  table.count(0, 1).one_at_a_time();
  auto json = cli.flag("--json", words.is_json, "that table as JSON");
  cli.flag("--csv", words.is_csv, "that table as CSV").not_with(json);
  return table;
}

Status read_change_words(const ChangeWords& words, bool is_balanced, bool is_ranked, PredictOptions& options) {
  Machine& machine = options.machine;
  TARRY_TRY(read_factors(words, machine));
  if (is_balanced) machine.balanced = words.balanced.empty() ? "" : words.balanced[0];
  // "--balance INPUT": the word is no region.
  if (options.input.empty() && !words.balanced.empty()) options.input = std::exchange(*machine.balanced, "");
  TARRY_TRY(read_table(words, is_ranked, options));
  if (options.input.empty()) return Error{"usage", "no input given", "try 'tarry-predict --help'"};
  if (options.analyses() && options.gains)
    return Error{"usage", "--output and --waits are of one run, --rank-delays of many", "give one of them"};
  machine.is_like_dimemas = !words.like.empty();
  if (!machine.is_like_dimemas || machine.network) return {};
  return Error{"usage", "--like dimemas needs a network", "add --network ideal, or --network 10us,1GB/s"};
}

}  // namespace tarry

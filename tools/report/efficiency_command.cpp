// efficiency_command.cpp -- 'tarry report --efficiency': its options, and what it writes.
#include "efficiency_command.hpp"

#include <charconv>
#include <utility>

namespace tarry {
namespace {

std::string read_iteration(const std::string& text, EfficiencyOptions& options) {
  std::int64_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stopped != text.data() + text.size())
    return "--iteration: '" + text + "' is no number of an iteration";
  options.iteration = number;
  options.has_details = true;
  return "";
}

}  // namespace

void add_efficiency_options(CliOptions& cli, EfficiencyOptions& options, std::span<const CliOption> others) {
  CliOption ours = cli.flag("--efficiency", options.is_wanted,
                            "instead: POP's efficiencies of one or several runs, the first one the reference");
  for (const CliOption& other : others) ours.not_with(other);
  const auto read_scaling = [&options](const std::string& word) -> std::string {
    options.scaling = word;
    options.has_details = true;
    return word == "strong" || word == "weak" ? "" : "--scaling: '" + word + "' is neither strong nor weak";
  };
  cli.option("--scaling", read_scaling, "with --efficiency: the problem is as large in all runs, or grows with them")
      .value_name("strong|weak");
  cli.option(
         "--iteration", [&options](const std::string& text) { return read_iteration(text, options); },
         "with --efficiency and --region: one iteration of a marked loop, or one visit (from 0 on)")
      .value_name("N");
  const auto read_like = [&options](const std::string& word) -> std::string {
    options.like = word;
    options.has_details = true;
    return word == "dimemas" ? "" : "--like: '" + word + "' is no simulator that Tarry knows, but dimemas is";
  };
  cli.option("--like", read_like, "with --efficiency: an ideal network with the rules of another simulator")
      .value_name("dimemas");
  cli.workers(options.workers, "with --efficiency: threads that read traces (default: all processors)");
  cli.memory(options.memory,
             "with --efficiency: keep the records of a trace below this many bytes of memory (1G), with temporary "
             "files in $TMPDIR");
}

std::string check_efficiency_options(const EfficiencyOptions& options, const std::string& region) {
  if (!options.is_wanted && options.has_details) return "--scaling, --iteration and --like need --efficiency";
  if (options.iteration && region.empty()) return "--iteration needs --region, the loop or region that it is of";
  return "";
}

Result<std::string> write_efficiencies(const EfficiencyOptions& options, const std::string& region,
                                       const std::vector<std::string>& inputs, EfficiencyForm form, TextStyle style) {
  const EfficiencyRunOptions how{.part = {.region = region, .iteration = options.iteration},
                                 .is_like_dimemas = !options.like.empty(),
                                 .workers = options.workers,
                                 .memory = options.memory};
  std::vector<EfficiencyRun> runs;
  for (const std::string& input : inputs) {
    TARRY_TRY_ASSIGN(run, read_efficiency_run(input, how));
    runs.push_back(std::move(run));
  }
  const Scaling scaling = options.scaling == "weak" ? Scaling::kWeak : Scaling::kStrong;
  const EfficiencyTable table = make_efficiency_table(std::move(runs), scaling, how.part);
  if (form == EfficiencyForm::kCsv) return efficiency_csv(table);
  if (form == EfficiencyForm::kJson) return efficiency_json(table);
  return efficiency_text(table, style);
}

}  // namespace tarry

// explore_options.cpp -- what the user of tarry explore asks for.
#include "explore_options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "store/run_filter.hpp"

namespace tarry {
namespace {

constexpr std::uint64_t kMostWhatIfs = 1000;

// Returns what is wrong with it.
std::string read_what_ifs(const std::string& text, TraceRequest& request) {
  std::uint64_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stopped != text.data() + text.size() || number == 0 || number > kMostWhatIfs)
    return "--what-if: '" + text + "' is no number from 1 to " + std::to_string(kMostWhatIfs);
  request.what_ifs = number;
  return "";
}

// What belongs to a page of many runs.
void add_study_options(CliOptions& cli, ScaleOptions& scale) {
  cli.option("--store", scale.store, "a page of many runs instead, those of this store: FILE.db or postgresql://...");
  cli.option("--where", scale.where, "only runs that meet these conditions: 'n = 512 and ranks >= 4'");
  cli.option("--metric", scale.metrics, "models and histories of these metrics (default: as tarry scale; all of time)")
      .one_at_a_time();
  cli.option(
         "--scaling", [&scale](const std::string& word) { return read_scaling(word, scale); },
         "what the page shows first: the problem is as large in all runs, or grows with them (default: strong)")
      .value_name("strong|weak");
  cli.option(
         "--at", [&scale](const std::string& text) { return read_places(text, scale); },
         "predict for these parameters (default: 100000 processes)")
      .value_name("N|PARAMETER=N,...");
}

Status read_windows(const std::vector<std::string>& texts, TraceRequest& request) {
  for (const std::string& text : texts) {
    TARRY_TRY_ASSIGN(window, TimeWindow::parse(text));
    request.windows.push_back(window);
  }
  return {};
}

}  // namespace

void add_explore_options(CliOptions& cli, ExploreOptions& options) {
  cli.option("INPUT", options.inputs, "archive or report (.cubex); - is stdin").value_name("INPUT");
  cli.option("-o,--output", options.page.output, "the page; - is stdout").required().value_name("OUT.html");
  cli.option("--source-path", options.page.source_path, "look for source files in this folder, too; may be repeated")
      .value_name("DIR")
      .one_at_a_time();
  cli.flag("--redact", options.page.is_redacted, "leave out source, arguments, hosts and paths, for a page to mail");
  cli.option("--window", options.windows,
             "in the timeline, single events from second A to second B after the start of the trace; may be repeated")
      .one_at_a_time()
      .value_name("A:B");
  auto what_ifs = cli.option(
      "--what-if", [&](const std::string& text) { return read_what_ifs(text, options.page.traced); },
      "predict what N delays and N regions would gain. Default: 10 of up to 100,000 events, 2 of up to 500,000");
  what_ifs.value_name("N");
  cli.flag("--no-what-if", options.has_no_what_ifs, "leave out these predictions").not_with(what_ifs);
  cli.option("--repeats", options.page.repeats,
             "the last N inputs are repeats of the new run, those before of the old one (default: 1)")
      .between(1u, 1000u)
      .value_name("N");
  cli.flag("!--no-timeline", options.page.traced.wants_timeline, "leave out what happened when");
  cli.workers(options.page.traced.workers, "threads (default: all processors)");
  add_study_options(cli, options.scale);
  cli.flag("--strict", options.is_strict, "exit status 1 if parts of a report are damaged");
}

std::string check_inputs(const ExploreOptions& options) {
  const bool has_store = !options.scale.store.empty();
  if (!has_store && options.inputs.empty()) return "INPUT is required, or --store";
  if (has_store && !options.inputs.empty()) return "--store excludes INPUT";
  if (std::count(options.inputs.begin(), options.inputs.end(), "-") > 1) return "only one report can come from stdin";
  const ScaleOptions& scale = options.scale;
  if (!has_store && (!scale.where.empty() || !scale.metrics.empty() || !scale.at.empty()))
    return "--where, --metric and --at are of runs of a --store";
  const auto filter = RunFilter::parse(scale.where);
  return filter.ok() ? "" : filter.error().text();
}

Status complete_options(ExploreOptions& options) {
  TraceRequest& traced = options.page.traced;
  TARRY_TRY(read_windows(options.windows, traced));
  if (options.page.repeats > 1 && options.page.repeats >= options.inputs.size())
    return Error{"usage", "--repeats " + std::to_string(options.page.repeats) + " leaves no old run",
                 "give more inputs, the old ones first"};
  traced.is_redacted = options.page.is_redacted;
  if (options.has_no_what_ifs) traced.what_ifs = 0;
  options.scale.workers = traced.workers;
  return {};
}

}  // namespace tarry

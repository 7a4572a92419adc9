// main.cpp -- tarry-history: one metric over the runs of a store, and the run where it moved.
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/tool/cli.hpp"
#include "base/tool/closest.hpp"
#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "base/tool/tool_main.hpp"
#include "history_svg.hpp"
#include "store/open_store.hpp"

using namespace tarry;

static const char kFooter[] = R"(
Runs of one program, size and set of parameters make a history, by the dates when they
started. Runs of one commit are repeats: their spread tells noise from steps. A step that
may be as large as the limit makes the exit status 1.

Examples:
  tarry history time --store runs.db
  tarry history mpi_latesender --region solve --last 50 --fail-on 10%
  tarry history time --format github --only increase --picture time.svg

Files:
  reads the store; writes the picture.
Exit status: 0 unmoved, 1 moved (or failed), 2 wrong usage.
See also: tarry store, tarry cube cmp, docs/HISTORY.md)";

namespace {

std::string output_of(const std::vector<History>& histories, const HistoryOptions& options,
                      const std::vector<Verdict>& verdicts) {
  if (options.format == "csv") return history_csv(histories);
  if (options.format == "json") return history_json(histories, options);
  const auto moved = static_cast<std::uint64_t>(
      std::count_if(verdicts.begin(), verdicts.end(), [](const Verdict& verdict) { return verdict.has_failed; }));
  const std::string summary = format_count(moved, "step") + " of " + format_percent(options.limit) + " or more in " +
                              format_count(histories.size(), "history", "histories");
  if (options.format == "text") return history_text(histories, options) + summary + "\n";
  std::vector<Verdict> all = verdicts;
  for (const History& history : histories)
    if (history.steps.empty()) all.push_back({options.subject(), history.title, "", false, 0});
  return verdicts_text(all, summary, options.format, {}, "tarry history");
}

Error nothing_found(Database& database, const HistoryOptions& options) {
  const auto names = options.region.empty() ? metric_names(database) : region_names(database);
  const std::string& name = options.region.empty() ? options.metric : options.region;
  const std::string near = names.ok() ? closest_name(name, names.value()) : "";
  return {options.subject(), "no run of the store has it",
          near.empty() || near == name ? "see 'tarry store list'" : "did you mean '" + near + "'?"};
}

Status write_text(const std::string& text) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (is_written || is_reader_gone(STDOUT_FILENO)) return {};
  return Error{"standard output", system_error(), "results are incomplete"};
}

Result<int> run(const HistoryOptions& options) {
  TARRY_TRY_ASSIGN(filter, RunFilter::parse(options.where));
  TARRY_TRY_ASSIGN(database, open_store(options.store, StoreAccess::kRead));
  const HistoryQuery query{{options.metric, options.region, options.call_path}, options.last};
  TARRY_TRY_ASSIGN(histories, find_histories(*database, query, filter));
  if (histories.empty()) return nothing_found(*database, options);
  std::vector<Verdict> verdicts;
  for (const History& history : histories)
    for (const SeriesStep& step : history.steps) verdicts.push_back(verdict_of(history, step, options));
  if (!options.picture.empty()) TARRY_TRY(write_file(options.picture, history_svg(histories, options)));
  TARRY_TRY(write_text(output_of(histories, options, verdicts)));
  return status_of(verdicts);
}

}  // namespace

static int history_main(int argc, char** argv) {
  Cli cli("history", "Shows a metric over many runs, and names the run where it moved.", kFooter);
  HistoryOptions options;
  cli.option("METRIC", options.metric, "unique name of a metric, for example time").required();
  cli.option("--store", options.store, "FILE.db, or postgresql://... (default: $TARRY_STORE or ./tarry.db)");
  const auto region = cli.option("--region", options.region, "of this region without its calls");
  cli.option("--call-path", options.call_path, "of this call path with its calls").not_with(region);
  cli.option(
      "--where",
      [&options](const std::string& text) {
        options.where = text;
        const auto filter = RunFilter::parse(text);
        return filter.ok() ? "" : "'" + text + "' " + filter.error().why;
      },
      "only these runs: NAME OPERATOR VALUE, joined by 'and'");
  cli.option("--last", options.last, "runs of each history, the last ones; 0 for all (default: 200)");
  cli.share("--fail-on", options.limit, "the limit (default: 5%)", 1e6);
  cli.option("--only", options.only, "increase or decrease: the other direction is no fault")
      .one_of({"increase", "decrease"});
  cli.option("--format", options.format, "how it is printed (default: text)")
      .one_of({"text", "github", "junit", "csv", "json"});
  cli.option("--picture", options.picture, "write the curves to this file as SVG").value_name("FILE");
  if (const auto status = cli.parse(argc, argv)) return *status;
  return cli.finish(run(options));
}

int main(int argc, char** argv) { return tool_main("history", argc, argv, history_main); }

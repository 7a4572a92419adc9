// cmd_show.cpp -- tarry store show: a run, or one metric over many runs.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/tool/closest.hpp"
#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "base/text/printable.hpp"
#include "base/text/text.hpp"
#include "run_tables.hpp"
#include "store/run_object.hpp"
#include "store_commands.hpp"

namespace tarry {
namespace {

constexpr std::size_t kShownFacts = 12;  // width of their names

struct MetricRow {
  std::string name, unit;
  double total = 0;
};

void add_fact(std::string& text, const std::string& name, const std::string& value) {
  if (!value.empty()) add_line(text, pad_right(name, kShownFacts) + "  " + value);
}

std::string amount_text(double value, const std::string& unit) {
  if (unit == "sec") return format_seconds(value);
  const bool is_whole = std::abs(value) < 1e15 && value == std::floor(value);
  const std::string text = format_number(value, is_whole ? "%.0f" : "%.4g");
  return unit.empty() ? text : text + " " + unit;
}

Result<std::vector<MetricRow>> metrics_of(Database& database, std::int64_t run) {
  std::vector<MetricRow> metrics;
  TARRY_TRY(database.query(
      "SELECT m.name, m.unit, t.total FROM experiment e JOIN metric_tree_node n ON n.tree = e.metric_tree "
      "JOIN metric m ON m.id = n.metric JOIN metric_total t ON t.experiment = e.id AND t.metric = m.id "
      "WHERE e.id = $1 ORDER BY n.position",
      {run}, [&](const SqlRow& row) -> Status {
        if (row.real(2) != 0) metrics.push_back({std::string(row.text(0)), std::string(row.text(1)), row.real(2)});
        return {};
      }));
  return metrics;
}

std::string facts_text(const StoredRun& run) {
  std::string text;
  add_fact(text, "run", std::to_string(run.id));
  add_fact(text, "program", run.program);
  add_fact(text, "commit", run.commit);
  add_fact(text, "flags", run.flags);
  add_fact(text, "modules", run.modules);
  add_fact(text, "kind", run.kind);
  add_fact(text, "ranks", std::to_string(run.ranks));
  add_fact(text, "locations", std::to_string(run.locations));
  add_fact(text, "nodes", std::to_string(run.nodes));
  add_fact(text, "machine", run.machine);
  if (run.cores) add_fact(text, "cores", std::to_string(*run.cores));
  add_fact(text, "network", run.network);
  add_fact(text, "clocks", run.clocks);
  add_fact(text, "MPI", run.mpi);
  add_fact(text, "date", run.date);
  if (run.wall_seconds) add_fact(text, "wall time", format_seconds(*run.wall_seconds));
  if (run.exit_status) add_fact(text, "status", std::to_string(*run.exit_status));
  add_fact(text, "command", run.command);
  add_fact(text, "creator", run.creator);
  add_fact(text, "source", run.source);
  add_fact(text, "incomplete", run.incomplete);
  add_fact(text, "parameters", parameters_text(run));
  for (const std::string& tag : run.tags) add_fact(text, "tag", tag);
  add_fact(text, "sha256", run.key);
  return text;
}

Status show_one(Database& database, const StoredRun& run, const StoreOptions& options) {
  TARRY_TRY_ASSIGN(metrics, metrics_of(database, run.id));
  if (options.format == "json") {
    JsonWriter json;
    json.begin_object(JsonWriter::Layout::kLines).member("version", 1).name("run");
    add_run_object(json, run);
    json.name("metrics").begin_object(JsonWriter::Layout::kLines);
    for (const MetricRow& metric : metrics) json.member(metric.name, metric.total);
    return print_text(json.end().end().take());
  }
  if (options.format == "csv") {
    CsvWriter csv("run,metric,unit,total");
    for (const MetricRow& metric : metrics)
      csv.add(run.id).add(metric.name).add(metric.unit).add(metric.total).end_row();
    return print_text(csv.take());
  }
  TextTable table({"metric", "total"}, {1});
  for (const MetricRow& metric : metrics) table.add({metric.name, amount_text(metric.total, metric.unit)});
  return print_text(facts_text(run) + "\n" + table.text() + "\n");
}

Error no_such_metric(Database& database, const std::string& metric) {
  const auto names = metric_names(database);
  const std::string near = names.ok() ? closest_name(metric, names.value()) : "";
  return {"metric '" + metric + "'", "is in no run of the store", near.empty() ? "" : "did you mean '" + near + "'?"};
}

Error no_such_place(Database& database, const StoreOptions& options) {
  if (options.region.empty())
    return {"call path '" + options.call_path + "'", "has no value of " + options.metric + " in any run", ""};
  const auto names = region_names(database);
  const std::string near = names.ok() ? closest_name(options.region, names.value()) : "";
  return {"region '" + options.region + "'", "has no value of " + options.metric + " in any run",
          near.empty() || near == options.region ? "" : "did you mean '" + near + "'?"};
}

struct SeriesRow {
  const StoredRun* run;
  double value;
};

Status print_series(const std::vector<SeriesRow>& rows, const StoreOptions& options) {
  if (options.format == "csv") {
    CsvWriter csv("run,program,commit,ranks,date,parameters,value");
    for (const auto& [run, value] : rows)
      csv.add(run->id)
          .add(run->program)
          .add(run->commit)
          .add(run->ranks)
          .add(run->date)
          .add(parameters_text(*run))
          .add(value)
          .end_row();
    return print_text(csv.take());
  }
  if (options.format == "json") {
    JsonWriter json;
    json.begin_object(JsonWriter::Layout::kLines).member("version", 1).member("metric", options.metric);
    json.member("region", options.region).member("call_path", options.call_path).name("values");
    json.begin_array(JsonWriter::Layout::kLines);
    for (const auto& [run, value] : rows) json.begin_object().member("run", run->id).member("value", value).end();
    return print_text(json.end().end().take());
  }
  TextTable table({"run", "program", "ranks", "date", "commit", "parameters", options.metric}, {0, 2, 6});
  for (const auto& [run, value] : rows)
    table.add({std::to_string(run->id), shorten_middle(run->program, 30), std::to_string(run->ranks), run->date,
               shorten_end(run->commit, 12), parameters_text(*run), amount_text(value, "")});
  return print_text(table.text());
}

Status show_metric(Database& database, const std::vector<StoredRun>& runs, const StoreOptions& options) {
  TARRY_TRY_ASSIGN(series, find_series(database, {options.metric, options.region, options.call_path}));
  if (series.empty()) {
    TARRY_TRY_ASSIGN(whole, find_series(database, {options.metric, "", ""}));
    if (whole.empty()) return no_such_metric(database, options.metric);
    return no_such_place(database, options);
  }
  std::unordered_map<std::int64_t, double> values;
  for (const RunValue& value : series) values.emplace(value.run, value.value);
  std::vector<SeriesRow> rows;
  for (const StoredRun& run : runs)
    if (const auto found = values.find(run.id); found != values.end()) rows.push_back({&run, found->second});
  return print_series(rows, options);
}

}  // namespace

Result<int> show_runs(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kRead));
  TARRY_TRY_ASSIGN(runs, chosen_runs(*database, options));
  if (!options.metric.empty()) {
    TARRY_TRY(show_metric(*database, runs, options));
    return 0;
  }
  for (const StoredRun& run : runs) TARRY_TRY(show_one(*database, run, options));
  return 0;
}

}  // namespace tarry

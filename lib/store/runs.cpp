// runs.cpp -- the runs of a store.
#include "store/runs.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/text/text.hpp"
#include "store/content_key.hpp"
#include "store/run_filter.hpp"

namespace tarry {
namespace {

constexpr std::size_t kLeastKeyDigits = 8;

std::optional<std::string> text_or_none(const SqlRow& row, std::size_t column) {
  if (row.is_null(column)) return {};
  return std::string(row.text(column));
}

StoredRun run_of(const SqlRow& row) {
  StoredRun run;
  run.id = row.integer(0);
  run.key = key_text(row.bytes(1));
  std::string* const texts[] = {&run.program, &run.commit, &run.flags,      &run.modules, &run.kind, &run.creator,
                                &run.command, &run.source, &run.incomplete, &run.machine, &run.added};
  for (std::size_t i = 0; i < std::size(texts); ++i) *texts[i] = row.text(i + 2);
  run.started = text_or_none(row, 13);
  run.ended = text_or_none(row, 14);
  run.date = run.started.value_or(run.added);
  run.nodes = row.integer(15);
  run.ranks = row.integer(16);
  run.locations = row.integer(17);
  run.report_bytes = row.integer(18);
  if (!row.is_null(19)) run.wall_seconds = row.real(19);
  if (!row.is_null(20)) run.exit_status = row.integer(20);
  if (!row.is_null(21)) run.cores = row.integer(21);
  run.network = row.text(22);
  run.clocks = row.text(23);
  run.mpi = row.text(24);
  return run;
}

constexpr const char* kRunColumns =
    "SELECT e.id, e.key, a.name, v.revision, v.flags, v.modules, e.kind, e.creator, e.command, e.source, e.incomplete, "
    "m.name, e.added, e.started, e.ended, e.nodes, e.ranks, e.locations, e.report_bytes, e.wall_seconds, "
    "e.exit_status, "
    "m.cores, m.network, m.clocks, m.mpi "
    "FROM experiment e JOIN application a ON a.id = e.application JOIN code_version v ON v.id = e.code_version "
    "JOIN physical_machine m ON m.id = e.physical_machine ORDER BY e.id";

// Hands the rows of a table with a column `experiment` to the run that they are about.
template <class Use>
Status for_runs(Database& database, std::string_view sql, std::vector<StoredRun>& runs, const Use& use) {
  std::unordered_map<std::int64_t, std::size_t> place;
  for (std::size_t i = 0; i < runs.size(); ++i) place.emplace(runs[i].id, i);
  return database.query(sql, {}, [&](const SqlRow& row) -> Status {
    if (const auto found = place.find(row.integer(0)); found != place.end()) use(runs[found->second], row);
    return {};
  });
}

bool is_number_text(const std::string& text) {
  return !text.empty() && text.size() < 18 && text.find_first_not_of("0123456789") == std::string::npos;
}

// Those of `runs` that a word names.
std::vector<StoredRun> runs_named(const std::vector<StoredRun>& runs, const std::string& name) {
  std::vector<StoredRun> found;
  if (name == "last" && !runs.empty()) return {runs.back()};
  for (const StoredRun& run : runs) {
    const bool is_it = is_number_text(name) && run.id == std::stoll(name);
    const bool has_tag = std::find(run.tags.begin(), run.tags.end(), name) != run.tags.end();
    if (is_it || has_tag) found.push_back(run);
  }
  if (!found.empty() || name.size() < kLeastKeyDigits) return found;
  for (const StoredRun& run : runs)
    if (run.key.starts_with(name)) found.push_back(run);
  return found;
}

constexpr const char* kWholeSeries =
    "SELECT t.experiment, SUM(t.total) FROM metric_total t JOIN metric m ON m.id = t.metric WHERE m.name = $1 "
    "GROUP BY t.experiment ORDER BY t.experiment";

// From the region to its call paths, their trees, and the runs of these: an index for each step.
constexpr const char* kRegionSeries =
    "SELECT c.experiment, SUM(c.total) FROM call_path p JOIN call_tree_node n ON n.call_path = p.id "
    "JOIN experiment e ON e.call_tree = n.tree JOIN metric_tree_node t ON t.tree = e.metric_tree "
    "JOIN metric m ON m.id = t.metric "
    "JOIN call_path_value c ON c.experiment = e.id AND c.metric = m.id AND c.node = n.position "
    "WHERE p.region_name = $1 AND m.name = $2 GROUP BY c.experiment ORDER BY c.experiment";

constexpr const char* kPathSeries =
    "SELECT c.experiment, SUM(COALESCE(c.inclusive, c.total)) FROM call_path p "
    "JOIN call_tree_node n ON n.call_path = p.id JOIN experiment e ON e.call_tree = n.tree "
    "JOIN metric_tree_node t ON t.tree = e.metric_tree JOIN metric m ON m.id = t.metric "
    "JOIN call_path_value c ON c.experiment = e.id AND c.metric = m.id AND c.node = n.position "
    "WHERE p.path = $1 AND m.name = $2 GROUP BY c.experiment ORDER BY c.experiment";

Result<std::vector<std::string>> names_of(Database& database, std::string_view sql) {
  std::vector<std::string> names;
  TARRY_TRY(database.query(sql, {}, [&](const SqlRow& row) -> Status {
    names.emplace_back(row.text(0));
    return {};
  }));
  return names;
}

}  // namespace

Result<std::vector<StoredRun>> find_runs(Database& database, const RunFilter* filter) {
  std::vector<StoredRun> runs;
  TARRY_TRY(database.query(kRunColumns, {}, [&](const SqlRow& row) -> Status {
    runs.push_back(run_of(row));
    return {};
  }));
  TARRY_TRY(for_runs(database, "SELECT experiment, name, value FROM parameter ORDER BY experiment, name", runs,
                     [](StoredRun& run, const SqlRow& row) {
                       std::string name(row.text(1));
                       run.parameters.emplace_back(std::move(name), row.text(2));
                     }));
  TARRY_TRY(for_runs(database, "SELECT experiment, name FROM tag ORDER BY experiment, name", runs,
                     [](StoredRun& run, const SqlRow& row) { run.tags.emplace_back(row.text(1)); }));
  if (filter) std::erase_if(runs, [&](const StoredRun& run) { return !filter->accepts(run); });
  return runs;
}

Result<std::vector<StoredRun>> named_runs(Database& database, const std::vector<std::string>& names) {
  TARRY_TRY_ASSIGN(runs, find_runs(database));
  std::vector<StoredRun> chosen;
  for (const std::string& name : names) {
    const std::vector<StoredRun> found = runs_named(runs, name);
    if (found.empty())
      return Error{database.name(), "has no run '" + name + "'", "'tarry store list' shows numbers and tags"};
    for (const StoredRun& run : found) {
      const auto is_it = [&](const StoredRun& other) { return other.id == run.id; };
      if (std::none_of(chosen.begin(), chosen.end(), is_it)) chosen.push_back(run);
    }
  }
  return chosen;
}

std::optional<std::string> fact_of(const StoredRun& run, const std::string& name) {
  const std::pair<std::string_view, std::string> facts[] = {
      {"run", std::to_string(run.id)},
      {"program", run.program},
      {"commit", run.commit},
      {"flags", run.flags},
      {"modules", run.modules},
      {"kind", run.kind},
      {"nodes", std::to_string(run.nodes)},
      {"ranks", std::to_string(run.ranks)},
      {"locations", std::to_string(run.locations)},
      {"date", run.date},
      {"wall", run.wall_seconds ? exact_number(*run.wall_seconds) : ""},
      {"machine", run.machine},
      {"cores", run.cores ? std::to_string(*run.cores) : ""},
      {"network", run.network},
      {"clocks", run.clocks},
      {"mpi", run.mpi},
      {"creator", run.creator},
      {"command", run.command},
      {"source", run.source},
      {"key", run.key}};
  for (const auto& [fact, value] : facts)
    if (fact == name) return value;
  const std::string parameter = name.starts_with("param.") ? name.substr(6) : name;
  for (const auto& [own, value] : run.parameters)
    if (own == parameter) return value;
  return {};
}

std::string parameters_text(const StoredRun& run) {
  std::string text;
  for (const auto& [name, value] : run.parameters) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

Result<std::vector<RunValue>> find_series(Database& database, const SeriesQuery& query) {
  std::vector<RunValue> values;
  const bool is_whole = query.region.empty() && query.call_path.empty();
  const std::string_view sql = is_whole ? kWholeSeries : query.region.empty() ? kPathSeries : kRegionSeries;
  SqlParams params;
  if (!is_whole) params.push_back(query.region.empty() ? query.call_path : query.region);
  params.push_back(query.metric);
  TARRY_TRY(database.query(sql, params, [&](const SqlRow& row) -> Status {
    values.push_back({row.integer(0), row.real(1)});
    return {};
  }));
  return values;
}

Result<std::vector<RunValue>> find_efficiency(Database& database, const std::string& name) {
  std::vector<RunValue> values;
  TARRY_TRY(database.query(
      "SELECT experiment, value FROM efficiency WHERE model = 'standard' AND name = $1 ORDER BY experiment", {name},
      [&](const SqlRow& row) -> Status {
        values.push_back({row.integer(0), row.real(1)});
        return {};
      }));
  return values;
}

Result<std::vector<std::string>> metric_names(Database& database) {
  return names_of(database, "SELECT DISTINCT name FROM metric ORDER BY name");
}

Result<std::vector<std::string>> region_names(Database& database) {
  return names_of(database, "SELECT DISTINCT region_name FROM call_path ORDER BY region_name");
}

}  // namespace tarry

// history.cpp -- one metric over the runs of a store in their order.
#include "store/history.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/text/format.hpp"

namespace tarry {
namespace {

using DatedValue = std::pair<StoredRun, double>;

// "cg, 64 ranks, n=512".
std::string common_title(const StoredRun& run) {
  std::string title = run.program + ", " + format_count(static_cast<std::uint64_t>(run.ranks), "rank");
  if (run.locations != run.ranks) title += ", " + format_count(static_cast<std::uint64_t>(run.locations), "thread");
  if (run.kind != "summary" && run.kind != "analysis") title += ", " + run.kind;
  const std::string parameters = parameters_text(run);
  return parameters.empty() ? title : title + ", " + parameters;
}

std::string comparable_key(const StoredRun& run) { return run.kind + "\n" + run.machine + "\n" + common_title(run); }

std::vector<HistoryPoint> points_of(const std::vector<DatedValue>& values) {
  std::vector<HistoryPoint> points;
  for (const auto& [run, value] : values) {
    const bool is_repeat = !points.empty() && !run.commit.empty() && points.back().runs.back().commit == run.commit;
    if (!is_repeat) points.emplace_back();
    points.back().runs.push_back(run);
    points.back().values.push_back(value);
  }
  return points;
}

}  // namespace

double HistoryPoint::mean() const {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Result<std::vector<History>> find_histories(Database& database, const HistoryQuery& query, const RunFilter& filter) {
  TARRY_TRY_ASSIGN(runs, find_runs(database, &filter));
  TARRY_TRY_ASSIGN(series, find_series(database, query.series));
  std::unordered_map<std::int64_t, double> value_of;
  for (const RunValue& value : series) value_of.emplace(value.run, value.value);
  std::stable_sort(runs.begin(), runs.end(),
                   [](const StoredRun& left, const StoredRun& right) { return left.date < right.date; });
  std::vector<std::vector<DatedValue>> groups;
  std::map<std::string, std::size_t> group_of;
  for (const StoredRun& run : runs) {
    const auto value = value_of.find(run.id);
    if (value == value_of.end() || !run.incomplete.empty()) continue;
    const auto [group, is_new] = group_of.try_emplace(comparable_key(run), groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].emplace_back(run, value->second);
  }
  std::vector<History> histories;
  for (std::vector<DatedValue>& group : groups) {
    if (query.last > 0 && group.size() > query.last)
      group.erase(group.begin(), group.end() - static_cast<std::ptrdiff_t>(query.last));
    History& history = histories.emplace_back();
    history.title = common_title(group[0].first);
    history.points = points_of(group);
    std::vector<SeriesPoint> points;
    for (const HistoryPoint& point : history.points) points.push_back(point.values);
    history.steps = find_steps(points);
  }
  return histories;
}

std::string run_title(const StoredRun& run) {
  std::string title = "run " + std::to_string(run.id) + " (";
  if (!run.commit.empty()) title += "commit " + run.commit + ", ";
  return title + run.date + ")";
}

}  // namespace tarry

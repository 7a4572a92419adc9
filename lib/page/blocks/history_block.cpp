// history_block.cpp -- histories of metrics as the page holds them.
#include "page/blocks/history_block.hpp"

#include <algorithm>
#include <set>

#include "base/text/format.hpp"
#include "report/metrics/metrics.hpp"
#include "store/history_data.hpp"
#include "page/study/stored_runs_block.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostMetrics = 40, kMostHistories = 200, kMostHistoryPoints = 20'000, kLongestHistoryTitle = 400;

// Time and what is below it come first in the catalogue.
std::vector<std::string> usual_metrics() {
  std::vector<std::string> names;
  for (const Metric metric : catalogue()) names.emplace_back(info_of(metric).unique_name);
  return names;
}

// In front: what people look for.
void sort_histories(std::vector<History>& histories) {
  std::stable_sort(histories.begin(), histories.end(), [](const History& left, const History& right) {
    if (left.steps.empty() != right.steps.empty()) return right.steps.empty();
    return left.points.size() > right.points.size();
  });
}

void keep_first(std::vector<History>& histories) {
  std::size_t points = 0, kept = 0;
  while (kept < histories.size() && kept < kMostHistories && points <= kMostHistoryPoints)
    points += histories[kept++].points.size();
  histories.resize(kept);
}

}  // namespace

Result<std::vector<std::string>> metrics_with_history(Database& database, const std::vector<std::string>& wanted) {
  TARRY_TRY_ASSIGN(names, metric_names(database));
  const std::set<std::string> known(names.begin(), names.end());
  std::vector<std::string> metrics;
  for (const std::string& name : wanted.empty() ? usual_metrics() : wanted)
    if (known.contains(name) && metrics.size() < kMostMetrics) metrics.push_back(name);
  return metrics;
}

Result<HistoryBlock> history_block(Database& database, const std::string& metric, const std::string& where) {
  TARRY_TRY_ASSIGN(filter, RunFilter::parse(where));
  HistoryOptions options;
  options.metric = metric;
  const HistoryQuery query{{metric, {}, {}}, options.last};
  TARRY_TRY_ASSIGN(histories, find_histories(database, query, filter));
  const std::size_t all = histories.size();
  sort_histories(histories);
  keep_first(histories);
  HistoryBlock block{.metric = metric, .json = {}, .histories = histories.size(), .left_out = all - histories.size()};
  for (History& history : histories) {
    history.title = shorten_end(history.title, kLongestHistoryTitle);
    block.steps += history.steps.size();
    for (HistoryPoint& point : history.points)
      for (StoredRun& run : point.runs) shorten_texts(run);
  }
  block.json = history_json(histories, options);
  return block;
}

}  // namespace tarry

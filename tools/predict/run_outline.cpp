// run_outline.cpp -- where the critical path of a run goes, and which waits there are: before and after a change.
#include "run_outline.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "report/metrics/wait_kinds.hpp"

namespace tarry {
namespace {

constexpr std::size_t kNameWidth = 36, kTimeWidth = 12;

// Not a part of another wait state.
bool is_whole_wait(Metric metric) {
  for (Metric above = info_of(metric).parent; above != Metric::kNone; above = info_of(above).parent)
    if (wait_state(above)) return false;
  return true;
}

double sum_of_row(const ValueRows& values, Metric metric, PathIndex path) {
  const double* const row = values.find(metric, path);
  return row ? std::accumulate(row, row + values.columns(), 0.0) : 0;
}

// Both runs beside one another.
struct Change {
  std::string name;
  double before = 0, after = 0;

  double largest() const { return std::max(before, after); }
};

std::vector<Change> changes_of(const std::vector<NamedSeconds>& before, const std::vector<NamedSeconds>& after,
                               std::size_t most) {
  std::map<std::string, Change> of_name;
  for (const NamedSeconds& entry : before) of_name[entry.name].before = entry.seconds;
  for (const NamedSeconds& entry : after) of_name[entry.name].after = entry.seconds;
  std::vector<Change> all;
  for (auto& [name, change] : of_name)
    if (change.largest() > 0) all.push_back({name, change.before, change.after});
  std::ranges::stable_sort(all, std::greater(), &Change::largest);
  if (all.size() > most) all.resize(most);
  return all;
}

void add_changes(const std::string& heading, const std::vector<Change>& changes, std::string& text) {
  add_line(text, pad_right(heading, kNameWidth + 2) + pad_left("traced", kTimeWidth) + "    " +
                     pad_left("predicted", kTimeWidth));
  for (const Change& change : changes)
    add_line(text, "  " + pad_right(shorten_middle(printable(change.name), kNameWidth), kNameWidth) +
                       pad_left(format_seconds(change.before), kTimeWidth) + " -> " +
                       pad_left(format_seconds(change.after), kTimeWidth));
  if (changes.empty()) add_line(text, "  none");
}

}  // namespace

MetricSelection outline_metrics() {
  std::string names = info_of(Metric::kCriticalPath).unique_name;
  for (const WaitInfo& wait : wait_states()) names += std::string(",") + info_of(wait.metric).unique_name;
  return MetricSelection::parse(names).value();
}

RunOutline outline_of(const Trace& trace, const AnalysisResult& result) {
  const ValueRows& values = result.results.values;
  std::map<std::string, double> of_region;
  for (PathIndex path = 0; path < result.tree.size(); ++path)
    if (const double ticks = sum_of_row(values, Metric::kCriticalPath, path); ticks > 0)
      of_region[trace.regions().name(result.tree[path].region)] += ticks;
  RunOutline outline;
  for (const auto& [name, ticks] : of_region) outline.path.push_back({name, trace.seconds(1) * ticks});
  for (const WaitInfo& wait : wait_states()) {
    if (!is_whole_wait(wait.metric)) continue;
    double ticks = 0;
    for (PathIndex path = 0; path < result.tree.size(); ++path) ticks += sum_of_row(values, wait.metric, path);
    if (ticks > 0) outline.waits.push_back({info_of(wait.metric).display_name, trace.seconds(1) * ticks});
  }
  return outline;
}

std::string compare_outlines(const RunOutline& traced, const RunOutline& predicted, std::size_t most) {
  std::string text;
  add_changes("critical path", changes_of(traced.path, predicted.path, most), text);
  add_changes("waits of all threads", changes_of(traced.waits, predicted.waits, most), text);
  return text;
}

}  // namespace tarry

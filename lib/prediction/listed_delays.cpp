// listed_delays.cpp -- the delays of a run, numbered as 'tarry report' lists them.
#include "prediction/listed_delays.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/writing/write_report.hpp"
#include "findings/causes/advice.hpp"
#include "findings/path_place.hpp"
#include "report/tree/call_path_tree.hpp"
#include "report/metrics/time_classes.hpp"

namespace tarry {
namespace {

// The call paths of a cause: what its functions of files take counts for the caller.
std::vector<CallPathId> paths_of(const ReportStructure& structure, const RootCause& cause) {
  if (!is_of_files(cause.nature)) return {cause.path};
  std::vector<CallPathId> paths;
  for (std::uint32_t path = 0; path < structure.call_paths.size(); ++path) {
    const TimeClass kind = time_class(structure.regions[structure.call_paths[path].region]);
    const bool is_file = kind == TimeClass::kOwnFileIo || kind == TimeClass::kFileIo;
    if (is_file && structure.call_paths[path].parent == cause.path) paths.push_back(CallPathId(path));
  }
  return paths;
}

// How long each thread waits for delays directly: all that other threads did more than it.
class DirectWaits {
 public:
  DirectWaits(const Analysis& analysis, std::vector<ListedDelay>& delays) : analysis_(analysis), delays_(delays) {
    of_path_.resize(analysis.unified.tree.size(), kNone);
    for (std::size_t d = 0; d < delays.size(); ++d)
      for (const PathIndex path : delays[d].paths) of_path_[path] = d;
    sums_.resize(delays.size());
  }

  void find() {
    const Trace& trace = analysis_.trace;
    for (const DelayInstances& of_cause : analysis_.causes->delays)
      for (const DelayInstance& instance : of_cause.all) add(of_cause, instance);
    for (std::size_t d = 0; d < delays_.size(); ++d) {
      delays_[d].waiters = sums_[d].size();
      const auto longest = std::ranges::max_element(sums_[d], {}, [](const auto& sum) { return sum.second; });
      if (longest == sums_[d].end()) continue;
      delays_[d].most_of_one = longest->second * trace.seconds(1);
      delays_[d].longest_rank = trace.ranks()[longest->first.first].rank;
      delays_[d].longest_thread = longest->first.second;
    }
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  void add(const DelayInstances& of_cause, const DelayInstance& instance) {
    for (std::uint32_t i = instance.excess_begin; i < instance.excess_end; ++i) {
      const PathTime& excess = of_cause.excess[i];
      const std::size_t delay = of_path_[analysis_.shown(excess.path)];
      if (delay == kNone) continue;
      sums_[delay][{instance.waiter.rank, instance.waiter.thread}] += instance.share * static_cast<double>(excess.time);
    }
  }

  const Analysis& analysis_;
  std::vector<ListedDelay>& delays_;
  std::vector<std::size_t> of_path_;                                       // by unified path
  std::vector<std::map<std::pair<RankIndex, ThreadIndex>, double>> sums_;  // by delay and waiter: ticks
};

}  // namespace

AnalysisOptions options_for_delays() {
  return {.metrics = MetricSelection::of_trees({Metric::kTime, Metric::kDelay}),
          .wants_counters = false,
          .wants_messages = false,
          .keeps_causes = true};
}

std::vector<ListedDelay> list_delays(Analysis& analysis) {
  const Trace& trace = analysis.trace;
  const std::vector<PathIndex> order = report_order(analysis.unified.tree);
  const Report report =
      make_report(trace.definitions(), trace.regions(), std::move(analysis.result), "", trace.workers());
  const ReportStructure& structure = report.structure;
  RootCauses found = find_root_causes(report, table_of_causes(report));
  std::vector<CallPathId> shown;
  for (const RootCause& cause : found.causes) shown.push_back(cause.path);
  const ShownRegions names(structure, shown, false);
  std::vector<ListedDelay> delays;
  for (RootCause& cause : found.causes) {
    ListedDelay& delay = delays.emplace_back();
    delay.name = name_cause(structure, cause, names);
    delay.path_text = call_path_text(structure, cause.path);
    if (const auto place = find_work(structure, cause.path)) {
      delay.file = place->file;
      delay.line = place->line;
    }
    for (const CallPathId path : paths_of(structure, cause)) delay.paths.push_back(analysis.shown(order[path.value]));
    delay.is_in_init = std::ranges::all_of(delay.paths, [&](PathIndex path) {
      return trace.regions()[analysis.unified.tree[path].region].call == CallClass::kInit;
    });
    delay.cause = std::move(cause);
  }
  DirectWaits(analysis, delays).find();
  return delays;
}

}  // namespace tarry

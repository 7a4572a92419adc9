// analysis.cpp -- all passes of the replay in order.
#include "analysis/analysis.hpp"

#include <algorithm>

#include "base/processes/worker_pool.hpp"
#include "analysis/critical_path/critical_walk.hpp"
#include "analysis/critical_path/path_stretches.hpp"
#include "analysis/critical_path/performance_impact.hpp"
#include "analysis/critical_path/write_path.hpp"
#include "analysis/delay/delay_costs.hpp"
#include "analysis/derived_metrics.hpp"
#include "analysis/file_counts.hpp"
#include "analysis/imbalance/device_imbalance.hpp"
#include "analysis/message_counts.hpp"
#include "analysis/sync_points/counted_waits.hpp"
#include "analysis/sync_points/sync_points.hpp"
#include "analysis/waits/find_waits.hpp"

namespace tarry {
namespace {

// A thread's own time per call path, without the waits at its sync points.
void add_thread_activities(const DelayContext& context, RankIndex rank, ThreadIndex thread, std::size_t column,
                           ValueRows& into) {
  const LogicalThread& facts = context.trace.ranks()[rank].threads[thread];
  const SyncPoints& points = context.sync[rank][thread];
  IntervalScratch scratch;
  IntervalTimes times(context, rank, thread, scratch);
  const PathTimes work = !context.compatibility.counts_last_part(thread)
                             ? times.up_to_last_barriers()
                             : times.without_waits(0, facts.log.end(), SyncIndex(0), points.points.next_id());
  for (const PathTime& entry : work) into.add(Metric::kTime, entry.path, column, static_cast<double>(entry.time));
}

// Leaves out the call paths of a process that have no counter, and levels without a value.
std::vector<CounterValue> list_counters(const LogicalThread& thread, const std::vector<PathIndex>& to_unified) {
  std::vector<CounterValue> values;
  for (const CounterId counter : thread.counters.ids()) {
    const std::vector<double>& of_path = thread.counters[counter].of_path;
    for (PathIndex path = 0; path < of_path.size(); ++path)
      if (of_path[path] != 0 && of_path[path] != kNoLevel) values.push_back({counter, to_unified[path], of_path[path]});
  }
  return values;
}

// Which unified call paths lie in an OpenMP parallel region.
std::vector<bool> parallel_paths(const Trace& trace, const CallTree& tree) {
  std::vector<bool> is_parallel(tree.size(), false);
  for (PathIndex path = 0; path < tree.size(); ++path) {
    const PathIndex parent = tree[path].parent;
    is_parallel[path] = trace.regions()[tree[path].region].thread == ThreadClass::kParallel ||
                        (parent != kNoPath && is_parallel[parent]);
  }
  return is_parallel;
}

bool uses_openmp(const Trace& trace, const CallTree& tree) {
  for (PathIndex path = 0; path < tree.size(); ++path)
    if (trace.regions()[tree[path].region].thread != ThreadClass::kNone) return true;
  return false;
}

IterationTable label_slots(const IterationSlots& slots, const IterationMarks& marks) {
  IterationTable table;
  table.region = marks.name();
  table.is_marked_loop = marks.is_marked_loop();
  for (std::uint64_t slot = 0; slot < slots.size(); ++slot) {
    const std::uint64_t first = slot << slots.shift, end = std::min(slots.count, (slot + 1) << slots.shift);
    table.rows.push_back({marks.number_at(first), marks.number_at(end - 1), end - first});
  }
  return table;
}

// Which passes the wanted metrics need.
struct Passes {
  bool delays, critical_path, imbalance, synchronisation, messages;
  WaitPasses waits;

  explicit Passes(const AnalysisOptions& options) {
    const auto needs = [wanted = options.metrics.needs()](MetricNeeds what) { return (wanted & what) != 0; };
    delays = options.instances > 0 || options.wants_delays || options.keeps_causes || needs(kNeedsDelays);
    critical_path = options.wants_path || options.wants_stretches || needs(kNeedsCriticalPath);
    imbalance = needs(kNeedsImbalance);
    synchronisation = delays || critical_path;
    messages = synchronisation || needs(kNeedsMessages);
    waits.collectives = synchronisation || needs(kNeedsCollectives);
    waits.one_sided = options.compatibility.has_one_sided_waits() && (synchronisation || needs(kNeedsWindows));
  }
};

// The passes over one trace, and what they leave for one another.
class PassGraph {
 public:
  PassGraph(const Trace& trace, const AnalysisOptions& options)
      : trace_(trace),
        options_(options),
        passes_(options),
        collector_(options.instances),
        found_{.trace = trace,
               .compatibility = options.compatibility,
               .unified = unify_call_trees(trace),
               .slots = {},
               .causes = {},
               .result = {}} {
    if (options.iterations) slots_ = find_slots(trace, unified_, *options.iterations);
    own_ = Results(trace, unified_.tree.size(), slots_.size());
  }

  Analysis run(LockLogs locks) {
    find_waits_and_causes(std::move(locks));
    if (options_.wants_counters) collect_counters();
    if (options_.wants_messages) all_.messages = count_messages(trace_);
    if (options_.wants_messages) all_.files = count_files(trace_);
    if (slots_.are_wanted()) all_.iterations = label_slots(slots_, *options_.iterations);
    if (options_.keeps_causes) all_.tree = unified_.tree;
    else all_.tree = std::move(unified_.tree);
    all_.results = gather_results(trace_.exchange(), std::move(own_));
    if (trace_.exchange().rank() == 0) finish();
    return std::move(found_);
  }

 private:
  void step(const char* name) {
    if (options_.progress) options_.progress->begin(name);
  }

  // The found waits are large: they are released before the delay analysis.
  void find_waits_and_synchronise(LockLogs locks) {
    step("finding wait states");
    const FoundWaits waits = find_waits(trace_, locks, {unified_, slots_}, passes_.waits, compatibility_,
                                        options_.instances > 0 ? &collector_ : nullptr, own_);
    if (options_.instances > 0) gather_instances();
    if (passes_.synchronisation) synchronise(waits, std::move(locks));
  }

  void find_waits_and_causes(LockLogs locks) {
    find_waits_and_synchronise(std::move(locks));
    if (passes_.delays) find_delays();
    if (passes_.critical_path) {
      find_critical_path();
      add_activities();
    }
    if (!options_.keeps_causes) found_.causes.reset();
    if (options_.instances > 0) unify_paths(trace_, unified_, all_.instances);
  }

  void gather_instances() {
    all_.instances = collector_.gather(trace_.exchange());
    std::erase_if(all_.instances, [&](const auto& kind) { return !options_.metrics.is_wanted(kind.first); });
  }

  void synchronise(const FoundWaits& waits, LockLogs locks) {
    step("synchronisation points");
    FoundCauses& causes = *(found_.causes = std::make_unique<FoundCauses>());
    causes.sync = build_sync_points(trace_, waits, std::move(locks), compatibility_);
    if (trace_.is_partial()) causes.counted = count_waits(trace_, waits, causes.sync);
    const bool tells_causes = passes_.delays && options_.wants_causes;
    if (tells_causes) causes.groups = WaitGroups::find(trace_, causes.sync, unified_, causes.counted);
  }

  void find_delays() {
    step("root causes");
    const DelayContext context = found_.context();
    DelaysByCause delays = find_delay_instances(context);
    if (!all_.instances.empty()) name_delays(context, delays, all_.instances);
    all_.causes = book_delays(context, delays, own_, options_.wants_delays ? &all_.delays : nullptr);
    if (options_.keeps_causes) found_.causes->delays = std::move(delays);
  }

  void find_critical_path() {
    step("critical path");
    const DelayContext context = found_.context();
    const std::vector<PathSegment> path = walk_critical_path(context);
    critical_path_profile(context, path, own_);
    const bool are_several = trace_.mpi_worlds().are_several();
    if (!options_.wants_path && !options_.wants_stretches && !are_several) return;
    const std::vector<PathSegment> selected = select_segments(context, path);
    if (options_.wants_path) all_.critical_path = critical_path_csv(context, selected);
    if (options_.wants_stretches) all_.stretches = path_stretches(context, selected);
    if (are_several) path_lengths_ = path_lengths(context, selected);
  }

  void add_activities() {
    const DelayContext context = found_.context();
    trace_.for_each_hosted([&](RankIndex index) {
      for (const ThreadIndex t : trace_.ranks()[index].threads.ids())
        if (!trace_.ranks()[index].threads[t].is_queue)
          add_thread_activities(context, index, t, own_.column(index, t), own_.activities);
    });
  }

  void collect_counters() {
    own_.counters.resize(own_.threads.size());
    run_parallel(trace_.workers(), own_.threads.size(), [&](std::size_t column) {
      const AnalysedThread& of = own_.threads[column];
      own_.counters[column] =
          list_counters(trace_.ranks()[of.rank_index].threads[of.thread], unified_.to_unified[of.rank_index]);
    });
  }

  // Empty if there is one world.
  std::vector<WorldIndex> worlds_of_columns() const {
    std::vector<WorldIndex> worlds;
    if (!trace_.mpi_worlds().are_several()) return worlds;
    for (const AnalysedThread& thread : all_.results.threads)
      worlds.push_back(trace_.mpi_worlds().of(thread.rank_index));
    return worlds;
  }
  std::vector<double> lengths_of(const std::vector<WorldIndex>& worlds) const {
    std::vector<double> lengths;
    for (const WorldIndex world : worlds) lengths.push_back(path_lengths_[world.value]);
    return lengths;
  }

  // The call paths of MPI_Init, where they are to be treated as one.
  std::vector<PathIndex> start_paths() const {
    std::vector<PathIndex> starts;
    for (PathIndex path = 0; path < all_.tree.size() && compatibility_.joins_starts(); ++path)
      if (trace_.regions()[all_.tree[path].region].call == CallClass::kInit) starts.push_back(path);
    return starts;
  }

  // What is computed from the values of all.
  void finish() {
    const unsigned workers = trace_.workers();
    Results& results = all_.results;
    add_up_parts(results.values, workers);
    const std::vector<WorldIndex> worlds = worlds_of_columns();
    if (passes_.critical_path)
      performance_impact(results, all_.tree, lengths_of(worlds), start_paths(), compatibility_, workers);
    if (passes_.imbalance)
      computational_imbalance(results, parallel_paths(trace_, all_.tree), worlds, uses_openmp(trace_, all_.tree),
                              workers);
    if (options_.metrics.is_wanted(Metric::kDeviceImbalance))
      device_imbalance(results, all_.tree.size(), worlds, workers);
    add_up_impacts(results.values, workers);
    add_up_parts(results.iterations, workers);
    for (std::size_t m = 0; m < kMetricCount; ++m) {
      const auto metric = static_cast<Metric>(m);
      if (options_.metrics.is_wanted(metric)) continue;
      results.values.drop(metric);
      results.iterations.drop(metric);
    }
  }

  const Trace& trace_;
  const AnalysisOptions& options_;
  const Passes passes_;
  InstanceCollector collector_;
  Analysis found_;
  // Parts of that.
  const Compatibility& compatibility_ = found_.compatibility;
  UnifiedTree& unified_ = found_.unified;
  IterationSlots& slots_ = found_.slots;
  AnalysisResult& all_ = found_.result;
  Results own_;
  std::vector<double> path_lengths_;  // of several worlds; at process 0
};

}  // namespace

bool needs_messages(const AnalysisOptions& options) { return Passes(options).messages; }

Analysis analyse(const Trace& trace, LockLogs locks, const AnalysisOptions& options) {
  return PassGraph(trace, options).run(std::move(locks));
}

}  // namespace tarry

// analysis.cpp -- all passes of the replay in order.
#include "analysis/analysis.hpp"

#include <algorithm>

#include "base/worker_pool.hpp"
#include "analysis/critical_path/critical_walk.hpp"
#include "analysis/critical_path/performance_impact.hpp"
#include "analysis/critical_path/write_path.hpp"
#include "analysis/delay/delay_costs.hpp"
#include "analysis/derived_metrics.hpp"
#include "replay/match_messages.hpp"
#include "analysis/severities.hpp"
#include "analysis/time_hierarchy.hpp"

namespace tarry {
namespace {

// Where a member may need some of the others only.
bool is_pairwise(const CollectiveInstance& instance, const Quirks& quirks) {
  if (instance[0].is_nonblocking || instance.is_inter()) return true;
  const CollectiveKind kind = instance.kind();
  return kind == CollectiveKind::kVector || kind == CollectiveKind::kCreation || kind == CollectiveKind::kNeighborhood ||
         (kind == CollectiveKind::kPrefix && !quirks.scan_and_finalize_cost_nothing);
}

bool is_ignored(const CollectiveInstance& instance, const Quirks& quirks) {
  const CollectiveKind kind = instance.kind();
  const bool has_root = kind == CollectiveKind::kOneToAll || kind == CollectiveKind::kAllToOne;
  return (instance[0].is_nonblocking && quirks.ignores_nonblocking_collectives) ||
         (kind == CollectiveKind::kVector && quirks.ignores_vector_exchanges) ||
         (kind == CollectiveKind::kNeighborhood && quirks.ignores_neighborhoods) ||
         (kind == CollectiveKind::kCreation && quirks.ignores_creation) ||
         (instance.is_inter() && has_root && quirks.ignores_groups);
}

void analyse_collective(const CollectiveInstance& instance, const Quirks& quirks) {
  if (is_ignored(instance, quirks)) return;
  if (is_pairwise(instance, quirks) && !(instance.is_inter() && quirks.ignores_groups)) return dependent_waits(instance);
  switch (instance.kind()) {
    case CollectiveKind::kBarrier: return wait_at_barrier(instance);
    case CollectiveKind::kOneToAll: return late_broadcast(instance);
    case CollectiveKind::kAllToAll: return wait_at_nxn(instance);
    case CollectiveKind::kAllToOne: return early_reduce(instance);
    case CollectiveKind::kPrefix: return early_scan(instance);
    case CollectiveKind::kInit:
    case CollectiveKind::kFinalize: return init_finalize(instance);
    case CollectiveKind::kVector:
    case CollectiveKind::kNeighborhood:
    case CollectiveKind::kCreation:
    case CollectiveKind::kUnanalysed: return;
  }
}

const WindowPatterns kWindowPatterns = {
    .collective =
        [](const WindowCollective& instance, WindowFindings& findings) {
          if (instance.kind() != WindowRecord::Kind::kFence) return rma_wait_at_create(instance, findings);
          rma_wait_at_fence(instance, findings);
          rma_pairwise(instance, findings);
        },
    .access =
        [](const AccessEpoch& epoch, WindowFindings& findings) {
          rma_late_post(epoch, findings);
          rma_pairwise(epoch, findings);
        },
    .exposure =
        [](const ExposureEpoch& epoch, WindowFindings& findings) {
          rma_early_wait(epoch, findings);
          rma_pairwise(epoch, findings);
        },
    .locks = rma_lock_contention,
};

// A thread's own time per call path, without the waits at its sync points.
void add_activities(const DelayContext& context, std::uint32_t rank, std::size_t thread, std::size_t column,
                    ValueRows& into) {
  const LogicalThread& facts = context.world.ranks()[rank].threads[thread];
  const SyncPoints& points = context.sync[rank][thread];
  IntervalScratch scratch;
  IntervalTimes times(facts, points, context.tree.to_unified[rank], context.quirks.caps_time_vectors, scratch,
                      context.counted_waits(rank, thread));
  const auto count = static_cast<SyncIndex>(points.points.size());
  const PathTimes work = thread > 0 && context.quirks.forgets_last_worker_part
                             ? times.up_to_last_barriers()
                             : times.without_waits(0, facts.log.end(), 0, count);
  for (const PathTime& entry : work) into.add(Metric::kTime, entry.path, column, static_cast<double>(entry.time));
}

// Paths of a process that have no counter are left out, as are levels that nobody saw.
std::vector<CounterValue> list_counters(const LogicalThread& thread, const std::vector<PathIndex>& to_unified) {
  std::vector<CounterValue> values;
  for (std::uint32_t counter = 0; counter < thread.counters.size(); ++counter) {
    const std::vector<double>& of_path = thread.counters[counter].of_path;
    for (PathIndex path = 0; path < of_path.size(); ++path)
      if (of_path[path] != 0 && of_path[path] != kNoLevel) values.push_back({counter, to_unified[path], of_path[path]});
  }
  return values;
}

// Wait states, counts and times of each process by itself.
void run_patterns(World& world, const UnifiedTree& unified, const Quirks& quirks, InstanceCollector* instances,
                  Results& into) {
  std::vector<RegionMetrics> classes;
  for (std::uint32_t r = 0; r < world.regions().size(); ++r)
    classes.push_back(classify(world.regions(), RegionId(r), quirks));
  const auto for_each = [&](auto pattern) {
    world.for_each_hosted([&](std::uint32_t index) {
      LogicalRank& rank = world.ranks()[index];
      if (rank.threads.empty()) return;
      std::vector<Severities>& threads = empty_severities(rank.threads.size(), into.values, into.column(index, 0),
                                                          &unified.to_unified[index]);
      InstanceCollector of_rank(instances ? instances->most() : 0);
      pattern(RankContext{world, rank, threads, quirks, instances ? &of_rank : nullptr});
      for (Severities& thread : threads) thread.move_on();
      if (instances) instances->merge(of_rank);
    });
  };
  for_each([&](const RankContext& context) {
    world.prefetch_partners(context.rank);
    count_messages(context);
    late_sender(context);
    late_probe(context);
    late_receiver(context);
    completing_calls(context);
    collective_results(context);
    if (!quirks.ignores_one_sided) rma_results(context);
    omp_wait_at_barrier(context);
    lock_contention(context);
    idle_threads(context);
    time_hierarchy(context, classes);
    context.rank.late_senders.finish();
    context.rank.late_receivers.finish();
    context.rank.late_probes.finish();
    context.rank.lock_waits.finish();
  });
}

// Which unified call paths lie in an OpenMP parallel region.
std::vector<bool> parallel_paths(const World& world, const CallTree& tree) {
  std::vector<bool> is_parallel(tree.size(), false);
  for (PathIndex path = 0; path < tree.size(); ++path) {
    const PathIndex parent = tree[path].parent;
    is_parallel[path] = world.regions()[tree[path].region].thread == ThreadClass::kParallel ||
                        (parent != kNoPath && is_parallel[parent]);
  }
  return is_parallel;
}

bool uses_openmp(const World& world, const CallTree& tree) {
  for (PathIndex path = 0; path < tree.size(); ++path)
    if (world.regions()[tree[path].region].thread != ThreadClass::kNone) return true;
  return false;
}

// Which passes the wanted metrics need.
struct Passes {
  bool delays, critical_path, imbalance, synchronisation, messages, collectives, one_sided;

  explicit Passes(const AnalysisOptions& options) {
    const MetricSelection& metrics = options.metrics;
    delays = options.instances > 0 || metrics.is_any_wanted(Metric::kDelay, Metric::kDelayThreadLockLongTerm) ||
             metrics.is_any_wanted(Metric::kWaitsDirectOrIndirect, Metric::kTerminalLateReceiver);
    critical_path =
        options.wants_path || metrics.is_any_wanted(Metric::kCriticalPath, Metric::kNonCriticalPathActivities);
    imbalance = metrics.is_any_wanted(Metric::kImbalance, Metric::kImbalanceSingularity);
    synchronisation = delays || critical_path;
    const bool counts = metrics.is_any_wanted(Metric::kSyncs, Metric::kBytesIn);
    messages = synchronisation || counts || metrics.is_any_wanted(Metric::kLateSender, Metric::kCollectiveRequestWait);
    collectives = synchronisation || counts || metrics.is_any_wanted(Metric::kInitCompletion, Metric::kFileCreationWait) ||
                  metrics.is_any_wanted(Metric::kBarrierWait, Metric::kBarrierCompletion) ||
                  metrics.is_any_wanted(Metric::kCollectiveRequestWait, Metric::kNxnCompletion);
    one_sided = !options.quirks.ignores_one_sided &&
                (synchronisation || metrics.is_wanted(Metric::kBytes) ||
                 metrics.is_any_wanted(Metric::kRmaWaitAtCreate, Metric::kRmaWaitAtFree) ||
                 metrics.is_any_wanted(Metric::kRmaSyncLatePost, Metric::kRmaSyncProgress) ||
                 metrics.is_any_wanted(Metric::kRmaCommLatePost, Metric::kRmaCommProgress) ||
                 metrics.is_any_wanted(Metric::kBytesRma, Metric::kRmaPairsUnneeded));
  }
};

// The passes over one trace, and what they leave for one another.
class Analysis {
 public:
  Analysis(World& world, const AnalysisOptions& options)
      : world_(world), options_(options), quirks_(options.quirks), passes_(options), collector_(options.instances) {}

  AnalysisResult run() {
    unified_ = unify_call_trees(world_);
    own_ = Results(world_, unified_.tree.size());
    find_waits();
    if (passes_.synchronisation) find_causes();
    if (options_.instances > 0) unify_paths(world_, unified_, all_.instances);
    if (options_.wants_counters) collect_counters();
    all_.tree = std::move(unified_.tree);
    all_.results = gather_results(world_.exchange(), std::move(own_));
    if (world_.exchange().rank() == 0) finish();
    return std::move(all_);
  }

 private:
  void step(const char* name) {
    if (options_.progress) options_.progress->begin(name);
  }

  void find_waits() {
    step("matching messages");
    const MatchOrder order = quirks_.match_by_completion ? MatchOrder::kCompleted : MatchOrder::kPosted;
    if (passes_.messages) match_messages(world_, order);
    step("matching collectives");
    if (passes_.collectives)
      analyse_collectives(world_, [this](const CollectiveInstance& instance) { analyse_collective(instance, quirks_); });
    if (passes_.one_sided) {
      analyse_windows(world_, kWindowPatterns);
      rma_wait_for_progress(world_);
    }
    step("finding wait states");
    run_patterns(world_, unified_, quirks_, options_.instances > 0 ? &collector_ : nullptr, own_);
    if (options_.instances == 0) return;
    all_.instances = collector_.gather(world_.exchange());
    std::erase_if(all_.instances, [&](const auto& kind) { return !options_.metrics.is_wanted(kind.first); });
  }

  void find_causes() {
    step("synchronisation points");
    const auto sync = build_sync_points(
        world_, {quirks_.negates_late_receiver_completion, quirks_.thread_locks_cost_nothing});
    const CountedWaits counted = world_.is_partial() ? count_waits(world_, sync) : CountedWaits();
    const DelayContext context{world_, sync, unified_, quirks_, counted};
    step("root causes");
    if (passes_.delays) delay_costs(context, own_, all_.instances);
    if (!passes_.critical_path) return;
    step("critical path");
    const std::vector<PathSegment> path = walk_critical_path(context);
    critical_path_profile(context, path, own_);
    const bool are_several = world_.mpi_worlds().are_several();
    if (options_.wants_path || are_several) {
      const std::vector<PathSegment> selected = select_segments(context, path);
      if (options_.wants_path) all_.critical_path = critical_path_csv(context, selected);
      if (are_several) path_lengths_ = path_lengths(context, selected);
    }
    world_.for_each_hosted([&](std::uint32_t index) {
      for (std::size_t t = 0; t < world_.ranks()[index].threads.size(); ++t)
        add_activities(context, index, t, own_.column(index, t), own_.activities);
    });
  }

  void collect_counters() {
    own_.counters.resize(own_.threads.size());
    run_parallel(world_.workers(), own_.threads.size(), [&](std::size_t column) {
      const AnalysedThread& of = own_.threads[column];
      own_.counters[column] =
          list_counters(world_.ranks()[of.rank_index].threads[of.thread], unified_.to_unified[of.rank_index]);
    });
  }

  // Empty if there is one world.
  std::vector<std::uint32_t> worlds_of_columns() const {
    std::vector<std::uint32_t> worlds;
    if (!world_.mpi_worlds().are_several()) return worlds;
    for (const AnalysedThread& thread : all_.results.threads)
      worlds.push_back(world_.mpi_worlds().of(thread.rank_index));
    return worlds;
  }
  std::vector<double> lengths_of(const std::vector<std::uint32_t>& worlds) const {
    std::vector<double> lengths;
    for (const std::uint32_t world : worlds) lengths.push_back(path_lengths_[world]);
    return lengths;
  }

  // What is computed from the values of all.
  void finish() {
    const unsigned workers = world_.workers();
    Results& results = all_.results;
    add_up_parts(results.values, workers);
    const std::vector<std::uint32_t> worlds = worlds_of_columns();
    if (passes_.critical_path) performance_impact(results, all_.tree, lengths_of(worlds), quirks_, workers);
    if (passes_.imbalance)
      computational_imbalance(results, parallel_paths(world_, all_.tree), worlds, uses_openmp(world_, all_.tree),
                              workers);
    add_up_impacts(results.values, workers);
    for (std::size_t m = 0; m < kMetricCount; ++m)
      if (const auto metric = static_cast<Metric>(m); !options_.metrics.is_wanted(metric)) results.values.drop(metric);
  }

  World& world_;
  const AnalysisOptions& options_;
  const Quirks& quirks_;
  const Passes passes_;
  InstanceCollector collector_;
  UnifiedTree unified_;
  Results own_;
  std::vector<double> path_lengths_;  // of several worlds; at process 0
  AnalysisResult all_;
};

}  // namespace

AnalysisResult analyse(World& world, const AnalysisOptions& options) { return Analysis(world, options).run(); }

}  // namespace tarry

// find_waits.cpp -- all wait-state patterns over a matched trace, in order.
#include "analysis/waits/find_waits.hpp"

#include "analysis/device_times.hpp"
#include "analysis/time_hierarchy.hpp"
#include "analysis/waits/pattern.hpp"
#include "analysis/waits/share_marks.hpp"

namespace tarry {
namespace {

void analyse_collective(const CollectiveOperation& instance, const Compatibility& compatibility) {
  if (!compatibility.has_waits(instance[0], instance.is_inter())) return;
  if (compatibility.waits_are_pairwise(instance[0], instance.is_inter())) return dependent_waits(instance);
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

// Parts that come from other analysis processes are looked at here, and what is found is sent back.
void find_collective_waits(const Trace& trace, const Compatibility& compatibility, FoundWaits& waits) {
  CollectiveMatcher matcher(trace);
  ForeignWaits foreign;
  foreign.resize(matcher.foreign_parts());
  matcher.for_each([&](const CollectiveInstance& instance) {
    analyse_collective(CollectiveOperation(instance, waits, foreign), compatibility);
  });
  // Partner lists live in the process that made them: they travel along.
  const auto put = [&](ForeignPart part, MessageBuffer& buffer) {
    buffer.put(foreign[part]);
    if (foreign[part].list.is_valid()) buffer.put_all(waits.lists[foreign[part].list]);
  };
  const auto get = [&](RankIndex rank, CollectiveIndex part, MessageBuffer& buffer) {
    auto found = buffer.get<CollectiveWait>();
    if (found.list.is_valid()) found.list = waits.lists.add(buffer.get_all<WorldRank>());
    waits.ranks[rank].collectives[part] = found;
  };
  matcher.send_back(put, get);
}

void find_window_waits(const Trace& trace, FoundWaits& waits) {
  Indexed<WindowId, std::vector<WindowFindings>> findings(trace.definitions().windows.size());
  visit_windows(trace, [&](WindowId window) {
    WindowFindings& found = findings[window];
    return WindowVisitor{.collective =
                             [&](const WindowCollective& instance) {
                               if (instance.kind() != WindowRecord::Kind::kFence)
                                 return rma_wait_at_create(instance, found);
                               rma_wait_at_fence(instance, found);
                               rma_pairwise(instance, found);
                             },
                         .access =
                             [&](const AccessEpoch& epoch) {
                               rma_late_post(epoch, found);
                               rma_pairwise(epoch, found);
                             },
                         .exposure =
                             [&](const ExposureEpoch& epoch) {
                               rma_early_wait(epoch, found);
                               rma_pairwise(epoch, found);
                             },
                         .locks = [&](std::span<const LockEpoch> epochs) { rma_lock_contention(epochs, found); },
                         .memory = [&](const ChangedMemory& memory) { shmem_late_notifier(memory, found); }};
  });
  if (!findings.empty()) deliver(trace, findings, waits);
  rma_wait_for_progress(trace, waits);
}

// Waits in one process, its counts and times.
void run_patterns(const RankContext& context, const std::vector<RegionMetrics>& classes) {
  context.trace.prefetch_partners(context.rank);
#define PROCESS_PATTERN(name) name(context);
#include "analysis/waits/patterns.def"
  idle_threads(context);
  time_hierarchy(context, classes);
  device_times(context);
  context.waits.late_senders.finish();
  context.waits.late_receivers.finish();
  context.waits.late_probes.finish();
  context.waits.late_polls.finish();
  context.waits.locks.finish();
  context.waits.devices.finish();
}

}  // namespace

FoundWaits find_waits(const Trace& trace, const LockLogs& locks, const BookedPlaces& places, const WaitPasses& passes,
                      const Compatibility& compatibility, InstanceCollector* instances, Results& into) {
  FoundWaits waits(trace);
  trace.for_each_hosted([&](RankIndex r) { waits.ranks[r].collectives.resize(trace.ranks()[r].collectives.size()); });
  if (passes.collectives) find_collective_waits(trace, compatibility, waits);
  if (passes.one_sided) find_window_waits(trace, waits);
  std::vector<RegionMetrics> classes;
  for (const RegionId region : IdRange<RegionId>(trace.regions().size()))
    classes.push_back(classify(trace.regions(), region, compatibility));
  trace.for_each_hosted([&](RankIndex r) {
    const LogicalRank& rank = trace.ranks()[r];
    if (rank.threads.empty()) return;
    const std::vector<PathIndex>& to_unified = places.unified.to_unified[r];
    ThreadSeverities& threads =
        empty_severities(rank.threads.size(), into.values, into.column(r, kMaster), &to_unified);
    if (places.slots.are_wanted())
      for (Severities& thread : threads) thread.send_slots_to(into.iterations, places.slots.of_path[r]);
    InstanceCollector of_rank(instances ? instances->most() : 0);
    run_patterns(
        {trace, rank, locks[r], waits.ranks[r], threads, compatibility, instances ? &of_rank : nullptr, to_unified},
        classes);
    for (Severities& thread : threads) thread.move_on();
    if (instances) instances->merge(of_rank);
  });
  share_marks(trace, waits);
  return waits;
}

}  // namespace tarry

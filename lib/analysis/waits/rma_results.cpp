// rma_results.cpp -- books what the one-sided patterns found, and the bytes of one-sided communication.
#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

struct WindowMetrics {
  Metric in_synchronisation, in_access;
};

WindowMetrics window_metrics_of(WindowWait::Kind kind, bool is_shmem) {
  using enum Metric;
  if (is_shmem && kind == WindowWait::Kind::kLockContention) return {kShmemLockContention, kNone};
  switch (kind) {
    case WindowWait::Kind::kNotifier: return {kShmemLateNotifier, kNone};
    case WindowWait::Kind::kCreate: return {kRmaWaitAtCreate, kNone};
    case WindowWait::Kind::kFree: return {kRmaWaitAtFree, kNone};
    case WindowWait::Kind::kFence: return {kRmaWaitAtFence, kNone};
    case WindowWait::Kind::kEarlyFence: return {kRmaEarlyFence, kNone};
    case WindowWait::Kind::kLatePost: return {kRmaSyncLatePost, kRmaCommLatePost};
    case WindowWait::Kind::kEarlyWait: return {kRmaEarlyWait, kNone};
    case WindowWait::Kind::kLateComplete: return {kRmaLateComplete, kNone};
    case WindowWait::Kind::kLockContention: return {kRmaSyncLockContention, kRmaCommLockContention};
    case WindowWait::Kind::kProgress: return {kRmaSyncProgress, kRmaCommProgress};
  }
  return {kNone, kNone};
}

}  // namespace

void rma_results(const RankContext& context) {
  if (!context.compatibility.has_one_sided_waits()) return;
  const LogicalRank& rank = context.rank;
  for (const WindowWait& wait : context.waits.windows) {
    const WindowRecord& record = rank.window_records[wait.record];
    const WindowMetrics booked = window_metrics_of(wait.kind, record.is_shmem);
    const Metric metric = record.is_access() ? booked.in_access : booked.in_synchronisation;
    context.add_wait(rank.calls[record.call], metric, wait.begin, wait.wait,
                     {.rank = wait.cause_rank, .thread = wait.cause_thread, .path = wait.cause_path});
  }
  for (const WindowPairs& pairs : context.waits.window_pairs) {
    const WindowRecord& record = rank.window_records[pairs.record];
    if (!context.counts(record.thread, record.end)) continue;
    context.add(rank.calls[record.call], Metric::kRmaPairs, pairs.pairs);
    context.add(rank.calls[record.call], Metric::kRmaPairsUnneeded, pairs.unneeded);
  }
  for (const WindowRecord& record : rank.window_records) {
    if (record.kind == WindowRecord::Kind::kQuiet)
      context.add(rank.calls[record.call], Metric::kShmemQuietCompletion,
                  static_cast<double>(context.counted(record.thread, record.enter, record.leave)));
    if (!record.is_access() || !context.counts(record.thread, record.end)) continue;
    context.add(rank.calls[record.call], Metric::kBytesPut, static_cast<double>(record.sent));
    context.add(rank.calls[record.call], Metric::kBytesGet, static_cast<double>(record.received));
  }
}

}  // namespace tarry

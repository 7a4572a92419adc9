// delay_costs.cpp -- books delay costs: short-term, long-term, direct and indirect, propagating and terminal.
//
//   waiter   ...A=====|                     wait W at the waiter
//   cause    ...[ does more than the waiter ]      excess time per call path: delay D
//            ...A==|                               the cause's own earlier waits: w
//
// Each tick of excess time pays W / (D + w); what falls on the cause's own waits is passed on to their causes, and
// comes back to somebody's call path as long-term cost. Source: docs/METRICS.md, "Delay costs"; Boehme, chapter 4.
#include "delay_costs.hpp"

#include <algorithm>

#include "delay_propagation.hpp"

namespace tarry {
namespace {

struct CostMetrics {
  Metric short_term, long_term;
};

constexpr CostMetrics kCostMetrics[kWaitKinds] = {
    {Metric::kDelayLateSender, Metric::kDelayLateSenderLongTerm},
    {Metric::kDelayLateReceiver, Metric::kDelayLateReceiverLongTerm},
    {Metric::kDelayBarrier, Metric::kDelayBarrierLongTerm},
    {Metric::kDelayAllToAll, Metric::kDelayAllToAllLongTerm},
    {Metric::kDelayOneToAll, Metric::kDelayOneToAllLongTerm},
    {Metric::kDelayAllToOne, Metric::kDelayAllToOneLongTerm},
    {Metric::kDelayOneSided, Metric::kDelayOneSidedLongTerm},
    {Metric::kDelayScan, Metric::kDelayScanLongTerm},
    {Metric::kDelayRequest, Metric::kDelayRequestLongTerm},
    {Metric::kDelayCreation, Metric::kDelayCreationLongTerm},
    {Metric::kDelayNeighbor, Metric::kDelayNeighborLongTerm},
    {Metric::kDelayFinalize, Metric::kDelayFinalizeLongTerm},
    {Metric::kDelayThreadBarrier, Metric::kDelayThreadBarrierLongTerm},
    {Metric::kDelayIdleThreads, Metric::kDelayIdleThreadsLongTerm},
};

const CostMetrics& cost_metrics(WaitKind kind) { return kCostMetrics[static_cast<std::size_t>(kind)]; }

// Calls visit(begin, end, first point, end point) for the serial segments of a master: positions in its time log, and
// the sync points in between.
template <class Visit>
void for_each_serial_segment(const Rows<SyncPoint>& points, LogPosition log_end, Visit visit) {
  LogPosition begin = 0;
  SyncIndex first_point = 0;
  for (SyncIndex at = 0; at < points.size(); ++at) {
    if (points[at].kind != WaitKind::kFork) continue;
    visit(begin, points[at].position, first_point, at);
    begin = points[at].partner;  // where the team was joined
    first_point = at + 1;
    while (first_point < points.size() && points[first_point].position < begin) ++first_point;
  }
  visit(begin, log_end, first_point, static_cast<SyncIndex>(points.size()));
}

bool has_forks(const Rows<SyncPoint>& points) {
  return std::any_of(points.begin(), points.end(), [](const SyncPoint& p) { return p.kind == WaitKind::kFork; });
}

// The master's serial time keeps its workers idle: (threads - 1) x time is charged to what it waits for ...
void pass_idleness_on(const DelayContext& context, std::uint32_t rank, WaitCosts& costs) {
  const Rows<SyncPoint>& points = context.sync[rank][0].points;
  const auto idle = static_cast<double>(context.sync[rank].size() - 1);
  for_each_serial_segment(points, 0, [&](LogPosition, LogPosition, SyncIndex first_point, SyncIndex end_point) {
    for (SyncIndex at = first_point; at < end_point; ++at)
      if (points[at].wait > 0)
        costs.of(rank, 0, at)[static_cast<std::size_t>(WaitKind::kIdleThreads)] +=
            idle * static_cast<double>(context.counted_wait({rank, 0, at}));
  });
}

// ... and to its own call paths.
void charge_idleness(const DelayContext& context, std::uint32_t rank, Severities& into) {
  const LogicalThread& master = context.world.ranks()[rank].threads[0];
  const SyncPoints& points = context.sync[rank][0];
  IntervalTimes times(master, points, context.tree.to_united[rank], context.quirks.caps_time_vectors,
                      context.counted_waits(rank, 0));
  const auto idle = static_cast<double>(context.sync[rank].size() - 1);
  for_each_serial_segment(points.points, master.log.end(),
                          [&](LogPosition begin, LogPosition end, SyncIndex first_point, SyncIndex end_point) {
                            for (const PathTime& entry : times.without_waits(begin, end, first_point, end_point))
                              into.add(Metric::kDelayIdleThreads, entry.path, idle * static_cast<double>(entry.time));
                          });
}

// Books the instances of one cause.
class Booking {
 public:
  Booking(const DelayContext& context, WaitCosts& costs, std::vector<std::vector<Severities>>& into)
      : context_(context), costs_(costs), into_(into) {}

  void book(const DelayInstances& of_cause) {
    for (const DelayInstance& instance : of_cause.all) {
      const SyncRef& waiter = instance.waiter;
      const CostByKind& waiter_costs = costs_.of(waiter.rank, waiter.thread, waiter.point);
      const CostShares shares = shares_of(instance, context_.counted_wait(waiter), waiter_costs, context_.quirks);
      Severities& at_cause = into_[instance.cause.rank][instance.cause.thread];
      for (std::uint32_t i = instance.excess_begin; i < instance.excess_end; ++i)
        charge(at_cause, instance.kind, shares, of_cause.excess[i]);
      if (instance.delay + instance.propagating == 0 && !context_.quirks.drops_causeless_waits)
        charge_operation(at_cause, instance, waiter_costs);
    }
  }

 private:
  static void charge(Severities& at_cause, WaitKind kind, const CostShares& shares, const PathTime& excess) {
    const auto time = static_cast<double>(excess.time);
    at_cause.add(cost_metrics(kind).short_term, excess.path, shares.own * time);
    for (std::size_t k = 0; k < kWaitKinds; ++k) at_cause.add(kCostMetrics[k].long_term, excess.path, shares.long_term[k] * time);
  }

  // Nobody did more than the waiter, nobody waited before: the operation itself was slow.
  void charge_operation(Severities& at_cause, const DelayInstance& instance, const CostByKind& waiter_costs) {
    const SyncPoint& cause = context_.sync[instance.cause.rank][instance.cause.thread].points[instance.cause.point];
    const PathIndex path = context_.tree.to_united[instance.cause.rank][cause.path];
    const auto wait = static_cast<double>(context_.counted_wait(instance.waiter));
    at_cause.add(cost_metrics(instance.kind).short_term, path, wait);
    for (std::size_t k = 0; k < kWaitKinds; ++k) at_cause.add(kCostMetrics[k].long_term, path, waiter_costs[k]);
  }

  const DelayContext& context_;
  WaitCosts& costs_;
  std::vector<std::vector<Severities>>& into_;
};

// Waits in messages: how much of each was caused by waiting, and how much of it caused waiting.
class Classification {
 public:
  Classification(const DelayContext& context, std::vector<std::vector<Severities>>& into)
      : context_(context), into_(into) {}

  void add(const DelayInstances& of_cause) {
    for (const DelayInstance& instance : of_cause.all) {
      const bool is_sender = instance.kind == WaitKind::kLateSender;
      const bool is_message = is_sender || instance.kind == WaitKind::kLateReceiver;
      if (is_message) book_indirect(instance, is_sender, share_of(instance, context_.counted_wait(instance.waiter)));
      if (!is_message && context_.quirks.propagates_to_messages_only) continue;
      // In the end all wait for the last: that says nothing about what a wait leads to.
      if (instance.kind == WaitKind::kFinalize) continue;
      // Messages are those of the master.
      const SyncRef& cause = instance.cause;
      if (cause.thread == 0 && context_.world.is_hosted(cause.rank))
        note_propagating(instance, share_of(instance, instance.wait));
    }
  }

  // The largest share of each wait that an instance took.
  void book_propagating(std::uint32_t rank) {
    if (largest_.empty()) return;  // also of a process without any thread
    const Rows<SyncPoint>& points = context_.sync[rank][0].points;
    for (SyncIndex at = 0; at < largest_.size(); ++at) {
      const WaitKind kind = points[at].kind;
      if (largest_[at] == 0 || (kind != WaitKind::kLateSender && kind != WaitKind::kLateReceiver)) continue;
      into_[rank][0].add(kind == WaitKind::kLateSender ? Metric::kPropagatingLateSender : Metric::kPropagatingLateReceiver,
                         context_.tree.to_united[rank][points[at].path], largest_[at]);
    }
    largest_.clear();
  }

 private:
  double share_of(const DelayInstance& instance, Ticks wait) const {
    return shares_of(instance, wait, CostByKind{}, context_.quirks).own;
  }

  void book_indirect(const DelayInstance& instance, bool is_sender, double share) {
    const SyncRef& waiter = instance.waiter;
    if (!context_.world.is_hosted(waiter.rank)) return;
    const SyncPoint& wait = context_.sync[waiter.rank][waiter.thread].points[waiter.point];
    into_[waiter.rank][waiter.thread].add(
        is_sender ? Metric::kIndirectLateSender : Metric::kIndirectLateReceiver,
        context_.tree.to_united[waiter.rank][wait.path], share * static_cast<double>(instance.propagating));
  }

  void note_propagating(const DelayInstance& instance, double share) {
    const std::uint32_t rank = instance.cause.rank;
    const Rows<SyncPoint>& points = context_.sync[rank][0].points;
    largest_.resize(points.size(), 0);
    // A wait of 2 may be to blame for one of 5; yet no more than all of it propagates.
    const double part = std::min(share, 1.0);
    for (SyncIndex at = instance.first_wait; at < instance.cause.point; ++at) {
      if (points[at].wait <= 0) continue;
      const auto wait = static_cast<double>(context_.counted_wait({rank, 0, at}));
      largest_[at] = std::max(largest_[at], part * wait);
    }
  }

  const DelayContext& context_;
  std::vector<std::vector<Severities>>& into_;
  std::vector<double> largest_;  // per sync point of the cause
};

}  // namespace

void delay_costs(const DelayContext& context, std::vector<std::vector<Severities>>& into, Instances& severe) {
  const std::vector<DelayInstances> instances = find_delay_instances(context);
  if (!severe.empty()) name_delays(context, instances, severe);
  WaitCosts costs(context.sync);
  for (std::uint32_t rank = 0; rank < context.sync.size(); ++rank) {
    if (context.sync[rank].size() < 2 || !has_forks(context.sync[rank][0].points)) continue;
    pass_idleness_on(context, rank, costs);
    if (context.world.is_hosted(rank)) charge_idleness(context, rank, into[rank][0]);
  }
  propagate_costs(context, instances, costs);
  Classification classification(context, into);
  for (std::uint32_t rank = 0; rank < instances.size(); ++rank) {
    if (context.world.is_hosted(rank)) Booking(context, costs, into).book(instances[rank]);
    classification.add(instances[rank]);
    classification.book_propagating(rank);
  }
}

}  // namespace tarry

// delay_costs.cpp -- books delay costs: short-term, long-term, direct and indirect, propagating and terminal.
//
//   waiter   ...A=====|                     wait W at the waiter
//   cause    ...[ does more than the waiter ]      excess time per call path: delay D
//            ...A==|                               the cause's own earlier waits: w
//
// Each tick of excess time pays W / (D + w). What falls on the cause's own waits is passed on to their causes. There it
// becomes a long-term cost of a call path. Source: docs/METRICS.md, "Delay costs"; Boehme, chapter 4.
#include "analysis/delay/delay_costs.hpp"

#include <algorithm>
#include <optional>

#include "base/processes/thread_owned.hpp"
#include "base/processes/worker_pool.hpp"

#include "analysis/delay/cause_rows.hpp"
#include "analysis/delay/delay_propagation.hpp"
#include "analysis/delay/iteration_costs.hpp"
#include "analysis/severities.hpp"

namespace tarry {
namespace {

// Calls visit(begin, end, first point, end point) for the serial segments of a master: positions in its time log, and
// the sync points in between.
template <class Visit>
void for_each_serial_segment(const Indexed<SyncIndex, Rows<SyncPoint>>& points, LogPosition log_end, Visit visit) {
  LogPosition begin = 0;
  SyncIndex first_point{0};
  for (const SyncIndex at : points.ids()) {
    if (points[at].kind != SyncKind::kFork) continue;
    visit(begin, points[at].position, first_point, at);
    begin = points[at].with.join();
    first_point = IntervalTimes::after(at);
    while (points.has(first_point) && points[first_point].position < begin) ++first_point.value;
  }
  visit(begin, log_end, first_point, points.next_id());
}

bool has_forks(const Rows<SyncPoint>& points) {
  return std::any_of(points.begin(), points.end(), [](const SyncPoint& p) { return p.kind == SyncKind::kFork; });
}

// The master's serial time keeps its workers idle: (threads - 1) x time is charged to what it waits for ...
void pass_idleness_on(const DelayContext& context, RankIndex rank, WaitCosts& costs) {
  const auto& points = context.sync[rank][kMaster].points;
  const auto idle = static_cast<double>(context.sync[rank].size() - 1);
  for_each_serial_segment(points, 0, [&](LogPosition, LogPosition, SyncIndex first_point, SyncIndex end_point) {
    for (SyncIndex at = first_point; at < end_point; ++at.value)
      if (points[at].wait > 0)
        costs.of({rank, kMaster, at})[costs.place_of(WaitKind::kIdleThreads)] +=
            idle * static_cast<double>(context.counted_wait({rank, kMaster, at}));
  });
}

// ... and to its own call paths.
void charge_idleness(const DelayContext& context, RankIndex rank, Severities& into, IterationCosts* iterations) {
  const LogicalThread& master = context.trace.ranks()[rank].threads[kMaster];
  const SyncPoints& points = context.sync[rank][kMaster];
  IntervalScratch scratch;
  IntervalTimes times(context, rank, kMaster, scratch);
  const auto idle = static_cast<double>(context.sync[rank].size() - 1);
  for_each_serial_segment(points.points, master.log.end(),
                          [&](LogPosition begin, LogPosition end, SyncIndex first_point, SyncIndex end_point) {
                            for (const PathTime& entry : times.without_waits(begin, end, first_point, end_point))
                              into.add(Metric::kDelayIdleThreads, entry.path, idle * static_cast<double>(entry.time));
                            if (iterations) iterations->add_idleness(begin, end, first_point, end_point, idle);
                          });
}

// Books the instances of causes.
class Booking {
 public:
  Booking(const DelayContext& context, WaitCosts& costs, CauseCollector& causes)
      : context_(context), costs_(costs), causes_(causes) {}

  /// `iterations`: nullptr without a time series; `events`: nullptr if single delays are not asked for.
  void book(RankIndex rank, const DelayInstances& of_cause, ThreadSeverities& into, IterationCosts* iterations,
            DelayEventCollector* events) {
    ThreadBookedCosts& booked = cleared(into.size());
    CostByClass shares{};
    for (const DelayInstance& instance : of_cause.all) {
      const std::span<const double> waiter_costs = costs_.of(instance.waiter);
      long_term_shares(instance, costs_, waiter_costs, context_.compatibility, shares);
      BookedCosts& at_cause = booked[instance.cause.thread];
      const WaitClasses classes = costs_.classes_of(instance);
      for (std::uint32_t i = instance.excess_begin; i < instance.excess_end; ++i) {
        const auto time = static_cast<double>(of_cause.excess[i].time);
        at_cause.add(of_cause.excess[i].path, classes, instance.share * time, shares, time);
        if (iterations) divide(instance, of_cause.excess[i], classes, shares, *iterations);
      }
      if (events) events->add(instance, of_cause.excess, shares);
      if (instance.delay + instance.propagating == 0 && context_.compatibility.charges_causeless_waits())
        charge_operation(instance, waiter_costs, at_cause, iterations, events);
    }
    if (!context_.groups.empty()) causes_.add(rank, booked, costs_);
    for (const ThreadIndex t : into.ids()) booked[t].move_to(into[t], costs_.kinds());
  }

 private:
  // For each thread of a cause. They belong to the calling thread, which uses their memory for the next cause.
  ThreadBookedCosts& cleared(std::size_t threads) const {
    thread_local ThreadOwned<ThreadBookedCosts> mine;
    mine.resize(threads);
    for (BookedCosts& of_thread : mine) of_thread.start(costs_.classes());
    return mine;
  }

  static void divide(const DelayInstance& instance, const PathTime& excess, const WaitClasses& classes,
                     const CostByClass& shares, IterationCosts& iterations) {
    for (const SlotTime& part : iterations.divide(instance, excess)) {
      const auto time = static_cast<double>(part.time);
      iterations.booked(instance.cause.thread).add(part.slot, classes, instance.share * time, shares, time);
    }
  }

  // No process did more than the waiter, and none waited before: the operation itself was slow.
  void charge_operation(const DelayInstance& instance, std::span<const double> waiter_costs, BookedCosts& at_cause,
                        IterationCosts* iterations, DelayEventCollector* events) const {
    const SyncPoint& cause = point_at(context_.sync, instance.cause);
    CostByClass long_term{};
    std::copy(waiter_costs.begin(), waiter_costs.end(), long_term.begin());
    const WaitClasses classes = costs_.classes_of(instance);
    const auto wait = static_cast<double>(context_.counted_wait(instance.waiter));
    const PathIndex path = context_.tree.to_unified[instance.cause.rank][cause.path];
    at_cause.add(path, classes, wait, long_term, 1);
    if (events) events->add_operation(instance, path, wait, long_term);
    if (const std::uint32_t slot = context_.slots.slot_of(instance.cause.rank, cause.path);
        iterations && slot != IterationSlots::kNone)
      iterations->booked(instance.cause.thread).add(slot, classes, wait, long_term, 1);
  }

  const DelayContext& context_;
  WaitCosts& costs_;
  CauseCollector& causes_;
};

// Waits in messages: how much of each was caused by waiting, and how much of it caused waiting.
class Classification {
 public:
  Classification(const DelayContext& context, const WaitCosts& costs)
      : context_(context), costs_(costs), indirect_(context.trace.budget()) {
    indirect_.resize(costs.wait_count());
  }

  // What each wait in a message owes to waits of its cause. Each has one instance, so all causes can be looked at at
  // once.
  void find_indirect(const DelayInstances& of_cause) {
    for (const DelayInstance& instance : of_cause.all)
      if (is_message(instance.kind))
        indirect_[costs_.number_of(instance.waiter)] = instance.share * static_cast<double>(instance.propagating);
  }

  void book(RankIndex rank, const DelayInstances& as_cause, ThreadSeverities& into, IterationCosts* iterations) const {
    const ThreadSyncPoints& threads = context_.sync[rank];
    const PropagatingShares propagating = find_propagating(rank, as_cause);
    for (const ThreadIndex t : threads.ids()) {
      std::size_t number = 0;  // of waits of the thread
      for (const SyncIndex at : threads[t].points.ids()) {
        const SyncPoint& point = threads[t].points[at];
        if (point.wait <= 0) continue;
        if (is_message(point.kind)) {
          const bool is_sender = point.kind == SyncKind::kLateSender;
          const auto add = [&](Metric metric, double value) {
            into[t].add(metric, context_.tree.to_unified[rank][point.path], value);
            if (iterations) iterations->add(t, metric, point.path, value);
          };
          add(is_sender ? Metric::kIndirectLateSender : Metric::kIndirectLateReceiver,
              indirect_[costs_.of_thread(rank, t).first() + number]);
          if (!propagating[t].empty())
            add(is_sender ? Metric::kPropagatingLateSender : Metric::kPropagatingLateReceiver,
                propagating[t][number] * static_cast<double>(context_.counted_wait({rank, t, at})));
        }
        ++number;
      }
    }
  }

 private:
  using PropagatingShares = Indexed<ThreadIndex, std::vector<std::vector<double>>>;

  // The largest share of each wait of the cause that an instance took, per thread and wait; empty if none did.
  PropagatingShares find_propagating(RankIndex rank, const DelayInstances& as_cause) const {
    PropagatingShares all(context_.sync[rank].size());
    for (const DelayInstance& instance : as_cause.all) {
      if (!context_.compatibility.propagates_to(instance.kind)) continue;
      // In the end all wait for the last: that tells nothing about what a wait causes.
      if (instance.kind == WaitKind::kFinalize) continue;
      const SyncRef& cause = instance.cause;
      if (instance.first_wait >= cause.point) continue;
      const WaitCosts::OfThread& waits = costs_.of_thread(rank, cause.thread);
      std::vector<double>& largest = all[cause.thread];
      largest.resize(waits.count(), 0);
      // A wait of 2 may be to blame for one of 5; yet no more than all of it propagates.
      const double part = std::min(whole_share(instance), 1.0);
      const std::uint32_t end = waits.ordinal(cause.point);
      for (std::uint32_t i = waits.ordinal(instance.first_wait); i < end; ++i) largest[i] = std::max(largest[i], part);
    }
    return all;
  }

  // As if all of the wait were selected.
  double whole_share(const DelayInstance& instance) const {
    if (context_.counted.empty()) return instance.share;
    return share_of(instance, point_at(context_.sync, instance.waiter).wait, context_.compatibility);
  }

  const DelayContext& context_;
  const WaitCosts& costs_;
  Rows<double> indirect_;  // per wait of the trace
};

}  // namespace

CausesOfWaits book_delays(const DelayContext& context, const DelaysByCause& instances, Results& into,
                          DelayEvents* events) {
  WaitCosts costs(context);
  const auto has_idle_workers = [&](RankIndex rank) {
    return context.sync[rank].size() > 1 && has_forks(context.sync[rank][kMaster].points);
  };
  for (const RankIndex rank : context.sync.ids())
    if (has_idle_workers(rank)) pass_idleness_on(context, rank, costs);
  propagate_costs(context, instances, costs);
  Classification classification(context, costs);
  CauseCollector causes(context);
  std::vector<DelayEvents> single(events ? instances.size() : 0);
  Booking booking(context, costs, causes);
  run_parallel(context.trace.workers(), instances.size(),
               [&](std::size_t cause) { classification.find_indirect(instances[cause]); });
  context.trace.for_each_hosted([&](RankIndex rank) {
    if (context.sync[rank].empty()) return;
    ThreadSeverities& threads = empty_severities(context.sync[rank].size(), into.values, into.column(rank, kMaster));
    std::optional<IterationCosts> by_slots;
    if (context.slots.are_wanted()) by_slots.emplace(context, rank, costs.classes(), into);
    IterationCosts* const iterations = by_slots ? &*by_slots : nullptr;
    if (has_idle_workers(rank)) charge_idleness(context, rank, threads[kMaster], iterations);
    std::optional<DelayEventCollector> collector;
    if (events) collector.emplace(context, rank, costs);
    booking.book(rank, instances[rank], threads, iterations, collector ? &*collector : nullptr);
    if (events) single[rank.value] = collector->take();
    classification.book(rank, instances[rank], threads, iterations);
    for (Severities& thread : threads) thread.move_on();
    if (iterations) iterations->move_on(costs.kinds());
  });
  for (const DelayEvents& of_rank : single) events->insert(events->end(), of_rank.begin(), of_rank.end());
  return causes.gather();
}

}  // namespace tarry

// delay_costs.cpp -- books delay costs: short-term, long-term, direct and indirect, propagating and terminal.
//
//   waiter   ...A=====|                     wait W at the waiter
//   cause    ...[ does more than the waiter ]      excess time per call path: delay D
//            ...A==|                               the cause's own earlier waits: w
//
// Each tick of excess time pays W / (D + w); what falls on the cause's own waits is passed on to their causes, and
// comes back to somebody's call path as long-term cost. Source: docs/METRICS.md, "Delay costs"; Boehme, chapter 4.
#include "analysis/delay/delay_costs.hpp"

#include <algorithm>

#include "base/worker_pool.hpp"

#include "analysis/delay/delay_propagation.hpp"
#include "analysis/severities.hpp"

namespace tarry {
namespace {

// Calls visit(begin, end, first point, end point) for the serial segments of a master: positions in its time log, and
// the sync points in between.
template <class Visit>
void for_each_serial_segment(const Rows<SyncPoint>& points, LogPosition log_end, Visit visit) {
  LogPosition begin = 0;
  SyncIndex first_point = 0;
  for (SyncIndex at = 0; at < points.size(); ++at) {
    if (points[at].kind != SyncKind::kFork) continue;
    visit(begin, points[at].position, first_point, at);
    begin = points[at].partner;  // where the team was joined
    first_point = at + 1;
    while (first_point < points.size() && points[first_point].position < begin) ++first_point;
  }
  visit(begin, log_end, first_point, static_cast<SyncIndex>(points.size()));
}

bool has_forks(const Rows<SyncPoint>& points) {
  return std::any_of(points.begin(), points.end(), [](const SyncPoint& p) { return p.kind == SyncKind::kFork; });
}

// The master's serial time keeps its workers idle: (threads - 1) x time is charged to what it waits for ...
void pass_idleness_on(const DelayContext& context, std::uint32_t rank, WaitCosts& costs) {
  const Rows<SyncPoint>& points = context.sync[rank][0].points;
  const auto idle = static_cast<double>(context.sync[rank].size() - 1);
  for_each_serial_segment(points, 0, [&](LogPosition, LogPosition, SyncIndex first_point, SyncIndex end_point) {
    for (SyncIndex at = first_point; at < end_point; ++at)
      if (points[at].wait > 0)
        costs.of(rank, 0, at)[costs.place_of(WaitKind::kIdleThreads)] +=
            idle * static_cast<double>(context.counted_wait({rank, 0, at}));
  });
}

// ... and to its own call paths.
void charge_idleness(const DelayContext& context, std::uint32_t rank, Severities& into) {
  const LogicalThread& master = context.trace.ranks()[rank].threads[0];
  const SyncPoints& points = context.sync[rank][0];
  IntervalScratch scratch;
  IntervalTimes times(master, points, context.tree.to_unified[rank], context.compatibility.caps_time_vectors(), scratch,
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
  Booking(const DelayContext& context, WaitCosts& costs, std::vector<Severities>& into)
      : context_(context), costs_(costs), into_(into) {
    for (const WaitKind kind : costs.kinds()) long_term_.push_back(cost_of(kind).long_term);
  }

  void book(const DelayInstances& of_cause) {
    for (const DelayInstance& instance : of_cause.all) {
      const SyncRef& waiter = instance.waiter;
      const Ticks wait = context_.counted_wait(waiter);
      const std::span<const double> waiter_costs = costs_.of(waiter.rank, waiter.thread, waiter.point);
      const double own = own_share(instance, wait, context_.compatibility);
      long_term_shares(instance, costs_, waiter_costs, context_.compatibility, shares_);
      for (std::uint32_t i = instance.excess_begin; i < instance.excess_end; ++i) {
        const auto time = static_cast<double>(of_cause.excess[i].time);
        charge(instance, of_cause.excess[i].path, own * time, shares_, time);
      }
      if (instance.delay + instance.propagating == 0 && context_.compatibility.charges_causeless_waits())
        charge_operation(instance, wait, waiter_costs);
    }
  }

 private:
  void charge(const DelayInstance& instance, PathIndex path, double short_term, std::span<const double> long_term, double time) {
    Severities::OfPath at_cause = into_[instance.cause.thread].of(path);
    at_cause.add(cost_of(instance.kind).short_term, short_term);
    for (std::size_t k = 0; k < long_term_.size(); ++k) at_cause.add(long_term_[k], long_term[k] * time);
  }

  // Nobody did more than the waiter, nobody waited before: the operation itself was slow.
  void charge_operation(const DelayInstance& instance, Ticks wait, std::span<const double> waiter_costs) {
    const SyncPoint& cause = context_.sync[instance.cause.rank][instance.cause.thread].points[instance.cause.point];
    const PathIndex path = context_.tree.to_unified[instance.cause.rank][cause.path];
    charge(instance, path, static_cast<double>(wait), waiter_costs, 1);
  }

  const DelayContext& context_;
  WaitCosts& costs_;
  std::vector<Severities>& into_;  // of the cause's threads
  std::vector<Metric> long_term_;  // of the kinds of waits that the trace has
  CostByKind shares_{};            // of the instance that is being booked
};

// Waits in messages: how much of each was caused by waiting, and how much of it caused waiting.
class Classification {
 public:
  Classification(const DelayContext& context, const WaitCosts& costs) : context_(context), costs_(costs) {
    indirect_.resize(costs.wait_count());
  }

  // What each wait in a message owes to waits of its cause. Each has one instance, so all causes can be looked at at
  // once.
  void find_indirect(const DelayInstances& of_cause) {
    for (const DelayInstance& instance : of_cause.all)
      if (is_message(instance.kind))
        indirect_[costs_.number_of(instance.waiter.rank, instance.waiter.thread, instance.waiter.point)] =
            own_share(instance, context_.counted_wait(instance.waiter), context_.compatibility) *
            static_cast<double>(instance.propagating);
  }

  void book(std::uint32_t rank, const DelayInstances& as_cause, std::vector<Severities>& into) const {
    const std::vector<SyncPoints>& threads = context_.sync[rank];
    const std::vector<std::vector<double>> propagating = find_propagating(as_cause, threads);
    for (std::uint16_t t = 0; t < threads.size(); ++t)
      for (SyncIndex at = 0; at < threads[t].points.size(); ++at) {
        const SyncPoint& point = threads[t].points[at];
        if (point.wait <= 0 || !is_message(point.kind)) continue;
        const bool is_sender = point.kind == SyncKind::kLateSender;
        const PathIndex path = context_.tree.to_unified[rank][point.path];
        into[t].add(is_sender ? Metric::kIndirectLateSender : Metric::kIndirectLateReceiver, path,
                    indirect_[costs_.number_of(rank, t, at)]);
        if (!propagating[t].empty())
          into[t].add(is_sender ? Metric::kPropagatingLateSender : Metric::kPropagatingLateReceiver, path,
                      propagating[t][at]);
      }
  }

 private:
  // The largest share of each wait in a message of the cause that an instance took, per thread and sync point; empty if
  // none did.
  std::vector<std::vector<double>> find_propagating(const DelayInstances& as_cause,
                                                    const std::vector<SyncPoints>& threads) const {
    std::vector<std::vector<double>> all(threads.size());
    for (const DelayInstance& instance : as_cause.all) {
      if (!context_.compatibility.propagates_to(instance.kind)) continue;
      // In the end all wait for the last: that says nothing about what a wait leads to.
      if (instance.kind == WaitKind::kFinalize) continue;
      const SyncRef& cause = instance.cause;
      const Rows<SyncPoint>& points = threads[cause.thread].points;
      std::vector<double>& largest = all[cause.thread];
      // A wait of 2 may be to blame for one of 5; yet no more than all of it propagates.
      const double part = std::min(own_share(instance, instance.wait, context_.compatibility), 1.0);
      for (SyncIndex at = instance.first_wait; at < cause.point; ++at) {
        if (points[at].wait <= 0 || !is_message(points[at].kind)) continue;
        largest.resize(points.size(), 0);
        const auto wait = static_cast<double>(context_.counted_wait({cause.rank, cause.thread, at}));
        largest[at] = std::max(largest[at], part * wait);
      }
    }
    return all;
  }

  const DelayContext& context_;
  const WaitCosts& costs_;
  Rows<double> indirect_;  // per wait of the trace
};

}  // namespace

void delay_costs(const DelayContext& context, Results& into, Instances& severe) {
  const std::vector<DelayInstances> instances = find_delay_instances(context);
  if (!severe.empty()) name_delays(context, instances, severe);
  WaitCosts costs(context);
  const auto has_idle_workers = [&](std::uint32_t rank) {
    return context.sync[rank].size() > 1 && has_forks(context.sync[rank][0].points);
  };
  for (std::uint32_t rank = 0; rank < context.sync.size(); ++rank)
    if (has_idle_workers(rank)) pass_idleness_on(context, rank, costs);
  propagate_costs(context, instances, costs);
  Classification classification(context, costs);
  run_parallel(context.trace.workers(), instances.size(),
               [&](std::size_t cause) { classification.find_indirect(instances[cause]); });
  context.trace.for_each_hosted([&](RankIndex index) {
    const std::uint32_t rank = index.value;
    if (context.sync[rank].empty()) return;
    ThreadSeverities& threads =
        empty_severities(context.sync[rank].size(), into.values, into.column(index, kMaster));
    if (has_idle_workers(rank)) charge_idleness(context, rank, threads[0]);
    Booking(context, costs, threads).book(instances[rank]);
    classification.book(rank, instances[rank], threads);
    for (Severities& thread : threads) thread.move_on();
  });
}

}  // namespace tarry

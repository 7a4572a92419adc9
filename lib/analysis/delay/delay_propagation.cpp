// delay_propagation.cpp -- costs travel backwards from wait to wait.
#include "analysis/delay/delay_propagation.hpp"

#include <algorithm>

#include "base/worker_pool.hpp"

namespace tarry {

WaitCosts::WaitCosts(const DelayContext& context) {
  const auto& sync = context.sync;
  lanes_.resize(sync.size());
  run_parallel(context.trace.workers(), sync.size(), [&](std::size_t rank) {
    lanes_[rank].resize(sync[rank].size());
    for (std::size_t t = 0; t < sync[rank].size(); ++t) number(lanes_[rank][t], sync[rank][t].points);
  });
  std::uint32_t kinds = 0;
  for (std::vector<Lane>& lanes : lanes_) {
    // The master's serial time keeps its workers idle, whatever the program waits for.
    if (lanes.size() > 1) kinds |= 1u << static_cast<unsigned>(WaitKind::kIdleThreads);
    for (Lane& lane : lanes) {
      lane.first = wait_count_;
      wait_count_ += lane.waits.size();
      kinds |= lane.kinds;
    }
  }
  add_kinds(kinds);
  costs_.resize(wait_count_ * kinds_.size());
}

void WaitCosts::number(Lane& lane, const Rows<SyncPoint>& points) {
  lane.ordinal.resize(points.size());
  for (SyncIndex at = 0; at < points.size(); ++at) {
    lane.ordinal[at] = static_cast<std::uint32_t>(lane.waits.size());
    if (points[at].wait <= 0) continue;
    lane.waits.push_back(static_cast<double>(points[at].wait));
    if (const WaitKind kind = wait_kind(points[at].kind); kind != WaitKind::kNone)
      lane.kinds |= 1u << static_cast<unsigned>(kind);
  }
  lane.waits.finish();
}

void WaitCosts::add(const SyncRef& end, SyncIndex first, const CostByKind& shares) {
  if (first >= end.point) return;
  const Lane& lane = lanes_[end.rank][end.thread];
  const std::uint32_t stop = lane.ordinal[end.point];
  double* cost = costs_.data() + (lane.first + lane.ordinal[first]) * kinds_.size();
  for (std::uint32_t at = lane.ordinal[first]; at < stop; ++at)
    for (std::size_t k = 0; k < kinds_.size(); ++k) *cost++ += shares[k] * lane.waits[at];
}

void WaitCosts::add_kinds(std::uint32_t bits) {
  for (std::size_t kind = 0; kind < kWaitKinds; ++kind)
    if (bits >> kind & 1) kinds_.push_back(static_cast<WaitKind>(kind));
  place_.fill(kinds_.size());
  for (std::size_t k = 0; k < kinds_.size(); ++k) place_[static_cast<std::size_t>(kinds_[k])] = k;
}

double own_share(const DelayInstance& instance, Ticks wait, const Compatibility& compatibility) {
  const double base = static_cast<double>(instance.delay + instance.propagating);
  if (base == 0) return 0;
  const double share = static_cast<double>(wait) / base;
  return compatibility.limited_share(instance.kind, share);
}

void long_term_shares(const DelayInstance& instance, const WaitCosts& costs, std::span<const double> waiter_costs,
                      const Compatibility& compatibility, CostByKind& into) {
  const double base = static_cast<double>(instance.delay + instance.propagating);
  for (std::size_t k = 0; k < waiter_costs.size(); ++k) into[k] = base == 0 ? 0 : waiter_costs[k] / base;
  if (instance.kind == WaitKind::kThreadBarrier && !compatibility.continues_thread_barrier_chains())
    into[costs.place_of(WaitKind::kThreadBarrier)] = 0;
}

namespace {

// Walks all threads backwards at the same time, as far as those who waited have been seen.
class BackwardWalk {
 public:
  BackwardWalk(const DelayContext& context, const std::vector<DelayInstances>& instances, WaitCosts& costs)
      : context_(context), costs_(costs) {
    for (const auto& threads : context.sync) {
      first_lane_.push_back(static_cast<std::uint32_t>(lanes_.size()));
      for (const SyncPoints& points : threads)
        lanes_.emplace_back().at = static_cast<SyncIndex>(points.points.size());
    }
    run_parallel(context.trace.workers(), instances.size(), [&](std::size_t rank) { sort_instances(instances[rank]); });
  }

  void run() {
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) ready_.push_back(lane);
    do {
      while (!ready_.empty()) {
        const std::uint32_t lane = ready_.back();
        ready_.pop_back();
        advance(lane);
      }
    } while (force_one());
  }

 private:
  struct Lane {
    SyncIndex at = 0;  // sync points from here on are done
    const DelayInstance* all = nullptr;            // instances of the process
    Rows<std::uint32_t> instances;                 // numbers of the thread's own, by cause point; taken from the back
    std::vector<std::uint32_t> blocked_here;       // lanes that wait for this one
  };

  // All of one causing process.
  void sort_instances(const DelayInstances& instances) {
    if (instances.all.empty()) return;
    const Rows<DelayInstance>& all = instances.all;
    for (std::uint32_t i = 0; i < all.size(); ++i) lanes_[lane_of(all[i].cause)].instances.push_back(i);
    const std::uint32_t rank = all[0].cause.rank;
    const auto is_earlier = [&](std::uint32_t a, std::uint32_t b) { return all[a].cause.point < all[b].cause.point; };
    for (std::uint32_t number = first_lane_[rank]; number < first_lane_[rank] + context_.sync[rank].size(); ++number) {
      Lane& lane = lanes_[number];
      lane.all = all.data();
      std::stable_sort(lane.instances.begin(), lane.instances.end(), is_earlier);
      lane.instances.finish();
    }
  }

  std::uint32_t lane_of(const SyncRef& ref) const { return first_lane_[ref.rank] + ref.thread; }

  void advance(std::uint32_t number) {
    Lane& lane = lanes_[number];
    while (!lane.instances.empty()) {
      const DelayInstance& instance = lane.all[lane.instances.back()];
      // Everything behind the cause's point is done; waits there are final.
      move_to(number, instance.cause.point);
      Lane& waiter = lanes_[lane_of(instance.waiter)];
      if (waiter.at > instance.waiter.point) return waiter.blocked_here.push_back(number);
      pass_costs_on(instance);
      lane.instances.pop_back();
    }
    move_to(number, 0);
  }

  void move_to(std::uint32_t number, SyncIndex point) {
    Lane& lane = lanes_[number];
    if (point >= lane.at) return;
    lane.at = point;
    ready_.insert(ready_.end(), lane.blocked_here.begin(), lane.blocked_here.end());
    lane.blocked_here.clear();
  }

  void pass_costs_on(const DelayInstance& instance) {
    if (instance.propagating == 0) return;
    const SyncRef& waiter = instance.waiter;
    long_term_shares(instance, costs_, costs_.of(waiter.rank, waiter.thread, waiter.point), context_.compatibility, shares_);
    shares_[costs_.place_of(instance.kind)] += own_share(instance, context_.counted_wait(waiter), context_.compatibility);
    if (instance.spares_thread_waits)
      spare_thread_waits(instance);
    else
      costs_.add(instance.cause, instance.first_wait, shares_);
  }

  // Adds the costs to all waits but those in thread barriers.
  void spare_thread_waits(const DelayInstance& instance) {
    SyncRef end = instance.cause;
    const Rows<SyncPoint>& points = context_.sync[end.rank][end.thread].points;
    SyncIndex first = instance.first_wait;
    for (SyncIndex at = first; at < instance.cause.point; ++at) {
      if (points[at].kind != SyncKind::kThreadBarrier) continue;
      end.point = at;
      costs_.add(end, first, shares_);
      first = at + 1;
    }
    costs_.add(instance.cause, first, shares_);
  }

  // Contradicting records block one another: the first blocked lane goes on as if its waiter had been seen.
  bool force_one() {
    for (std::uint32_t number = 0; number < lanes_.size(); ++number) {
      Lane& lane = lanes_[number];
      if (lane.instances.empty()) continue;
      pass_costs_on(lane.all[lane.instances.back()]);
      lane.instances.pop_back();
      ready_.push_back(number);
      return true;
    }
    return false;
  }

  const DelayContext& context_;
  WaitCosts& costs_;
  CostByKind shares_{};  // of the instance whose costs are passed on
  std::vector<std::uint32_t> first_lane_;
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> ready_;
};

}  // namespace

void propagate_costs(const DelayContext& context, const std::vector<DelayInstances>& instances, WaitCosts& costs) {
  BackwardWalk(context, instances, costs).run();
}

}  // namespace tarry

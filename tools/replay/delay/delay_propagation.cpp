// delay_propagation.cpp -- costs travel backwards from wait to wait.
#include "delay_propagation.hpp"

#include <algorithm>

namespace tarry {

WaitCosts::WaitCosts(const std::vector<std::vector<SyncPoints>>& sync) {
  std::size_t total = 0;
  for (const auto& threads : sync) {
    std::vector<Lane>& lanes = lanes_.emplace_back();
    for (const SyncPoints& points : threads) {
      Lane& lane = lanes.emplace_back();
      lane.first = total;
      std::uint32_t waiting = 0;
      for (const SyncPoint& point : points.points) {
        lane.ordinal.push_back(waiting);
        waiting += point.wait > 0;
      }
      total += waiting;
    }
  }
  lane_costs_.resize(total);
}

CostShares shares_of(const DelayInstance& instance, Ticks wait, const CostByKind& waiter_costs, const Quirks& quirks) {
  CostShares shares;
  const double base = static_cast<double>(instance.delay + instance.propagating);
  if (base == 0) return shares;
  shares.own = static_cast<double>(wait) / base;
  const bool is_message = instance.kind == WaitKind::kLateSender || instance.kind == WaitKind::kLateReceiver;
  if (is_message && quirks.clips_message_costs) shares.own = std::min(shares.own, 1.0);
  for (std::size_t kind = 0; kind < kWaitKinds; ++kind) shares.long_term[kind] = waiter_costs[kind] / base;
  if (instance.kind == WaitKind::kThreadBarrier && quirks.drops_thread_barrier_chains)
    shares.long_term[static_cast<std::size_t>(WaitKind::kThreadBarrier)] = 0;
  return shares;
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
    for (const DelayInstances& of_rank : instances)
      for (const DelayInstance& instance : of_rank.all) lanes_[lane_of(instance.cause)].instances.push_back(&instance);
    for (Lane& lane : lanes_)
      std::stable_sort(lane.instances.begin(), lane.instances.end(), [](const DelayInstance* a, const DelayInstance* b) {
        return a->cause.point < b->cause.point;
      });
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
    Rows<const DelayInstance*> instances;          // by cause point; taken from the back
    std::vector<std::uint32_t> blocked_here;       // lanes that wait for this one
  };

  std::uint32_t lane_of(const SyncRef& ref) const { return first_lane_[ref.rank] + ref.thread; }

  void advance(std::uint32_t number) {
    Lane& lane = lanes_[number];
    while (!lane.instances.empty()) {
      const DelayInstance& instance = *lane.instances.back();
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
    const CostByKind& waiter_costs = costs_.of(waiter.rank, waiter.thread, waiter.point);
    const CostShares shares = shares_of(instance, context_.counted_wait(waiter), waiter_costs, context_.quirks);
    const auto own = static_cast<std::size_t>(instance.kind);
    const SyncRef& cause = instance.cause;
    const Rows<SyncPoint>& points = context_.sync[cause.rank][cause.thread].points;
    for (SyncIndex at = instance.first_wait; at < cause.point; ++at) {
      if (points[at].wait <= 0) continue;
      if (context_.quirks.reduce_spares_thread_waits && instance.kind == WaitKind::kAllToOne &&
          points[at].kind == WaitKind::kThreadBarrier)
        continue;
      CostByKind& cost = costs_.of(cause.rank, cause.thread, at);
      const auto wait = static_cast<double>(points[at].wait);
      for (std::size_t kind = 0; kind < kWaitKinds; ++kind)
        cost[kind] += (shares.long_term[kind] + (kind == own ? shares.own : 0)) * wait;
    }
  }

  // Contradicting records block one another: the first blocked lane goes on as if its waiter had been seen.
  bool force_one() {
    for (std::uint32_t number = 0; number < lanes_.size(); ++number) {
      Lane& lane = lanes_[number];
      if (lane.instances.empty()) continue;
      pass_costs_on(*lane.instances.back());
      lane.instances.pop_back();
      ready_.push_back(number);
      return true;
    }
    return false;
  }

  const DelayContext& context_;
  WaitCosts& costs_;
  std::vector<std::uint32_t> first_lane_;
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> ready_;
};

}  // namespace

void propagate_costs(const DelayContext& context, const std::vector<DelayInstances>& instances, WaitCosts& costs) {
  BackwardWalk(context, instances, costs).run();
}

}  // namespace tarry

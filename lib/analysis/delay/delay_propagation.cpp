// delay_propagation.cpp -- costs travel backwards from wait to wait.
#include "analysis/delay/delay_propagation.hpp"

#include <algorithm>

#include "base/arrays/sort_runs.hpp"
#include "base/processes/worker_pool.hpp"

namespace tarry {

WaitCosts::WaitCosts(const DelayContext& context) : costs_(context.trace.budget()) {
  const auto& sync = context.sync;
  threads_.resize(sync.size());
  run_parallel(context.trace.workers(), sync.size(), [&](std::size_t i) {
    const RankIndex rank(i);
    threads_[rank].resize(sync[rank].size());
    for (const ThreadIndex t : sync[rank].ids()) number(threads_[rank][t], sync[rank][t].points);
  });
  std::uint32_t kinds = 0;
  for (auto& threads : threads_) {
    // The master's serial time keeps its workers idle, whatever the program waits for.
    if (threads.size() > 1) kinds |= 1u << static_cast<unsigned>(WaitKind::kIdleThreads);
    for (OfThread& thread : threads) {
      thread.first_ = wait_count_;
      wait_count_ += thread.waits_.size();
      kinds |= thread.kinds_;
    }
  }
  add_kinds(kinds);
  classes_ = kinds_.size() + context.groups.all().size();
  costs_.resize(wait_count_ * classes_);
}

void WaitCosts::number(OfThread& thread, const Indexed<SyncIndex, Rows<SyncPoint>>& points) {
  thread.ordinal_ = Rows<std::uint32_t>(points.budget());
  thread.waits_ = Rows<double>(points.budget());
  thread.ordinal_.resize(points.size());
  for (const SyncIndex at : points.ids()) {
    thread.ordinal_[at] = static_cast<std::uint32_t>(thread.waits_.size());
    if (points[at].wait <= 0) continue;
    thread.waits_.push_back(static_cast<double>(points[at].wait));
    if (const WaitKind kind = wait_kind(points[at].kind); kind != WaitKind::kNone)
      thread.kinds_ |= 1u << static_cast<unsigned>(kind);
  }
  thread.waits_.finish();
}

void WaitCosts::add(const SyncRef& end, SyncIndex first, const CostByClass& shares) {
  if (first >= end.point) return;
  const OfThread& thread = of_thread(end.rank, end.thread);
  const std::uint32_t stop = thread.ordinal(end.point);
  double* cost = costs_.data() + (thread.first_ + thread.ordinal(first)) * classes_;
  for (std::uint32_t at = thread.ordinal(first); at < stop; ++at)
    for (std::size_t k = 0; k < classes_; ++k) *cost++ += shares[k] * thread.waits_[at];
}

void WaitCosts::add_kinds(std::uint32_t bits) {
  for (std::size_t kind = 0; kind < kWaitKinds; ++kind)
    if (bits >> kind & 1) kinds_.push_back(static_cast<WaitKind>(kind));
  place_.fill(kinds_.size());
  for (std::size_t k = 0; k < kinds_.size(); ++k) place_[static_cast<std::size_t>(kinds_[k])] = k;
}

void long_term_shares(const DelayInstance& instance, const WaitCosts& costs, std::span<const double> waiter_costs,
                      const Compatibility& compatibility, CostByClass& into) {
  const double base = static_cast<double>(instance.delay + instance.propagating);
  for (std::size_t k = 0; k < waiter_costs.size(); ++k) into[k] = base == 0 ? 0 : waiter_costs[k] / base;
  if (instance.kind == WaitKind::kThreadBarrier && !compatibility.continues_thread_barrier_chains())
    into[costs.place_of(WaitKind::kThreadBarrier)] = 0;
}

namespace {

// Walks all threads backwards at the same time, as far as those who waited have been seen.
class BackwardWalk {
 public:
  BackwardWalk(const DelayContext& context, const DelaysByCause& instances, WaitCosts& costs)
      : context_(context), costs_(costs) {
    for (const auto& threads : context.sync) {
      first_thread_.push_back(threads_.next_id());
      for (const SyncPoints& points : threads) threads_.emplace_back(points.points);
    }
    run_parallel(context.trace.workers(), instances.size(), [&](std::size_t rank) { sort_instances(instances[rank]); });
  }

  void run() {
    for (const ThreadNumber number : threads_.ids()) ready_.push_back(number);
    do {
      while (!ready_.empty()) {
        const ThreadNumber number = ready_.back();
        ready_.pop_back();
        advance(number);
      }
    } while (force_one());
  }

 private:
  using ThreadNumber = StrongId<struct ThreadNumberTag>;  // of all processes

  struct Thread {
    explicit Thread(const Indexed<SyncIndex, Rows<SyncPoint>>& points)
        : at(points.next_id()), instances(points.budget()) {}

    SyncIndex at;                            // sync points from here on are done
    const DelayInstance* all = nullptr;      // instances of the process
    Rows<std::uint32_t> instances;           // positions of the thread's own, by cause point; taken from the back
    std::vector<ThreadNumber> blocked_here;  // threads that wait for this one
  };

  // All of one causing process.
  void sort_instances(const DelayInstances& instances) {
    if (instances.all.empty()) return;
    const Rows<DelayInstance>& all = instances.all;
    for (std::uint32_t i = 0; i < all.size(); ++i) threads_[number_of(all[i].cause)].instances.push_back(i);
    const RankIndex rank = all[0].cause.rank;
    const auto is_earlier = [&](std::uint32_t a, std::uint32_t b) { return all[a].cause.point < all[b].cause.point; };
    for (const ThreadIndex t : context_.sync[rank].ids()) {
      Thread& thread = threads_[number_of({rank, t, {}})];
      thread.all = all.data();
      sort_runs(thread.instances, is_earlier);  // most are in order
      thread.instances.finish();
    }
  }

  ThreadNumber number_of(const SyncRef& ref) const {
    return ThreadNumber(first_thread_[ref.rank].value + ref.thread.value);
  }

  void advance(ThreadNumber number) {
    Thread& thread = threads_[number];
    while (!thread.instances.empty()) {
      const DelayInstance& instance = thread.all[thread.instances.back()];
      // Everything behind the cause's point is done; waits there are final.
      move_to(number, instance.cause.point);
      Thread& waiter = threads_[number_of(instance.waiter)];
      if (waiter.at > instance.waiter.point) return waiter.blocked_here.push_back(number);
      pass_costs_on(instance);
      thread.instances.pop_back();
    }
    move_to(number, SyncIndex(0));
  }

  void move_to(ThreadNumber number, SyncIndex point) {
    Thread& thread = threads_[number];
    if (point >= thread.at) return;
    thread.at = point;
    ready_.insert(ready_.end(), thread.blocked_here.begin(), thread.blocked_here.end());
    thread.blocked_here.clear();
  }

  void pass_costs_on(const DelayInstance& instance) {
    if (instance.propagating == 0) return;
    long_term_shares(instance, costs_, costs_.of(instance.waiter), context_.compatibility, shares_);
    const WaitClasses classes = costs_.classes_of(instance);
    shares_[classes.kind] += instance.share;
    if (classes.has_group) shares_[classes.group] += instance.share;
    if (instance.spares_thread_waits) spare_thread_waits(instance);
    else costs_.add(instance.cause, instance.first_wait, shares_);
  }

  // Adds the costs to all waits but those in thread barriers.
  void spare_thread_waits(const DelayInstance& instance) {
    SyncRef end = instance.cause;
    const auto& points = context_.sync[end.rank][end.thread].points;
    SyncIndex first = instance.first_wait;
    for (SyncIndex at = first; at < instance.cause.point; ++at.value) {
      if (points[at].kind != SyncKind::kThreadBarrier) continue;
      end.point = at;
      costs_.add(end, first, shares_);
      first = IntervalTimes::after(at);
    }
    costs_.add(instance.cause, first, shares_);
  }

  // Contradicting records block one another: the first blocked thread goes on as if its waiter had been seen.
  bool force_one() {
    for (const ThreadNumber number : threads_.ids()) {
      Thread& thread = threads_[number];
      if (thread.instances.empty()) continue;
      pass_costs_on(thread.all[thread.instances.back()]);
      thread.instances.pop_back();
      ready_.push_back(number);
      return true;
    }
    return false;
  }

  const DelayContext& context_;
  WaitCosts& costs_;
  CostByClass shares_{};  // of the instance whose costs are passed on
  Indexed<RankIndex, std::vector<ThreadNumber>> first_thread_;
  Indexed<ThreadNumber, std::vector<Thread>> threads_;
  std::vector<ThreadNumber> ready_;
};

}  // namespace

void propagate_costs(const DelayContext& context, const DelaysByCause& instances, WaitCosts& costs) {
  BackwardWalk(context, instances, costs).run();
}

}  // namespace tarry

// delay_propagation.hpp -- who pays for waits that were caused by waiting: costs travel backwards from wait to wait.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "analysis/delay/delay_instances.hpp"

namespace tarry {

/// Waiting time elsewhere, in ticks, per class of waits: first the kinds that the trace has (WaitCosts::kinds()), then
/// the groups whose causes are told (DelayContext::groups).
using CostByClass = std::array<double, kWaitKinds + WaitGroups::kMost>;

/// What a wait is counted as: places in CostByClass.
struct WaitClasses {
  std::size_t kind = 0;
  std::size_t group = 0;
  bool has_group = false;
};

/// The costs that every waiting sync point is responsible for elsewhere.
class WaitCosts {
 public:
  explicit WaitCosts(const DelayContext& context);

  /// The kinds of waits in the trace. Most programs have few: costs are kept for those alone, in this order.
  const std::vector<WaitKind>& kinds() const { return kinds_; }

  /// Place of a kind in kinds(); kinds().size() if the trace has none of it.
  std::size_t place_of(WaitKind kind) const { return place_[static_cast<std::size_t>(kind)]; }

  /// How many classes there are, and those that the waiter of an instance belongs to.
  std::size_t classes() const { return classes_; }
  WaitClasses classes_of(const DelayInstance& instance) const {
    return {place_of(instance.kind), kinds_.size() + instance.group, instance.group != kNoGroup};
  }

  /// The waits of a thread, numbered in order of its sync points.
  class OfThread {
   public:
    std::size_t first() const { return first_; }  // how many waits of other threads come before
    std::size_t count() const { return waits_.size(); }
    /// Number of the first wait at a sync point or behind it.
    std::uint32_t ordinal(SyncIndex point) const { return ordinal_[point]; }

   private:
    friend class WaitCosts;

    std::size_t first_ = 0;
    Indexed<SyncIndex, Rows<std::uint32_t>> ordinal_;
    Rows<double> waits_;
    std::uint32_t kinds_ = 0;  // a bit for each kind of wait
  };
  const OfThread& of_thread(RankIndex rank, ThreadIndex thread) const { return threads_[rank][thread]; }

  /// Number of waits in the trace, and of one of them.
  std::size_t wait_count() const { return wait_count_; }
  std::size_t number_of(const SyncRef& wait) const {
    const OfThread& thread = of_thread(wait.rank, wait.thread);
    return thread.first_ + thread.ordinal_[wait.point];
  }

  /// Adds costs to the waits of a thread from one sync point on up to another: a share of each tick, per class.
  void add(const SyncRef& end, SyncIndex first, const CostByClass& shares);

  /// One place per class.
  std::span<double> of(const SyncRef& wait) { return {costs_.data() + number_of(wait) * classes_, classes_}; }

 private:
  static void number(OfThread& thread, const Indexed<SyncIndex, Rows<SyncPoint>>& points);
  void add_kinds(std::uint32_t bits);

  Indexed<RankIndex, std::vector<Indexed<ThreadIndex, std::vector<OfThread>>>> threads_;
  std::vector<WaitKind> kinds_;
  std::size_t classes_ = 0;
  std::array<std::size_t, kWaitKinds> place_{};
  std::size_t wait_count_ = 0;
  Rows<double> costs_;
};

/// What each tick of an instance's delay and of the cause's own waits is charged for the consequences of the wait. The
/// costs of the wait are final. Entries behind WaitCosts::classes() keep their values.
void long_term_shares(const DelayInstance& instance, const WaitCosts& costs, std::span<const double> waiter_costs,
                      const Compatibility& compatibility, CostByClass& into);

/// Fills `costs` for all waits. Goes backwards along each thread, and takes each cause after those that waited for it.
/// Where messages of a trace contradict one another, the rest is taken in some fixed order.
/// Source: docs/METRICS.md, "Point-to-point costs"; Boehme, section 4.2.5.
void propagate_costs(const DelayContext& context, const DelaysByCause& instances, WaitCosts& costs);

}  // namespace tarry

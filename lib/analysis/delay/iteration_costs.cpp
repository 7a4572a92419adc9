// iteration_costs.cpp -- delay costs by iterations of a time series: when the cause did what it is charged for.
//
// A delay is found in an interval that may reach over several iterations. What a call path has done more there is
// divided among them as the time of the call path is. Source: docs/METRICS.md, "Time series".
#include "analysis/delay/iteration_costs.hpp"

#include <algorithm>
#include <numeric>

namespace tarry {

IterationCosts::IterationCosts(const DelayContext& context, RankIndex rank, std::size_t classes, Results& into)
    : context_(context),
      rank_(rank),
      own_(context.trace.ranks()[rank].tree.size()),
      booked_(context.sync[rank].size()),
      severities_(context.sync[rank].size()) {
  std::iota(own_.begin(), own_.end(), PathIndex{0});
  for (const ThreadIndex t : severities_.ids()) {
    booked_[t].start(classes);
    severities_[t].send_to(into.iterations, into.column(rank, t));
  }
}

IntervalTimes IterationCosts::times_of(ThreadIndex thread) {
  return IntervalTimes(context_, rank_, thread, scratch_, own_, static_cast<PathIndex>(own_.size()));
}

// Those who waited for the same operation follow one another, and mostly share the interval. Times of all iterations of
// a call path stand together.
const PathTimes& IterationCosts::times_before(const DelayInstance& instance) {
  if (cause_ == instance.cause && first_wait_ == instance.first_wait) return times_;
  cause_ = instance.cause;
  first_wait_ = instance.first_wait;
  const SyncIndex start = first_wait_.value > 0 ? SyncIndex(first_wait_.value - 1) : SyncIndex();
  times_of(cause_.thread).add_pruned(start, cause_.point, scratch_.times);
  scratch_.times.move_to(times_);
  std::ranges::stable_sort(times_, {}, [this](const PathTime& time) { return unified(time); });
  return times_;
}

const std::vector<SlotTime>& IterationCosts::divide(const DelayInstance& instance, const PathTime& excess) {
  parts_.clear();
  if (!context_.slots.is_inside[excess.path]) return parts_;
  const std::uint32_t last = slot_of(point_at(context_.sync, instance.cause).path);
  Ticks whole = 0;
  for (const PathTime& time : std::ranges::equal_range(times_before(instance), excess.path, {},
                                                       [this](const PathTime& of) { return unified(of); })) {
    parts_.push_back({slot_of(time.path), time.time});
    whole += time.time;
  }
  if (whole == 0) parts_.assign(last != IterationSlots::kNone, {last, 0});
  // Whole ticks; the last one gets the rest of the division.
  Ticks left = excess.time;
  for (SlotTime& part : parts_) {
    const auto share = static_cast<Ticks>(static_cast<__int128>(excess.time) * part.time / std::max<Ticks>(1, whole));
    left -= part.time = share;
  }
  if (!parts_.empty()) parts_.back().time += left;
  return parts_;
}

void IterationCosts::add_idleness(LogPosition begin, LogPosition end, SyncIndex first_point, SyncIndex end_point,
                                  double factor) {
  for (const PathTime& entry : times_of(kMaster).without_waits(begin, end, first_point, end_point))
    add(kMaster, Metric::kDelayIdleThreads, entry.path, factor * static_cast<double>(entry.time));
}

void IterationCosts::move_on(const std::vector<WaitKind>& kinds) {
  for (const ThreadIndex t : severities_.ids()) {
    booked_[t].move_to(severities_[t], kinds);
    severities_[t].move_on();
  }
}

}  // namespace tarry

// queue_order.cpp -- work of an accelerator waits in its queue for earlier work that it does not need.
//
//   thread     S[ launch ]
//   queue      [ needed ]D[ not needed ====|....]B[ work ]      wait = B - max(S, D), while the queue works
//
// A queue in order executes each piece of work behind the one before. In another queue the two might overlap. The wait
// is at the work that waits; the other metric is at the work that it waits for. The waits of much work overlap, so
// there each moment counts once.
//
// Needs: LogicalThread::executions, LogicalRank::device_calls. Leaves: nothing.
// Source: docs/METRICS.md, "Queue order".
#include <algorithm>

#include "analysis/waits/pattern.hpp"
#include "replay/scan/time_ranges.hpp"

namespace tarry {
namespace {

/// When work of a queue and all before it had ended, by its number.
class EndOfNumbers {
 public:
  explicit EndOfNumbers(const LogicalThread& queue) {
    for (const Execution& execution : queue.executions)
      if (execution.work != 0) ends_.push_back({execution.work, execution.end});
    std::ranges::sort(ends_);
    for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i].second = std::max(ends_[i].second, ends_[i - 1].second);
  }

  // When it had ended; nullptr if no work of the queue has this number.
  const Ticks* find(std::uint64_t work) const {
    const auto behind = std::ranges::upper_bound(ends_, work, {}, &std::pair<std::uint64_t, Ticks>::first);
    return behind != ends_.begin() && behind[-1].first == work ? &behind[-1].second : nullptr;
  }

 private:
  std::vector<std::pair<std::uint64_t, Ticks>> ends_;
};

/// What a queue executes. Where kernels or copies overlap, a moment belongs to the one that began first.
class QueueWork {
 public:
  struct Part {
    Ticks begin = 0, end = 0;
    PathIndex path = kNoPath;
    Ticks before = 0;  // what counts of the parts before
  };

  explicit QueueWork(const LogicalThread& queue) : queue_(queue) {
    Ticks until = 0, sum = 0;
    for (const Execution& execution : queue.executions) {
      const Ticks begin = parts_.empty() ? execution.begin : std::max(until, execution.begin);
      if (execution.end <= begin) continue;
      parts_.push_back({begin, execution.end, execution.path, sum});
      until = execution.end;
      sum += queue.counted(begin, until);
    }
  }

  const std::vector<Part>& parts() const { return parts_; }

  // In [begin, end), of what counts.
  Ticks within(Ticks begin, Ticks end) const { return until(end) - until(begin); }

 private:
  Ticks until(Ticks time) const {
    const auto behind = std::ranges::upper_bound(parts_, time, {}, &Part::begin);
    if (behind == parts_.begin()) return 0;
    const Part& part = behind[-1];
    return part.before + queue_.counted(part.begin, std::min(part.end, time));
  }

  const LogicalThread& queue_;
  std::vector<Part> parts_;
};

/// The waits of one queue.
class OrderWaits {
 public:
  OrderWaits(const RankContext& context, ThreadIndex queue)
      : rank_(context.rank),
        queue_(rank_.threads[queue]),
        into_(context.threads[queue]),
        ends_(queue_),
        work_(queue_) {}

  void run() {
    std::vector<TimeRanges::Range> waits;
    for (const Execution& execution : queue_.executions) {
      const TimeRanges::Range wait{earliest_begin(execution), execution.begin};
      if (wait.begin >= wait.end) continue;
      into_.add(Metric::kQueueOrder, execution.path, static_cast<double>(work_.within(wait.begin, wait.end)));
      waits.push_back(wait);
    }
    book_holding(TimeRanges(std::move(waits)));
  }

 private:
  // When it could have begun, for what is known.
  Ticks earliest_begin(const Execution& execution) const {
    if (execution.needs == Execution::kUnknownNeeds || !execution.launch.is_valid()) return execution.begin;
    const Ticks launched = rank_.device_calls[execution.launch].enter.time;
    if (execution.needs == 0) return launched;
    const Ticks* const needed = ends_.find(execution.needs);
    return needed ? std::max(launched, *needed) : execution.begin;
  }

  void book_holding(const TimeRanges& waits) {
    for (const QueueWork::Part& part : work_.parts())
      waits.for_each_part(part.begin, part.end, [&](Ticks begin, Ticks end) {
        into_.add(Metric::kQueueHolding, part.path, static_cast<double>(queue_.counted(begin, end)));
      });
  }

  const LogicalRank& rank_;
  const LogicalThread& queue_;
  Severities& into_;
  const EndOfNumbers ends_;
  const QueueWork work_;
};

}  // namespace

void queue_order(const RankContext& context) {
  const auto is_told = [](const Execution& execution) { return execution.needs != Execution::kUnknownNeeds; };
  for (const ThreadIndex t : context.rank.threads.ids())
    if (std::ranges::any_of(context.rank.threads[t].executions, is_told)) OrderWaits(context, t).run();
}

}  // namespace tarry

// device_times.cpp -- what the queues of accelerators do with their time.
//
// A queue's time runs from its first work to its last. Between two pieces of work it is idle. Copies are exposed as far
// as no kernel of the process runs meanwhile. Source: docs/METRICS.md, "Device time".
#include "analysis/device_times.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "replay/scan/time_ranges.hpp"

namespace tarry {
namespace {

/// Times in which any kernel of a process runs.
TimeRanges kernel_times(const LogicalRank& rank) {
  std::vector<TimeRanges::Range> ranges;
  for (const LogicalThread& queue : rank.threads)
    for (const Execution& execution : queue.executions)
      if (!execution.is_copy()) ranges.push_back({execution.begin, execution.end});
  return TimeRanges(std::move(ranges));
}

/// Books the time of a process in which any kernel runs, each part once.
void book_busy_time(const RankContext& context) {
  struct Kernel {
    const Execution* execution;
    ThreadIndex queue;
  };
  std::vector<Kernel> kernels;
  for (const ThreadIndex t : context.rank.threads.ids())
    for (const Execution& execution : context.rank.threads[t].executions)
      if (!execution.is_copy()) kernels.push_back({&execution, t});
  std::ranges::stable_sort(kernels, {}, [](const Kernel& kernel) { return kernel.execution->begin; });
  Ticks busy_until = 0;
  for (const auto& [execution, queue] : kernels) {
    const Ticks begin = std::max(busy_until, execution->begin);
    if (execution->end <= begin) continue;
    const auto busy = static_cast<double>(context.counted(queue, begin, execution->end));
    context.threads[queue].add(Metric::kDeviceBusy, execution->path, busy);
    busy_until = execution->end;
  }
}

class QueueTimes {
 public:
  QueueTimes(const RankContext& context, const TimeRanges& kernels, ThreadIndex queue)
      : queue_(context.rank.threads[queue]), into_(context.threads[queue]), kernels_(kernels) {}

  void run() {
    Ticks busy_until = queue_.executions.empty() ? 0 : queue_.executions[ExecutionIndex(0)].begin;
    for (const Execution& execution : queue_.executions) {
      if (execution.begin > busy_until) add(Metric::kDeviceIdle, execution.path, busy_until, execution.begin);
      const Ticks begin = std::max(busy_until, execution.begin);
      busy_until = std::max(busy_until, execution.end);
      if (execution.is_copy()) copy(execution, begin, busy_until);
      else add(Metric::kDeviceKernels, execution.path, begin, busy_until);
    }
  }

 private:
  // Work that overlaps what began before it counts from where that ends.
  void copy(const Execution& execution, Ticks begin, Ticks end) {
    const bool is_within = execution.kind == WorkKind::kCopyWithin;
    const bool is_in = execution.kind == WorkKind::kCopyToDevice;
    add(Metric::kDeviceCopies, execution.path, begin, end);
    if (!is_within)
      into_.add(is_in ? Metric::kDeviceCopiesIn : Metric::kDeviceCopiesOut, execution.path, counted(begin, end));
    into_.add(Metric::kDeviceCopiesExposed, execution.path, counted(begin, end) - overlapped(begin, end));
    if (!queue_.counts(execution.begin)) return;
    const auto bytes = static_cast<double>(execution.bytes);
    into_.add(Metric::kDeviceBytes, execution.path, bytes);
    if (!is_within) into_.add(is_in ? Metric::kDeviceBytesIn : Metric::kDeviceBytesOut, execution.path, bytes);
  }

  void add(Metric metric, PathIndex path, Ticks begin, Ticks end) {
    into_.add(metric, path, counted(begin, end));
    into_.add(Metric::kDeviceTime, path, counted(begin, end));
  }

  double counted(Ticks begin, Ticks end) const { return static_cast<double>(queue_.counted(begin, end)); }

  // By kernels, of what counts.
  double overlapped(Ticks begin, Ticks end) const {
    if (!queue_.selected) return static_cast<double>(kernels_.overlap(begin, end));
    Ticks sum = 0;
    queue_.selected->for_each_part(begin, end, [&](Ticks first, Ticks last) { sum += kernels_.overlap(first, last); });
    return static_cast<double>(sum);
  }

  const LogicalThread& queue_;
  Severities& into_;
  const TimeRanges& kernels_;
};

}  // namespace

void device_times(const RankContext& context) {
  if (std::ranges::none_of(context.rank.threads, &LogicalThread::is_queue)) return;
  book_busy_time(context);
  const TimeRanges kernels = kernel_times(context.rank);
  for (const ThreadIndex t : context.rank.threads.ids())
    if (context.rank.threads[t].is_queue) QueueTimes(context, kernels, t).run();
}

}  // namespace tarry

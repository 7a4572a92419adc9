// late_kernel.cpp -- a thread waits for the work of an accelerator.
//
//   thread     S[ synchronise ======|..]L       wait = X - S
//   queue      [   kernel           ]X
//
// A call that synchronises waits for the work that ends last inside it, among what was launched before. If it names a
// queue, only that queue is looked at. A call that copies, and is left when its own copies are done, waits until the
// work before them has ended:
//
//   thread     S[ copy =============|.........]L       wait = X - S
//   queue      [   kernel           ]X[ copy ]
//
// Clocks of accelerators are mapped to the host's, so the work may seem to end a little later than the call.
//
// Needs: LogicalRank::device_calls, LogicalThread::executions. Leaves: RankWaits::devices.
// Source: docs/METRICS.md, "Late Kernel".
#include <algorithm>
#include <limits>

#include "analysis/waits/pattern.hpp"

namespace tarry {
namespace {

/// The executions of a queue by their end, which is their order unless several of them ran at once.
class EndedWork {
 public:
  explicit EndedWork(const LogicalThread& queue) : executions_(queue.executions) {
    for (const ExecutionIndex i : executions_.ids()) order_.push_back(i);
    std::ranges::stable_sort(order_, {}, [&](ExecutionIndex i) { return executions_[i].end; });
  }

  // The one that ends last in (begin, end] and was launched by then; none: there is none.
  ExecutionIndex last(const LogicalRank& rank, Ticks begin, Ticks end) const {
    auto later = std::ranges::upper_bound(order_, end, {}, [&](ExecutionIndex i) { return executions_[i].end; });
    while (later != order_.begin()) {
      const Execution& execution = executions_[*--later];
      if (execution.end <= begin) return {};
      if (!execution.launch.is_valid() || rank.device_calls[execution.launch].enter.time <= begin) return *later;
    }
    return {};
  }

 private:
  const Indexed<ExecutionIndex, Rows<Execution>>& executions_;
  std::vector<ExecutionIndex> order_;
};

class LateKernels {
 public:
  explicit LateKernels(const RankContext& context)
      : context_(context),
        rank_(context.rank),
        clock_error_(kDeviceClockError * context.trace.definitions().clock.ticks_per_second) {
    for (const ThreadIndex t : rank_.threads.ids()) {
      if (!rank_.threads[t].is_queue) continue;
      queues_.emplace_back(t, EndedWork(rank_.threads[t]));
      for (const Execution& execution : rank_.threads[t].executions)
        if (execution.is_copy() && execution.launch.is_valid()) add_copy(execution);
    }
  }

  void run() {
    for (const DeviceCallIndex i : rank_.device_calls.ids()) {
      const DeviceCall& call = rank_.device_calls[i];
      if (call.call == AcceleratorCall::kSynchronization) book(i, call, latest_awaited_end(call, clock_error_));
      else if (call.call == AcceleratorCall::kTransfer) transfer(i, call);
    }
  }

 private:
  // When the copies of a call begin, and when the last of them ends.
  struct Copies {
    Ticks begin = std::numeric_limits<Ticks>::max(), end = 0;
  };

  void add_copy(const Execution& execution) {
    Copies& copies = copies_of_.insert(execution.launch);
    copies.begin = std::min(copies.begin, execution.begin);
    copies.end = std::max(copies.end, execution.end);
  }

  void transfer(DeviceCallIndex number, const DeviceCall& call) {
    const Copies* const copies = copies_of_.find(number);
    if (copies && copies->end <= latest_awaited_end(call, clock_error_)) book(number, call, copies->begin);
  }

  // A wait for what ends last until `end`.
  void book(DeviceCallIndex number, const DeviceCall& call, Ticks end) {
    DeviceWait wait{.call = number};
    Ticks until = call.enter.time;
    for (const auto& [queue, work] : queues_) {
      if (call.queue.is_valid() && call.queue != queue) continue;
      const ExecutionIndex last = work.last(rank_, call.enter.time, end);
      if (!last.is_valid() || rank_.threads[queue].executions[last].end <= until) continue;
      until = rank_.threads[queue].executions[last].end;
      wait.queue = queue;
      wait.execution = last;
    }
    if (!wait.queue.is_valid()) return;
    wait.wait = std::min(until, call.leave) - call.enter.time;
    if (wait.wait <= 0) return;
    context_.waits.devices.push_back(wait);
    const bool is_copy = call.call == AcceleratorCall::kTransfer;
    context_.book_wait({.metric = is_copy ? Metric::kLateKernelTransfer : Metric::kLateKernel,
                        .thread = call.thread,
                        .path = call.enter.path,
                        .enter = call.enter.time,
                        .exit = call.leave,
                        .begin = call.enter.time,
                        .wait = wait.wait,
                        .full_wait = wait.wait,
                        .cause = {.rank = context_.rank_index(),
                                  .thread = wait.queue,
                                  .path = rank_.threads[wait.queue].executions[wait.execution].path}});
  }

  const RankContext& context_;
  const LogicalRank& rank_;
  const double clock_error_;  // ticks
  std::vector<std::pair<ThreadIndex, EndedWork>> queues_;
  FlatMap<DeviceCallIndex, Copies> copies_of_;
};

}  // namespace

void late_kernel(const RankContext& context) {
  if (!context.rank.device_calls.empty()) LateKernels(context).run();
}

}  // namespace tarry

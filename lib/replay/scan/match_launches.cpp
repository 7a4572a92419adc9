// match_launches.cpp -- which call has started what a queue of an accelerator executed.
#include "replay/scan/match_launches.hpp"

#include <algorithm>
#include <vector>

namespace tarry {
namespace {

struct QueuedWork {
  ThreadIndex queue{};
  ExecutionIndex execution{};
};

/// Matches calls that launch, or those that copy.
class LaunchMatch {
 public:
  LaunchMatch(LogicalRank& rank, AcceleratorCall call, Ticks clock_error)
      : rank_(rank), call_(call), clock_error_(clock_error) {
    for (const ThreadIndex t : rank_.threads.ids())
      if (rank_.threads[t].is_queue) queues_.push_back(t);
  }

  void run() {
    by_number();
    for (const ThreadIndex& queue : queues_)
      in_order(calls_of([queue](const DeviceCall& call) { return call.work == 0 && call.queue == queue; }),
               work_of({&queue, 1}));
    in_order(calls_of([](const DeviceCall& call) { return call.work == 0 && !call.queue.is_valid(); }),
             work_of(queues_));
  }

 private:
  // By time.
  template <class IsWanted>
  std::vector<DeviceCallIndex> calls_of(IsWanted is_wanted) const {
    std::vector<DeviceCallIndex> calls;
    for (const DeviceCallIndex i : rank_.device_calls.ids())
      if (const DeviceCall& call = rank_.device_calls[i]; call.call == call_ && is_wanted(call)) calls.push_back(i);
    std::ranges::stable_sort(calls, {}, [&](DeviceCallIndex i) { return rank_.device_calls[i].enter.time; });
    return calls;
  }

  // By time; without what is matched already.
  std::vector<QueuedWork> work_of(std::span<const ThreadIndex> queues) const {
    std::vector<QueuedWork> work;
    for (const ThreadIndex queue : queues)
      for (const ExecutionIndex i : rank_.threads[queue].executions.ids()) {
        const Execution& execution = rank_.threads[queue].executions[i];
        const bool is_wanted = execution.is_copy() == (call_ == AcceleratorCall::kTransfer);
        if (is_wanted && !execution.launch.is_valid()) work.push_back({queue, i});
      }
    std::ranges::stable_sort(work, {}, [&](const QueuedWork& each) { return execution_of(each).begin; });
    return work;
  }

  // A number may stand for a place in the program, which launches again and again.
  void by_number() {
    FlatMap<std::uint64_t, std::vector<DeviceCallIndex>> calls;
    for (const DeviceCallIndex i : calls_of([](const DeviceCall& call) { return call.work != 0; }))
      calls.insert(rank_.device_calls[i].work).push_back(i);
    if (calls.size() == 0) return;
    FlatMap<std::uint64_t, std::size_t> seen;
    for (const QueuedWork& each : work_of(queues_)) {
      Execution& execution = execution_of(each);
      const auto* const same = execution.work == 0 ? nullptr : calls.find(execution.work);
      if (!same) continue;
      if (const std::size_t number = seen.insert(execution.work, 0)++; number < same->size())
        execution.launch = (*same)[number];
    }
  }

  Ticks launched(DeviceCallIndex call) const { return rank_.device_calls[call].enter.time; }

  // Whether each work is that of the call with its number.
  bool are_pairs(const std::vector<DeviceCallIndex>& calls, const std::vector<QueuedWork>& work) const {
    if (calls.size() != work.size()) return false;
    for (std::size_t i = 0; i < calls.size(); ++i)
      if (launched(calls[i]) > execution_of(work[i]).begin + clock_error_) return false;
    return true;
  }

  // Where some calls or some work is missing, none has begun before its call.
  void in_order(const std::vector<DeviceCallIndex>& calls, const std::vector<QueuedWork>& work) {
    const bool are_all = are_pairs(calls, work);
    std::size_t next = 0;
    for (const QueuedWork& each : work) {
      if (next == calls.size()) return;
      Execution& execution = execution_of(each);
      if (are_all || launched(calls[next]) <= execution.begin) execution.launch = calls[next++];
    }
  }

  Execution& execution_of(const QueuedWork& work) const { return rank_.threads[work.queue].executions[work.execution]; }

  LogicalRank& rank_;
  const AcceleratorCall call_;
  const Ticks clock_error_;
  std::vector<ThreadIndex> queues_;
};

}  // namespace

void match_launches(LogicalRank& rank, Ticks clock_error) {
  LaunchMatch(rank, AcceleratorCall::kLaunch, clock_error).run();
  LaunchMatch(rank, AcceleratorCall::kTransfer, clock_error).run();
}

}  // namespace tarry

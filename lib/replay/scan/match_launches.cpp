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
      in_order(calls_of(call_, [queue](const DeviceCall& call) { return call.work == 0 && call.queue == queue; }),
               work_of({&queue, 1}));
    in_order(calls_of(call_, [](const DeviceCall& call) { return call.work == 0 && !call.queue.is_valid(); }),
             work_of(queues_));
  }

 private:
  // By time.
  template <class IsWanted>
  std::vector<DeviceCallIndex> calls_of(AcceleratorCall kind, IsWanted is_wanted) const {
    std::vector<DeviceCallIndex> calls;
    for (const DeviceCallIndex i : rank_.device_calls.ids())
      if (const DeviceCall& call = rank_.device_calls[i]; call.call == kind && is_wanted(call)) calls.push_back(i);
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

  // What has the same number, each by time.
  struct Numbered {
    std::vector<DeviceCallIndex> calls;
    std::vector<QueuedWork> work;
  };
  using ByNumber = FlatMap<std::uint64_t, Numbered>;

  ByNumber numbered_calls(AcceleratorCall kind) const {
    ByNumber numbers;
    for (const DeviceCallIndex i : calls_of(kind, [](const DeviceCall& call) { return call.work != 0; }))
      numbers.insert(rank_.device_calls[i].work).calls.push_back(i);
    return numbers;
  }

  // A launch of a graph starts copies, too.
  void by_number() {
    const bool are_launches = call_ == AcceleratorCall::kLaunch;
    ByNumber own = numbered_calls(call_);
    ByNumber other = numbered_calls(are_launches ? AcceleratorCall::kTransfer : AcceleratorCall::kLaunch);
    for (const QueuedWork& each : work_of(queues_)) {
      const std::uint64_t number = execution_of(each).work;
      Numbered* const same = own.find(number);
      if (Numbered* const found = same ? same : other.find(number)) found->work.push_back(each);
    }
    for (const ByNumber* numbers : {&own, &other})
      numbers->for_each([this](std::uint64_t, const Numbered& same) { share_out(same); });
  }

  // A number may stand for a place in the program, which launches again and again, or for a call that starts a graph.
  void share_out(const Numbered& same) const {
    const std::size_t calls = same.calls.size(), work = same.work.size();
    const std::size_t of_each = work % calls == 0 ? work / calls : 1;
    for (std::size_t i = 0; i < std::min(work, calls * of_each); ++i)
      execution_of(same.work[i]).launch = same.calls[i / of_each];
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

// queue_scan.cpp -- the events of the queues of accelerators: kernels are regions, copies are one-sided records.
#include "replay/scan/queue_scan.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "replay/scan/match_launches.hpp"
#include "replay/scan/path_times.hpp"
#include "trace/record.hpp"

namespace tarry {
namespace {

/// Reads one queue.
class QueueScan {
 public:
  QueueScan(ProcessScan& process, LogicalThread& queue) : process_(process), queue_(queue) {}

  void run() {
    const std::unique_ptr<EventReader> reader = process_.source.open(queue_.location);
    for (std::span<const Event> block = reader->next(); !block.empty(); block = reader->next())
      for (const Event& event : block) {
        handle(event);
        ++queue_.event_count;
      }
    if (!kernels_.empty() || !copies_.empty()) fault(Fault::kUnclosedRegion, "work that does not end");
    queue_.executions.append(done_);
    std::ranges::stable_sort(queue_.executions, {}, &Execution::begin);
    queue_.executions.finish();
  }

 private:
  void handle(const Event& event) {
    switch (event.kind) {
      case EventKind::kEnter: return enter(event.time, record_of<record::Enter>(event).region);
      case EventKind::kLeave: return leave(event.time, record_of<record::Leave>(event).region);
      case EventKind::kRmaGet:
        return begin_copy(event.time, WorkKind::kCopyToDevice, record_of<record::RmaGet>(event).bytes);
      case EventKind::kRmaPut:
        return begin_copy(event.time, WorkKind::kCopyToHost, record_of<record::RmaPut>(event).bytes);
      case EventKind::kRmaOpCompleteBlocking:
      case EventKind::kRmaOpCompleteNonBlocking: return end_copy(event.time);
      case EventKind::kAttribute: return attribute(record_of<record::Attribute>(event));
      default: return;
    }
  }

  void enter(Ticks time, RegionId region) {
    if (!process_.regions.is_defined(region)) {
      fault(Fault::kUndefinedReference, "region");
      region = process_.regions.undefined();
    }
    kernels_.push_back({.begin = time, .region = region, .kind = kind_of(region)});
  }

  // Recorders of ours have regions for copies.
  WorkKind kind_of(RegionId region) const {
    const std::string& name = process_.regions.name(region);
    if (name == kCopyToDeviceName) return WorkKind::kCopyToDevice;
    if (name == kCopyWithinName) return WorkKind::kCopyWithin;
    return name == kCopyToHostName ? WorkKind::kCopyToHost : WorkKind::kKernel;
  }

  // Kernels of a queue may overlap. Which one ends was told before, or else it is the earliest of this region.
  void leave(Ticks time, RegionId region) {
    auto ended = find_open(std::exchange(ending_, 0));
    if (ended == kernels_.end())
      ended = std::ranges::find_if(
          kernels_, [region](const Execution& kernel) { return !region.is_valid() || kernel.region == region; });
    if (ended == kernels_.end()) return fault(Fault::kLeaveWithoutEnter);
    add(*ended, time);
    kernels_.erase(ended);
  }

  // The kernel with this number; 0: none.
  std::vector<Execution>::iterator find_open(std::uint64_t work) {
    return std::ranges::find_if(kernels_, [work](const Execution& kernel) { return work != 0 && kernel.work == work; });
  }

  void begin_copy(Ticks time, WorkKind kind, Bytes bytes) {
    copies_.push_back({.begin = time, .bytes = bytes, .kind = kind});
  }

  void end_copy(Ticks time) {
    if (copies_.empty()) return fault(Fault::kLeaveWithoutEnter, "a copy that has not begun");
    add(copies_.front(), time);
    copies_.erase(copies_.begin());
  }

  void add(Execution execution, Ticks time) {
    execution.end = std::max(time, execution.begin);
    done_.push_back(execution);
  }

  void attribute(const record::Attribute& attribute) {
    if (attribute.attribute == kBytesAttribute && !kernels_.empty()) kernels_.back().bytes = attribute.value;
    if (attribute.attribute == kWorkAttribute) number(attribute.value);
    if (Execution* const begun = latest(); begun && attribute.attribute == kNeedsAttribute)
      begun->needs = attribute.value;
  }

  // What has begun last, of what is under way.
  Execution* latest() {
    if (copies_.empty()) return kernels_.empty() ? nullptr : &kernels_.back();
    return kernels_.empty() || kernels_.back().begin < copies_.back().begin ? &copies_.back() : &kernels_.back();
  }

  // Of what has just begun, or ends next.
  void number(std::uint64_t work) {
    if (!kernels_.empty() && kernels_.back().work == 0) kernels_.back().work = work;
    else if (find_open(work) != kernels_.end()) ending_ = work;
    else if (!copies_.empty()) copies_.back().work = work;
  }

  void fault(Fault kind, std::string detail = {}) {
    process_.source.faults().add(kind, location_name(process_.source.definitions(), queue_.location),
                                 queue_.event_count, std::move(detail));
  }

  ProcessScan& process_;
  LogicalThread& queue_;
  std::vector<Execution> kernels_, copies_;  // under way
  std::uint64_t ending_ = 0;                 // the number of the kernel that ends next; 0: not told
  std::vector<Execution> done_;
};

/// Gives a queue, whose launches are known, what every thread has.
class QueueTimes {
 public:
  QueueTimes(ProcessScan& process, ThreadIndex number)
      : process_(process), number_(number), queue_(process.rank.threads[number]), times_(queue_) {}

  void run() {
    if (queue_.executions.empty()) return;
    times_.begin(queue_.executions[ExecutionIndex(0)].begin);
    if (queue_.selected) times_.cut_log(kNoPath, queue_.first_time + 1);
    begin_queue(queue_.executions[ExecutionIndex(0)]);
    for (Execution& execution : queue_.executions) add(execution);
    queue_.last_time = times_.credited();
    times_.finish();
    queue_.starts.finish();
  }

 private:
  // Calls that copy have no region of their own on the queue.
  PathIndex path_of(const Execution& execution) {
    const PathIndex launch =
        execution.launch.is_valid() ? process_.rank.device_calls[execution.launch].enter.path : kNoPath;
    if (!execution.is_copy()) return process_.rank.tree.child(launch, execution.region);
    return launch != kNoPath ? launch : process_.rank.tree.child(kNoPath, process_.regions.undefined());
  }

  void add(Execution& execution) {
    execution.path = path_of(execution);
    execution.before = queue_.log.mark();
    times_.make_room(execution.path);
    queue_.visits[execution.path] += queue_.counts(execution.begin);
    times_.credit(execution.path, execution.end);
    execution.after = queue_.log.mark();
  }

  // The first launch makes the queue begin, as one thread creates another.
  void begin_queue(const Execution& first) {
    if (!first.launch.is_valid() || !process_.keeps.lock_places) return;
    const DeviceCall& launch = process_.rank.device_calls[first.launch];
    ThreadStart start;
    start.contingent = kQueueContingent;
    start.sequence = number_.value;
    start.moment = launch.enter;
    process_.rank.threads[launch.thread].starts.push_back(start);
    start.is_begin = true;
    start.moment = {};
    start.moment.time = first.begin;
    start.moment.path = path_of(first);
    queue_.starts.push_back(start);
  }

  static constexpr std::uint64_t kQueueContingent = ~std::uint64_t{0};  // no communicator of threads

  ProcessScan& process_;
  const ThreadIndex number_;
  LogicalThread& queue_;
  PathTimes times_;
};

// Which call has started what is known there: by other times it might look otherwise.
void retime_work(ProcessScan& process) {
  for (const ThreadIndex t : process.rank.threads.ids()) {
    auto& executions = process.rank.threads[t].executions;
    if (executions.empty()) continue;
    process.keeps.retiming->move_work(process.rank.rank, t, {executions.begin(), executions.end()});
    std::ranges::stable_sort(executions, {}, &Execution::begin);
  }
}

}  // namespace

void scan_queues(ProcessScan& process) {
  if (!process.has_queues) return;
  process.rank.device_calls.finish();
  for (LogicalThread& thread : process.rank.threads)
    if (thread.is_queue) QueueScan(process, thread).run();
  const double ticks_per_second = process.source.definitions().clock.ticks_per_second;
  if (process.keeps.retiming) retime_work(process);
  else match_launches(process.rank, static_cast<Ticks>(kDeviceClockError * ticks_per_second));
  for (const ThreadIndex t : process.rank.threads.ids())
    if (process.rank.threads[t].is_queue) QueueTimes(process, t).run();
}

}  // namespace tarry

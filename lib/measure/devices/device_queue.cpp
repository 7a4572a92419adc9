// device_queue.cpp -- kernels and copies of queues become events.
#include "measure/devices/device_queue.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arrays/flat_map.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/signal_block.hpp"
#include "trace/record.hpp"

namespace tarry::measure {
namespace {

constinit RecorderLock g_lock;
constinit DeviceQueue* g_queues = nullptr;

// Of kernels by the hash of their names, and of copies. Made when it is first needed, and never destroyed.
FlatMap<std::uint64_t, RegionId>& regions() {
  static auto* const all = new FlatMap<std::uint64_t, RegionId>;
  return *all;
}

const char* name_of(const DoneWork& work) {
  switch (work.kind) {
    case DoneWork::Kind::kCopyToDevice: return kCopyToDeviceName;
    case DoneWork::Kind::kCopyToHost: return kCopyToHostName;
    case DoneWork::Kind::kKernel: break;
  }
  return work.kernel && *work.kernel ? work.kernel : "kernel";
}

RegionId region_of(const DoneWork& work, Paradigm paradigm) {
  const std::string_view name = name_of(work);
  RegionId& region = regions().insert(std::hash<std::string_view>()(name), RegionId());
  if (!region.is_valid()) region = definitions().add_region(name, "", 0, paradigm, RegionRole::kFunction);
  return region;
}

// A place on both clocks, and the rate between them since the recording began.
class ClockMap {
 public:
  ClockMap() : here_(read_clocks()), per_ns_(ticks_per_second(clock_at_start(), here_) * 1e-9) {}

  Ticks ticks_at(std::int64_t monotonic_ns) const {
    return here_.ticks + static_cast<Ticks>(static_cast<double>(monotonic_ns - here_.monotonic_ns) * per_ns_);
  }

 private:
  const ClockReading here_;
  const double per_ns_;
};

// Where pieces of work overlap, their begins and ends are in order of time.
struct Step {
  Ticks time = 0;
  const DoneWork* work = nullptr;
  bool is_end = false;
};

void put_step(DeviceQueue& queue, const Step& step) {
  const RegionId region = region_of(*step.work, queue.paradigm);
  if (step.is_end) return queue.events.put(step.time, record::Leave{.region = region});
  queue.events.put(step.time, record::Enter{.region = region});
  queue.events.put(step.time, record::Attribute{.attribute = kWorkAttribute, .value = step.work->work});
  if (step.work->bytes > 0)
    queue.events.put(step.time, record::Attribute{.attribute = kBytesAttribute, .value = step.work->bytes});
}

void close_queues() {
  const Locked lock(g_lock);
  for (DeviceQueue* queue = g_queues; queue; queue = queue->next) {
    queue->is_closed = true;
    queue->events.close(queue->events.last_time());
    note_lost_events(queue->events.lost());
  }
}

}  // namespace

constinit const Adapter kDeviceAdapter = {.threads_have_ended = close_queues};

DeviceQueue* open_device_queue(const char* name, const char* device, Paradigm paradigm) {
  const InHandler memory(InHandler::Locks::kWaitFor);
  auto* const queue = new DeviceQueue;
  const std::optional<std::uint32_t> number = open_queue(name, device, queue->events);
  if (!number) return delete queue, nullptr;
  queue->number = *number;
  queue->paradigm = paradigm;
  const Locked lock(g_lock);
  queue->next = g_queues;
  g_queues = queue;
  return queue;
}

void execute_on_queue(DeviceQueue* queue, const DoneWork* work, std::size_t count) {
  if (queue->is_closed || !is_recording()) return;
  const InHandler memory(InHandler::Locks::kWaitFor);
  const ClockMap clock;
  std::vector<Step> steps;
  for (std::size_t i = 0; i < count; ++i) {
    steps.push_back({clock.ticks_at(work[i].begin_ns), &work[i], false});
    steps.push_back({clock.ticks_at(work[i].end_ns), &work[i], true});
  }
  std::ranges::stable_sort(steps, {}, &Step::time);
  for (const Step& step : steps) put_step(*queue, step);
}

void run_with_devices(void (*job)(void* closure), void* closure) {
  const Locked lock(g_lock);
  job(closure);
}

}  // namespace tarry::measure

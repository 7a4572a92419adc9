// device_queue.cpp -- kernels and copies of queues become events.
//
// Work is told when it has ended, in whatever order, by threads of drivers. It becomes events in the order of time.
// That is where some has ended and nothing of its queue is under way any more. Where there is much of it, that is the
// older half of it: work that is told late may be older than the rest.
#include "measure/devices/device_queue.hpp"

#include <algorithm>
#include <ctime>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arrays/flat_map.hpp"
#include "base/text/mangled_name.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/core/signal_block.hpp"
#include "trace/record.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kSomeWork = 64, kMuchWork = 8192;
constexpr unsigned kMostQueues = 256;  // each has a block of memory

constinit RecorderLock g_lock, g_layer_lock;
constinit DeviceQueue* g_queues = nullptr;
constinit unsigned g_queue_count = 0;
constinit std::atomic<std::uint64_t> g_work_number = 0, g_lost_work = 0;
constinit std::atomic<void (*)()> g_flush = nullptr;

// Of kernels by the hash of their names, and of copies. Made when it is first needed, and never destroyed.
FlatMap<std::uint64_t, RegionId>& regions() {
  static auto* const all = new FlatMap<std::uint64_t, RegionId>;
  return *all;
}

const char* name_of(const DoneWork& work) {
  switch (work.kind) {
    case DoneWork::Kind::kCopyToDevice: return kCopyToDeviceName;
    case DoneWork::Kind::kCopyToHost: return kCopyToHostName;
    case DoneWork::Kind::kCopyWithin: return kCopyWithinName;
    case DoneWork::Kind::kKernel: break;
  }
  return work.kernel && *work.kernel ? work.kernel : "kernel";
}

RegionId region_of(const DoneWork& work, Paradigm paradigm) {
  if (work.region.is_valid()) return work.region;
  const char* const name = name_of(work);
  RegionId& region = regions().insert(std::hash<std::string_view>()(name), RegionId());
  if (!region.is_valid())
    // CUDA tells the names of the linker.
    region = definitions().add_region(demangled(name).value_or(name), "", 0, paradigm, RegionRole::kFunction);
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
  const RecordedWork* work = nullptr;
  bool is_end = false;
};

void put_work_number(EventBuffer& events, const Step& step) {
  events.put(step.time, record::Attribute{.attribute = kWorkAttribute, .value = step.work->work});
}

// `open`: how many pieces of work have begun and not ended.
void put_step(EventBuffer& events, const Step& step, int open) {
  const RecordedWork& work = *step.work;
  if (step.is_end) {
    // Which one ends is told where there are several.
    if (open > 1) put_work_number(events, step);
    return events.put(step.time, record::Leave{.region = work.region});
  }
  events.put(step.time, record::Enter{.region = work.region});
  put_work_number(events, step);
  if (work.needs != DoneWork::kUnknownNeeds)
    events.put(step.time, record::Attribute{.attribute = kNeedsAttribute, .value = work.needs});
  if (work.bytes > 0) events.put(step.time, record::Attribute{.attribute = kBytesAttribute, .value = work.bytes});
}

// The oldest pieces of work, so many.
void put_done(DeviceQueue& queue, std::size_t count) {
  const ClockMap clock;
  std::vector<Step> steps;
  std::ranges::stable_sort(queue.done, {}, &RecordedWork::begin);
  for (const RecordedWork& work : std::span(queue.done).first(count)) {
    steps.push_back({clock.ticks_at(work.begin), &work, false});
    steps.push_back({clock.ticks_at(work.end), &work, true});
  }
  std::ranges::stable_sort(steps, {}, &Step::time);
  int open = 0;
  for (const Step& step : steps) {
    put_step(queue.events, step, open);
    open += step.is_end ? -1 : 1;
  }
  queue.done.erase(queue.done.begin(), queue.done.begin() + static_cast<std::ptrdiff_t>(count));
}

bool is_any_under_way() {
  for (const DeviceQueue* queue = g_queues; queue; queue = queue->next)
    if (queue->under_way.load() > 0) return true;
  return false;
}

// A driver may tell the end of work a moment after the program has waited for it.
void wait_for_latest() {
  constexpr int kMoments = 50;
  constexpr timespec kMoment = {0, 200'000};
  for (int i = 0; i < kMoments && is_any_under_way(); ++i) clock_nanosleep(CLOCK_MONOTONIC, 0, &kMoment, nullptr);
}

void flush_layer() {
  if (void (*const flush)() = g_flush.load()) flush();
}

void close_queues() {
  wait_for_latest();
  const Locked lock(g_lock);
  constexpr std::uint64_t kEvents = 2;  // of a piece of work
  note_lost_events(kEvents * g_lost_work.load());
  for (DeviceQueue* queue = g_queues; queue; queue = queue->next) {
    put_done(*queue, queue->done.size());
    queue->is_closed = true;
    queue->events.close(queue->events.last_time());
    note_lost_events(queue->events.lost());
  }
}

}  // namespace

constinit const Adapter kDeviceAdapter = {.about_to_end = flush_layer, .threads_have_ended = close_queues};

DeviceQueue* open_device_queue(const char* name, const char* device, Paradigm paradigm) {
  const InHandler memory(InHandler::Locks::kWaitFor);
  const Locked lock(g_lock);
  if (g_queue_count == kMostQueues) return nullptr;
  auto* const queue = new DeviceQueue;
  const std::optional<std::uint32_t> number = open_queue(name, device, queue->events);
  if (!number) return delete queue, nullptr;
  queue->number = *number;
  queue->paradigm = paradigm;
  queue->next = g_queues;
  g_queues = queue;
  if (++g_queue_count == kMostQueues) say("what further queues of accelerators execute is not recorded");
  return queue;
}

std::uint64_t new_work_number() { return g_work_number.fetch_add(1, std::memory_order_relaxed) + 1; }

void note_started_work(DeviceQueue* queue) { queue->under_way.fetch_add(1); }

void record_done_work(DeviceQueue* queue, const DoneWork* work) {
  const InHandler memory(InHandler::Locks::kWaitFor);
  const Locked lock(g_lock);
  const bool is_last = queue->under_way.fetch_sub(1) == 1;
  if (queue->is_closed) return;
  const std::int64_t ahead = work ? queue->clock.after(*work) : 0;
  // A program of MPI may use accelerators before its recording begins.
  if (work && work->end + ahead > clock_at_start().monotonic_ns)
    queue->done.push_back({.region = region_of(*work, queue->paradigm),
                           .bytes = work->bytes,
                           .work = work->work,
                           .needs = work->needs,
                           .begin = work->begin + ahead,
                           .end = work->end + ahead});
  if (is_last && queue->done.size() >= kSomeWork) put_done(*queue, queue->done.size());
  else if (queue->done.size() >= kMuchWork) put_done(*queue, kMuchWork / 2);
}

void note_lost_work(std::uint64_t count) { g_lost_work.fetch_add(count, std::memory_order_relaxed); }

void flush_devices_at_end(void (*flush)()) { g_flush.store(flush); }

void run_with_devices(void (*job)(void* closure), void* closure) {
  const Locked lock(g_layer_lock);
  job(closure);
}

}  // namespace tarry::measure

// queue_turn.cpp -- what commands need, from what those before them have used.
#include "measure/opencl-layer/queue_turn.hpp"

#include <algorithm>

#include "measure/opencl-layer/recorded_function.hpp"

namespace tarry::measure {
namespace {

/// An event of a piece of work that the program may still wait for.
struct WorkEvent : ObjectRecord<cl_event, WorkEvent> {
  std::atomic<const LayerQueue*> queue = nullptr;
  std::atomic<std::uint64_t> work = 0;
};

ObjectTable<cl_event, WorkEvent> g_events;

void raise(std::atomic<std::uint64_t>& latest, std::uint64_t work) {
  std::uint64_t known = latest.load(std::memory_order_relaxed);
  while (known < work && !latest.compare_exchange_weak(known, work, std::memory_order_relaxed)) {
  }
}

// nullptr: the queue has not used it, or is_crowded.
LatestUse* find_use(MemoryObject& memory, const LayerQueue* queue, bool& is_crowded) {
  for (LatestUse& use : memory.uses) {
    const LayerQueue* const user = use.queue.load(std::memory_order_acquire);
    if (user == queue) return &use;
    if (!user) return nullptr;
  }
  is_crowded = true;
  return nullptr;
}

// nullptr: it is used by too many queues.
LatestUse* claim_use(MemoryObject& memory, const LayerQueue* queue) {
  for (LatestUse& use : memory.uses) {
    const LayerQueue* user = nullptr;
    if (use.queue.compare_exchange_strong(user, queue) || user == queue) return &use;
  }
  return nullptr;
}

bool overlaps(const HostUse& a, const CommandOrder::HostCopy& b) {
  return a.begin < b.end.load(std::memory_order_relaxed) && b.begin.load(std::memory_order_relaxed) < a.end;
}

std::uint64_t need_of_host(const CommandOrder& order, const HostUse& host) {
  if (host.begin >= host.end) return 0;
  std::uint64_t needs = order.older_copies.load(std::memory_order_relaxed);
  for (const CommandOrder::HostCopy& copy : order.copies)
    if (overlaps(host, copy) && (host.is_written || copy.is_written.load(std::memory_order_relaxed)))
      needs = std::max(needs, copy.work.load(std::memory_order_relaxed));
  return needs;
}

bool is_same(const HostUse& a, const CommandOrder::HostCopy& b) {
  return a.begin == b.begin && a.end == b.end && a.is_written == b.is_written;
}

CommandOrder::HostCopy& room_for_copy(CommandOrder& order, const HostUse& host) {
  for (CommandOrder::HostCopy& copy : order.copies)
    if (is_same(host, copy)) return copy;
  CommandOrder::HostCopy& oldest = order.copies[order.next_copy.fetch_add(1) % std::size(order.copies)];
  raise(order.older_copies, oldest.work);
  return oldest;
}

void note_host_use(CommandOrder& order, const HostUse& host, std::uint64_t work) {
  if (host.begin >= host.end) return;
  CommandOrder::HostCopy& copy = room_for_copy(order, host);
  copy.begin = host.begin;
  copy.end = host.end;
  copy.is_written = host.is_written;
  copy.work = work;
}

// False: it is used by too many queues.
bool note_use(const MemoryUse& use, const LayerQueue* queue, std::uint64_t work) {
  LatestUse* const latest = claim_use(*use.whole, queue);
  if (latest) raise(use.is_written ? latest->wrote : latest->read, work);
  return latest;
}

}  // namespace

QueueTurn::QueueTurn(LayerQueue& queue) : queue_(queue), order_(queue.order) {
  is_first_inside_ = order_.inside.fetch_add(1) == 0;
  call_ = order_.calls.fetch_add(1) + 1;
  is_known_ = is_first_inside_ && order_.is_kept && !order_.is_barred;
  needs_ = order_.barrier;
}

QueueTurn::~QueueTurn() { order_.inside.fetch_sub(1); }

// Whether the order of calls is that of the commands.
bool QueueTurn::is_alone() const { return is_first_inside_ && order_.calls == call_; }

void QueueTurn::need(const CommandUses& uses) {
  for (const MemoryUse& use : uses) {
    bool is_crowded = false;
    const LatestUse* const latest = find_use(*use.whole, &queue_, is_crowded);
    is_known_ = is_known_ && !is_crowded;
    if (!latest) continue;
    needs_ = std::max(needs_, latest->wrote.load(std::memory_order_relaxed));
    if (use.is_written) needs_ = std::max(needs_, latest->read.load(std::memory_order_relaxed));
  }
  needs_ = std::max(needs_, need_of_host(order_, uses.host));
  is_known_ = is_known_ && uses.are_known();
}

void QueueTurn::need(const WaitList& list) {
  for (std::uint32_t i = 0; list.events && i < list.count; ++i) {
    const WorkEvent* const event = g_events.find(list.events[i]);
    const bool is_own = event && event->queue == &queue_;
    is_known_ = is_known_ && is_own;
    if (is_own) needs_ = std::max(needs_, event->work.load());
  }
}

std::uint64_t QueueTurn::put_work(std::uint64_t work, const CommandUses& uses) {
  const bool is_alone_here = is_alone();
  bool bars = !is_alone_here || !uses.are_known();
  for (const MemoryUse& use : uses) bars |= !note_use(use, &queue_, work);
  if (is_alone_here) note_host_use(order_, uses.host, work);
  if (order_.is_barred.exchange(false) || bars) raise(order_.barrier, work);
  raise(order_.latest, work);
  return is_known_ && is_alone_here ? needs_ : DoneWork::kUnknownNeeds;
}

void QueueTurn::put_barrier(bool has_list) {
  if (!is_alone() || (has_list && !is_known_)) order_.is_barred = true;
  else raise(order_.barrier, has_list ? needs_ : order_.latest.load());
}

void note_event(cl_event event, const LayerQueue* queue, std::uint64_t work) {
  g_events.add(event, [&](WorkEvent& known) {
    known.queue = queue;
    known.work = work;
  });
}

namespace {

// Without a list it waits for all before.
template <auto kMember, class... Args>
cl_int put_barrier(cl_command_queue handle, const WaitList& list, Args... args) {
  LayerQueue* const queue = find_queue(handle);
  if (!queue) return (g_next.*kMember)(handle, args...);
  QueueTurn turn(*queue);
  turn.need(list);
  const cl_int outcome = (g_next.*kMember)(handle, args...);
  if (outcome == CL_SUCCESS) turn.put_barrier(list.count > 0);
  return outcome;
}

cl_int CL_API_CALL barrier(cl_command_queue queue) {
  return put_barrier<&cl_icd_dispatch::clEnqueueBarrier>(queue, {});
}

cl_int CL_API_CALL barrier_with_list(cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
  return put_barrier<&cl_icd_dispatch::clEnqueueBarrierWithWaitList>(queue, {count, list}, count, list, event);
}

cl_int CL_API_CALL wait_for_events(cl_command_queue queue, cl_uint count, const cl_event* list) {
  return put_barrier<&cl_icd_dispatch::clEnqueueWaitForEvents>(queue, {count, list}, count, list);
}

// Without a list it only tells when what came before has ended.
cl_int CL_API_CALL marker_with_list(cl_command_queue queue, cl_uint count, const cl_event* list, cl_event* event) {
  constexpr auto kFunction = &cl_icd_dispatch::clEnqueueMarkerWithWaitList;
  if (count == 0) return g_next.clEnqueueMarkerWithWaitList(queue, count, list, event);
  return put_barrier<kFunction>(queue, {count, list}, count, list, event);
}

// A queue may become one out of order.
struct NoteProperty {
  static void before(cl_command_queue handle, cl_command_queue_properties, cl_bool, cl_command_queue_properties*) {
    if (LayerQueue* const queue = find_queue(handle)) queue->order.is_kept = false;
  }
};

}  // namespace

void replace_order_calls(cl_icd_dispatch& table) {
  using Calls = cl_icd_dispatch;
  put_in_front<&Calls::clRetainEvent>(table, SilentCall<&Calls::clRetainEvent, NoteRetained<g_events>>::call);
  put_in_front<&Calls::clReleaseEvent>(table, SilentCall<&Calls::clReleaseEvent, NoteReleased<g_events>>::call);
  put_in_front<&Calls::clEnqueueBarrier>(table, barrier);
  put_in_front<&Calls::clEnqueueBarrierWithWaitList>(table, barrier_with_list);
  put_in_front<&Calls::clEnqueueWaitForEvents>(table, wait_for_events);
  put_in_front<&Calls::clEnqueueMarkerWithWaitList>(table, marker_with_list);
  put_in_front<&Calls::clSetCommandQueueProperty>(table,
                                                  SilentCall<&Calls::clSetCommandQueueProperty, NoteProperty>::call);
}

}  // namespace tarry::measure

// recorded_function.hpp -- a function of OpenCL that records its calls, made of its place in the loader's table.
//
// Calls: may block.
#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "measure/opencl-layer/kernel_objects.hpp"
#include "measure/opencl-layer/queue_turn.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {

/// Its name and region.
template <auto kMember>
inline DeviceFunction g_function = {"", Paradigm::kOpenCl};

template <auto kMember>
using FunctionAt = std::remove_reference_t<decltype(std::declval<cl_icd_dispatch&>().*kMember)>;

/// Puts a function in front of the one of the driver, if it has one. With a name its calls are recorded.
template <auto kMember>
void put_in_front(cl_icd_dispatch& table, FunctionAt<kMember> function, const char* name = nullptr) {
  if (!(table.*kMember)) return;
  if (name) g_function<kMember>.name = name;
  table.*kMember = function;
}

/// Of a kernel, on the heap; nullptr if it cannot be told.
char* name_of_kernel(cl_kernel kernel);

/// Of a call: nothing is noted.
struct NoNote {};

/// Calls the real function, with Note::before(arguments) and Note::after(result, arguments) around it, if there are
/// such.
template <auto kMember, class Note, class R, class... Args>
R call_and_note(Args... args) {
  if constexpr (requires { Note::before(args...); }) Note::before(args...);
  const R result = (g_next.*kMember)(args...);
  if constexpr (requires { Note::after(result, args...); }) Note::after(result, args...);
  return result;
}

/// Calls nothing but the real function, and is recorded.
template <auto kMember, class Note = NoNote, class Function = FunctionAt<kMember>>
struct PlainCall;

template <auto kMember, class Note, class R, class... Args>
struct PlainCall<kMember, Note, R(CL_API_CALL*)(Args...)> {
  static R CL_API_CALL call(Args... args) {
    const void* const caller = processor::stack_of_caller_here();
    const DeviceCall record = g_hooks->begin(g_function<kMember>, caller);
    const R result = call_and_note<kMember, Note, R, Args...>(args...);
    if (record.thread) g_hooks->end(record, caller, {});
    return result;
  }
};

/// The same, and is not recorded.
template <auto kMember, class Note, class Function = FunctionAt<kMember>>
struct SilentCall;

template <auto kMember, class Note, class R, class... Args>
struct SilentCall<kMember, Note, R(CL_API_CALL*)(Args...)> {
  static R CL_API_CALL call(Args... args) { return call_and_note<kMember, Note, R, Args...>(args...); }
};

/// What a command does, and what its arguments say of it.
struct CommandKind {
  DoneWork::Kind kind = DoneWork::Kind::kKernel;
  int event = -1;   // which argument is the event that the caller wants; -1: the last one
  int kernel = -1;  // which is the kernel
  int bytes = -1;   // which is the number of bytes, or
  int extent = -1;  // three of them that make it
  int reads = -1;   // which memory object it only reads. Without that, `writes` and `kernel` it may use all memory
  int writes = -1;  // which it may write
  int host = -1;  // which is the address of the host's memory that it copies: from the object it reads, or to the other
  bool maps = false;  // it may use any memory of the host
};

/// Whether a command was put into its queue.
inline bool has_succeeded(cl_int outcome) { return outcome == CL_SUCCESS; }
inline bool has_succeeded(const void* mapped) { return mapped != nullptr; }

/// Puts a command into a queue, which is the first argument. Where it fails, the event of the caller is as it was.
template <auto kMember, CommandKind kKind, class Function = FunctionAt<kMember>>
struct EnqueueCall;

template <auto kMember, CommandKind kKind, class R, class... Args>
struct EnqueueCall<kMember, kKind, R(CL_API_CALL*)(Args...)> {
  static constexpr std::size_t kEvent = kKind.event < 0 ? sizeof...(Args) - 1 : static_cast<std::size_t>(kKind.event);

  static R CL_API_CALL call(Args... args) {
    const void* const caller = processor::stack_of_caller_here();
    const std::tuple<Args&...> all(args...);
    LayerQueue* const queue = find_recorded_queue(std::get<0>(all));
    cl_event own = nullptr;
    cl_event*& wanted = std::get<kEvent>(all);
    const bool is_wanted = wanted != nullptr;
    if (queue && !is_wanted) wanted = &own;
    PendingWork work;
    work.queue = queue ? queue->recording : nullptr;
    work.done.kind = kKind.kind;
    std::optional<QueueTurn> turn;
    CommandUses uses;
    if (queue) {
      add_uses(all, uses);
      turn.emplace(*queue);
      turn->need(uses);
      turn->need(WaitList{std::get<kEvent - 2>(all), std::get<kEvent - 1>(all)});
      work.done.work = g_hooks->new_work();
    }
    const DeviceCall record = g_hooks->begin(g_function<kMember>, caller);
    work.done.called = host_ns();
    const R result = (g_next.*kMember)(args...);
    work.done.returned = host_ns();
    if (record.thread) g_hooks->end(record, caller, {work.queue, work.done.work});
    if (queue && has_succeeded(result)) {
      work.done.needs = turn->put_work(work.done.work, uses);
      if (is_wanted) note_event(*wanted, queue, work.done.work);
      watch(all, work, *wanted, is_wanted);
    }
    return result;
  }

 private:
  // Of what no number of bytes is told, any of the host's memory.
  static HostUse host_use(const std::tuple<Args&...>& all) {
    HostUse use{.end = UINTPTR_MAX, .is_written = kKind.maps || kKind.reads >= 0};
    if constexpr (kKind.host >= 0 && kKind.bytes >= 0) {
      use.begin = reinterpret_cast<std::uintptr_t>(std::get<kKind.host>(all));
      use.end = use.begin + std::get<kKind.bytes>(all);
    }
    return use;
  }

  static void add_uses(const std::tuple<Args&...>& all, CommandUses& uses) {
    if constexpr (kKind.kernel >= 0) add_uses_of_kernel(std::get<kKind.kernel>(all), uses);
    if constexpr (kKind.reads >= 0) uses.add(find_memory(std::get<kKind.reads>(all)), false);
    if constexpr (kKind.writes >= 0) uses.add(find_memory(std::get<kKind.writes>(all)), true);
    if constexpr (kKind.host >= 0 || kKind.maps) uses.host = host_use(all);
    if constexpr (kKind.kernel < 0 && kKind.reads < 0 && kKind.writes < 0) uses.set_unknown();
  }

  static void watch(const std::tuple<Args&...>& all, PendingWork& work, cl_event event, bool is_wanted) {
    if (!event || (is_wanted && g_next.clRetainEvent(event) != CL_SUCCESS)) return;
    if constexpr (kKind.kernel >= 0) work.kernel = name_of_kernel(std::get<kKind.kernel>(all));
    if constexpr (kKind.bytes >= 0) work.done.bytes = std::get<kKind.bytes>(all);
    if constexpr (kKind.extent >= 0)
      if (const auto* const extent = std::get<kKind.extent>(all)) work.done.bytes = extent[0] * extent[1] * extent[2];
    watch_work(work, event);
  }
};

}  // namespace tarry::measure

// file_transfers.cpp -- records of reads, writes and flushes.
//
// Most calls are like the one before: the same place in the program, the same file. Such a call is recorded without a
// call of a function. Two time stamps take more than half of what that costs (`make bench FIGURE=file-call-summary`).
#include "measure/io/file_transfers.hpp"

#include "measure/io/encoded_call.hpp"
#include "measure/io/file_call.hpp"
#include "trace/event_codec.hpp"

namespace tarry::measure {
namespace {

// As in OTF2_IoOperationMode.
enum class Mode : std::uint8_t { kRead = 0, kWrite = 1, kFlush = 2, kNone };

constexpr Mode kModes[] = {
#define FILE_FUNCTION(enumerator, name, source, role, mode) Mode::mode,
#include "measure/io/file_functions.def"
#undef FILE_FUNCTION
};

// What is recorded of a transfer beside the call. For callers that hold the gate.
struct FileTransfer {
  std::uint32_t file;
  Mode mode;

  bool is_write() const { return mode == Mode::kWrite; }

  // Tells apart what is under way at the same time: by other threads, and in a signal handler.
  std::uint64_t number_in(const Thread& thread) const {
    return std::uint64_t{thread.number} * 4 + static_cast<std::uint64_t>(mode);
  }

  // How many bytes are asked for, as the record of the begin has it.
  static std::uint64_t wanted_field(Bytes bytes) { return bytes == 0 ? 0 : bytes + 1; }

  void put_begin(Thread& thread, Ticks time, Bytes bytes) const {
    put_guarded(thread, EventKind::kIoOperationBegin, time, file - 1, static_cast<unsigned>(mode), 0u,
                wanted_field(bytes), number_in(thread));
  }
  void put_complete(Thread& thread, Ticks time, Bytes bytes) const {
    put_guarded(thread, EventKind::kIoOperationComplete, time, file - 1, bytes, number_in(thread));
    if (thread.summarises && mode != Mode::kFlush) thread.profile.count_file_operation(file - 1, is_write(), bytes);
  }
};

// What has failed has moved nothing, but it is an operation.
Bytes bytes_moved(ssize_t done) { return done > 0 ? static_cast<Bytes>(done) : 0; }

// Calls `record()` in a step of its own, if the thread is being recorded.
template <class Record>
void in_own_step(Thread& thread, Record record) {
  end_coalesced_visit(thread);
  if (const Guard guard(thread.gate); guard) record();
}

[[gnu::noinline]] FileCall begin_transfer_rarely(FileFunction function, const void* caller, int descriptor,
                                                 std::size_t bytes) {
  const Hook hook;
  Ticks time = 0;
  const FileCall call = begin_rarely(function, caller, descriptor, time);
  if (!call.thread) return call;
  const FileTransfer transfer{call.file, kModes[static_cast<std::size_t>(function)]};
  in_own_step(thread_of(call), [&] { transfer.put_begin(thread_of(call), time, bytes); });
  return call;
}

void end_transfer_rarely(FileCall call, const void* caller, FileTransfer transfer, Ticks time, Bytes bytes) {
  in_own_step(thread_of(call), [&] { transfer.put_complete(thread_of(call), time, bytes); });
  leave_file_call(call, caller, time);
}

// Whether nothing has to be found out about a call. `region` is 0 if it is not defined yet.
bool is_known(const Thread* thread, const void* caller, std::uint32_t file, std::uint32_t region) {
  return thread && is_met(file) && region != 0 && return_address_of(caller) == thread->file_caller &&
         !thread->frames.is_any_call_on_top();
}

// A call about which nothing has to be found out, in another path or on another file than the one before.
[[gnu::noinline]] FileCall begin_known(Thread& thread, FileTransfer transfer, std::uint32_t region, const void* caller,
                                       Ticks time, Bytes bytes) {
  const Hook hook;
  if (!hook.has_memory()) return {};
  const Hold hold(thread.gate);
  thread.frames.push_call(reinterpret_cast<std::uintptr_t>(caller), thread.depth);
  enter_guarded(thread, region, time);
  transfer.put_begin(thread, time, bytes);
  return {&thread, transfer.file};
}

// What a look at the stack tells.
struct Looked {
  Ticks time;
  std::uint32_t region;  // of the call, from where it is made; kNoRegion: nothing can be told
};
constexpr std::uint32_t kNoRegion = ~0u;

[[gnu::noinline]] Looked look_at_stack(Thread& thread, const void* caller, std::uint32_t region) {
  const Hook hook;
  Ticks entered = 0;
  const Hold hold(thread.gate);
  if (!hook.has_memory() || !update_call_path_of(thread, registers_of(caller), entered)) return {0, kNoRegion};
  return {entered ? entered : now(), region_of_call(thread, region)};
}

// Where another path is open, or nothing is plain any more.
[[gnu::noinline]] void end_transfer_otherwise(FileCall call, const void* caller, FileTransfer transfer, Ticks time,
                                              Bytes bytes) {
  const Hook hook;
  end_library_call(
      thread_of(call), caller, time, [&] { end_transfer_rarely(call, caller, transfer, time, bytes); },
      [&](Thread& thread, Ticks at) { transfer.put_complete(thread, at, bytes); });
}

// Of this thread. A signal handler between the begin and the end of a call may leave another call here.
__thread EncodedCall t_call __attribute__((tls_model("initial-exec")));

void trace_begin(Thread& thread, const EncodedCall::Begin& begin, Ticks time) {
  EncodedCall& call = t_call;
  call.set_begin(begin);
  if (thread.events.begin_quickly(time, call.records())) [[likely]]
    return;
  thread.events.enter_in_room(time, begin.region);
  thread.events.put_in_room(EventKind::kIoOperationBegin, time, begin.file, begin.mode, 0u, begin.wanted, begin.number);
}

void trace_end(Thread& thread, const EncodedCall::Begin& begin, Ticks time, Bytes moved) {
  EncodedCall& call = t_call;
  call.set_begin(begin);
  call.set_end(moved);
  if (call.records().tail_bytes) [[likely]]
    return thread.events.end_quickly(time, call.records());
  thread.events.put_in_room(EventKind::kIoOperationComplete, time, begin.file, moved, begin.number);
  thread.events.leave_in_room(time);
}

// A call that is entered, with what its records need at its end.
template <bool kTraces, bool kSummarises>
struct CallAtOnce {
  Thread& thread;
  const EncodedCall::Begin begin;
  const ProfileTree::FilePlace place;

  void enter(Ticks time) const {
    if (kTraces) trace_begin(thread, begin, time);
    if (!kSummarises) return;
    const Bytes fields = kTraces ? t_call.begin_field_bytes()
                                 : ProfileTree::fields_bytes(begin.file, begin.mode, 0, begin.wanted, begin.number);
    thread.profile.begin_operation(place, begin.region, time, fields);
  }
  void leave(Ticks time, bool is_write, Bytes moved) const {
    if (kTraces) trace_end(thread, begin, time, moved);
    if (!kSummarises) return;
    const Bytes fields =
        kTraces ? t_call.end_field_bytes() : ProfileTree::fields_bytes(begin.file, moved, begin.number);
    thread.profile.end_operation(place, time, is_write, moved, fields);
  }
  bool can_leave(std::uintptr_t stack) const {
    return thread.gate.is_open_and_plain() && thread.frames.is_call_on_top(stack) &&
           (!kTraces || thread.events.has_room_at_once()) && (!kSummarises || thread.profile.is_open(place));
  }
};

template <bool kTraces, bool kSummarises, class Real>
ssize_t record_at_once(Thread& thread, FileTransfer transfer, Looked begin, ProfileTree::FilePlace place,
                       const void* caller, Bytes bytes, Real real) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  const CallAtOnce<kTraces, kSummarises> call{thread,
                                              {.region = begin.region,
                                               .file = transfer.file - 1,
                                               .mode = transfer.is_write() ? 1u : 0u,
                                               .wanted = FileTransfer::wanted_field(bytes),
                                               .number = transfer.number_in(thread)},
                                              place};
  {
    const Hold hold(thread.gate);
    thread.frames.push_call(stack, thread.depth);
    ++thread.depth;
    call.enter(begin.time);
  }
  const ssize_t done = real();
  const Ticks end = now();
  const Bytes moved = bytes_moved(done);
  if (!call.can_leave(stack)) [[unlikely]] {
    end_transfer_otherwise({&thread, transfer.file}, caller, transfer, end, moved);
    return done;
  }
  const Hold hold(thread.gate);
  call.leave(end, transfer.is_write(), moved);
  --thread.depth;
  thread.frames.pop();
  return done;
}

// Whether nothing has to be found out about a call, and nothing done before it is recorded.
bool is_usual(const Thread* thread, const void* caller, FileTransfer transfer, std::uint32_t region) {
  return is_known(thread, caller, transfer.file, region) && thread->gate.is_open_and_plain() &&
         !thread->frames.is_top_unclear(reinterpret_cast<std::uintptr_t>(caller)) && transfer.mode != Mode::kFlush;
}

// Makes the `real()` call, and records it. The time stamp comes first because it takes a while: what follows need not
// wait for it.
template <class Real>
ssize_t record_call(FileFunction function, const void* caller, int descriptor, Bytes bytes, Real real) {
  Thread* const thread = t_thread;
  const bool has_path = thread && thread->call_path;
  // Where nothing is recorded, a sandbox may forbid to read the counter.
  const bool is_open = thread && thread->gate.is_open_and_plain();
  Looked begin{is_open && !has_path ? now() : 0, known_region_of(function) - 1};
  const FileTransfer transfer{g_files[descriptor].load(std::memory_order_acquire),
                              kModes[static_cast<std::size_t>(function)]};
  FileCall call;
  if (is_open && is_usual(thread, caller, transfer, begin.region + 1)) [[likely]] {
    if (has_path) begin = look_at_stack(*thread, caller, begin.region);
    if (begin.region != kNoRegion && thread->frames.has_room()) [[likely]] {
      ProfileTree::FilePlace place;
      if (thread->summarises) place = thread->profile.latest_file_place(begin.region, transfer.file - 1);
      const bool has_room = thread->events.has_room_at_once();
      if (thread->summarises && !thread->traces && place.path)
        return record_at_once<false, true>(*thread, transfer, begin, place, caller, bytes, real);
      if (thread->traces && has_room && !thread->summarises)
        return record_at_once<true, false>(*thread, transfer, begin, {}, caller, bytes, real);
      if (thread->traces && has_room && place.path)
        return record_at_once<true, true>(*thread, transfer, begin, place, caller, bytes, real);
      call = begin_known(*thread, transfer, begin.region, caller, begin.time, bytes);
    } else {
      call = begin_transfer_rarely(function, caller, descriptor, bytes);
    }
  } else {
    call = begin_transfer_rarely(function, caller, descriptor, bytes);
  }
  const ssize_t done = real();
  if (call.thread) end_transfer_otherwise(call, caller, {call.file, transfer.mode}, now(), bytes_moved(done));
  return done;
}

}  // namespace

[[gnu::flatten]] ssize_t record_read(int descriptor, void* buffer, std::size_t size, decltype(&::read) real) {
  const auto call = [&] { return real(descriptor, buffer, size); };
  return record_call(FileFunction::kRead, stack_of_caller_here(), descriptor, size, call);
}

[[gnu::flatten]] ssize_t record_write(int descriptor, const void* buffer, std::size_t size, decltype(&::write) real) {
  const auto call = [&] { return real(descriptor, buffer, size); };
  return record_call(FileFunction::kWrite, stack_of_caller_here(), descriptor, size, call);
}

[[gnu::flatten]] ssize_t record_pread(int descriptor, void* buffer, std::size_t size, off64_t offset,
                                      decltype(&::pread64) real) {
  const auto call = [&] { return real(descriptor, buffer, size, offset); };
  return record_call(FileFunction::kPread, stack_of_caller_here(), descriptor, size, call);
}

[[gnu::flatten]] ssize_t record_pwrite(int descriptor, const void* buffer, std::size_t size, off64_t offset,
                                       decltype(&::pwrite64) real) {
  const auto call = [&] { return real(descriptor, buffer, size, offset); };
  return record_call(FileFunction::kPwrite, stack_of_caller_here(), descriptor, size, call);
}

[[gnu::flatten]] void record_transfer(FileFunction function, const void* caller, int descriptor, std::size_t bytes,
                                      ssize_t (*real)(void* closure), void* closure) {
  record_call(function, caller, descriptor, bytes, [=] { return real(closure); });
}

void add_transfer(FileCall call, bool is_write, std::size_t bytes) {
  const Hook hook;
  Thread& thread = thread_of(call);
  const FileTransfer transfer{call.file, is_write ? Mode::kWrite : Mode::kRead};
  in_own_step(thread, [&] {
    transfer.put_begin(thread, now(), bytes);
    transfer.put_complete(thread, now(), bytes);
  });
}

}  // namespace tarry::measure

// file_transfers.cpp -- records of reads, writes and flushes.
//
// Most calls are like the one before: the same place in the program, the same file. Such a call is recorded without a
// call of a function. Two time stamps take about half of what that costs (`make bench FIGURE=file-call-summary`).
#include "measure/io/file_transfers.hpp"

#include "measure/io/file_call.hpp"
#include "measure/io/latest_transfer.hpp"
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

// How many bytes are asked for, as an event has it.
std::uint64_t wanted_of(Bytes bytes) { return bytes == 0 ? kNoField : bytes; }

// What is recorded of a transfer beside the call. For callers that hold the gate.
struct FileTransfer {
  std::uint32_t file;
  Mode mode;

  bool is_write() const { return mode == Mode::kWrite; }

  // Tells apart what is under way at the same time: by other threads, and in a signal handler.
  std::uint64_t number_in(const Thread& thread) const {
    return std::uint64_t{thread.number} * 4 + static_cast<std::uint64_t>(mode);
  }

  void put_begin(Thread& thread, Ticks time, Bytes bytes) const {
    put_guarded(thread, EventKind::kIoOperationBegin, time, file - 1, static_cast<unsigned>(mode), 0u,
                optional_field(wanted_of(bytes)), number_in(thread));
  }
  void put_complete(Thread& thread, Ticks time, Bytes bytes) const {
    put_guarded(thread, EventKind::kIoOperationComplete, time, file - 1, bytes, number_in(thread));
    if (thread.summarises && mode != Mode::kFlush)
      thread.profile.count_file_operation(IoHandleId(file - 1), is_write(), bytes);
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

// Whether nothing has to be found out about a call.
bool is_known(const Thread* thread, const void* caller, std::uint32_t file, RegionId region) {
  return thread && is_met(file) && region.is_valid() && return_address_of(caller) == kFileCaller.of(*thread) &&
         !thread->frames.is_any_call_on_top();
}

// A call about which nothing has to be found out, in another path or on another file than the one before.
[[gnu::noinline]] FileCall begin_known(Thread& thread, FileTransfer transfer, RegionId region, const void* caller,
                                       Ticks time, Bytes bytes) {
  const Hook hook;
  const Hold hold(thread.gate);
  thread.frames.push_call(reinterpret_cast<std::uintptr_t>(caller), thread.depth);
  enter_guarded(thread, region, time);
  transfer.put_begin(thread, time, bytes);
  return {&thread, transfer.file};
}

// What a look at the stack tells.
struct Looked {
  Ticks time;
  RegionId region = {};  // of the call, from where it is made; kNoRegion: nothing can be told
};
constexpr RegionId kNoRegion;

[[gnu::noinline]] Looked look_at_stack(Thread& thread, const void* caller, RegionId region) {
  const Hook hook;
  Ticks entered = 0;
  const Hold hold(thread.gate);
  if (!update_call_path_of(thread, registers_of(caller), entered)) return {0, kNoRegion};
  return {entered ? entered : now(), region_of_call(thread, region)};
}

// The next call may be like this one, which is complete.
void note_transfer(Thread& thread, RegionId region, FileTransfer transfer, LatestTransfer::Sizes sizes) {
  FilePlace place;
  if (thread.summarises) place = thread.profile.file_visits().open_place(IoHandleId(transfer.file - 1));
  if (transfer.mode != Mode::kFlush && (!thread.summarises || place.path))
    kLatestTransfer.of(thread).note({region, transfer.file}, static_cast<unsigned>(transfer.mode),
                                    transfer.number_in(thread), sizes, place);
  kLatestTransfer.of(thread).come_from(has_counter() && !kCallPath.of(thread) ? kFileCaller.of(thread) : nullptr);
}

// A call that was begun, its file and its region; kNoRegion: unknown.
struct BegunCall {
  FileCall call;
  FileTransfer transfer;
  RegionId region = {};
  Bytes wanted;
};

// Where another path is open, the call before was another one, or nothing is plain any more.
[[gnu::noinline]] void end_transfer_otherwise(const BegunCall& begun, const void* caller, Ticks time, Bytes bytes) {
  const Hook hook;
  end_library_call(
      thread_of(begun.call), caller, time,
      [&] { end_transfer_rarely(begun.call, caller, begun.transfer, time, bytes); },
      [&](Thread& thread, Ticks at) {
        begun.transfer.put_complete(thread, at, bytes);
        if (begun.region != kNoRegion) note_transfer(thread, begun.region, begun.transfer, {begun.wanted, bytes});
      });
}

// A call like the latest one, long after the event before.
[[gnu::noinline]] void begin_late(Thread& thread, Ticks time) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  const RegionId region = latest.kind().region();
  const std::uint32_t file = latest.kind().file() - 1;
  const std::uint64_t wanted = optional_field(wanted_of(latest.wanted()));
  if (thread.traces) {
    thread.events.enter_in_room(time, region);
    thread.events.put_in_room(EventKind::kIoOperationBegin, time, file, latest.mode(), 0u, wanted, latest.number());
  }
  if (!thread.summarises) return;
  thread.profile.enter_child(*latest.place().path, region, time);
  thread.profile.count_event(time, file, latest.mode(), 0u, wanted, latest.number());
}

// The call begins like the latest one, but wants another number of bytes, or the block does not have its pattern. False
// if there is no room.
[[gnu::noinline]] bool prepare_pattern(Thread& thread, Bytes bytes) {
  LatestTransfer& latest = kLatestTransfer.of(thread);
  const bool is_other = latest.wanted() != bytes;
  if (is_other) latest.set_wanted(bytes);
  const std::uint64_t wanted = wanted_of(bytes);
  if (is_other && thread.summarises)
    thread.profile.file_visits().count_pattern(
        latest.place(), latest.head().size + varint_bytes(optional_field(wanted)) + varint_bytes(latest.moved()));
  if (!thread.traces) return true;
  thread.events.forget_pattern();
  return thread.events.put_pattern(latest.head(), wanted, latest.moved()) && thread.events.may_repeat();
}

// For callers that hold the gate. When it has begun. kNotBegun: it is not like the latest one, and nothing has been
// done.
constexpr Ticks kNotBegun = -1;

template <class Stamp>
[[gnu::always_inline]] inline Ticks begin_like_latest(Thread& thread, LatestTransfer::Kind kind, std::uintptr_t stack,
                                                      Bytes bytes, Stamp stamp) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  if (!latest.is_of(kind) || thread.frames.is_any_call_on_top() || thread.frames.is_top_unclear(stack) ||
      !thread.frames.has_room())
    return kNotBegun;
  if (thread.summarises && !thread.profile.file_visits().would_enter(latest.place())) [[unlikely]]
    return kNotBegun;
  if ((latest.wanted() != bytes || (thread.traces && !thread.events.may_repeat())) && !prepare_pattern(thread, bytes))
      [[unlikely]]
    return kNotBegun;
  const Ticks time = stamp();
  thread.frames.push_call(stack, thread.depth);
  ++thread.depth;
  if ((thread.traces && !thread.events.is_soon(time)) ||
      (thread.summarises && !thread.profile.file_visits().is_soon(time))) [[unlikely]] {
    begin_late(thread, time);
    return time;
  }
  if (thread.traces) thread.events.begin_repeat(time);
  if (thread.summarises) thread.profile.file_visits().begin(latest.place(), time);
  return time;
}

// The same at its end. Behind the call the time stamp comes last: a processor takes it when all before is done.
[[gnu::always_inline]] inline bool can_end_like_latest(Thread& thread, LatestTransfer::Kind kind, std::uintptr_t stack,
                                                       Ticks begun, Bytes moved) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  return latest.is_of(kind) && latest.moved() == moved && thread.frames.is_call_on_top(stack) &&
         (!thread.traces || thread.events.can_end_repeat()) &&
         (!thread.summarises || thread.profile.file_visits().is_latest(latest.place(), begun));
}

[[gnu::noinline]] void finish_late_end(Thread& thread, Ticks time) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  const std::uint32_t file = latest.kind().file() - 1;
  if (thread.traces) {
    thread.events.put_in_room(EventKind::kIoOperationComplete, time, file, latest.moved(), latest.number());
    thread.events.leave_in_room(time);
  }
  if (thread.summarises)
    thread.profile.file_visits().end_late(
        latest.place(), time, varint_bytes(file) + varint_bytes(latest.moved()) + varint_bytes(latest.number()));
  LongHold::release(thread.gate);
}

// For callers that hold the gate. Releases it.
[[gnu::always_inline]] inline void end_like_latest(Thread& thread, Ticks begun, bool is_write, Bytes moved) {
  const LatestTransfer& latest = kLatestTransfer.of(thread);
  std::uint64_t record = 0;
  if (thread.traces) record = thread.events.begun_repeat();
  if (thread.summarises) thread.profile.file_visits().prepare_end(latest.place(), is_write, moved);
  --thread.depth;
  thread.frames.pop();
  const Ticks time = now();
  const auto spent = static_cast<std::uint64_t>(time - begun);
  if (spent >= kFirstLongCallDelta) [[unlikely]]
    return finish_late_end(thread, time);
  if (thread.traces) thread.events.end_repeat(time, spent, record);
  if (thread.summarises) thread.profile.file_visits().end(latest.place(), time, static_cast<Ticks>(spent));
  LongHold::release(thread.gate);
}

// Makes the `real()` call between them. False if nothing has been done.
template <class Stamp, class Real>
[[gnu::always_inline]] inline bool record_like_latest(Thread& thread, LatestTransfer::Kind kind, Mode mode,
                                                      const void* caller, Bytes bytes, Stamp stamp, Real real) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  LongHold begin(thread.gate, stack);
  const Ticks begun = begin_like_latest(thread, kind, stack, bytes, stamp);
  begin.release();
  if (begun == kNotBegun) [[unlikely]]
    return false;
  const Bytes moved = bytes_moved(real());
  if (thread.gate.is_open_and_plain()) [[likely]] {
    LongHold end(thread.gate, stack);
    if (can_end_like_latest(thread, kind, stack, begun, moved)) [[likely]] {
      end_like_latest(thread, begun, mode == Mode::kWrite, moved);
      return true;
    }
    end.release();
  }
  end_transfer_otherwise({{&thread, kind.file()}, {kind.file(), mode}, kind.region(), bytes}, caller, now(), moved);
  return true;
}

// Whether nothing has to be found out about a call, and nothing done before it is recorded.
bool is_usual(const Thread* thread, const void* caller, FileTransfer transfer, RegionId region) {
  return is_known(thread, caller, transfer.file, region) && thread->gate.is_open_and_plain() &&
         !thread->frames.is_top_unclear(reinterpret_cast<std::uintptr_t>(caller)) && transfer.mode != Mode::kFlush;
}

// A call of this thread that is not like the latest one, or looks at the stack first.
[[gnu::noinline]] void record_otherwise(FileFunction function, const void* caller, int descriptor, Bytes bytes,
                                        ssize_t (*real)(void* closure), void* closure) {
  Thread* const thread = t_thread;
  const FileTransfer transfer{g_files[descriptor].load(std::memory_order_acquire),
                              kModes[static_cast<std::size_t>(function)]};
  RegionId region = known_region_of(function);
  FileCall call;
  if (is_usual(thread, caller, transfer, region)) {
    Ticks time = 0;
    if (kCallPath.of(*thread)) {
      const Looked looked = look_at_stack(*thread, caller, region);
      time = looked.time;
      region = looked.region;
      if (region != kNoRegion && record_like_latest(
                                     *thread, {region, transfer.file}, transfer.mode, caller, bytes,
                                     [&] { return time; }, [&] { return real(closure); }))
        return;
    } else {
      time = now();
    }
    if (region != kNoRegion && thread->frames.has_room())
      call = begin_known(*thread, transfer, region, caller, time, bytes);
    else call = begin_transfer_rarely(function, caller, descriptor, bytes);
  } else {
    region = kNoRegion;
    call = begin_transfer_rarely(function, caller, descriptor, bytes);
  }
  const ssize_t done = real(closure);
  if (call.thread)
    end_transfer_otherwise({call, {call.file, transfer.mode}, region, bytes}, caller, now(), bytes_moved(done));
}

// Makes the `real()` call, and records it.
template <class Real>
[[gnu::always_inline]] inline ssize_t record_call(FileFunction function, const void* caller, int descriptor,
                                                  Bytes bytes, Real real) {
  Thread* const thread = t_thread;
  const std::uint32_t file = g_files[descriptor].load(std::memory_order_acquire);
  ssize_t done = 0;
  // Where nothing is recorded, a sandbox may forbid to read the counter.
  if (thread && thread->gate.is_open_and_plain() && kLatestTransfer.of(*thread).is_from(return_address_of(caller)) &&
      record_like_latest(
          *thread, {known_region_of(function), file}, kModes[static_cast<std::size_t>(function)], caller, bytes,
          [] { return read_counter(); }, [&] { return done = real(); })) [[likely]]
    return done;
  struct Call {
    Real real;
    ssize_t done = 0;
  } call{real};
  record_otherwise(
      function, caller, descriptor, bytes,
      [](void* closure) {
        auto& held = *static_cast<Call*>(closure);
        return held.done = held.real();
      },
      &call);
  return call.done;
}

}  // namespace

[[gnu::flatten]] ssize_t record_read(int descriptor, void* buffer, std::size_t size, decltype(&::read) real) {
  const auto call = [=] { return real(descriptor, buffer, size); };
  return record_call(FileFunction::kRead, stack_of_caller_here(), descriptor, size, call);
}

[[gnu::flatten]] ssize_t record_write(int descriptor, const void* buffer, std::size_t size, decltype(&::write) real) {
  const auto call = [=] { return real(descriptor, buffer, size); };
  return record_call(FileFunction::kWrite, stack_of_caller_here(), descriptor, size, call);
}

[[gnu::flatten]] ssize_t record_pread(int descriptor, void* buffer, std::size_t size, off64_t offset,
                                      decltype(&::pread64) real) {
  const auto call = [=] { return real(descriptor, buffer, size, offset); };
  return record_call(FileFunction::kPread, stack_of_caller_here(), descriptor, size, call);
}

[[gnu::flatten]] ssize_t record_pwrite(int descriptor, const void* buffer, std::size_t size, off64_t offset,
                                       decltype(&::pwrite64) real) {
  const auto call = [=] { return real(descriptor, buffer, size, offset); };
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

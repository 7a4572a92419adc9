// file_transfers.cpp -- records of reads, writes and flushes: the slow path, and the hooks.
//
// Most calls are like the one before, and take the fast path (repeated_transfer.hpp).
#include "measure/io/file_transfers.hpp"

#include "measure/io/file_call.hpp"
#include "measure/io/file_transfer.hpp"
#include "measure/io/latest_transfer.hpp"
#include "measure/io/repeated_transfer.hpp"

namespace tarry::measure {
namespace {

// What has failed has moved nothing, but it is an operation.
Bytes bytes_moved(ssize_t done) { return done > 0 ? static_cast<Bytes>(done) : 0; }

// Calls `record()` in a step of its own, if the thread is being recorded.
template <class Record>
void in_own_step(Thread& thread, Record record) {
  end_coalesced_visit(thread);
  if (const Guard guard(thread.gate); guard) record();
}

[[gnu::noinline]] FileCall begin_unknown(FileFunction function, const void* caller, int descriptor, std::size_t bytes) {
  const Hook hook;
  Ticks time = 0;
  const FileCall call = begin_on_slow_path(function, caller, descriptor, time);
  if (!call.thread) return call;
  const FileTransfer transfer{call.file, mode_of(function)};
  in_own_step(thread_of(call), [&] { transfer.put_begin(thread_of(call), time, bytes); });
  return call;
}

void end_in_own_step(FileCall call, const void* caller, FileTransfer transfer, Ticks time, Bytes bytes) {
  in_own_step(thread_of(call), [&] { transfer.put_complete(thread_of(call), time, bytes); });
  leave_file_call(call, caller, time);
}

// Whether nothing has to be found out about a call.
bool is_known(const Thread* thread, const void* caller, FileNumber file, RegionId region) {
  return thread && is_met(file) && region.is_valid() && return_address_of(caller) == kFileCaller.of(*thread) &&
         !thread->frames.is_closed_call_on_top();
}

// A call about which nothing has to be found out, in another path or on another file than the one before.
[[gnu::noinline]] FileCall begin_known(Thread& thread, FileTransfer transfer, RegionId region, const void* caller,
                                       Ticks time, Bytes bytes) {
  const Hook hook;
  const Hold hold(thread.gate);
  note_blocked_time(thread, time);
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
  if (thread.summarises) place = thread.profile.file_visits().open_place(handle_of(transfer.file));
  if (transfer.mode != TransferMode::kFlush && (!thread.summarises || place.path))
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
[[gnu::noinline]] void end_on_slow_path(const BegunCall& begun, const void* caller, Ticks time, Bytes bytes) {
  const Hook hook;
  end_library_call(
      thread_of(begun.call), caller, time, [&] { end_in_own_step(begun.call, caller, begun.transfer, time, bytes); },
      [&](Thread& thread, Ticks at) {
        begun.transfer.put_complete(thread, at, bytes);
        if (begun.region != kNoRegion) note_transfer(thread, begun.region, begun.transfer, {begun.wanted, bytes});
      });
}

// Makes the `real()` call between them. False if nothing has been done.
template <class Stamp, class Real>
[[gnu::always_inline]] inline bool record_on_fast_path(Thread& thread, LatestTransfer::Kind kind, TransferMode mode,
                                                       const void* caller, Bytes bytes, Stamp stamp, Real real) {
  const auto stack = reinterpret_cast<std::uintptr_t>(caller);
  LongHold begin(thread.gate, stack);
  const Ticks begun = begin_repeated(thread, kind, stack, bytes, stamp);
  begin.release();
  if (begun == kNotBegun) [[unlikely]]
    return false;
  const Bytes moved = bytes_moved(real());
  if (thread.gate.is_open_and_plain()) [[likely]] {
    LongHold end(thread.gate, stack);
    if (can_end_repeated(thread, kind, stack, begun, moved)) [[likely]] {
      end_repeated(thread, begun, mode == TransferMode::kWrite, moved);
      return true;
    }
    end.release();
  }
  end_on_slow_path({{&thread, kind.file()}, {kind.file(), mode}, kind.region(), bytes}, caller, now(), moved);
  return true;
}

// Whether nothing has to be found out about a call, and nothing done before it is recorded.
bool is_plain(const Thread* thread, const void* caller, FileTransfer transfer, RegionId region) {
  return is_known(thread, caller, transfer.file, region) && thread->gate.is_open_and_plain() &&
         !thread->frames.is_top_unclear(reinterpret_cast<std::uintptr_t>(caller)) &&
         transfer.mode != TransferMode::kFlush;
}

// A call of this thread that is not like the latest one, or looks at the stack first.
[[gnu::noinline]] void record_on_slow_path(FileFunction function, const void* caller, int descriptor, Bytes bytes,
                                           ssize_t (*real)(void* closure), void* closure) {
  Thread* const thread = t_thread;
  const FileTransfer transfer{g_files[descriptor].load(std::memory_order_acquire), mode_of(function)};
  RegionId region = known_region_of(function);
  FileCall call;
  if (is_plain(thread, caller, transfer, region)) {
    Ticks time = 0;
    if (kCallPath.of(*thread)) {
      const Looked looked = look_at_stack(*thread, caller, region);
      time = looked.time;
      region = looked.region;
      if (region != kNoRegion && record_on_fast_path(
                                     *thread, {region, transfer.file}, transfer.mode, caller, bytes,
                                     [&] { return time; }, [&] { return real(closure); }))
        return;
    } else {
      time = now();
    }
    if (region != kNoRegion && thread->frames.has_room())
      call = begin_known(*thread, transfer, region, caller, time, bytes);
    else call = begin_unknown(function, caller, descriptor, bytes);
  } else {
    region = kNoRegion;
    call = begin_unknown(function, caller, descriptor, bytes);
  }
  const ssize_t done = real(closure);
  if (call.thread)
    end_on_slow_path({call, {call.file, transfer.mode}, region, bytes}, caller, now(), bytes_moved(done));
}

// Makes the `real()` call, and records it.
template <class Real>
[[gnu::always_inline]] inline ssize_t record_call(FileFunction function, const void* caller, int descriptor,
                                                  Bytes bytes, Real real) {
  Thread* const thread = t_thread;
  const FileNumber file = g_files[descriptor].load(std::memory_order_acquire);
  ssize_t done = 0;
  // Where nothing is recorded, a sandbox may forbid to read the counter.
  if (thread && thread->gate.is_open_and_plain() && kLatestTransfer.of(*thread).is_from(return_address_of(caller)) &&
      record_on_fast_path(
          *thread, {known_region_of(function), file}, mode_of(function), caller, bytes, [] { return read_counter(); },
          [&] { return done = real(); })) [[likely]]
    return done;
  struct Call {
    Real real;
    ssize_t done = 0;
  } call{real};
  record_on_slow_path(
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
  const FileTransfer transfer{call.file, is_write ? TransferMode::kWrite : TransferMode::kRead};
  in_own_step(thread, [&] {
    transfer.put_begin(thread, now(), bytes);
    transfer.put_complete(thread, now(), bytes);
  });
}

}  // namespace tarry::measure

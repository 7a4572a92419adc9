// coalesced_calls.hpp -- calls of one function, one right after the other, that are recorded as one visit.
//
// A program that polls (MPI_Test and its like) may make millions of unsuccessful tests. A record of each call would
// cost more than the call. While a coalesced visit is open, calls of its function are only counted and their times
// added up. It is closed and recorded before anything else of the thread is.
//
// A call joins and is counted with single instructions, because a signal handler may run between any two of them and
// close the visit:
//
//   under_way = the call   sum -= begin of the call      (the function)      sum += its return      ++calls
//
// The sum is negative while a call is under way. Then the handler enters that call in full, at its begin. The sum of a
// closed visit stays negative, by which the call sees at its end that the visit was closed. Times are in half ticks
// here and a return is odd. So the lowest bit of the sum tells a handler that the last step is still to come.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "defs/definitions.hpp"
#include "measure/core/clock.hpp"
#include "measure/core/thread_slots.hpp"
#include "measure/processor/processor.hpp"

namespace tarry::measure {

struct ProcessFacts;
struct Thread;

enum class CoalescedFunction : std::uint8_t {
  kTest,
  kTestany,
  kTestall,
  kTestsome,
  kGetStatus,
  kWindowTest,
  kProbe,
  kMatchedProbe,
  kPartArrived,
};
inline constexpr int kCoalescedFunctions = 9;

/// A call that may be coalesced. It lies on the stack in the frame of its entry point.
struct CoalescedCall {
  Ticks begin;  // in half ticks

  Ticks began() const { return begin >> 1; }
  std::uintptr_t stack() const { return reinterpret_cast<std::uintptr_t>(this); }
};

/// The coalesced visit of one thread, in its static TLS block. All zeros is a closed one.
struct CoalescedCalls {
  static constexpr Ticks kClosed = -(Ticks{1} << 62);

  Ticks until[kCoalescedFunctions];  // in half ticks; calls that begin earlier join; 0: the function has no open visit
  Ticks sum;                         // see above
  std::uint64_t calls;
  CoalescedCall* behind_call;  // right behind the one that is under way
  Ticks begin;                 // of the first call, in half ticks
  RegionId region{0};
  CoalescedFunction function;

  // The last call of the thread was an unsuccessful test and recorded in full: the next one may open a visit.
  bool is_repeatable;
  CoalescedFunction repeatable;
  // Position and time of the thread's last record then: if they are the same, nothing came after it.
  const void* recorded_to;
  Ticks recorded_until;
};

/// The visit of a thread, for signal handlers and other threads; nullptr before the first one.
inline constexpr ThreadSlot<CoalescedCalls*, 8> kCoalesced;

extern __thread CoalescedCalls t_coalesced __attribute__((tls_model("initial-exec")));

/// The same object under another name, for what comes after the call. The compiler would save a register to keep the
/// address of the first one, and it is no work to find it once more.
extern __thread CoalescedCalls t_coalesced_still __attribute__((tls_model("initial-exec")));

/// True if the call, which begins now, may join an open visit of the function.
[[gnu::always_inline]] inline bool may_join_visit(CoalescedCall& call, CoalescedFunction function) {
  call.begin = processor::read_half_ticks();
  return call.begin < t_coalesced.until[static_cast<int>(function)];
}

/// Right before the function behind is called. It notes the end of the call, not its begin. That address is needed
/// anyway by calls with a status of their own: MPI is to put the status there.
[[gnu::always_inline]] inline void join_visit(CoalescedCall& call) {
  const Ticks begin = call.begin;
  t_coalesced.behind_call = &call + 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  processor::subtract_at_once(t_coalesced.sum, begin);
}

/// Right after an unsuccessful call. False if the visit has been closed meanwhile: then the call is to be recorded in
/// full.
[[gnu::always_inline]] inline bool count_in_visit() {
  if (processor::add_at_once(t_coalesced_still.sum, processor::read_half_ticks() + 1)) [[unlikely]]
    return false;
  processor::count_at_once(t_coalesced_still.calls);
  return true;
}

/// How long a coalesced visit may last, in half ticks; 0: calls are not coalesced.
extern Ticks g_coalesced_length;

/// Sets it, when the recording has started in that thread.
void choose_coalesced_length(Thread& thread, const ProcessFacts& facts);

/// Opens a coalesced visit with this call if the thread's last record is that of an unsuccessful call of the same
/// function. That may be one call (see note_unsuccessful_call()) or a visit that has lasted long enough. False also
/// where calls cannot be coalesced. `region` is the function's.
bool open_coalesced_visit(CoalescedCall& call, CoalescedFunction function, RegionId region);

/// An unsuccessful call has been recorded in full.
void note_unsuccessful_call(CoalescedFunction function);

/// Records the visit that is open, and enters the call that is under way in full. For callers that hold the gate or
/// have closed it.
void close_coalesced_visit(Thread& thread);

/// The same in a step of its own. Does nothing if no visit is open.
void end_coalesced_visit(Thread& thread);

}  // namespace tarry::measure

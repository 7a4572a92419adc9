// folded_calls.hpp -- calls of one function, one right after the other, that are recorded as one visit.
//
// A program that waits by asking (MPI_Test and its like) may ask millions of times in vain, and a record of each call
// would cost more than the call. While a fold is open, calls of its function are only counted and their times summed
// up; it is closed, and recorded as one visit, before anything else of the thread is.
//
// A call joins and is counted with single instructions, because a signal handler may run between any two of them and
// close the fold:
//
//   under_way = the call   sum -= begin of the call      (the function)      sum += its return      ++calls
//
// The sum is negative while a call is under way: then the handler enters that call in full, where it stands, and the
// sum of a closed fold stays negative to the end, by which the call knows. Times are in half ticks here and a return is
// odd: so the lowest bit of the sum tells a handler before the last step that it is still to come.
#pragma once

#include <atomic>
#include <cstdint>

#include "measure/core/clock.hpp"

namespace tarry::measure {

struct Thread;

enum class FoldedFunction : std::uint8_t {
  kTest, kTestany, kTestall, kTestsome, kGetStatus, kWindowTest, kProbe, kMatchedProbe, kPartArrived,
};
inline constexpr int kFoldedFunctions = 9;

/// A call that may be folded. Stands on the stack in the frame of its entry point.
struct FoldedCall {
  Ticks begin;  // in half ticks

  Ticks began() const { return begin >> 1; }
  std::uintptr_t stack() const { return reinterpret_cast<std::uintptr_t>(this); }
};

/// The fold of one thread, in its static TLS block: all zeros is a closed one.
struct FoldedCalls {
  static constexpr Ticks kClosed = -(Ticks{1} << 62);

  Ticks until[kFoldedFunctions];  // in half ticks; calls that begin earlier join; 0: no fold of the function is open
  Ticks sum;                      // see above
  std::uint64_t calls;
  FoldedCall* behind_call;  // right behind the one that is under way
  Ticks begin;  // of the first call, in half ticks
  std::uint32_t region;
  FoldedFunction function;

  // The last call of the thread was recorded in full and in vain, the next one may open a fold.
  bool is_repeatable;
  FoldedFunction repeatable;
  const void* recorded_to;  // place and time of the thread's last record then: if they are the same, nothing came after it
  Ticks recorded_until;
};

extern __thread FoldedCalls t_folded __attribute__((tls_model("initial-exec")));

/// The same object under another name, for what comes after the call: the compiler would save a register to keep the
/// place of the first one, and it is no work to find it once more.
extern __thread FoldedCalls t_folded_still __attribute__((tls_model("initial-exec")));

namespace folding {

/// The time in half ticks, of the processor's counter only.
[[gnu::always_inline]] inline Ticks half_ticks() {
#if defined(__x86_64__)
  std::uint64_t low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  return static_cast<Ticks>((high << 33) + 2 * low);
#else
  return now() * 2;
#endif
}

/// The compiler would save a register for an address that it needs again, and it is no work to find once more.
template <class Call>
[[gnu::always_inline]] inline Call* address_of(Call& call) {
#if defined(__x86_64__)
  Call* address;
  asm("lea %1, %0" : "=r"(address) : "m"(call));
  return address;
#else
  return &call;
#endif
}

/// Adds in one step, as signal handlers of this thread see it. Returns whether the sum is negative.
[[gnu::always_inline]] inline bool add_at_once(Ticks& sum, Ticks more) {
#if defined(__x86_64__)
  bool is_negative;
  asm volatile("addq %2, %0" : "+m"(sum), "=@ccs"(is_negative) : "re"(more) : "memory");
  return is_negative;
#else
  return __atomic_add_fetch(&sum, more, __ATOMIC_RELAXED) < 0;
#endif
}

[[gnu::always_inline]] inline void subtract_at_once(Ticks& sum, Ticks less) {
#if defined(__x86_64__)
  asm volatile("subq %1, %0" : "+m"(sum) : "re"(less) : "memory", "cc");
#else
  __atomic_fetch_sub(&sum, less, __ATOMIC_RELAXED);
#endif
}

[[gnu::always_inline]] inline void count_at_once(std::uint64_t& calls) {
#if defined(__x86_64__)
  asm volatile("incq %0" : "+m"(calls) : : "memory", "cc");
#else
  __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
#endif
}

}  // namespace folding

/// True if there is a fold of the function for the call, which begins now.
[[gnu::always_inline]] inline bool may_join_fold(FoldedCall& call, FoldedFunction function) {
  call.begin = folding::half_ticks();
  return call.begin < t_folded.until[static_cast<int>(function)];
}

/// Right before the function behind is called. What is noted is not where the call stands but where it ends: an address
/// that those with a status of their own need anyway, as there MPI is to put it.
[[gnu::always_inline]] inline void join_fold(FoldedCall& call) {
  const Ticks begin = call.begin;
  t_folded.behind_call = &call + 1;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  folding::subtract_at_once(t_folded.sum, begin);
}

/// Right after, if it was in vain. False if the fold has been closed meanwhile: then the call is to be recorded in
/// full.
[[gnu::always_inline]] inline bool count_in_fold() {
  if (folding::add_at_once(t_folded_still.sum, folding::half_ticks() + 1)) [[unlikely]] return false;
  folding::count_at_once(t_folded_still.calls);
  return true;
}

/// How long a fold may last, in half ticks; 0: calls are not folded.
extern Ticks g_fold_length;

/// Opens a fold with this call if the thread's last record is that of a call of the same function in vain (see
/// note_call_in_vain(), or a fold that has lasted long enough) and nothing speaks against it. `region` is the
/// function's.
bool open_fold(FoldedCall& call, FoldedFunction function, std::uint32_t region);

/// A call in vain has been recorded in full.
void note_call_in_vain(FoldedFunction function);

/// Records the fold that is open, and enters the call that is under way in full. For callers that hold the gate or have
/// closed it.
void close_fold(Thread& thread);

/// Does a step of its own for it; nothing if no fold is open.
void end_fold(Thread& thread);

}  // namespace tarry::measure

// mpi_call.hpp -- one MPI call while it is being recorded: enter, hooks, leave, with two time stamps.
//
// Calls: may block.
#pragma once

#include <cstdint>

#include "measure/callpath/library_call.hpp"
#include "measure/core/recorder_lock.hpp"
#include "abi/mpi_functions.hpp"

namespace tarry::measure {

using RecordPlace = EventBuffer::RecordPlace;

/// Records the entry into an MPI function; the calling thread's recording, or nullptr if it is not recorded.
/// `is_entered` is false while the recording is paused. `caller` is from stack_of_caller_here(): a jump past it (out of
/// an error handler) ends the call.
Thread* begin_mpi_call(MpiFunction function, const void* caller, Ticks& time, bool& is_entered);

/// Opens a coalesced visit with the call, which begins now; false if it is to be recorded in full.
bool may_open_coalesced_visit(CoalescedCall& call, CoalescedFunction coalesced, MpiFunction function);

/// As begin_mpi_call(), for a call that has joined a coalesced visit and is recorded in full after all. Closes the
/// visit and enters the call at the time it began.
Thread* begin_coalesced_call(MpiFunction function, const CoalescedCall& call, const void* caller, Ticks& time,
                             bool& is_entered);

/// Leaves the functions that the MPI library has called back. It returns at `time`.
void end_callbacks(Thread& thread, Ticks time);

/// For a call that was entered.
void end_mpi_call(Thread& thread, const void* caller, Ticks time);

/// Records the entry into MPI_Init after it has returned, at the time it was called. False if the recording is paused.
bool record_init(MpiFunction function, Ticks time);

/// Lives in an MPI entry point from its begin to its end. What is put before returned() has the time of the entry.
/// What is put behind it has that of the return. The leave follows when the object goes.
///
/// The program's arguments may be wrong, and its error handlers are its own. So facts of a call are recorded once the
/// call has succeeded, most of them then at the time of the entry. Only what a call that blocks must leave behind is
/// put before it, and taken back if the call fails.
class MpiCall {
 public:
  [[gnu::always_inline]] explicit MpiCall(MpiFunction function)
      : thread_(begin_mpi_call(function, stack_of_caller_here(), time_, is_entered_)) {}
  /// For a call that has joined a coalesced visit and is recorded in full after all.
  [[gnu::always_inline]] MpiCall(MpiFunction function, const CoalescedCall& coalesced)
      : thread_(begin_coalesced_call(function, coalesced, stack_of_caller_here(), time_, is_entered_)) {}
  [[gnu::always_inline]] ~MpiCall() {
    if (is_entered_) end_mpi_call(*thread_, stack_of_caller_here(), time_);
  }
  MpiCall(const MpiCall&) = delete;
  MpiCall& operator=(const MpiCall&) = delete;

  bool is_recorded() const { return thread_; }

  /// The MPI library has returned.
  void returned() {
    time_ = now();
    if (thread_ && thread_->frames.top().is_unwound) [[unlikely]]
      end_callbacks(*thread_, time_);
  }

  Ticks time() const { return time_; }

  /// Only if is_recorded().
  Thread& thread() { return *thread_; }

  template <class Record>
  void put(const Record& record) {
    measure::put(*thread_, time_, record);
  }

  /// Of a call that may still fail.
  template <class Record>
  RecordPlace put_tentatively(const Record& record) {
    return measure::put_tentatively(*thread_, time_, record);
  }
  void take_back(const RecordPlace& record) { measure::take_back(*thread_, record); }

 private:
  Ticks time_ = 0;
  bool is_entered_ = false;
  Thread* thread_;
};

/// True if the program asked for MPI_THREAD_MULTIPLE: only then the tables of handles need locks.
extern bool g_has_concurrent_calls;

/// Holds a lock where threads may call MPI at the same time. Elsewhere it is a question, and the rest is out of line.
class CallLock {
 public:
  explicit CallLock(RecorderLock& lock, LockSite site = LockSite::here()) : is_held_(g_has_concurrent_calls) {
    if (is_held_) [[unlikely]]
      take(lock, site);
  }
  ~CallLock() {
    if (is_held_) [[unlikely]]
      give_back();
  }
  CallLock(const CallLock&) = delete;
  CallLock& operator=(const CallLock&) = delete;

 private:
  void take(RecorderLock& lock, LockSite site);
  void give_back();

  const bool is_held_;
  union {
    Locked locked_;  // if it is held
  };
};

}  // namespace tarry::measure

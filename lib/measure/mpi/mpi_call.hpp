// mpi_call.hpp -- one MPI call while it is being recorded: enter, hooks, leave, with two time stamps.
#pragma once

#include <cstdint>
#include <mutex>

#include "measure/core/recorder.hpp"
#include "measure/mpi/mpi_functions.hpp"

namespace tarry::measure {

using RecordPlace = EventBuffer::RecordPlace;

/// Records the entry into an MPI function; the calling thread's recording, or nullptr if it is not recorded.
/// `is_entered` is false while the recording is paused. `place` is on the stack, in the frame of the entry point: a
/// jump past it (out of an error handler) ends the call, which the next one from the same function must tell.
Thread* begin_mpi_call(MpiFunction function, const void* place, Ticks& time, bool& is_entered);

/// Opens a fold with the call, which begins now; false if it is to be recorded in full.
bool may_open_fold(FoldedCall& call, FoldedFunction folded, MpiFunction function);

/// As begin_mpi_call(), for a call that has joined a fold and is recorded in full after all: closes the fold and enters
/// the call at the time it began.
Thread* begin_folded_call(MpiFunction function, const FoldedCall& call, const void* place, Ticks& time,
                          bool& is_entered);

/// For a call that was entered.
void end_mpi_call(Thread& thread, const void* place, Ticks time);

/// Records the entry into MPI_Init after it has returned, at the time it was called. False if the recording is paused.
bool record_init(MpiFunction function, Ticks time);

/// Stands in an MPI entry point from its begin to its end. What is put before returned() has the time of the entry,
/// what is put behind it that of the return; the leave follows when the object goes.
///
/// The program's arguments may be wrong, and its error handlers are its own. So facts of a call are recorded once the
/// call has succeeded, most of them then at the time of the entry. Only what a call that blocks must leave behind is
/// put before it, and taken back if the call fails.
class MpiCall {
 public:
  [[gnu::always_inline]] explicit MpiCall(MpiFunction function)
      : place_(top_of_frame(__builtin_dwarf_cfa())), thread_(begin_mpi_call(function, place_, time_, is_entered_)) {}
  /// For a call that has joined a fold and is recorded in full after all.
  [[gnu::always_inline]] MpiCall(MpiFunction function, const FoldedCall& folded)
      : place_(top_of_frame(__builtin_dwarf_cfa())),
        thread_(begin_folded_call(function, folded, place_, time_, is_entered_)) {}
  ~MpiCall() {
    if (is_entered_) end_mpi_call(*thread_, place_, time_);
  }
  MpiCall(const MpiCall&) = delete;
  MpiCall& operator=(const MpiCall&) = delete;

  bool is_recorded() const { return thread_; }

  /// The MPI library has returned.
  void returned() { time_ = now(); }

  Ticks time() const { return time_; }

  /// Only if is_recorded().
  Thread& thread() { return *thread_; }

  template <class... Fields>
  void put(EventKind kind, Fields... fields) {
    measure::put(*thread_, kind, time_, fields...);
  }

  /// Of a call that may still fail.
  template <class... Fields>
  RecordPlace put_tentatively(EventKind kind, Fields... fields) {
    return measure::put_tentatively(*thread_, kind, time_, fields...);
  }
  void take_back(const RecordPlace& record) { measure::take_back(*thread_, record); }

 private:
  // The last byte of the frame: the frame of a call that follows ends above it, however large it is, and those of
  // functions that the program is in begin above it.
  [[gnu::always_inline]] static const void* top_of_frame(void* canonical_frame) {
    return static_cast<const char*>(canonical_frame) - 1;
  }

  Ticks time_ = 0;
  bool is_entered_ = false;
  const void* place_;
  Thread* thread_;
};

/// True if the program asked for MPI_THREAD_MULTIPLE: only then the tables of handles need locks.
extern bool g_has_concurrent_calls;

/// Holds a mutex where threads may call MPI at the same time.
class CallLock {
 public:
  explicit CallLock(std::mutex& mutex) : mutex_(g_has_concurrent_calls ? &mutex : nullptr) {
    if (mutex_) mutex_->lock();
  }
  ~CallLock() {
    if (mutex_) mutex_->unlock();
  }
  CallLock(const CallLock&) = delete;
  CallLock& operator=(const CallLock&) = delete;

 private:
  std::mutex* mutex_;
};

}  // namespace tarry::measure

// signal_block.hpp -- signals while the recorder works: the program's wait, and those that we raise are ours.
//
// Calls: handler-safe.
#pragma once

#include <pthread.h>

#include <csignal>
#include <cstring>
#include <initializer_list>

#include "measure/core/signal_mask.hpp"

namespace tarry::measure {

/// Nobody cancels the calling thread while it lives. A cancelled thread would keep the recorder's locks for ever. Safe
/// in signal handlers.
class CancelBlock {
 public:
  CancelBlock() { ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  // A thread that may be cancelled at any time, and has been meanwhile, ends here. It must do so in the second call:
  // glibc 2.36 does not make PTHREAD_CANCELED its result in the first. The stack is unwound from there.
  ~CancelBlock() noexcept(false) {
    int type = PTHREAD_CANCEL_DEFERRED;
    ::pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    ::pthread_setcancelstate(before_, nullptr);
    if (type != PTHREAD_CANCEL_DEFERRED) ::pthread_setcanceltype(type, nullptr);
  }
  CancelBlock(const CancelBlock&) = delete;
  CancelBlock& operator=(const CancelBlock&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

/// What matters if a signal comes to the calling thread. While it takes a sample, the program's handlers wait. Or it is
/// not the main thread (sampling/program_handlers.hpp). Or a SignalBlock lives.
constexpr unsigned char kTakesSample = 1, kIsNotMain = 2, kBlocksSignals = 4;
extern "C" __thread unsigned char tarry_signal_state __attribute__((visibility("hidden"), tls_model("initial-exec")));

/// Keeps signals from the calling thread while it lives, those of faults excepted, and cancellation. So no handler runs
/// while the recorder holds a lock; a handler might never come back (siglongjmp). For the rare steps that take locks.
/// One inside another costs no system call.
class SignalBlock {
 public:
  SignalBlock() {
    if (tarry_signal_state & (kTakesSample | kBlocksSignals)) return;
    sigset_t all;
    std::memset(&all, 0xff, sizeof all);  // also those that the C library leaves out
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) ::sigdelset(&all, fault);
    set_signal_mask(SIG_BLOCK, &all, &before_);
    is_blocking_ = true;
    tarry_signal_state |= kBlocksSignals;
  }
  ~SignalBlock() {
    if (!is_blocking_) return;
    tarry_signal_state &= static_cast<unsigned char>(~kBlocksSignals);
    set_signal_mask(SIG_SETMASK, &before_, nullptr);
  }
  SignalBlock(const SignalBlock&) = delete;
  SignalBlock& operator=(const SignalBlock&) = delete;

 private:
  const CancelBlock no_cancel_;
  bool is_blocking_ = false;
  sigset_t before_;
};

/// Around every write of ours. A write beyond a file-size limit raises SIGXFSZ, one into a closed pipe SIGPIPE; both
/// end a program that does not expect them. What our write has raised is taken away again; others' signals are kept.
class WriteSignals {
 public:
  WriteSignals();
  ~WriteSignals();
  WriteSignals(const WriteSignals&) = delete;
  WriteSignals& operator=(const WriteSignals&) = delete;

 private:
  const CancelBlock no_cancel_;  // to write is a point of cancellation
  sigset_t before_;              // the thread's mask
  sigset_t pending_;             // waited for the program already
};

}  // namespace tarry::measure

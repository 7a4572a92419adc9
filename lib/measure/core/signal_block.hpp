// signal_block.hpp -- no signal handler runs while the recorder holds a lock: it might never come back (siglongjmp).
#pragma once

#include <csignal>

#include <pthread.h>

namespace tarry::measure {

/// Keeps signals from the calling thread while it lives, those of faults excepted. For the rare steps that take locks.
class SignalBlock {
 public:
  SignalBlock() {
    sigset_t all;
    ::sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) ::sigdelset(&all, fault);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalBlock() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalBlock(const SignalBlock&) = delete;
  SignalBlock& operator=(const SignalBlock&) = delete;

 private:
  sigset_t before_;
};

}  // namespace tarry::measure

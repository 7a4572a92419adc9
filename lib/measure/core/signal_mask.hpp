// signal_mask.hpp -- the kernel's mask of the calling thread, with the signals in it that the C library leaves out.
//
// Calls: handler-safe.
#pragma once

#include <csignal>
#include <sys/syscall.h>
#include <unistd.h>

namespace tarry::measure {

inline constexpr std::size_t kKernelMaskBytes = 8;

/// pthread_sigmask(), past everything that stands in front of it.
inline void set_signal_mask(int how, const sigset_t* set, sigset_t* before) {
  ::syscall(SYS_rt_sigprocmask, how, set, before, kKernelMaskBytes);
}

}  // namespace tarry::measure

// write_signals.cpp -- takes away the signals that the recorder's own writes raise.
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "measure/core/signal_block.hpp"

namespace tarry::measure {

__thread unsigned char tarry_signal_state __attribute__((visibility("hidden"), tls_model("initial-exec"))) = kIsNotMain;

namespace {

constexpr int kRaisedByWrites[] = {SIGXFSZ, SIGPIPE};

sigset_t raised_by_writes() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : kRaisedByWrites) ::sigaddset(&set, signal);
  return set;
}

// The kernel raises ours in the name of this process. Somebody else's is sent again, as it came. Calls the kernel: the
// recorder itself stands in front of sigtimedwait().
void take_away(int signal) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, signal);
  siginfo_t info;
  constexpr timespec kAtOnce = {0, 0};
  int taken;
  do {
    taken = static_cast<int>(::syscall(SYS_rt_sigtimedwait, &set, &info, &kAtOnce, kKernelMaskBytes));
  } while (taken < 0 && errno == EINTR);
  const pid_t here = ::getpid();
  if (taken == signal && info.si_pid != 0 && info.si_pid != here) ::syscall(SYS_rt_sigqueueinfo, here, signal, &info);
}

}  // namespace

WriteSignals::WriteSignals() {
  const sigset_t ours = raised_by_writes();
  set_signal_mask(SIG_BLOCK, &ours, &before_);
  ::sigpending(&pending_);
}

WriteSignals::~WriteSignals() {
  const int error = errno;
  sigset_t now;
  ::sigpending(&now);
  for (const int signal : kRaisedByWrites)
    if (::sigismember(&now, signal) && !::sigismember(&pending_, signal)) take_away(signal);
  set_signal_mask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace tarry::measure

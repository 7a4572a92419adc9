// system_calls.cpp -- system calls after which the recorder must not go on.
//
// In front of a sandbox (seccomp) the recording ends. Inside it, mapping one more block of events or writing at the end
// would kill the process. In a child process of which no handler of pthread_atfork() learns, the recording is the
// parent's. These functions come before those of the C library; programs that enter the kernel without it are not seen.
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstdarg>

#include "base/processes/next_function.hpp"
#include "measure/core/runtime.hpp"

#define TARRY_ENTRY extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

using Prctl = int (*)(int, unsigned long, unsigned long, unsigned long, unsigned long);
using Syscall = long (*)(long, long, long, long, long, long, long);

// Of a child with a copy of the memory, on the same stack.
bool is_fork(long number, long flags, long stack) {
#ifdef SYS_fork
  if (number == SYS_fork) return true;
#endif
  return number == SYS_clone && !stack && !(flags & CLONE_VM);
}

// Found when the library is loaded: a handler may call it first.
pid_t (*g_real_fork)() = nullptr;
__attribute__((constructor)) void find_fork() { next_function(g_real_fork, "_Fork"); }

void end_before_sandbox() { end_recording_early("the program entered a sandbox (seccomp)"); }

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

// Made for handlers of signals: the C library calls no handlers of pthread_atfork().
TARRY_ENTRY pid_t _Fork() {
  const pid_t child = tarry::next_function(g_real_fork, "_Fork")();
  if (child == 0) leave_recording_to_parent();
  return child;
}

TARRY_ENTRY int prctl(int option, ...) {
  static const Prctl next = tarry::next_function<Prctl>("prctl");
  va_list list;
  va_start(list, option);
  unsigned long arguments[4];
  for (unsigned long& argument : arguments) argument = va_arg(list, unsigned long);
  va_end(list);
  if (option == PR_SET_SECCOMP) end_before_sandbox();
  return next(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}

// What syscall() calls (processor/*/*_syscall.cpp), where it does not jump to the real one.
extern "C" {
__attribute__((visibility("hidden"))) Syscall tarry_next_syscall = nullptr;

__attribute__((constructor)) static void find_syscall() {
  tarry_next_syscall = tarry::next_function<Syscall>("syscall");
}

__attribute__((visibility("hidden"))) long tarry_syscall_rarely(long number, long a, long b, long c, long d, long e,
                                                                long f) {
  if (!tarry_next_syscall) find_syscall();
  if (number == SYS_seccomp && a != SECCOMP_GET_ACTION_AVAIL) end_before_sandbox();
  const long outcome = tarry_next_syscall(number, a, b, c, d, e, f);
  if (outcome == 0 && is_fork(number, a, b)) leave_recording_to_parent();
  return outcome;
}
}

// sandbox.cpp -- a program that is about to forbid itself system calls (seccomp) is recorded up to there.
//
// Behind it, to map one more block of events or to write at the end would kill the process. The functions stand in
// front of those of the C library: libseccomp and most programs call one of the two. Who enters the kernel without the
// C library is not seen.
#include <dlfcn.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstdarg>

#include "measure/core/runtime.hpp"

#define TARRY_ENTRY extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

using Prctl = int (*)(int, unsigned long, unsigned long, unsigned long, unsigned long);
using Syscall = long (*)(long, long, long, long, long, long, long);

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

void end_before_sandbox() { end_recording_early("the program entered a sandbox (seccomp)"); }

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_ENTRY int prctl(int option, ...) {
  static const Prctl next = real<Prctl>("prctl");
  va_list list;
  va_start(list, option);
  unsigned long arguments[4];
  for (unsigned long& argument : arguments) argument = va_arg(list, unsigned long);
  va_end(list);
  if (option == PR_SET_SECCOMP) end_before_sandbox();
  return next(option, arguments[0], arguments[1], arguments[2], arguments[3]);
}

#if defined(__x86_64__)

// What a program does with it (a fork that returns twice, a stack of its own) must not meet a frame of ours: the way to
// the real function is a jump.
extern "C" {
__attribute__((visibility("hidden"))) Syscall tarry_next_syscall = nullptr;

__attribute__((visibility("hidden"))) long tarry_syscall_rarely(long number, long a, long b, long c, long d, long e,
                                                                long f) {
  if (!tarry_next_syscall) tarry_next_syscall = real<Syscall>("syscall");
  if (number == SYS_seccomp && a != SECCOMP_GET_ACTION_AVAIL) end_before_sandbox();
  return tarry_next_syscall(number, a, b, c, d, e, f);
}
}

#define TARRY_TEXT_OF(number) #number
#define TARRY_TEXT(number) TARRY_TEXT_OF(number)
asm(".pushsection .text\n"
    ".globl syscall\n"
    ".type syscall, @function\n"
    "syscall:\n"
    "  .cfi_startproc\n"
    "  movq tarry_next_syscall(%rip), %rax\n"
    "  testq %rax, %rax\n"
    "  je tarry_syscall_rarely\n"
    "  cmpq $" TARRY_TEXT(__NR_seccomp) ", %rdi\n"
    "  je tarry_syscall_rarely\n"
    "  jmp *%rax\n"
    "  .cfi_endproc\n"
    ".size syscall, .-syscall\n"
    ".popsection\n");

#endif

// aarch64_syscall.cpp -- syscall(), as programs find it: a jump to that of the C library, or to core/system_calls.cpp.
//
// No frame of ours is in between: a program may make the call return on a stack of its own. There is no system call
// fork here.
#include <sys/syscall.h>

#define TARRY_TEXT_OF(number) #number
#define TARRY_TEXT(number) TARRY_TEXT_OF(number)
asm(".pushsection .text\n"
    ".p2align 4\n"
    ".globl syscall\n"
    ".type syscall, %function\n"
    "syscall:\n"
    "  .cfi_startproc\n"
    "  hint #34\n"
    "  adrp x16, tarry_next_syscall\n"
    "  ldr x16, [x16, #:lo12:tarry_next_syscall]\n"
    "  cbz x16, 2f\n"
    "  cmp x0, #" TARRY_TEXT(__NR_seccomp) "\n"
    "  b.eq 2f\n"
    "  cmp x0, #" TARRY_TEXT(__NR_clone) "\n"
    "  b.ne 1f\n"
    "  cbnz x2, 1f\n"  // a stack of its own, or shared memory: no frame may be between
    "  tbz x1, #8, 2f\n"
    "1:\n"
    "  br x16\n"
    "2:\n"
    "  b tarry_syscall_rarely\n"
    "  .cfi_endproc\n"
    ".size syscall, .-syscall\n"
    ".popsection\n");

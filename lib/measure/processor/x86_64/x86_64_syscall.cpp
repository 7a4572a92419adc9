// x86_64_syscall.cpp -- syscall(), as programs find it: a jump to that of the C library, or to core/system_calls.cpp.
//
// No frame of ours is in between: a program may make the call return twice (fork) or on a stack of its own.
#include <sys/syscall.h>

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
    "  cmpq $" TARRY_TEXT(__NR_fork) ", %rdi\n"
    "  je tarry_syscall_rarely\n"
    "  cmpq $" TARRY_TEXT(__NR_clone) ", %rdi\n"
    "  jne 1f\n"
    "  testq %rdx, %rdx\n"  // a stack of its own, or shared memory: no frame may be between
    "  jne 1f\n"
    "  testq $0x100, %rsi\n"
    "  je tarry_syscall_rarely\n"
    "1:\n"
    "  jmp *%rax\n"
    "  .cfi_endproc\n"
    ".size syscall, .-syscall\n"
    ".popsection\n");

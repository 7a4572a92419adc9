// x86_64_wrapped_calls.cpp -- hands a call on with the arguments as they are (saved_call.hpp).
#include "measure/processor/assembled_function.hpp"

#define TARRY_RESTORE_ARGUMENTS  \
  "  movq -224(%rbp), %rdi\n"    \
  "  movq -216(%rbp), %rsi\n"    \
  "  movq -208(%rbp), %rdx\n"    \
  "  movq -200(%rbp), %rcx\n"    \
  "  movq -192(%rbp), %r8\n"     \
  "  movq -184(%rbp), %r9\n"     \
  "  movq -176(%rbp), %rax\n"    \
  "  movq -168(%rbp), %r10\n"    \
  "  movaps -160(%rbp), %xmm0\n" \
  "  movaps -144(%rbp), %xmm1\n" \
  "  movaps -128(%rbp), %xmm2\n" \
  "  movaps -112(%rbp), %xmm3\n" \
  "  movaps -96(%rbp), %xmm4\n"  \
  "  movaps -80(%rbp), %xmm5\n"  \
  "  movaps -64(%rbp), %xmm6\n"  \
  "  movaps -48(%rbp), %xmm7\n"  \
  "  movq -32(%rbp), %r11\n"

// r11 is the record of the function. The frame pointer is right below the return address, as stack_of_caller_here()
// has it.
asm(".pushsection .text\n"  //
    TARRY_FUNCTION(tarry_wrapped_call,
                   "  pushq %rbp\n"
                   "  .cfi_def_cfa_offset 16\n"
                   "  .cfi_offset %rbp, -16\n"
                   "  movq %rsp, %rbp\n"
                   "  .cfi_def_cfa_register %rbp\n"
                   "  subq $224, %rsp\n"
                   "  movq %rdi, (%rsp)\n"
                   "  movq %rsi, 8(%rsp)\n"
                   "  movq %rdx, 16(%rsp)\n"
                   "  movq %rcx, 24(%rsp)\n"
                   "  movq %r8, 32(%rsp)\n"
                   "  movq %r9, 40(%rsp)\n"
                   "  movq %rax, 48(%rsp)\n"
                   "  movq %r10, 56(%rsp)\n"
                   "  movaps %xmm0, 64(%rsp)\n"
                   "  movaps %xmm1, 80(%rsp)\n"
                   "  movaps %xmm2, 96(%rsp)\n"
                   "  movaps %xmm3, 112(%rsp)\n"
                   "  movaps %xmm4, 128(%rsp)\n"
                   "  movaps %xmm5, 144(%rsp)\n"
                   "  movaps %xmm6, 160(%rsp)\n"
                   "  movaps %xmm7, 176(%rsp)\n"
                   "  movq %r11, %rdi\n"
                   "  movq %rsp, %rsi\n"
                   "  leaq 16(%rbp), %rdx\n"
                   "  call tarry_begin_wrapped_call\n"
                   "  testq %rax, %rax\n"
                   "  js 1f\n"
                   "  movq %rax, %rcx\n"
                   "  incq %rax\n"
                   "  andq $-2, %rax\n"
                   "  shlq $3, %rax\n"
                   "  subq %rax, %rsp\n"
                   "  leaq 16(%rbp), %rsi\n"
                   "  movq %rsp, %rdi\n"
                   "  rep movsq\n"  //
                   TARRY_RESTORE_ARGUMENTS "  call *%r11\n"
                   "  movq %rax, -224(%rbp)\n"
                   "  movq %rdx, -216(%rbp)\n"
                   "  movaps %xmm0, -160(%rbp)\n"
                   "  movaps %xmm1, -144(%rbp)\n"
                   "  leaq -224(%rbp), %rdi\n"
                   "  leaq 16(%rbp), %rsi\n"
                   "  call tarry_end_wrapped_call\n"
                   "  movq -224(%rbp), %rax\n"
                   "  movq -216(%rbp), %rdx\n"
                   "  movaps -160(%rbp), %xmm0\n"
                   "  movaps -144(%rbp), %xmm1\n"
                   "  leave\n"
                   "  .cfi_remember_state\n"
                   "  .cfi_def_cfa %rsp, 8\n"
                   "  ret\n"
                   "1:\n"
                   "  .cfi_restore_state\n"  //
                   TARRY_RESTORE_ARGUMENTS "  leave\n"
                   "  .cfi_def_cfa %rsp, 8\n"
                   "  jmp *%r11\n")  //
    ".popsection\n");

// x86_64_handlers.cpp -- functions in front of signal handlers, and calls on another stack.
#include "measure/processor/assembled_function.hpp"

// The way to the program's handler is a jump: it finds its arguments and the stack as the kernel has made them.
asm(".pushsection .text\n"  //
    TARRY_HIDDEN_FUNCTION(tarry_stand_before_handler,
                          "  pushq %rdi\n"
                          "  .cfi_adjust_cfa_offset 8\n"
                          "  pushq %rsi\n"
                          "  .cfi_adjust_cfa_offset 8\n"
                          "  pushq %rdx\n"
                          "  .cfi_adjust_cfa_offset 8\n"
                          "  call tarry_choose_handler\n"
                          "  popq %rdx\n"
                          "  .cfi_adjust_cfa_offset -8\n"
                          "  popq %rsi\n"
                          "  .cfi_adjust_cfa_offset -8\n"
                          "  popq %rdi\n"
                          "  .cfi_adjust_cfa_offset -8\n"
                          "  testq %rax, %rax\n"
                          "  je 1f\n"
                          "  jmp *%rax\n"
                          "1:\n"
                          "  ret\n")  //
    ".popsection\n");

// A signal may interrupt it anywhere: where the variable does not tell, the interrupted instruction does. Unwinders and
// debuggers know the end of a handler by its instructions. They look one byte further in front. gdb does where the name
// has the word sigaction in it.
asm(".pushsection .text\n"
    ".p2align 4\n"
    ".globl tarry_sample_handler, tarry_sample_context_kept, tarry_return_from_sigaction, tarry_sample_handler_end\n"
    ".hidden tarry_sample_handler, tarry_sample_context_kept, tarry_return_from_sigaction, tarry_sample_handler_end\n"
    ".type tarry_sample_handler, @function\n"
    ".type tarry_return_from_sigaction, @function\n"
    "tarry_sample_handler:\n"
    "  .cfi_startproc\n"
    "  movq tarry_sample_context@gottpoff(%rip), %rax\n"
    "  movq %rdx, %fs:(%rax)\n"
    "tarry_sample_context_kept:\n"
    "  movq tarry_signal_state@gottpoff(%rip), %rax\n"
    "  orb $1, %fs:(%rax)\n"
    "  subq $8, %rsp\n"
    "  .cfi_def_cfa_offset 16\n"
    "  call tarry_take_sample\n"
    "  addq $8, %rsp\n"
    "  .cfi_def_cfa_offset 8\n"
    "  movq tarry_signal_state@gottpoff(%rip), %rax\n"
    "  andb $~1, %fs:(%rax)\n"
    "  ret\n"
    "  .cfi_endproc\n"
    "  nop\n"
    "tarry_return_from_sigaction:\n"
    "  movq $15, %rax\n"
    "  syscall\n"
    "tarry_sample_handler_end:\n"
    ".size tarry_sample_handler, tarry_return_from_sigaction - tarry_sample_handler\n"
    ".size tarry_return_from_sigaction, .-tarry_return_from_sigaction\n"
    ".popsection\n");

asm(".pushsection .text\n"  //
    TARRY_HIDDEN_FUNCTION(tarry_call_on_stack,
                          "  pushq %rbp\n"
                          "  .cfi_def_cfa_offset 16\n"
                          "  .cfi_offset %rbp, -16\n"
                          "  movq %rsp, %rbp\n"
                          "  .cfi_def_cfa_register %rbp\n"
                          "  movq %rdx, %rsp\n"
                          "  movq %rdi, %rax\n"
                          "  movq %rsi, %rdi\n"
                          "  callq *%rax\n"
                          "  leave\n"
                          "  .cfi_def_cfa %rsp, 8\n"
                          "  ret\n")  //
    ".popsection\n");

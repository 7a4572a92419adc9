// aarch64_handlers.cpp -- functions in front of signal handlers, and calls on another stack.
//
// `hint #34` (bti c) is where indirect calls and jumps may go to.
#include "measure/processor/assembled_function.hpp"
#include "measure/processor/handler_entries.hpp"
#include "measure/processor/processor.hpp"

// The way to the program's handler is a jump: it finds its arguments and the stack as the kernel has made them.
asm(".pushsection .text\n"  //
    TARRY_HIDDEN_FUNCTION(tarry_stand_before_handler,
                          "  hint #34\n"
                          "  stp x29, x30, [sp, #-48]!\n"
                          "  .cfi_def_cfa_offset 48\n"
                          "  .cfi_offset 29, -48\n"
                          "  .cfi_offset 30, -40\n"
                          "  mov x29, sp\n"
                          "  stp x0, x1, [sp, #16]\n"
                          "  str x2, [sp, #32]\n"
                          "  bl tarry_choose_handler\n"
                          "  mov x16, x0\n"
                          "  ldp x0, x1, [sp, #16]\n"
                          "  ldr x2, [sp, #32]\n"
                          "  ldp x29, x30, [sp], #48\n"
                          "  .cfi_restore 30\n"
                          "  .cfi_restore 29\n"
                          "  .cfi_def_cfa_offset 0\n"
                          "  cbz x16, 1f\n"
                          "  br x16\n"
                          "1:\n"
                          "  ret\n")  //
    ".popsection\n");

// A signal may interrupt it anywhere: where the variable does not tell, the interrupted instruction does. The signal of
// samples itself is blocked meanwhile, so the bit may be set in several steps. Unwinders and debuggers know the end of
// a handler by its instructions. They look one instruction further in front.
asm(".pushsection .text\n"
    ".p2align 4\n"
    ".globl tarry_sample_handler, tarry_sample_context_kept, tarry_return_from_sample, tarry_sample_handler_end\n"
    ".hidden tarry_sample_handler, tarry_sample_context_kept, tarry_return_from_sample, tarry_sample_handler_end\n"
    ".type tarry_sample_handler, %function\n"
    ".type tarry_return_from_sample, %function\n"
    "tarry_sample_handler:\n"
    "  .cfi_startproc\n"
    "  hint #34\n"
    "  mrs x3, tpidr_el0\n"
    "  adrp x4, :gottprel:tarry_sample_context\n"
    "  ldr x4, [x4, #:gottprel_lo12:tarry_sample_context]\n"
    "  str x2, [x3, x4]\n"
    "tarry_sample_context_kept:\n"
    "  adrp x4, :gottprel:tarry_signal_state\n"
    "  ldr x4, [x4, #:gottprel_lo12:tarry_signal_state]\n"
    "  ldrb w5, [x3, x4]\n"
    "  orr w5, w5, #1\n"
    "  strb w5, [x3, x4]\n"
    "  stp x29, x30, [sp, #-16]!\n"
    "  .cfi_def_cfa_offset 16\n"
    "  .cfi_offset 29, -16\n"
    "  .cfi_offset 30, -8\n"
    "  mov x29, sp\n"
    "  bl tarry_take_sample\n"
    "  ldp x29, x30, [sp], #16\n"
    "  .cfi_restore 30\n"
    "  .cfi_restore 29\n"
    "  .cfi_def_cfa_offset 0\n"
    "  mrs x3, tpidr_el0\n"
    "  adrp x4, :gottprel:tarry_signal_state\n"
    "  ldr x4, [x4, #:gottprel_lo12:tarry_signal_state]\n"
    "  ldrb w5, [x3, x4]\n"
    "  and w5, w5, #0xfe\n"
    "  strb w5, [x3, x4]\n"
    "  ret\n"
    "  .cfi_endproc\n"
    "  nop\n"
    "tarry_return_from_sample:\n"
    "  mov x8, #139\n"
    "  svc #0\n"
    "tarry_sample_handler_end:\n"
    ".size tarry_sample_handler, tarry_return_from_sample - tarry_sample_handler\n"
    ".size tarry_return_from_sample, .-tarry_return_from_sample\n"
    ".popsection\n");

extern "C" __attribute__((visibility("hidden"))) void tarry_call_on_stack(void (*function)(void*), void* argument,
                                                                          void* top);
asm(".pushsection .text\n"  //
    TARRY_HIDDEN_FUNCTION(tarry_call_on_stack,
                          "  hint #34\n"
                          "  stp x29, x30, [sp, #-16]!\n"
                          "  .cfi_def_cfa_offset 16\n"
                          "  .cfi_offset 29, -16\n"
                          "  .cfi_offset 30, -8\n"
                          "  mov x29, sp\n"
                          "  .cfi_def_cfa_register 29\n"
                          "  mov x3, x0\n"
                          "  mov x0, x1\n"
                          "  mov sp, x2\n"
                          "  blr x3\n"
                          "  mov sp, x29\n"
                          "  .cfi_def_cfa_register 31\n"
                          "  ldp x29, x30, [sp], #16\n"
                          "  .cfi_restore 30\n"
                          "  .cfi_restore 29\n"
                          "  .cfi_def_cfa_offset 0\n"
                          "  ret\n")  //
    ".popsection\n");

namespace tarry::measure::processor {

void call_on_stack(void (*function)(void*), void* argument, void* top) { tarry_call_on_stack(function, argument, top); }

}  // namespace tarry::measure::processor

// aarch64_wrapped_calls.cpp -- hands a call on with the arguments as they are (saved_call.hpp).
#include "measure/processor/assembled_function.hpp"

#define TARRY_RESTORE_ARGUMENTS \
  "  ldp x0, x1, [x29, #16]\n"  \
  "  ldp x2, x3, [x29, #32]\n"  \
  "  ldp x4, x5, [x29, #48]\n"  \
  "  ldp x6, x7, [x29, #64]\n"  \
  "  ldp q0, q1, [x29, #80]\n"  \
  "  ldp q2, q3, [x29, #112]\n" \
  "  ldp q4, q5, [x29, #144]\n" \
  "  ldp q6, q7, [x29, #176]\n" \
  "  ldr x16, [x29, #208]\n"    \
  "  ldr x8, [x29, #232]\n"

// x16 is the record of the function.
asm(".pushsection .text\n"  //
    TARRY_FUNCTION(tarry_wrapped_call,
                   "  hint #34\n"
                   "  stp x29, x30, [sp, #-240]!\n"
                   "  .cfi_def_cfa_offset 240\n"
                   "  .cfi_offset 29, -240\n"
                   "  .cfi_offset 30, -232\n"
                   "  mov x29, sp\n"
                   "  .cfi_def_cfa_register 29\n"
                   "  stp x0, x1, [sp, #16]\n"
                   "  stp x2, x3, [sp, #32]\n"
                   "  stp x4, x5, [sp, #48]\n"
                   "  stp x6, x7, [sp, #64]\n"
                   "  stp q0, q1, [sp, #80]\n"
                   "  stp q2, q3, [sp, #112]\n"
                   "  stp q4, q5, [sp, #144]\n"
                   "  stp q6, q7, [sp, #176]\n"
                   "  str x8, [sp, #232]\n"
                   "  mov x0, x16\n"
                   "  add x1, sp, #16\n"
                   "  add x2, sp, #240\n"
                   "  bl tarry_begin_wrapped_call\n"
                   "  tbnz x0, #63, 3f\n"
                   "  add x10, x0, #1\n"
                   "  and x10, x10, #-2\n"
                   "  sub sp, sp, x10, lsl #3\n"
                   "  add x11, x29, #240\n"
                   "  mov x12, sp\n"
                   "1:\n"
                   "  cbz x0, 2f\n"
                   "  ldr x13, [x11], #8\n"
                   "  str x13, [x12], #8\n"
                   "  sub x0, x0, #1\n"
                   "  b 1b\n"
                   "2:\n"  //
                   TARRY_RESTORE_ARGUMENTS "  blr x16\n"
                   "  stp x0, x1, [x29, #16]\n"
                   "  stp q0, q1, [x29, #80]\n"
                   "  stp q2, q3, [x29, #112]\n"
                   "  add x0, x29, #16\n"
                   "  add x1, x29, #240\n"
                   "  bl tarry_end_wrapped_call\n"
                   "  ldp x0, x1, [x29, #16]\n"
                   "  ldp q0, q1, [x29, #80]\n"
                   "  ldp q2, q3, [x29, #112]\n"
                   "  mov sp, x29\n"
                   "  .cfi_def_cfa_register 31\n"
                   "  ldp x29, x30, [sp], #240\n"
                   "  .cfi_remember_state\n"
                   "  .cfi_restore 30\n"
                   "  .cfi_restore 29\n"
                   "  .cfi_def_cfa_offset 0\n"
                   "  ret\n"
                   "3:\n"
                   "  .cfi_restore_state\n"  //
                   TARRY_RESTORE_ARGUMENTS "  ldp x29, x30, [sp], #240\n"
                   "  .cfi_restore 30\n"
                   "  .cfi_restore 29\n"
                   "  .cfi_def_cfa 31, 0\n"
                   "  br x16\n")  //
    ".popsection\n");

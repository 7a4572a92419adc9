// aarch64_mpi_entries.hpp -- the code of the entries of MPI functions.
//
// `hint #34` (bti c) is where indirect calls and jumps may go to. Processors without BTI do nothing there.
//
// Calls: may block.
#pragma once

#include "measure/processor/assembled_function.hpp"

#define TARRY_JUMP(number)                 \
  "hint #34\n"                             \
  "adrp x16, tarry_mpi_targets+8*" #number \
  "\n"                                     \
  "ldr x16, [x16, #:lo12:tarry_mpi_targets+8*" #number "]\nbr x16\n"
#define TARRY_CHOOSE(number) "hint #34\nmov w16, #" #number "\nb tarry_choose\n"

#define TARRY_CHOOSE_TARGET                                                                       \
  "stp x29, x30, [sp, #-80]!\n.cfi_def_cfa_offset 80\n.cfi_offset 29, -80\n.cfi_offset 30, -72\n" \
  "stp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\nstp x6, x7, [sp, #64]\n"  \
  "mov x29, sp\nmov w0, w16\nmov x1, x30\nbl tarry_choose_mpi_target\nmov x16, x0\n"              \
  "ldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\n"  \
  "ldp x29, x30, [sp], #80\n.cfi_restore 30\n.cfi_restore 29\n.cfi_def_cfa_offset 0\nbr x16\n"

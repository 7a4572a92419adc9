// x86_64_mpi_entries.hpp -- the code of the entries of MPI functions.
//
// Calls: may block.
#pragma once

#include "measure/processor/assembled_function.hpp"

#define TARRY_JUMP(number) "jmp *tarry_mpi_targets+8*" #number "(%rip)\n"
#define TARRY_CHOOSE(number) "movl $" #number ", %r11d\njmp tarry_choose\n"

#define TARRY_PUSH(name) "pushq %" #name "\n.cfi_adjust_cfa_offset 8\n"
#define TARRY_POP(name) "popq %" #name "\n.cfi_adjust_cfa_offset -8\n"
// clang-format off
#define TARRY_CHOOSE_TARGET                                                                                        \
  TARRY_PUSH(rdi) TARRY_PUSH(rsi) TARRY_PUSH(rdx) TARRY_PUSH(rcx) TARRY_PUSH(r8) TARRY_PUSH(r9) TARRY_PUSH(r9)     \
  "movl %r11d, %edi\nmovq 56(%rsp), %rsi\ncall tarry_choose_mpi_target\n"                                          \
  TARRY_POP(r9) TARRY_POP(r9) TARRY_POP(r8) TARRY_POP(rcx) TARRY_POP(rdx) TARRY_POP(rsi) TARRY_POP(rdi)            \
  "jmp *%rax\n"
// clang-format on
